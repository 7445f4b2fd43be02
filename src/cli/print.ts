import { TwinbaseError } from "../errors.js";

/** Prints what a subcommand gives; what is refused, and files that cannot be read, end with 1. */
export async function print(name: string, give: () => string | Promise<string>): Promise<number> {
  try {
    process.stdout.write(await give());
    return 0;
  } catch (error) {
    if (!isExpected(error)) throw error;
    process.stderr.write(`twinbase ${name}: ${error.message}\n`);
    return 1;
  }
}

function isExpected(error: unknown): error is Error {
  if (error instanceof TwinbaseError) return true;
  return error instanceof Error && "syscall" in error; // of a file
}
