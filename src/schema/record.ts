import { type At, below, describe, pointer, refuse } from "../errors.js";
import type { Profile } from "../profile.js";
import { isRecordId } from "../value/id.js";
import { findNearest } from "../value/nearest.js";
import { coerceValue, expectationOf, isObject } from "./coerce.js";
import type { Column, LeafColumn, ObjectColumn, Schema, StoredValue } from "./columns.js";

/** `{"$increment": n}` and its like, given as a number's new value (rule X-2). */
export interface NumberOperation {
  readonly operator: "$increment" | "$decrement" | "$multiply" | "$divide";
  readonly operand: number;
}

/** A record as it was given: by slot, `undefined` where the key was missing. */
export interface GivenRecord {
  readonly id: string | undefined;
  readonly values: (StoredValue | undefined)[];
  /** Object columns that were named, if only as `{}`: their own default is not for them (T-16). */
  readonly objects: ReadonlySet<ObjectColumn>;
  readonly operations: readonly {
    readonly column: LeafColumn;
    readonly operation: NumberOperation;
    readonly path: string;
  }[];
}

/** What reading a record needs to know. */
export interface RecordReading {
  readonly table: string;
  readonly schema: Schema;
  readonly profile: Profile;
  /** Whether number operations may stand for a value (rule X-2: in updates). */
  readonly allowOperations: boolean;
}

const OPERATORS: ReadonlySet<string> = new Set([
  "$increment",
  "$decrement",
  "$multiply",
  "$divide",
]);

/**
 * Reads a record given for writing: coerces every value to its column (section T), by slot.
 *
 * @param at JSON pointer to the record, for errors
 * @throws TwinbaseError `invalid_record` (rules T-15, R-8)
 */
export function readRecord(reading: RecordReading, record: unknown, at: At): GivenRecord {
  if (!isObject(record)) {
    refuse(
      "invalid_record",
      `table [${reading.table}]: expected a record, found ${describe(record)}`,
      {
        path: at(),
        rule: "R-8",
      },
    );
  }
  const values = new Array<StoredValue | undefined>(reading.schema.slotCount).fill(undefined);
  const reader = new RecordReader(reading, values);
  let id: string | undefined;
  for (const key of Object.keys(record)) {
    const value = record[key];
    if (value === undefined) continue; // R-9
    const column = reading.schema.columnsByName.get(key);
    if (column !== undefined) reader.readColumn(column, value, at, key);
    else if (key === "id") id = requireRecordId(reading.table, value, below(at, "id"));
    else if (key !== reading.profile.metadataColumn) reader.readDotted(key, value, at);
  }
  return { id, values, objects: reader.objects, operations: reader.operations };
}

/** Fills an object column from its default, as if that had been given (rule T-16). */
export function readObjectDefault(
  reading: RecordReading,
  column: ObjectColumn,
  values: (StoredValue | undefined)[],
  at: At,
): void {
  new RecordReader(reading, values).readColumn(column, column.defaultValue?.value, at, column.name);
}

/** Refuses what cannot be a record's id (rule R-3). */
export function requireRecordId(table: string, value: unknown, at?: At): string {
  if (!isRecordId(value)) {
    refuse(
      "invalid_record",
      `table [${table}]: id: expected 1–255 characters without control characters, found ${describe(value)}`,
      { path: at?.(), rule: "R-3" },
    );
  }
  return value;
}

class RecordReader {
  readonly #reading: RecordReading;
  readonly #values: (StoredValue | undefined)[];
  readonly operations: { column: LeafColumn; operation: NumberOperation; path: string }[] = [];

  readonly objects: Set<ObjectColumn> = new Set();
  #operatedOn: Set<LeafColumn> | undefined;

  constructor(reading: RecordReading, values: (StoredValue | undefined)[]) {
    this.#reading = reading;
    this.#values = values;
  }

  readColumn(column: Column, value: unknown, at: At, key: string): void {
    if (column.type === "object") this.#readObject(column, value, at, key);
    else this.#readLeaf(column, value, at, key);
  }

