import { type At, below, describe, ROOT, refuseRecord } from "../errors.js";
import type { Profile } from "../profile.js";
import type { Instant } from "../value/datetime.js";
import { isRecordId } from "../value/id.js";
import { inheritsKeys, isPlainObject } from "../value/json.js";
import { suggest } from "../value/nearest.js";
import { coerceValue, expectationOf } from "./coerce.js";
import type { Column, CompiledSchema, LeafColumn, ObjectColumn, StoredValue } from "./columns.js";
import { type NumberOperation, readNumberOperation } from "./number-operation.js";
import { recordNames } from "./record-names.js";
import { type FileChange, isFileType, type ReadFile } from "./stored-files.js";

/** Maximum suggestions per batch (L-9). */
const MAX_HINTS = 100;

/** Placeholder for a value that a {@link ValueSink} has stored. */
export const TAKEN: unique symbol = Symbol("taken");

/** The given value; undefined if the key was missing. */
export type ParsedValue = StoredValue | typeof TAKEN | undefined;

/** Returns a value of a record read without a sink, which therefore is not {@link TAKEN}. */
export function requireValue(value: ParsedValue): StoredValue {
  return value === TAKEN ? null : (value ?? null);
}

/** Stores values while a record is read. */
export interface ValueSink {
  /** Returns false if it did not store the value. */
  take(column: LeafColumn, value: unknown): boolean;
}

/** Values by slot. */
export interface ParsedRecord {
  readonly id: string | undefined;
  readonly values: ParsedValue[];
  /** Objects present in the record, even as `{}`: their defaults do not apply (T-16). */
  readonly objects: readonly ObjectColumn[];
  readonly operations: readonly ParsedOperation[];
  readonly files: readonly ParsedFiles[];
}

/** Most records have no objects, operations or files. */
type MutableRecord = { -readonly [key in keyof ParsedRecord]: ParsedRecord[key] };

interface ParsedOperation {
  readonly column: LeafColumn;
  readonly operation: NumberOperation;
  readonly path: At;
}

/** A file change, which depends on the record's former files (rule H-1). */
interface ParsedFiles {
  readonly column: LeafColumn;
  readonly change: FileChange;
}

export interface RecordReading {
  readonly table: string;
  readonly schema: CompiledSchema;
  readonly profile: Profile;
  /** Absent without file storage. */
  readonly readFile?: ReadFile | undefined;
}

export function requireRecordId(table: string, value: unknown, at?: At): string {
  return isRecordId(value) ? value : refuseRecordId(table, value, at);
}

function refuseRecordId(table: string, value: unknown, at: At | undefined): never {
  const expected = "1–255 characters without control characters";
  return refuseRecord(
    table,
    "invalid_record",
    `id: expected ${expected}, found ${describe(value)}`,
    { path: at, rule: "R-3" },
  );
}

const NONE: readonly never[] = [];

function createParsed({ slotCount }: CompiledSchema): MutableRecord {
  const values = new Array<ParsedValue>(slotCount).fill(undefined);
  return { id: undefined, values, objects: NONE, operations: NONE, files: NONE };
}

/** Reads the records of one writer: coerces values by slot (section T), reads properties once. */
export class RecordReader {
  readonly #reading: RecordReading;
  #given: MutableRecord;
  #allowOperations = false;
  #sink: ValueSink | undefined;
  /** The record's path, and the keys down to the current object. */
  #at: At = ROOT;
  readonly #keys: string[] = [];
  #hintsLeft = MAX_HINTS;

  constructor(reading: RecordReading) {
    this.#reading = reading;
    this.#given = createParsed(reading.schema);
  }

