import { ROOT, refuse } from "../../errors.js";
import type { Profile } from "../../profile.js";
import { coerceValue, expectationOf } from "../../schema/coerce.js";
import {
  assembleSchema,
  FIRST_COLUMN_SLOT,
  type LeafColumn,
  mapLeaves,
  type Schema,
  type StoredValue,
} from "../../schema/columns.js";
import { compileSchema, MAX_SLOTS } from "../../schema/declare.js";
import { isFileType } from "../../schema/files.js";
import { requireRecordSize } from "../../schema/record-size.js";
import type { RowMetadata } from "../../storage/metadata.js";
import { requireConstraints } from "../../storage/require-constraints.js";
import { createTableVersion, type TableVersion } from "../../storage/table.js";
import { TableTransient } from "../../storage/transient.js";
import { compareStrings } from "../../value/compare.js";
import type { Instant } from "../../value/datetime.js";
import { isRecordId } from "../../value/id.js";
import type { FilesReader } from "./read-files.js";
import { LEFT, RecordScanner, type Scanned } from "./scan-records.js";
import {
  refusePart,
  requireCount,
  requireFields,
  requireInstant,
  requireList,
  requireText,
} from "./values.js";

/** Room is made for at most so many records before they are there. */
const MAX_EXPECTED = 1_000_000;
/** Tag, id, version and the two times come before a record's values. */
export const VALUES_AT = 5;

/** Puts one table together from the lines of an export. */
export class TableReader {
  readonly #name: string;
  readonly #transient: TableTransient;
  readonly #leaves: readonly LeafColumn[];
  readonly #schema: Schema;
  readonly #values: (StoredValue | undefined)[];
  readonly #size: number;
  readonly #files: FilesReader;
  readonly #scanner: RecordScanner;
  /** Of the records that were scanned, those that were taken over. */
  #settled = 0;
  #read = 0;
  #lastId = "";

