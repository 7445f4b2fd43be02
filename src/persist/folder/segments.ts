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
import { refuse } from "../../errors.js";
import { LineReader } from "../lines.js";
import type { Replay } from "../replay.js";
import type { Lock } from "./lock.js";

/*
 * A folder holds an export, `base-N.ndjson`, and the changes since: `log-N.ndjson`, and the next
 * log if that one ends with a line `next`. A new base M contains everything before log M; older
 * files are then removed.
 */

const CHUNK_BYTES = 1 << 18;
/** Bases of ended processes, and locks of earlier checkouts. */
const UNFINISHED = /^(?:(?:base-[1-9]\d{0,14}\.ndjson|lock-of-\d+)\.new|lock-[1-9]\d{0,14})$/;
const LINE_END = 0x0a;
const COMMIT: Buffer = Buffer.from('\n["commit",');
/** Maximum length of headers and commits. */
const MAX_LINE_BYTES = 4096;

export function baseName(number: number): string {
  return `base-${number}.ndjson`;
}

export function logName(number: number): string {
  return `log-${number}.ndjson`;
}

export function numbersOf(folder: string, kind: "base" | "log"): number[] {
  const pattern = new RegExp(`^${kind}-([1-9]\\d{0,14})\\.ndjson$`);
  const found = readdirSync(folder).map((name) => Number(pattern.exec(name)?.[1] ?? 0));
  return found.filter((number) => number > 0).sort((a, b) => a - b);
}

export function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (UNFINISHED.test(name)) rmSync(join(folder, name), { force: true });
  }
}

/** Removes files that a complete base replaces. */
export function removeBefore(folder: string, base: number, lock: Lock): void {
  const names = [
    ...numbersOf(folder, "base").map(baseName),
    ...numbersOf(folder, "log").map(logName),
  ];
  for (const name of names) {
    if (Number(/\d+/.exec(name)) >= base) continue;
    lock.requireHeld();
    rmSync(join(folder, name), { force: true });
  }
}

export function syncFolder(folder: string): void {
  if (process.platform === "win32") return; // cannot open folders
  const file = openSync(folder, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

export function* readChunks(
  file: number,
  from = 0,
  to: number = fstatSync(file).size,
): Generator<Buffer> {
  for (let at = from; at < to; ) {
    const chunk = Buffer.alloc(Math.min(CHUNK_BYTES, to - at));
    const count = readSync(file, chunk, 0, chunk.length, at);
    if (count === 0) return;
    yield chunk.subarray(0, count);
    at += count;
  }
}

export interface ReadLog {
  readonly sum: string;
  /** Size in bytes, without a truncated tail. */
  readonly size: number;
  readonly hasNext: boolean;
}

/**
 * Replays a log and truncates it after the last commit: later lines were never acknowledged. A
 * complete but damaged line there may have been a commit: it throws with file and line.
 */
export function readLog(replay: Replay, path: string): ReadLog {
  const file = openSync(path, "r+");
  try {
    const { size } = fstatSync(file);
    const end = findEnd(file, size);
    let isRest = false;
    let hasNext = false;
    const reader = new LineReader((line, number) => {
      if (hasNext) refuse("invalid_request", "it continues after its end");
      if (!isRest || number === 1) replay.take(line, number);
      else if (line[0] === "next") {
        hasNext = true;
        replay.take(line, number);
      }
    }, path);
    for (const chunk of readChunks(file, 0, end)) reader.write(chunk);
    reader.end(() => end > 0 || refuse("invalid_request", "its beginning is missing"));
    isRest = true;
    const { sum } = reader;
    if (!hasZero(file, end, size)) {
      for (const chunk of readChunks(file, end, size)) reader.write(chunk);
      reader.endTorn();
    }
    if (hasNext) return { sum, size, hasNext };
    if (end < size) {
      ftruncateSync(file, end);
      fdatasyncSync(file);
    }
    return { sum, size: end, hasNext };
  } finally {
    closeSync(file);
  }
}

export function isBare(path: string): boolean {
  const file = openSync(path, "r");
  try {
    return endOfCommit(file, fstatSync(file).size) === 0;
  } finally {
    closeSync(file);
  }
}

/** Returns the end of the last complete commit, or of the first line. */
function findEnd(file: number, size: number): number {
  const last = endOfCommit(file, size);
  const before = last === 0 ? 0 : endOfCommit(file, last - 1);
  // Zeros mean that the disk allocated the last change without writing all of it.
  const end = hasZero(file, before, last) ? before : last;
  if (end > 0) return end;
  const [first] = readChunks(file, 0, Math.min(size, MAX_LINE_BYTES));
  return (first?.indexOf(LINE_END) ?? -1) + 1;
}

function hasZero(file: number, from: number, to: number): boolean {
  for (const chunk of readChunks(file, from, to)) if (chunk.includes(0)) return true;
  return false;
}

/** Searches backwards, because the last commit is near the end. */
function endOfCommit(file: number, before: number): number {
  for (let to = before; to > 0; to -= CHUNK_BYTES) {
    const from = Math.max(0, to - CHUNK_BYTES);
    // A line that begins before `to` ends soon after it.
    const bytes = Buffer.alloc(Math.min(before, to + MAX_LINE_BYTES) - from);
    readSync(file, bytes, 0, bytes.length, from);
    for (let at = bytes.lastIndexOf(COMMIT); at >= 0; ) {
      const end = bytes.indexOf(LINE_END, at + 1);
      if (end >= 0) return from + end + 1;
      at = at === 0 ? -1 : bytes.lastIndexOf(COMMIT, at - 1);
    }
  }
  return 0;
}
