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
import { type GivenValue, requireValue, TAKEN } from "../../schema/record.js";
import { requireRecordSize } from "../../schema/record-size.js";
import type { RowMetadata } from "../../storage/metadata.js";
import { requireConstraints } from "../../storage/require-constraints.js";
import { createTableVersion, type TableVersion } from "../../storage/table.js";
import { TableTransient } from "../../storage/transient.js";
import { uniqueKey } from "../../storage/unique.js";
import { compareStrings } from "../../value/compare.js";
import { isRecordId } from "../../value/id.js";
import type { FilesReader } from "./read-files.js";
import { RecordScanner } from "./scan-records.js";
import type { ScannedColumn } from "./scanned-values.js";
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
  readonly #values: GivenValue[];
  readonly #size: number;
  readonly #files: FilesReader;
  readonly #scanner: RecordScanner;
  /** Whether records were scanned that are no good. */
  #isDamaged = false;
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
    this.#values = new Array<GivenValue>(schema.slotCount).fill(null);
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
  scan(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
    return !this.#isDamaged && this.#scanner.scan(bytes, view, start, end);
  }

  /**
   * Checks and takes over the records that were scanned, and gives their number; undefined where any
   * is no good: then nothing of them is kept, and reading their lines tells what it is.
   */
  settle(): number | undefined {
    const { count } = this.#scanner;
    let ids: readonly unknown[];
    try {
      ids = this.#scanner.read((column, given) =>
        readValue(this.#name, column, given, this.#files),
      );
      this.#check(ids, count);
    } catch {
      this.#isDamaged = true;
      return undefined;
    }
    this.#store(ids as readonly string[], count); // as they were checked
    this.#scanner.clear();
    return count;
  }

  /** Refuses what no records may hold that come next. */
  #check(ids: readonly unknown[], count: number): void {
    let last = this.#lastId;
    for (let row = 0; row < count; row++) {
      const id = ids[row + 1];
      if (!isRecordId(id)) refuseId(id);
      if (compareStrings(last, id) >= 0) refuseOrder(id);
      last = id;
    }
    const { notNulls, uniques } = this.#schema.constraints;
    if (notNulls.length + uniques.length === 0) return;
    const { columns } = this.#scanner;
    const seen = new Set<string>();
    for (let row = 0; row < count; row++) {
      for (const column of columns) this.#values[column.leaf.slot] = column.take(row);
      this.#requireConstraints();
      for (const { slot } of uniques) {
        const value = this.#values[slot] as StoredValue; // all were taken
        if (value !== null && seen.size === seen.add(`${slot} ${uniqueKey(value)}`).size) {
          refusePart("record", "a value of its own", value);
        }
      }
    }
    for (const column of columns) column.rewind();
  }

  /** Stores records, column by column where the chunk has a vector. */
  #store(ids: readonly string[], count: number): void {
    const { columns, versions, created, updated } = this.#scanner;
    for (let row = 0; row < count; ) {
      const expected = this.#expected;
      const { last: chunk } = this.#transient.openRow(expected)!; // it is a draft
      const to = chunk.count;
      // The first of a chunk makes the vectors.
      const run = to === 0 ? 1 : Math.min(count - row, chunk.capacity - to);
      const others: ScannedColumn[] = [];
      for (const column of columns) {
        const { slot, unique } = column.leaf;
        const isPut = !unique && column.put(chunk.vectors[slot], to, row, run);
        if (isPut) this.#values[slot] = TAKEN;
        else others.push(column);
      }
      for (const end = row + run; row < end; row++) {
        for (const column of others) this.#values[column.leaf.slot] = column.take(row);
        const createdAt = created.instantAt(row);
        const updatedAt = Number.isNaN(updated.numbers[row]) ? createdAt : updated.instantAt(row);
        const metadata = { version: versions.numbers[row]!, createdAt, updatedAt };
        this.#transient.append(ids[row + 1]!, metadata, this.#values, expected);
      }
      this.#read += run;
    }
    this.#lastId = ids[count]!;
  }

  /** How many records will be appended, for room to be made. */
  get #expected(): number {
    return Math.min(Math.max(1, this.#size - this.#read), MAX_EXPECTED);
  }

  #append(id: string, metadata: RowMetadata): void {
    if (compareStrings(this.#lastId, id) >= 0) refuseOrder(id);
    this.#requireConstraints();
    this.#transient.append(id, metadata, this.#values, this.#expected);
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
    const valueAt = (slot: number): StoredValue => requireValue(this.#values[slot]);
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

function refuseId(id: unknown): never {
  refusePart("record", "the id of a record", id);
}

function refuseOrder(id: string): never {
  refusePart("record", "ids in ascending order", id);
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
  values: GivenValue[],
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
