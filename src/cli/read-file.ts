import { closeSync, openSync, readSync } from "node:fs";
import { basename } from "node:path";
import { refuse } from "../errors.js";
import type { Fixture } from "../fixtures.js";

const CHUNK_BYTES = 1 << 18;

/** The records in a file, which is read in chunks, and again where that is needed. */
export function openFixture(path: string): Fixture {
  return { name: path, text: () => readChunks(path) };
}

/** The name of a table for the records in a file: that of the file without its ending. */
export function tableNameOf(path: string): string {
  const name = basename(path).replace(/\.\w+$/, "");
  return name.replaceAll(/[^\w~-]+/g, "_") || "records";
}

function* readChunks(path: string): Generator<string> {
  const file = openSync(path, "r");
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const bytes = new Uint8Array(CHUNK_BYTES);
    for (;;) {
      const count = readSync(file, bytes);
      const isLast = count === 0;
      yield decode(path, () => decoder.decode(bytes.subarray(0, count), { stream: !isLast }));
      if (isLast) return;
    }
  } finally {
    closeSync(file);
  }
}

function decode(path: string, read: () => string): string {
  try {
    return read();
  } catch {
    return refuse("invalid_request", `${path}: expected UTF-8`);
  }
}
