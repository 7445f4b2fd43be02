import { randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { refuse } from "../../errors.js";

export interface Lock {
  /** @throws TwinbaseError `unavailable` if the folder was replaced or removed */
  requireHeld(): void;
  release(): void;
}

/** Process id and start, device and inode of the locked folder, and a unique number. */
const NAME = /^lock-(\d+)-(\w+)-(\d+-\d+)-[\da-f]+$/;
const UNKNOWN = "0";

/**
 * Locks a folder by its absolute path. The lock is a folder `lock` with one file: a rename creates
 * it unless one with a file exists. Since names are unique and ended processes stay ended,
 * removing the file of an ended process never removes a later lock.
 *
 * @throws TwinbaseError `unavailable` if another process holds the lock
 */
export function lockFolder(folder: string): Lock {
  const lock = join(folder, "lock");
  for (;;) {
    for (const name of namesIn(lock)) {
      if (!isAbandoned(folder, name)) {
        refuse("unavailable", `${folder}: another process has it open, or this one has`);
      }
      rmSync(join(lock, name), { force: true });
    }
    const held = tryLock(folder, lock);
    if (held !== undefined) return held;
  }
}

/** Returns undefined if another process was faster. */
function tryLock(folder: string, lock: string): Lock | undefined {
  const id = randomUUID().slice(-12);
  const name = `lock-${process.pid}-${startOf(process.pid)}-${identityOf(folder)}-${id}`;
  const prepared = join(folder, name);
  const path = join(lock, name);
  try {
    mkdirSync(prepared);
    writeFileSync(join(prepared, name), "");
    if (replaceEmpty(lock, prepared)) {
      removePrepared(folder);
      return holdLock(lock, path);
    }
    rmSync(prepared, { recursive: true });
    return undefined;
  } catch (error) {
    rmSync(path, { force: true });
    rmSync(prepared, { recursive: true, force: true });
    throw error;
  }
}

/** Returns false if the folder is not empty. */
function replaceEmpty(folder: string, other: string): boolean {
  const isWindows = process.platform === "win32";
  if (isWindows) removeEmpty(folder); // its rename replaces no folder
  try {
    renameSync(other, folder);
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOTEMPTY" || code === "EEXIST") return false;
    if (code === "EPERM" && isWindows) return false;
    throw error;
  }
}

/** Removes what processes prepared that ended before they had the lock. */
function removePrepared(folder: string): void {
  for (const name of namesIn(folder)) {
    if (!NAME.test(name) || !isAbandoned(folder, name)) continue;
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}

/** Identifies the lock by its open file: after a move, the path may refer to another folder. */
function holdLock(lock: string, path: string): Lock {
  const file = openSync(path, "r");
  const opened = fstatSync(file);
  const isHeld = (): boolean => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && found.ino === opened.ino && found.dev === opened.dev;
  };
  return {
    requireHeld() {
      if (!isHeld()) refuse("unavailable", "the folder was moved or replaced while it was open");
    },
    release() {
      const isOurs = isHeld();
      closeSync(file);
      if (!isOurs) return;
      rmSync(path, { force: true });
      removeEmpty(lock);
    },
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {} // missing or not empty
}

/** Whether the process of a lock has ended, or the lock is a copy from another folder. */
function isAbandoned(folder: string, name: string): boolean {
  const [, pid, start, identity] = NAME.exec(name) ?? [];
  if (pid === undefined || identity !== identityOf(folder)) return true;
  const current = startOf(pid);
  if (current !== UNKNOWN && start !== UNKNOWN) return current !== start;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return codeOf(error) === "ESRCH";
  }
}

/** Device and inode. */
function identityOf(folder: string): string {
  const { dev, ino } = statSync(folder, { bigint: true });
  return `${dev}-${ino}`;
}

/** The start time of a process, since ids are reused. */
function startOf(pid: number | string): string {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").replaceAll(/\W/g, "");
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    const start = status.slice(status.lastIndexOf(")") + 2).split(" ")[19]; // the 22nd field
    return `${boot}_${start}`;
  } catch {
    return UNKNOWN;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
