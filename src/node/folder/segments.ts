import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import { COMMIT } from "../../engine/log/layout.js";
import { refuse } from "../../errors.js";

/*
 * A folder holds an export, `base-N.ndjson`, and the logs of what has changed since: `log-N.ndjson`
 * and those of higher numbers. A new base of number M holds all up to where the log M begins; what
 * is older is then removed.
 */

const CHUNK_BYTES = 1 << 18;
const COMMIT_BEGINNING: Buffer = Buffer.from(`\n["${COMMIT}",`);
const LINE_END = 0x0a;
/** Its numbers have room in far less. */
const MAX_COMMIT_BYTES = 4096;

/** What a process that was ended may leave; anything else with such an ending is not ours. */
const UNFINISHED = /^(?:base-[1-9]\d{0,14}\.ndjson|lock-of-\d+)\.new$/;

/** What of a folder is read at the start. */
export interface Segments {
  readonly base: number | undefined;
  /** Numbers of logs, from that of the base on without a gap. */
  readonly logs: readonly number[];
}

export function baseName(number: number): string {
  return `base-${number}.ndjson`;
}

export function logName(number: number): string {
  return `log-${number}.ndjson`;
}

/**
 * What there is in a folder; what an earlier process has left unfinished is removed.
 *
 * @throws TwinbaseError `invalid_request` where a file is missing
 */
export function listSegments(folder: string): Segments {
  for (const name of readdirSync(folder)) {
    if (UNFINISHED.test(name)) rmSync(join(folder, name), { force: true });
  }
  const base = numbersOf(folder, "base").at(-1);
  const logs = numbersOf(folder, "log");
  if (base === undefined) {
    // The first log is made before the first base.
    const isNew = logs.every((number) => number === 1 && isBare(join(folder, logName(number))));
    if (!isNew) refuse("invalid_request", `${folder}: there are logs, but no ${baseName(1)}`);
    return { base, logs: [] };
  }
  const kept = logs.filter((number) => number >= base);
  for (const [place, number] of (kept.length > 0 ? kept : [-1]).entries()) {
    if (number !== base + place) {
      refuse("invalid_request", `${folder}: ${logName(base + place)} is missing`);
    }
  }
  return { base, logs: kept };
}

/** Removes what a base of that number holds; for once that base has been read or written whole. */
export function removeBefore(folder: string, base: number): void {
  for (const [kind, nameOf] of [
    ["base", baseName],
    ["log", logName],
  ] as const) {
    for (const number of numbersOf(folder, kind)) {
      if (number < base) rmSync(join(folder, nameOf(number)), { force: true });
    }
  }
}

function numbersOf(folder: string, kind: "base" | "log"): number[] {
  const pattern = new RegExp(`^${kind}-([1-9]\\d{0,14})\\.ndjson$`);
  const numbers = readdirSync(folder).flatMap(
    (name) => pattern.exec(name)?.slice(1).map(Number) ?? [],
  );
  return numbers.sort((a, b) => a - b);
}

/** Whether a log has nothing that was committed. */
function isBare(path: string): boolean {
  const file = openSync(path, "r");
  try {
    return endOfCommits(file) === 0;
  } finally {
    closeSync(file);
  }
}

/** A log that is open to be read. */
export interface OpenLog {
  /** Where its last commit ends, and what it has in all, in bytes. */
  readonly end: number;
  readonly size: number;
  readonly committed: Iterable<Uint8Array>;
  /** What follows the last commit. */
  readonly rest: Iterable<Uint8Array>;
  /** Cuts the rest off. */
  cut(): void;
  close(): void;
}

export function openLog(path: string): OpenLog {
  const file = openSync(path, "r+");
  const end = endOfCommits(file);
  const { size } = fstatSync(file);
  return {
    end,
    size,
    committed: readChunks(file, 0, end),
    rest: readChunks(file, end, size),
    cut() {
      if (end === size) return;
      ftruncateSync(file, end);
      fdatasyncSync(file);
    },
    close: () => closeSync(file),
  };
}

export function* readFile(path: string): Generator<Uint8Array> {
  const file = openSync(path, "r");
  try {
    yield* readChunks(file, 0, fstatSync(file).size);
  } finally {
    closeSync(file);
  }
}

function* readChunks(file: number, from: number, to: number): Generator<Uint8Array> {
  for (let at = from; at < to; ) {
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, to - at));
    const count = readSync(file, chunk, 0, chunk.length, at);
    if (count === 0) return;
    yield chunk.subarray(0, count);
    at += count;
  }
}

/** Where the line of the last commit ends; looked for from the end of the file, as it is near. */
function endOfCommits(file: number): number {
  const { size } = fstatSync(file);
  for (let to = size; to > 0; to -= CHUNK_BYTES) {
    const from = Math.max(0, to - CHUNK_BYTES);
    // A line that begins before `to` ends soon after it.
    const bytes = Buffer.alloc(Math.min(size, to + MAX_COMMIT_BYTES) - from);
    readSync(file, bytes, 0, bytes.length, from);
    for (let at = bytes.lastIndexOf(COMMIT_BEGINNING); at >= 0; ) {
      const end = bytes.indexOf(LINE_END, at + 1);
      if (end >= 0) return from + end + 1;
      at = at === 0 ? -1 : bytes.lastIndexOf(COMMIT_BEGINNING, at - 1);
    }
  }
  return 0;
}

/** Makes the names in a folder last, where the system can. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return; // it opens no folders
  const file = openSync(folder, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
