import {
  linkSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { refuse } from "../../errors.js";

/** A folder that this process has for itself. */
export interface Lock {
  release(): void;
}

interface Holder {
  readonly pid: number;
  /** When its process began, as the system counts; null where the system does not say. */
  readonly began: string | null;
}

const NAME = /^lock-([1-9]\d{0,14})$/;

/** The folders that this process has open: where the system does not say when a process began. */
const held: Set<string> = new Set();

/**
 * Takes a folder for this process. The lock of a process that has ended without giving it back is
 * followed by one of the next number, which one alone can make.
 *
 * @throws TwinbaseError `unavailable` where another has it
 */
export function lockFolder(folder: string): Lock {
  const place = realpathSync(folder);
  for (;;) {
    const last = lastLock(place);
    if (last > 0 && !isAbandoned(place, last)) {
      refuse("unavailable", `${folder}: another process has it open, or this one has`);
    }
    const own = last + 1;
    if (!makeLock(place, own)) continue;
    if (lastLock(place) !== own) {
      unlinkSync(lockAt(place, own)); // another has gone past it meanwhile
      continue;
    }
    held.add(place);
    for (const number of locksIn(place))
      if (number < own) rmSync(lockAt(place, number), { force: true });
    return {
      release() {
        held.delete(place);
        rmSync(lockAt(place, own), { force: true });
      },
    };
  }
}

function lockAt(folder: string, number: number): string {
  return join(folder, `lock-${number}`);
}

function locksIn(folder: string): number[] {
  return readdirSync(folder).flatMap((name) => NAME.exec(name)?.slice(1).map(Number) ?? []);
}

function lastLock(folder: string): number {
  return Math.max(0, ...locksIn(folder));
}

/** Makes a lock with all that it says, unless it is there. */
function makeLock(folder: string, number: number): boolean {
  const beside = join(folder, `lock-of-${process.pid}.new`);
  const holder: Holder = { pid: process.pid, began: beginOf(process.pid) };
  writeFileSync(beside, JSON.stringify(holder));
  try {
    linkSync(beside, lockAt(folder, number));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    unlinkSync(beside);
  }
}

/** Whether the process that made a lock is there no more. */
function isAbandoned(folder: string, number: number): boolean {
  let holder: Holder | null = null;
  try {
    holder = JSON.parse(readFileSync(lockAt(folder, number), "utf8")) as Holder | null;
  } catch {} // given back just now, or never whole
  if (holder === null) return true;
  if (holder.began !== null) return holder.began !== beginOf(holder.pid);
  if (holder.pid === process.pid) return !held.has(folder);
  try {
    process.kill(holder.pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Tells a process from another that was given its number later. */
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
