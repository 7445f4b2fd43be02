import {
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
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

interface Holder {
  readonly pid: number;
  /** Start time of the process in units of the system; null if unknown. */
  readonly began: string | null;
}

const NAME = /^lock-([1-9]\d{0,14})$/;

/**
 * Locks a folder by its absolute path. An abandoned lock is replaced by a lock with the next
 * number, which only one process can create.
 *
 * @throws TwinbaseError `unavailable` if another process holds the lock
 */
export function lockFolder(folder: string): Lock {
  for (;;) {
    const last = Math.max(0, ...locksIn(folder));
    if (last > 0 && !isAbandoned(lockAt(folder, last))) {
      refuse("unavailable", `${folder}: another process has it open, or this one has`);
    }
    const path = lockAt(folder, last + 1);
    if (!makeLock(folder, path)) continue;
    if (Math.max(...locksIn(folder)) > last + 1) {
      rmSync(path, { force: true }); // another process took the next number
      continue;
    }
    for (const number of locksIn(folder)) {
      if (number <= last) rmSync(lockAt(folder, number), { force: true });
    }
    return holdLock(path);
  }
}

/** Identifies the lock by its open file: after a move, the path may refer to another folder. */
function holdLock(path: string): Lock {
  const file = openSync(path, "r");
  const own = fstatSync(file);
  const isHeld = (): boolean => {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && found.ino === own.ino && found.dev === own.dev;
  };
  return {
    requireHeld() {
      if (!isHeld()) refuse("unavailable", "the folder was moved or replaced while it was open");
    },
    release() {
      if (isHeld()) rmSync(path, { force: true });
      closeSync(file);
    },
  };
}

function lockAt(folder: string, number: number): string {
  return join(folder, `lock-${number}`);
}

function locksIn(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => NAME.exec(name)?.slice(1).map(Number) ?? []);
}

/** Creates a lock atomically. Returns false if it exists. */
function makeLock(folder: string, path: string): boolean {
  const beside = join(folder, `lock-of-${process.pid}.new`);
  const holder: Holder = { pid: process.pid, began: beginOf(process.pid) };
  try {
    writeFileSync(beside, JSON.stringify(holder));
    linkSync(beside, path);
    return true;
  } catch (error) {
    // Created by another process, or removed by one that has locked the folder.
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST" || code === "ENOENT") return false;
    throw error;
  } finally {
    rmSync(beside, { force: true });
  }
}

/** Whether the process of a lock has ended. */
function isAbandoned(path: string): boolean {
  let holder: Holder | null = null;
  try {
    holder = JSON.parse(readFileSync(path, "utf8")) as Holder | null;
  } catch {} // just released, or never completely written
  if (holder === null) return true;
  if (holder.began !== null) return holder.began !== beginOf(holder.pid);
  try {
    process.kill(holder.pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Returns the start time of a process, since ids are reused. */
function beginOf(pid: number): string | null {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    const began = status.slice(status.lastIndexOf(")") + 2).split(" ")[19]; // the 22nd field
    return `${boot} ${began}`;
  } catch {
    return null;
  }
}
