import { mkdirSync, realpathSync } from "node:fs";
import { type Lock, lockFolder } from "../persist/folder/lock.js";

/**
 * Takes the folder of a PostgreSQL inside of the process for this process, and makes it if it is not there.
 *
 * @throws TwinbaseError `unavailable` where another has it
 */
export function takeFolder(folder: string): Lock {
  mkdirSync(folder, { recursive: true });
  return lockFolder(realpathSync(folder));
}
