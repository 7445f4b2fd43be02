import { getHeapStatistics } from "node:v8";
import { refuse } from "../errors.js";
import { VALUE_TYPES } from "../fixtures/infer-type.js";
import { type READING, readingOf } from "../fixtures/reading.js";
import { type LoadedFixture, loadFixture } from "../fixtures.js";
import type { AnyBranch } from "../index.js";
import type { ColumnType } from "../types.js";
import { UsageError } from "./command.js";
import { showLoading } from "./loading.js";
import type { Values } from "./options.js";
import { openFixture } from "./read-file.js";

/** How to read files: the options that `query` and `serve` share. */
export type FileReading = Values<typeof READING> & {
  readonly types: readonly string[] | undefined;
};

/** The part of the heap from which on a load is refused. */
const FULL = 0.92;

/** Bytes of V8's limit beside `--max-old-space-size`: records don't stay in its young generation. */
const YOUNG = 48 * 2 ** 20;

/**
 * Opens a file; the result loads it into a table, shows progress and reports assumptions about the
 * file.
 */
export async function openFile(
  path: string,
  reading: FileReading,
  say: (line: string) => void,
): Promise<(branch: AnyBranch, table: string) => LoadedFixture> {
  const types = readTypes(reading.types ?? []);
  const { part, ...file } = await openFixture(path);
  const options = readingOf(reading);
  return (branch, table) => {
    const progress = showLoading(path, process.stderr);
    const onProgress = (count: number): void => {
      requireHeap(path);
      progress.rows(count, part());
    };
    const loaded = loadFixture(branch, table, { ...file, ...options }, { types, onProgress });
    progress.end(loaded.count);
    for (const note of loaded.notes) say(`${path}: ${note}`);
    return loaded;
  };
}

/** Refuses more records before the process ends for want of memory. */
function requireHeap(path: string): void {
  const { used_heap_size, external_memory, heap_size_limit } = getHeapStatistics();
  const limit = heap_size_limit - YOUNG;
  if (used_heap_size + external_memory < FULL * limit) return;
  const [megabytes, more] = [limit, 2 * limit].map((bytes) => Math.round(bytes / 2 ** 20));
  refuse(
    "invalid_request",
    `${path}: the records do not fit into a heap of ${megabytes} MB; run it with NODE_OPTIONS=--max-old-space-size=${more}`,
  );
}

/** `age=int,zip=string` */
function readTypes(options: readonly string[]): Record<string, ColumnType> {
  return Object.fromEntries(
    options.map((text) => {
      const [, column = "", type = ""] = /^(.*)=(.*)$/.exec(text) ?? [];
      const valueType = VALUE_TYPES.find((each) => each === type);
      if (column !== "" && valueType !== undefined) return [column, valueType];
      throw new UsageError(
        `--types: expected column=type with a type of ${VALUE_TYPES.join(", ")}, found ${text}`,
      );
    }),
  );
}
