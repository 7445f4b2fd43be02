import { ROOT, TwinbaseError } from "../errors.js";
import type { Profile } from "../profile.js";
import {
  CREATED_AT_SLOT,
  ID_SLOT,
  type LeafColumn,
  type Schema,
  type StoredValue,
  UPDATED_AT_SLOT,
  VERSION_SLOT,
} from "../schema/columns.js";
import {
  encodeFile,
  type GivenFile,
  isFileType,
  type ReadFile,
  type StoredFile,
  type StoredFiles,
  settleFiles,
} from "../schema/files.js";
import { asList } from "../schema/read-files.js";
import { RecordReader } from "../schema/record.js";
import { requireRecordSize } from "../schema/record-size.js";
import { chunkAt, rowAt } from "../storage/chunk.js";
import { requireConstraints } from "../storage/require-constraints.js";
import type { TableVersion } from "../storage/table.js";
import type { TableTransient } from "../storage/transient.js";
import type { Json } from "../types.js";
import { encodeBase64 } from "../value/base64.js";
import { formatInstant, type Instant } from "../value/datetime.js";
import { isRecordId } from "../value/id.js";
import { refusePart, requireCount, requireFields, requireInstant } from "./codec.js";
import { type Line, LineFault, type LineWriter } from "./lines.js";

/** Tag, table, id, version and the two times come before the values of a record's line. */
const VALUES_AT = 6;

/** Writes the records of one table, each after the contents of its files. */
export class RecordEncoder {
  readonly #number: number;
  readonly #leaves: readonly LeafColumn[];
  readonly #written: Set<string>;
  readonly #format: (instant: Instant) => string = createInstantFormat();

  /** @param written the hashes of the contents that have lines already */
  constructor(number: number, { leaves }: Schema, written: Set<string>) {
    this.#number = number;
    this.#leaves = leaves;
    this.#written = written;
  }