  /** Reads a key such as `address.zip` (rule R-8). */
  readDotted(key: string, value: unknown, at: At): void {
    const names = key.split(".");
    let columns = this.#reading.schema.columnsByName;
    for (const [depth, name] of names.entries()) {
      const column = columns.get(name);
      if (column === undefined) break;
      if (depth === names.length - 1) {
        this.readColumn(column, value, at, key);
        return;
      }
      if (column.type !== "object") break;
      this.objects.add(column);
      columns = column.columnsByName;
    }
    this.#refuseUnknown(key, this.#reading.schema.columnsByName.keys(), at);
  }

  #readObject(column: ObjectColumn, value: unknown, at: At, key: string): void {
    this.objects.add(column);
    if (value === null) {
      for (const sub of column.columns) this.readColumn(sub, null, at, key);
      return;
    }
    const place = below(at, key);
    if (!isObject(value)) {
      this.#refuseValue(column.path, "T-10", "an object", value, place);
    }
    for (const name of Object.keys(value)) {
      if (value[name] === undefined) continue;
      const sub = column.columnsByName.get(name);
      if (sub === undefined)
        this.#refuseUnknown(name, column.columnsByName.keys(), place, column.path);
      else this.readColumn(sub, value[name], place, name);
    }
  }

  #readLeaf(column: LeafColumn, value: unknown, at: At, key: string): void {
    if (this.#values[column.slot] !== undefined || this.#operatedOn?.has(column)) {
      refuse(
        "invalid_record",
        `table [${this.#reading.table}]: column [${column.path}] is given twice, nested and dotted`,
        {
          path: pointer(at(), key),
          rule: "R-8",
        },
      );
    }
    if (value === null) {
      this.#values[column.slot] = null;
      return;
    }
    const operation = readOperation(column, value);
    if (operation !== undefined && this.#reading.allowOperations) {
      this.#operatedOn ??= new Set();
      this.#operatedOn.add(column);
      this.operations.push({ column, operation, path: pointer(at(), key) });
      return;
    }
    const stored = coerceValue(column, value, this.#reading.profile.base === "xata");
    if (stored === undefined) {
      const { rule, expected } = expectationOf(column);
      this.#refuseValue(
        column.path,
        operation === undefined ? rule : "X-2",
        operation === undefined ? expected : `${expected} (number operations are for updates)`,
        value,
        below(at, key),
      );
    }
    this.#values[column.slot] = stored;
  }

  #refuseValue(path: string, rule: string, expected: string, value: unknown, at: At): never {
    refuse(
      "invalid_record",
      `table [${this.#reading.table}]: column [${path}]: expected ${expected}, found ${describe(value)}`,
      { path: at(), rule },
    );
  }

  #refuseUnknown(key: string, known: Iterable<string>, at: At, object?: string): never {
    const near = findNearest(key, known);
    const where = object === undefined ? "" : ` in [${object}]`;
    refuse(
      "invalid_record",
      `table [${this.#reading.table}]: unknown column ${describe(key)}${where}${near === undefined ? "" : `; did you mean ${near}?`}`,
      { path: pointer(at(), key), rule: object === undefined ? "R-8" : "T-10" },
    );
  }
}

/** Reads `{"$increment": n}` and its like; undefined where the value is no such thing. */
function readOperation(column: LeafColumn, value: unknown): NumberOperation | undefined {
  if ((column.type !== "int" && column.type !== "float") || !isObject(value)) return undefined;
  const keys = Object.keys(value);
  const operator = keys[0];
  if (keys.length !== 1 || operator === undefined || !OPERATORS.has(operator)) return undefined;
  const operand = value[operator];
  if (typeof operand !== "number" || !Number.isFinite(operand)) return undefined;
  return { operator: operator as NumberOperation["operator"], operand }; // a member of OPERATORS
}

/** The result of a number operation; undefined when the column cannot hold it (rule X-2). */
export function applyOperation(
  column: LeafColumn,
  value: number,
  { operator, operand }: NumberOperation,
): number | undefined {
  const result =
    operator === "$increment"
      ? value + operand
      : operator === "$decrement"
        ? value - operand
        : operator === "$multiply"
          ? value * operand
          : value / operand;
  if (operator === "$divide" && operand === 0) return undefined;
  const stored = coerceValue(column, result, false);
  return typeof stored === "number" ? stored : undefined;
}
