import { closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import { exportEngine } from "../export.js";
import type { AnyEngine } from "../index.js";

/** Writes an export whole or not at all: into a file beside, which then takes its place. */
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