  write(writer: LineWriter, { chunks }: TableVersion, ordinal: number): void {
    const { vectors } = chunkAt(chunks, ordinal);
    const row = rowAt(ordinal);
    const read = (slot: number): StoredValue => vectors[slot]?.get(row) ?? null;
    const created = this.#format(read(CREATED_AT_SLOT) as Instant); // as system columns are
    const updated = this.#format(read(UPDATED_AT_SLOT) as Instant);
    const line: [string, ...unknown[]] = ["r", this.#number, read(ID_SLOT), read(VERSION_SLOT)];
    line.push(created, updated === created ? null : updated);
    for (let i = 0; i < this.#leaves.length; i++) {
      const { slot, type } = this.#leaves[i]!;
      const value = read(slot);
      if (value === null) line.push(null);
      else if (type === "datetime")
        line.push(this.#format(value as Instant)); // as the type has it
      else if (!isFileType(type)) line.push(value);
      else line.push(this.#encodeFiles(value as unknown as StoredFiles, writer)); // the same
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

/** Formats instants and remembers the last: all records of a load have one time. */
function createInstantFormat(): (instant: Instant) => string {
  let last: Instant = { ms: Number.NaN, micros: 0 };
  let text = "";
  return (instant) => {
    if (instant.ms === last.ms && instant.micros === last.micros) return text;
    last = instant;
    text = formatInstant(instant.ms, instant.micros);
    return text;
  };
}

/** Reads the lines of records of one table, and checks them as if they had been requested. */
export class RecordDecoder {
  readonly #transient: TableTransient;
  readonly #schema: Schema;
  readonly #name: string;
  readonly #reader: RecordReader;
  readonly #instants: Map<string, Instant> = new Map();
  /** Records with a value that another had when they were written, and their lines. */
  #doubtful: [ordinal: number, line: number][] = [];

  constructor(transient: TableTransient, name: string, profile: Profile, readFile: ReadFile) {
    this.#transient = transient;
    this.#schema = transient.schema;
    this.#name = name;
    // JSON is written as it is stored, under whichever profile.
    const reading = { table: name, schema: transient.schema, readFile };
    this.#reader = new RecordReader({ ...reading, profile: { ...profile, base: "documented" } });
  }

  /** Writes a record, in place of the one of that id. */
  set(line: Line, number: number): void {
    const [, , id, version, created, updated] = line;
    if (!isRecordId(id)) refusePart("record", "the id of a record", id);
    const { leaves, constraints } = this.#schema;
    if (line.length !== VALUES_AT + leaves.length) {
      refusePart("record", `${leaves.length} values`, line.slice(VALUES_AT));
    }
    const given = this.#reader.readRow(line, VALUES_AT, ROOT);
    if (given.files.length > 0) settleFiles(given, () => null, noId);
    const createdAt = this.#readInstant(created, "createdAt");
    const updatedAt = updated === null ? createdAt : this.#readInstant(updated, "updatedAt");
    const metadata = { version: requireCount(version, "version"), createdAt, updatedAt };
    const { values } = given;
    const valueAt = (slot: number): StoredValue => values[slot] as StoredValue; // all were read
    const { notNulls, uniques, unbounded } = constraints;
    if (unbounded.length > 0) requireRecordSize(this.#name, unbounded, values, valueAt, ROOT);
    if (notNulls.length > 0) this.#requireNotNull(valueAt);
    let ordinal = this.#transient.has(id) ? this.#transient.find(id) : -1;
    if (ordinal < 0) ordinal = this.#transient.append(id, metadata, values);
    else {
      for (const column of leaves) {
        const value = valueAt(column.slot);
        if (value !== this.#transient.get(ordinal, column.slot)) {
          this.#transient.set(ordinal, column, value);
        }
      }
      this.#transient.setMetadata(ordinal, metadata);
    }
    if (this.#isTaken(uniques, valueAt, ordinal)) this.#doubtful.push([ordinal, number]);
  }

  delete(id: unknown): void {
    const ordinal = isRecordId(id) ? this.#transient.find(id) : -1;
    if (ordinal < 0) refusePart("record", "the id of a record that is there", id);
    this.#transient.delete(ordinal);
  }

  /** Checks that no two records have a unique value, once all of a commit were written. */
  check(): void {
    const wanted = { notNulls: [], uniques: this.#schema.constraints.uniques };
    for (const [ordinal, line] of this.#doubtful) {
      const valueAt = (slot: number): StoredValue => this.#transient.get(ordinal, slot);
      try {
        requireConstraints(this.#transient, this.#name, wanted, valueAt, ordinal, ROOT);
      } catch (error) {
        throw error instanceof TwinbaseError ? new LineFault(line, error.message) : error;
      }
    }
    this.#doubtful = [];
  }

  #isTaken(
    uniques: readonly LeafColumn[],
    valueAt: (slot: number) => StoredValue,
    ordinal: number,
  ): boolean {
    return uniques.some((column) => {
      const value = valueAt(column.slot);
      return value !== null && this.#transient.findUnique(column, value, ordinal) >= 0;
    });
  }

  #requireNotNull(valueAt: (slot: number) => StoredValue): void {
    const { notNulls } = this.#schema.constraints;
    requireConstraints(this.#transient, this.#name, { notNulls, uniques: [] }, valueAt, -1, ROOT);
  }

  #readInstant(given: unknown, what: string): Instant {
    const known = this.#instants.get(given as string); // anything may be looked up
    if (known !== undefined) return known;
    const instant = requireInstant(given, what);
    if (this.#instants.size > 100) this.#instants.clear();
    this.#instants.set(given as string, instant); // it was read
    return instant;
  }
}

/** Files that were stored have ids, where they need them. */
function noId(): string {
  return refusePart("file", "an id", undefined);
}

/**
 * Makes what reads the files of records as they were written.
 *
 * @param read checks what callers may say of a file
 * @param contentOf finds a content by its hash
 */
export function createStoredFileReader(
  read: ReadFile,
  contentOf: (hash: unknown) => StoredFile["content"] | undefined,
): ReadFile {
  return (given: GivenFile) => {
    const { column, value } = given;
    const whole = Array.isArray(value) ? value : [value];
    const bare = whole.map((file) => {
      const { content: _, ...rest } = requireFields(file, "file");
      return rest;
    });
    const change = read({ ...given, value: column.type === "file" ? bare[0] : bare });
    return (before, nextId) => {
      const files = asList(change(before, nextId)).map((file, index): StoredFile => {
        const {
          content: hash,
          size,
          version,
          attributes,
        } = whole[index] as (typeof bare)[0] & object;
        const content = contentOf(hash);
        if (content === undefined || content.bytes.length !== size) {
          refusePart("file", "a content that came before", hash);
        }
        const { width, height } = requireFields(attributes, "attributes");
        const isImage = width !== undefined || height !== undefined;
        return {
          ...file,
          size: content.bytes.length,
          version: requireCount(version, "version"),
          attributes: (isImage
            ? { width: requireCount(width, "width"), height: requireCount(height, "height") }
            : {}) as Json,
          content,
        };
      });
      return column.type === "file" ? files[0]! : files;
    };
  };
}
