import { escapeControls, TwinbaseError } from "../errors.js";

/**
 * Prints the result of a subcommand. Returns exit code 1 for failed requests and unreadable files.
 *
 * @param paint colours the text after control characters are escaped
 */
export async function print(
  name: string,
  give: () => string | Promise<string>,
  paint: (text: string) => string = (text) => text,
): Promise<number> {
  try {
    process.stdout.write(paint(escapeControls(await give())));
    return 0;
  } catch (error) {
    const message = describeFailure(error);
    if (message === undefined) throw error;
    sayLine(`twinbase ${name}: ${message}`);
    return 1;
  }
}

/** Prints a text on standard output, with control characters escaped. */
export function writeOut(text: string): void {
  process.stdout.write(escapeControls(text));
}

/** Prints a line on standard error, with control characters escaped. */
export function sayLine(line: string): void {
  process.stderr.write(`${escapeControls(line)}\n`);
}

/** The message of an expected failure; undefined for a bug. */
export function describeFailure(error: unknown): string | undefined {
  if (error instanceof TwinbaseError) return error.message;
  if (!(error instanceof Error && "syscall" in error)) return undefined;
  const { code, path, address, port } = error as NodeJS.ErrnoException & {
    readonly address?: string;
    readonly port?: number;
  };
  const at = path === undefined ? "" : `${path}: `;
  switch (code) {
    case "ENOENT":
      return `${at}no such file`;
    case "EISDIR":
      return `${at}expected a file, found a folder`;
    case "EADDRINUSE":
      return `port ${port} of ${address} is in use; pass another --port, or 0 for a free one`;
    default:
      return error.message;
  }
}
