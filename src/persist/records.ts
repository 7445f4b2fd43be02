import {
  type CompiledSchema,
  CREATED_AT_SLOT,
  ID_SLOT,
  type LeafColumn,
  type StoredValue,
  UPDATED_AT_SLOT,
  VERSION_SLOT,
} from "../schema/columns.js";
import { asList } from "../schema/read-files.js";
import {
  encodeFile,
  type FileInput,
  isFileType,
  type ReadFile,
  type StoredFile,
  type StoredFiles,
} from "../schema/stored-files.js";
import { readBySchema } from "../shape/read.js";
import * as s from "../shape/schema.js";
import { chunkAt, rowAt } from "../storage/chunk.js";
import type { TableVersion } from "../storage/table.js";
import type { Json } from "../types.js";
import { encodeBase64 } from "../value/base64.js";
import { formatInstant, type Instant } from "../value/datetime.js";
import type { LineWriter } from "./lines.js";
import { COUNT, refusePart } from "./require.js";

/** Index of the first value in the line of a record. */
export const VALUES_AT = 6;

/** Writes records of a table; the contents of their files come first. */
export class RecordEncoder {
  readonly #number: number;
  readonly #leaves: readonly LeafColumn[];
  readonly #written: Set<string>;
  readonly #format: (instant: Instant) => string = rememberLast(
    ({ ms, micros }) => formatInstant(ms, micros),
    (a, b) => a.ms === b.ms && a.micros === b.micros,
  );

  /** @param written the hashes of contents already written */
  constructor(number: number, { leaves }: CompiledSchema, written: Set<string>) {
    this.#number = number;
    this.#leaves = leaves;
    this.#written = written;
  }

  write(writer: LineWriter, { chunks }: TableVersion, ordinal: number): void {
    const { vectors } = chunkAt(chunks, ordinal);
    const row = rowAt(ordinal);
    const read = (slot: number): StoredValue => vectors[slot]?.get(row) ?? null;
    const created = this.#format(read(CREATED_AT_SLOT) as Instant); // by the system column's type
    const updated = this.#format(read(UPDATED_AT_SLOT) as Instant);
    const line: [string, ...unknown[]] = ["r", this.#number, read(ID_SLOT), read(VERSION_SLOT)];
    line.push(created, updated === created ? null : updated);
    for (let i = 0; i < this.#leaves.length; i++) {
      const { slot, type } = this.#leaves[i]!;
      const value = read(slot);
      if (value === null) line.push(null);
      else if (type === "datetime")
        line.push(this.#format(value as Instant)); // by the column's type
      else if (!isFileType(type)) line.push(value);
      else line.push(this.#encodeFiles(value as unknown as StoredFiles, writer)); // likewise
    }
    writer.add(line);
  }

  #encodeFiles(files: StoredFiles, writer: LineWriter): unknown {
    const encoded = asList(files).map((file) => {
      const { hash } = file.content;
      if (!this.#written.has(hash)) writer.add(["file", hash, encodeBase64(file.content.bytes)]);
      this.#written.add(hash);
      return encodeFile(file);
    });
    return Array.isArray(files) ? encoded : encoded[0];
  }
}

/** Memoizes the last call: records of a bulk load share a time. */
export function rememberLast<K, V>(
  compute: (key: K) => V,
  isSame: (a: K, b: K) => boolean = Object.is,
): (key: K) => V {
  let last: { readonly key: K; readonly value: V } | undefined;
  return (key) => {
    if (last === undefined || !isSame(last.key, key)) last = { key, value: compute(key) };
    return last.value;
  };
}

const FILE = s.openObject({
  content: s.ANYTHING,
  size: COUNT,
  version: COUNT,
  attributes: s.objectOf({}, { width: COUNT, height: COUNT }),
});

/** @param read validates the members that callers may set */
export function createStoredFileReader(
  read: ReadFile,
  contentOf: (hash: unknown) => StoredFile["content"] | undefined,
): ReadFile {
  return (input: FileInput) => {
    const { column, value } = input;
    const whole = (Array.isArray(value) ? value : [value]).map((file) => readBySchema(FILE, file));
    const bare = whole.map(({ content: _, ...rest }) => rest);
    const change = read({ ...input, value: column.type === "file" ? bare[0] : bare });
    return (before, nextId) => {
      const files = asList(change(before, nextId)).map((file, index): StoredFile => {
        const { content: hash, size, version, attributes } = whole[index]!; // one for each
        const content = contentOf(hash);
        if (content === undefined || content.bytes.length !== size) {
          refusePart("file", "the hash of an earlier content", hash);
        }
        const { width, height } = attributes;
        if ((width === undefined) !== (height === undefined)) {
          refusePart("attributes", "width and height", attributes);
        }
        return { ...file, size, version, attributes: attributes as Json, content };
      });
      return column.type === "file" ? files[0]! : files;
    };
  };
}
