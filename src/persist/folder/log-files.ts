import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  openSync,
  renameSync,
  rmSync,
  write,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { openReplay } from "../replay.js";
import type { Lock } from "./lock.js";
import { baseName, logName, readChunks, removeBefore, syncFolder } from "./segments.js";

/** Characters of a base per write; other calls run in between. */
const BASE_CHUNK = 1 << 18;

/** Creates and opens a log, then checks the lock, as the folder may have been moved. */
export function createLog(folder: string, number: number, header: string, lock: Lock): number {
  const path = join(folder, logName(number));
  const file = openSync(path, "wx");
  try {
    writeSync(file, header);
    fdatasyncSync(file);
    syncFolder(folder);
    lock.requireHeld();
    return file;
  } catch (error) {
    closeSync(file);
    rmSync(path, { force: true });
    throw error;
  }
}

/** Writes, verifies and renames a base while calls continue; returns its size. */
export async function writeBase(
  folder: string,
  number: number,
  text: Iterable<string>,
  lock: Lock,
): Promise<number> {
  const beside = join(folder, `${baseName(number)}.new`);
  const file = openSync(beside, "wx+"); // fails if it belongs to another process
  try {
    const size = await writeChecked(file, beside, text);
    lock.requireHeld();
    renameSync(beside, join(folder, baseName(number)));
    syncFolder(folder);
    removeBefore(folder, number, lock);
    return size;
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

async function writeChecked(file: number, path: string, text: Iterable<string>): Promise<number> {
  try {
    let size = 0;
    let chunk = "";
    const put = async (isLast: boolean): Promise<void> => {
      const bytes = Buffer.from(chunk);
      chunk = "";
      size += bytes.length;
      await append(file, bytes, isLast);
    };
    for (const part of text) {
      chunk += part;
      if (chunk.length >= BASE_CHUNK) await put(false);
    }
    await put(true);
    const { reader, end } = openReplay({ skipsRecords: true }, path);
    for (const part of readChunks(file)) {
      reader.write(part);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    end();
    return size;
  } finally {
    closeSync(file);
  }
}

export function append(file: number, bytes: Buffer, isSynced: boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (fault: Error | null): void => (fault === null ? resolve() : reject(fault));
    const next = (rest: Buffer): void =>
      write(file, rest, (fault, count) => {
        if (fault !== null) reject(fault);
        else if (count < rest.length) next(rest.subarray(count));
        else if (isSynced) fdatasync(file, settle);
        else resolve();
      });
    next(bytes);
  });
}
