import { ROOT, refuse, TwinbaseError } from "../errors.js";
import type { Profile } from "../profile.js";
import type { Constraints, StoredValue } from "../schema/columns.js";
import { type ParsedValue, RecordReader } from "../schema/record.js";
import { MAX_RECORD_BYTES, type RecordBounds, requireRecordSize } from "../schema/record-size.js";
import { applyFileChanges, type ReadFile } from "../schema/stored-files.js";
import { withSchema } from "../storage/alter.js";
import type { RowMetadata } from "../storage/metadata.js";
import { requireConstraints, type ValueAt } from "../storage/require-constraints.js";
import { createTableVersion, ordinalsOf, TableVersion } from "../storage/table.js";
import { TableTransient } from "../storage/transient.js";
import type { Instant } from "../value/datetime.js";
import { isRecordId } from "../value/id.js";
import { isText } from "../value/text.js";
import { type Line, LineFault } from "./lines.js";
import { rememberLast, VALUES_AT } from "./records.js";
import { refusePart, requireCount, requireInstant } from "./require.js";
import { canFollow, decodeTable } from "./tables.js";

export interface TableReading {
  readonly profile: Profile;
  readonly readFile: ReadFile;
  readonly name: string;
  /** Gets the line of each record. */
  readonly lines?: Map<string, number> | undefined;
}

type PendingConstraints = Partial<Pick<Constraints, "notNulls" | "uniques">>;

/** Applies the lines of one table, with the validation of requests. */
export class TableReplay {
  readonly #bounds: RecordBounds;
  readonly #transient: TableTransient;
  readonly #reader: RecordReader;
  readonly #readInstant: (text: unknown) => Instant = rememberLast((text) =>
    requireInstant(text, "record"),
  );
  /** Records whose unique value existed when they were written. */
  #doubtful: [ordinal: number, line: number][] = [];
  readonly #isAltered: boolean;
  readonly lines: TableReading["lines"];

  /** @param base has the initial records */
  constructor(value: unknown, base: TableVersion | undefined, reading: TableReading) {
    const { profile, readFile, name, lines } = reading;
    const { identity, schema } = value === null && base ? base : decodeTable(value, profile);
    if (base !== undefined && !canFollow(base.schema, schema)) {
      refusePart("table", "columns compatible with the records", value);
    }
    this.#bounds = { table: name, recordBytes: MAX_RECORD_BYTES };
    this.lines = lines;
    this.#isAltered = base !== undefined;
    const table =
      base === undefined
        ? createTableVersion(identity, schema)
        : new TableVersion({ ...withSchema(base, schema, () => {}), identity });
    this.#transient = new TableTransient(table);
    // The log contains stored JSON in every profile.
    const stored: Profile = { ...profile, jsonAsText: false };
    this.#reader = new RecordReader({ table: name, schema, readFile, profile: stored });
  }

  set(line: Line, number: number): void {
    const [, , id, version, created, updated] = line;
    const { schema } = this.#transient;
    const { leaves, constraints } = schema;
    if (!isRecordId(id)) refusePart("record", "the id of a record", id);
    if (line.length !== VALUES_AT + leaves.length) {
      refusePart("record", `${leaves.length} values`, line.slice(VALUES_AT));
    }
    const parsed = this.#reader.begin(ROOT, false);
    for (let i = 0; i < leaves.length; i++) {
      const column = leaves[i]!;
      const value = line[VALUES_AT + i];
      // An earlier version accepted more addresses.
      if (column.type === "email" && isText(value)) parsed.values[column.slot] = value;
      else this.#reader.readLeaf(column, value, column.path);
    }
    if (parsed.files.length > 0)
      applyFileChanges(
        parsed,
        () => null,
        () => refusePart("file", "an id", undefined),
      );
    const createdAt = this.#readInstant(created);
    const updatedAt = updated === null ? createdAt : this.#readInstant(updated);
    const metadata = { version: requireCount(version, "version"), createdAt, updatedAt };
    const { values } = parsed;
    const valueAt = (slot: number): StoredValue => values[slot] as StoredValue; // every slot was read
    const { notNulls, uniques } = constraints;
    requireRecordSize(this.#bounds, schema, values, valueAt, ROOT);
    if (notNulls.length > 0) this.#require({ notNulls }, valueAt, -1);
    const ordinal = this.#put(id, metadata, values);
    this.lines?.set(id, number);
    if (uniques.length > 0 && this.#findRepeated(ordinal) !== undefined) {
      this.#doubtful.push([ordinal, number]);
    }
  }

  /** Ignores an unknown id: a call may insert and delete the same record. */
  delete(id: unknown): void {
    if (!isRecordId(id)) refusePart("record", "the id of a record", id);
    const ordinal = this.#transient.find(id);
    if (ordinal >= 0) this.#transient.delete(ordinal);
  }

  /** Checks unique values, after a commit. */
  checkUniques(): void {
    for (const [ordinal, line] of this.#doubtful) {
      const fault = this.#findRepeated(ordinal);
      if (fault !== undefined) throw new LineFault(line, fault.message);
    }
    this.#doubtful = []; // ordinals may change between versions
  }

  /** Checks the records of an altered table, which were rewritten after its columns. */
  checkNotNulls(): void {
    const { notNulls } = this.#transient.schema.constraints;
    if (this.#isAltered && notNulls.length > 0) {
      for (const ordinal of ordinalsOf(this.version().chunks)) {
        const fault = this.#findFault({ notNulls }, ordinal);
        if (fault !== undefined) refuse("invalid_request", fault.message);
      }
    }
  }

  version(): TableVersion {
    return this.#transient.persist();
  }

  #put(id: string, metadata: RowMetadata, values: readonly ParsedValue[]): number {
    const transient = this.#transient;
    const ordinal = transient.has(id) ? transient.find(id) : -1;
    if (ordinal < 0) return transient.append(id, metadata, values);
    for (const column of transient.schema.leaves) {
      const value = values[column.slot] as StoredValue; // every slot was read
      if (value !== transient.get(ordinal, column.slot)) transient.set(ordinal, column, value);
    }
    transient.setMetadata(ordinal, metadata);
    return ordinal;
  }

  #findRepeated(ordinal: number): TwinbaseError | undefined {
    const { uniques } = this.#transient.schema.constraints;
    return this.#findFault({ uniques }, ordinal);
  }

  #findFault(constraints: PendingConstraints, ordinal: number): TwinbaseError | undefined {
    try {
      this.#require(constraints, (slot) => this.#transient.get(ordinal, slot), ordinal);
      return undefined;
    } catch (error) {
      if (error instanceof TwinbaseError) return error;
      throw error;
    }
  }

  #require(wanted: PendingConstraints, valueAt: ValueAt, ordinal: number): void {
    const constraints = { notNulls: [], uniques: [], ...wanted };
    requireConstraints(this.#transient, this.#bounds.table, constraints, valueAt, ordinal, ROOT);
  }
}
