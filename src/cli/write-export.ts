import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { exportEngine } from "../export.js";
import type { AnyEngine } from "../index.js";

/** Writes an export atomically, through a temporary file. */
export function writeExport(engine: AnyEngine, path: string): void {
  const beside = `${path}.new`;
  const file = openSync(beside, "w");
  try {
    for (const chunk of exportEngine(engine)) writeSync(file, chunk);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
}

/**
 * Writes a text atomically.
 *
 * @param check reads the temporary file; if it throws, nothing is written
 */
export async function writeWhole(
  chunks: AsyncIterable<string | Uint8Array>,
  path: string,
  check: (beside: string) => Promise<void>,
): Promise<void> {
  const beside = `${path}.new`;
  try {
    const file = await open(beside, "w");
    try {
      for await (const chunk of chunks) await file.writeFile(chunk);
      await file.sync();
    } finally {
      await file.close();
    }
    await check(beside);
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