  /** @param name what a branch calls the table, for messages */
  constructor(name: string, details: unknown, profile: Profile, files: FilesReader) {
    this.#name = name;
    this.#files = files;
    const { identity, columns, slots, slotCount, size } = requireFields(details, "table");
    const schema = readSchema(columns, slots, slotCount, profile);
    this.#transient = new TableTransient(
      createTableVersion(requireText(identity, "identity"), schema),
    );
    this.#leaves = schema.leaves;
    this.#scanner = new RecordScanner(schema.leaves);
    this.#schema = schema;
    this.#values = new Array<StoredValue | undefined>(schema.slotCount).fill(null);
    this.#size = requireCount(size, "size");
  }

  get leaves(): readonly LeafColumn[] {
    return this.#leaves;
  }

  readRecord(line: readonly unknown[]): void {
    const { id, metadata } = readRecordLine(
      line,
      this.#name,
      this.#leaves,
      this.#values,
      this.#files,
    );
    this.#append(id, metadata);
  }

  /** Takes in a line of a record by its bytes, if it has the form that exports have. */
  scan(bytes: Uint8Array, start: number, end: number): boolean {
    return this.#scanner.scan(bytes, start, end);
  }

  /** Records that were scanned and not taken over. */
  get pending(): number {
    return this.#scanner.count - this.#settled;
  }

  /** Checks and takes over the records that were scanned, as if each had been read. */
  settle(): void {
    const scanner = this.#scanner;
    const { cells, count } = scanner;
    const whole = scanner.readLeft();
    let left = whole ?? [];
    let next = 1;
    let cell = 0;
    for (; this.#settled < count; this.#settled++) {
      if (whole === undefined) {
        left = scanner.readLeft(this.#settled) ?? refuseJson();
        next = 1;
      }
      const id = left[next++];
      if (!isRecordId(id)) refuseId(id);
      const version = cells[cell++] as number; // as it was scanned
      const created = cells[cell++];
      const createdText = created === LEFT ? left[next++] : undefined;
      const updated = cells[cell++];
      const updatedText = updated === LEFT ? left[next++] : undefined;
      for (const column of this.#leaves) {
        const value = cells[cell++];
        this.#values[column.slot] =
          value === LEFT ? readValue(this.#name, column, left[next++], this.#files) : value;
      }
      const createdAt = readTime(created, createdText, "createdAt");
      const updatedAt = updated === null ? createdAt : readTime(updated, updatedText, "updatedAt");
      this.#append(id, { version, createdAt, updatedAt });
    }
    scanner.clear();
    this.#settled = 0;
  }

  #append(id: string, metadata: RowMetadata): void {
    if (compareStrings(this.#lastId, id) >= 0) refusePart("record", "ids in ascending order", id);
    this.#requireConstraints();
    const expected = Math.min(Math.max(1, this.#size - this.#read), MAX_EXPECTED);
    this.#transient.append(id, metadata, this.#values, expected);
    this.#lastId = id;
    this.#read++;
  }

  /** Counts a record that is not kept. */
  skipRecord(): void {
    this.#read++;
  }

  /** T-16, L-12: what a write would refuse, no import brings in. */
  #requireConstraints(): void {
    const { constraints } = this.#schema;
    const { notNulls, uniques, unbounded } = constraints;
    if (notNulls.length + uniques.length + unbounded.length === 0) return;
    const valueAt = (slot: number): StoredValue => this.#values[slot] ?? null;
    requireRecordSize(this.#name, unbounded, this.#values, valueAt, ROOT);
    requireConstraints(this.#transient, this.#name, constraints, valueAt, -1, ROOT);
  }

  end(): TableVersion {
    if (this.#read !== this.#size) {
      refuse("invalid_request", `a table of ${this.#size} records has ${this.#read}`);
    }
    return this.#transient.persist();
  }
}

function refuseJson(): never {
  refuse("invalid_request", "it is no JSON");
}

function refuseId(id: unknown): never {
  refusePart("record", "the id of a record", id);
}

/** A time that was scanned, or that of a text that was left. */
function readTime(scanned: Scanned | undefined, left: unknown, what: string): Instant {
  return scanned === LEFT ? requireInstant(left, what) : (scanned as Instant); // one or the other
}

/**
 * Reads a line of a record.
 *
 * @param table its name, for messages
 * @param values takes the values, by slot
 */
export function readRecordLine(
  line: readonly unknown[],
  table: string,
  leaves: readonly LeafColumn[],
  values: (StoredValue | undefined)[],
  files: FilesReader,
): { readonly id: string; readonly metadata: RowMetadata } {
  const [, id, version, created, updated] = line;
  if (!isRecordId(id)) refuseId(id);
  if (line.length !== VALUES_AT + leaves.length) {
    refusePart("record", `${leaves.length} values`, line.slice(VALUES_AT));
  }
  for (const [index, column] of leaves.entries()) {
    values[column.slot] = readValue(table, column, line[VALUES_AT + index], files);
  }
  const createdAt = requireInstant(created, "createdAt");
  const updatedAt = updated === null ? createdAt : requireInstant(updated, "updatedAt");
  return { id, metadata: { version: requireCount(version, "version"), createdAt, updatedAt } };
}

/** Reads the value of a column. */
export function readValue(
  table: string,
  column: LeafColumn,
  given: unknown,
  files: FilesReader,
): StoredValue {
  if (given === null) return null;
  if (isFileType(column.type)) return files.readFiles(column, given, nameColumn(table, column));
  const value = coerceValue(column, given, false);
  if (value !== undefined) return value;
  return refusePart(nameColumn(table, column), expectationOf(column).expected, given);
}

/** A column for messages: made for those alone, as it takes longer than to read a value. */
function nameColumn(table: string, { path }: LeafColumn): string {
  return `table [${table}]: column [${path}]`;
}

/** The schema of a table's line, its columns in the slots they had. */
export function readSchema(
  columns: unknown,
  slots: unknown,
  slotCount: unknown,
  profile: Profile,
): Schema {
  const schema = compileSchema(columns, profile, "/columns");
  const count = requireCount(slotCount, "slotCount");
  const given = requireList(slots, "slots").map((slot) => requireCount(slot, "slots"));
  const isGood =
    given.length === schema.leaves.length &&
    new Set(given).size === given.length &&
    given.every((slot) => slot >= FIRST_COLUMN_SLOT && slot < count);
  // Every slot takes room in each chunk.
  if (!isGood || count < FIRST_COLUMN_SLOT || count > MAX_SLOTS) {
    refusePart("slots", "a slot of its own for each column", slots);
  }
  let next = 0;
  const placed = mapLeaves(schema.columns, (leaf) => ({ ...leaf, slot: given[next++]! }));
  return assembleSchema(placed, count);
}