  /**
   * @param allowOperations whether number operations are valid (rule X-2: in updates)
   * @param sink receives every value first; values that it stores become {@link TAKEN}
   * @returns the record, valid until the next one is read
   * @throws TwinbaseError `invalid_record` (rules T-15, R-8)
   */
  read(record: unknown, at: At, allowOperations: boolean, sink?: ValueSink): ParsedRecord {
    this.begin(at, allowOperations, sink);
    const { table, schema } = this.#reading;
    if (!isPlainObject(record)) {
      refuseRecord(table, "invalid_record", `expected a record, found ${describe(record)}`, {
        path: at,
        rule: "R-8",
      });
    }
    const { columns } = schema;
    const inherits = inheritsKeys(record);
    let next = 0;
    for (const key in record) {
      if (inherits && !Object.hasOwn(record, key)) continue;
      const value = record[key];
      if (value === undefined) continue;
      // Most records follow the schema's order.
      const column = columns[next];
      if (column === undefined || column.name !== key) next = this.#readKey(key, value, next);
      else {
        next++;
        this.#readColumn(column, value, key);
      }
    }
    return this.#given;
  }

  /** Fills in defaults for missing keys, not for null (rule T-16). */
  fillDefaults(record: ParsedRecord, now: Instant, at: At): void {
    const { objectDefaults, defaults } = this.#reading.schema.constraints;
    this.#given = record;
    this.#at = at;
    for (const column of objectDefaults) {
      if (record.objects.includes(column)) continue;
      this.#readColumn(column, column.defaultValue?.value, column.name);
    }
    for (const { slot, defaultValue } of defaults) {
      if (record.values[slot] !== undefined || defaultValue === undefined) continue;
      record.values[slot] = defaultValue.kind === "now" ? now : defaultValue.value;
    }
  }

  /** Begins a record, for {@link readLeaf}. */
  begin(at: At, allowOperations: boolean, sink?: ValueSink): ParsedRecord {
    const input = this.#given;
    for (let slot = 0; slot < input.values.length; slot++) input.values[slot] = undefined;
    input.id = undefined;
    input.objects = NONE;
    input.operations = NONE;
    input.files = NONE;
    while (this.#keys.length > 0) this.#keys.pop();
    this.#allowOperations = allowOperations;
    this.#sink = sink;
    this.#at = at;
    return input;
  }

  /** Reads a key out of order; returns the next position. */
  #readKey(key: string, value: unknown, next: number): number {
    const { table, schema, profile } = this.#reading;
    const names = recordNames(profile);
    if (key === names[0]) {
      this.#given.id = isRecordId(value)
        ? value
        : refuseRecordId(table, value, below(this.#at, key));
      return next;
    }
    const { columns, columnsByName } = schema;
    const column = columnsByName.get(key);
    if (column !== undefined) this.#readColumn(column, value, key);
    else if (!names.includes(key)) this.#readDotted(key, value);
    return column !== undefined && column === columns[next + 1] ? next + 2 : next;
  }

  #readColumn(column: Column, value: unknown, key: string): void {
    if (column.type === "object") {
      this.#readObject(column, value, key);
      return;
    }
    const { values } = this.#given;
    const { slot } = column;
    if (values[slot] === undefined && this.#sink?.take(column, value)) values[slot] = TAKEN;
    else this.readLeaf(column, value, key);
  }

  /** Reads `address.zip` (rule R-8). */
  #readDotted(key: string, value: unknown): void {
    const names = key.split(".");
    let columns = this.#reading.schema.columnsByName;
    for (const [depth, name] of names.entries()) {
      const column = columns.get(name);
      if (column === undefined) break;
      if (depth === names.length - 1) {
        this.#readColumn(column, value, key);
        return;
      }
      if (column.type !== "object") break;
      if (column.defaultValue !== undefined) this.#given.objects = [...this.#given.objects, column];
      columns = column.columnsByName;
    }
    this.#refuseUnknown(key, this.#reading.schema.columnsByName.keys());
  }

  #readObject(column: ObjectColumn, value: unknown, key: string): void {
    if (column.defaultValue !== undefined) this.#given.objects = [...this.#given.objects, column];
    const { columns, columnsByName, path } = column;
    if (value === null) {
      for (const sub of columns) this.#readColumn(sub, null, key);
      return;
    }
    if (!isPlainObject(value)) this.#refuseValue(column, "T-10", "an object", value, key);
    const inherits = inheritsKeys(value);
    let next = 0;
    this.#keys.push(key);
    for (const name in value) {
      if (inherits && !Object.hasOwn(value, name)) continue;
      const member = value[name];
      if (member === undefined) continue;
      const sub = columns[next]?.name === name ? columns[next++] : columnsByName.get(name);
      if (sub === undefined) this.#refuseUnknown(name, columnsByName.keys(), path);
      else this.#readColumn(sub, member, name);
    }
    this.#keys.pop();
  }

