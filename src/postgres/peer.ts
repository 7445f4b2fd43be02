import { refuse } from "../errors.js";

/**
 * Loads a package that is installed by who wants it.
 *
 * @throws TwinbaseError `invalid_request`, with the line that installs it
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
