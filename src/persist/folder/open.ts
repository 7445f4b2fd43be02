import { randomUUID } from "node:crypto";
import { closeSync, existsSync, mkdirSync, openSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { EngineContext } from "../../engine/context.js";
import type { EngineSetup } from "../../engine/setup.js";
import { refuse, TwinbaseError } from "../../errors.js";
import { MigrationNumbers } from "../catalog-lines.js";
import { exportContext, openReplayed } from "../contexts.js";
import { LineReader } from "../lines.js";
import { Replay, type ReplayOptions } from "../replay.js";
import { logHeader } from "../write.js";
import { type Lock, lockFolder } from "./lock.js";
import { createLog, writeBase } from "./log-files.js";
import {
  baseName,
  isBare,
  logName,
  numbersOf,
  readChunks,
  readLog,
  removeBefore,
  removeUnfinished,
} from "./segments.js";
import { Store } from "./store.js";

export interface FolderOptions {
  readonly now: ReplayOptions["now"];
  /** Minimum bytes of logs for compaction; they must also exceed twice the base. */
  readonly compactAfter: number;
  readonly begin: () => Promise<EngineContext>;
  readonly complete: (setup: EngineSetup) => EngineSetup;
}

export interface OpenFolder {
  readonly context: EngineContext;
  readonly close: () => Promise<void>;
}

/** Opens a folder, by its absolute path, exclusively for this process. */
export async function openFolder(folder: string, options: FolderOptions): Promise<OpenFolder> {
  let lock: Lock | undefined;
  try {
    makeFolder(folder);
    lock = takeLock(folder);
    removeUnfinished(folder);
    if (numbersOf(folder, "base").length === 0) {
      requireNew(folder);
      await begin(folder, await options.begin(), lock);
    }
    return open(folder, options, lock);
  } catch (error) {
    lock?.release();
    const { code, message } = error as NodeJS.ErrnoException;
    if (error instanceof TwinbaseError || code === undefined) throw error;
    return refuse("unavailable", `${folder}: ${message}${ADVICE[code] ?? ""}`);
  }
}

const MAY_NOT_WRITE = "; name a folder that this process may write to";
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: "; free disk space and open it again",
  EDQUOT: "; free disk space and open it again",
  EROFS: MAY_NOT_WRITE,
  EACCES: MAY_NOT_WRITE,
  EPERM: MAY_NOT_WRITE,
};

/** Creates a folder and its parents. `recursive` reports a read-only disk as a missing file. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error; // just created by another process
  }
}

/** Acquires the lock; on a full disk, removes leftovers of ended processes and retries. */
function takeLock(folder: string): Lock {
  try {
    return lockFolder(folder);
  } catch (error) {
    // The folder is not locked, which would be reported first.
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    removeUnfinished(folder);
    return lockFolder(folder);
  }
}

async function begin(folder: string, context: EngineContext, lock: Lock): Promise<void> {
  const id = randomUUID();
  rmSync(join(folder, logName(1)), { force: true }); // contains no changes
  closeSync(createLog(folder, 1, logHeader(1, id), lock));
  try {
    await writeBase(folder, 1, exportContext(context, id), lock);
  } catch (error) {
    // The base may already be renamed, but is invalid without its log.
    for (const name of [baseName(1), logName(1)]) rmSync(join(folder, name), { force: true });
    throw error;
  }
}

function requireNew(folder: string): void {
  // The first log is created before the first base.
  const logs = numbersOf(folder, "log");
  if (logs.every((number) => number === 1 && isBare(join(folder, logName(number))))) return;
  refuse("invalid_request", `${folder}: there are logs, but no ${baseName(1)}`);
}

function open(
  folder: string,
  { now, compactAfter, complete }: FolderOptions,
  lock: Lock,
): OpenFolder {
  const base = numbersOf(folder, "base").at(-1) ?? 1;
  requireLog(folder, base); // created before the base
  const replay = new Replay({ now });
  const baseBytes = readBase(replay, join(folder, baseName(base)));
  let log = base;
  let last = readLog(replay, requireLog(folder, log));
  let logBytes = last.size;
  while (last.hasNext) {
    last = readLog(replay, requireLog(folder, ++log));
    logBytes += last.size;
  }
  removeStray(folder, log);
  const replayed = replay.end();
  const context = openReplayed({ ...replayed, setup: complete(replayed.setup) });
  context.setBaseline();
  const numbers = new MigrationNumbers();
  for (const [number, migration] of replay.migrations) numbers.set(migration, number);
  const position = { commits: replay.commits, numbers, sum: last.sum };
  const sizes = { baseBytes, log, logBytes, compactAfter };
  const store = new Store(context, { ...position, ...sizes, folder, lock });
  removeBefore(folder, base, lock); // only after the remaining files are verified
  context.feed.sink = store;
  const close = async (): Promise<void> => {
    try {
      await store.close();
    } finally {
      lock.release();
    }
  };
  return { context, close };
}

/** Whether a log is still empty: the previous one doesn't refer to it yet. */
function removeStray(folder: string, last: number): void {
  for (const number of numbersOf(folder, "log")) {
    if (number <= last) continue;
    const stray = join(folder, logName(number));
    if (number !== last + 1 || !isBare(stray)) {
      refuse(
        "invalid_request",
        `${folder}: ${logName(last)} ends before ${logName(number)} begins`,
      );
    }
    rmSync(stray);
  }
}

function readBase(replay: Replay, path: string): number {
  const file = openSync(path, "r");
  try {
    const reader = new LineReader(replay.take, path);
    for (const chunk of readChunks(file)) reader.write(chunk);
    reader.end(() => replay.end());
    return statSync(path).size;
  } finally {
    closeSync(file);
  }
}

function requireLog(folder: string, number: number): string {
  const path = join(folder, logName(number));
  if (existsSync(path)) return path;
  return refuse("invalid_request", `${folder}: ${logName(number)} is missing`);
}
