import { mkdirSync, realpathSync } from "node:fs";
import { type Lock, lockFolder } from "../persist/folder/lock.js";

/** Locks the folder of an embedded PostgreSQL. Throws `unavailable` if another process has it. */
export function takeFolder(folder: string): Lock {
  mkdirSync(folder, { recursive: true });
  return lockFolder(realpathSync(folder));
}