  /** Reads the value of a leaf; `key` is its path in the record. */
  readLeaf(column: LeafColumn, value: unknown, key: string): void {
    const { slot } = column;
    if (this.#given.values[slot] !== undefined || this.#isOperatedOn(column)) {
      const text = `column [${column.path}] is given twice, nested and dotted`;
      refuseRecord(this.#reading.table, "invalid_record", text, {
        path: this.#place(key),
        rule: "R-8",
      });
    }
    if (value === null) {
      this.#given.values[slot] = null;
      return;
    }
    if (isFileType(column.type)) {
      this.#readFile(column, value, key);
      return;
    }
    const operation = typeof value === "object" ? readNumberOperation(column, value) : undefined;
    if (operation !== undefined) {
      const path = this.#place(key);
      if (!this.#allowOperations) {
        const text = `column [${column.path}]: only an update of an existing record takes ${operation.operator}`;
        refuseRecord(this.#reading.table, "invalid_record", text, { path, rule: "X-2" });
      }
      this.#given.operations = [...this.#given.operations, { column, operation, path }];
      return;
    }
    const { profile } = this.#reading;
    const stored = coerceValue(column, value, profile);
    if (stored === undefined) {
      const { rule, expected } = expectationOf(column);
      this.#refuseValue(column, rule, expected, value, key);
    }
    this.#given.values[slot] = stored;
  }

  #readFile(column: LeafColumn, value: unknown, key: string): void {
    const { table, readFile } = this.#reading;
    const path = this.#place(key);
    if (readFile === undefined) {
      const text = `column [${column.path}]: this engine does not store files; call enableFiles`;
      refuseRecord(table, "not_implemented", text, { path, rule: "H-1" });
    }
    const change = readFile({ column, value, table, at: path });
    this.#given.files = [...this.#given.files, { column, change }];
    this.#given.values[column.slot] = null; // until its change is applied
  }

  #isOperatedOn(column: LeafColumn): boolean {
    return this.#given.operations.some((other) => other.column === column);
  }

  #place(key: string): At {
    return below(this.#keys.reduce<At>(below, this.#at), key);
  }

  #refuseValue(
    { path: column, type }: Column,
    rule: string,
    expected: string,
    value: unknown,
    key: string,
  ): never {
    const text = `column [${column}]: expected ${expected}, found ${describe(value)}`;
    refuseRecord(this.#reading.table, "invalid_record", text, {
      path: this.#place(key),
      rule,
      reason: { kind: "type_mismatch", column, expected: type },
    });
  }

  #refuseUnknown(key: string, known: Iterable<string>, object?: string): never {
    const where = object === undefined ? "" : ` in [${object}]`;
    const hint = this.#hintsLeft-- > 0 ? suggest(key, known) : "";
    const text = `unknown column ${describe(key)}${where}${hint}`;
    const column = object === undefined ? key : `${object}.${key}`;
    refuseRecord(this.#reading.table, "invalid_record", text, {
      path: this.#place(key),
      rule: object === undefined ? "R-8" : "T-10",
      reason: { kind: "unknown_column", column },
    });
  }
}
