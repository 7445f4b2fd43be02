import { refuse } from "../errors.js";

/**
 * Imports an optional peer dependency. Throws `invalid_request` with the command that installs it.
 */
export async function importPeer<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const isMissing =
      error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing) throw error;
    return refuse("invalid_request", `twinbase/postgres needs ${name}: npm install ${name}`);
  }
}
