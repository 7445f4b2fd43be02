import type { ColumnDefinition, Json } from "../../types.js";
import { unlink, type WrittenRecord } from "./links.js";
import {
  isObject,
  type JsonObject,
  type OracleDatabase,
  type OracleRecord,
  type OracleTable,
  ownValue,
  requireTable,
} from "./model.js";
import { instantOf, instantText, linkId, subColumns } from "./values.js";

/** A write; its answer has `columns`, or only id and metadata. */
export type OracleWrite = OracleChange & { readonly columns?: readonly string[] | undefined };

type OracleChange =
  | { readonly kind: "insert"; readonly table: string; readonly records: readonly JsonObject[] }
  | {
      readonly kind: "update" | "replace" | "upsert" | "put";
      readonly table: string;
      readonly id: string;
      readonly record: JsonObject;
      readonly ifVersion?: number | undefined;
      /** Only `put` has it. */
      readonly createOnly?: boolean;
    }
  | { readonly kind: "delete"; readonly table: string; readonly id: string };

/** Why a write fails: `taken` also for another version. */
export type Refusal = "missing" | "taken" | "invalid";

/** Returns the records of a write. */
export function writtenRecords(write: OracleWrite): WrittenRecord[] {
  const { table } = write;
  if (write.kind === "delete") return [];
  const given = write.kind === "insert" ? write.records : [{ ...write.record, id: write.id }];
  return given.map((record) => ({ table, id: String(record.id), given: nestAll(record) }));
}

/**
 * Applies a write at a time in milliseconds, without checking its links (T-18). Inserted records need
 * ids; `unique` and `notNull` are not checked.
 */
export function applyWrite(
  db: OracleDatabase,
  write: OracleWrite,
  now: number,
): OracleDatabase | Refusal {
  const table = requireTable(db, write.table);
  const time = instantText(BigInt(now) * 1000n);
  if (write.kind === "insert") {
    const ids = new Set(write.records.map(({ id }) => id));
    // an id twice in one batch is taken.
    const isTwice = ids.size < write.records.length;
    if (isTwice || table.records.some(({ id }) => ids.has(id))) return "taken";
    const added = write.records.map((given) =>
      insertedRecord(db, table, String(given.id), given, time),
    );
    if (added.some((record) => record === null)) return "invalid";
    return replaceRecords(db, table, [...table.records, ...(added as OracleRecord[])]);
  }
  const before = table.records.find((record) => record.id === write.id);
  if (write.kind === "delete") {
    if (before === undefined) return db;
    const others = table.records.filter((record) => record !== before);
    return unlink(replaceRecords(db, table, others), table.name, before.id, time);
  }
  const { ifVersion, createOnly = false } = write;
  // update and replace need the record; the other two insert it.
  const isMissing = before === undefined && /^(update|replace)$/.test(write.kind);
  if (isMissing) return "missing";
  // a put of a missing record inserts it, whatever the version.
  const isChecked = ifVersion !== undefined && (before !== undefined || write.kind !== "put");
  const isOther = isChecked && ifVersion !== before?.metadata.version;
  const isTaken = createOnly && write.kind === "put" && before !== undefined;
  if (isOther || isTaken) return "taken";
  if (before === undefined) {
    const added = insertedRecord(db, table, write.id, write.record, time);
    return added === null ? "invalid" : replaceRecords(db, table, [...table.records, added]);
  }
  const updates = write.kind === "update" || write.kind === "upsert";
  const held = updates ? before.columns : undefined;
  const columns = writeColumns(db, table.columns, nestKeys(write.record), time, held);
  if (columns === null) return "invalid";
  // every write counts, even without a change.
  const version = before.metadata.version + 1;
  const metadata = { ...before.metadata, version, updatedAt: time };
  const after: OracleRecord = { id: before.id, columns, metadata };
  return replaceRecords(
    db,
    table,
    table.records.map((record) => (record === before ? after : record)),
  );
}

function replaceRecords(
  db: OracleDatabase,
  changed: OracleTable,
  records: readonly OracleRecord[],
): OracleDatabase {
  const tables = db.tables.map((table) => (table === changed ? { ...table, records } : table));
  return { ...db, tables };
}

function insertedRecord(
  db: OracleDatabase,
  table: OracleTable,
  id: string,
  given: JsonObject,
  time: string,
): OracleRecord | null {
  const columns = writeColumns(db, table.columns, nestKeys(given), time);
  return columns && { id, columns, metadata: { version: 0, createdAt: time, updatedAt: time } };
}

/** sub-columns may be dotted. */
function nestKeys(given: JsonObject): JsonObject {
  const nested: { [key: string]: Json } = {};
  for (const [key, value] of Object.entries(given)) {
    const [head = "", ...tail] = key.split(".");
    if (tail.length === 0) nested[key] = value;
    else nested[head] = { ...(nested[head] as JsonObject), [tail.join(".")]: value };
  }
  return nested;
}

function nestAll(given: JsonObject): JsonObject {
  const entries = Object.entries(nestKeys(given));
  return Object.fromEntries(
    entries.map(([key, value]) => [key, isObject(value) ? nestAll(value) : value]),
  );
}

/**
 * The columns of a written record: missing keys are unchanged in an update, which has the columns
 * `before`; otherwise they have their defaults (T-16).
 */
function writeColumns(
  db: OracleDatabase,
  columns: readonly ColumnDefinition[],
  given: JsonObject,
  time: string,
  before?: JsonObject | null,
): JsonObject | null {
  const isUpdate = before !== undefined;
  const stored: { [name: string]: Json } = {};
  for (const column of columns) {
    const { name, type } = column;
    const isMissing = !Object.hasOwn(given, name);
    const value = ownValue(given, name);
    const held = ownValue(before ?? null, name);
    let result: Json | undefined;
    if (isMissing && isUpdate) result = held;
    else if (type === "object" && (isMissing || isObject(value))) {
      const inner = isObject(value) ? nestKeys(value) : {};
      const innerBefore = isObject(held) ? held : null;
      const within = isUpdate ? innerBefore : undefined;
      result = writeColumns(db, subColumns(column), inner, time, within) ?? undefined;
    } else if (isMissing) result = storeValue(db, column, defaultOf(column, time));
    else if (isUpdate && (type === "int" || type === "float") && isObject(value)) {
      result = calculate(column, value, held);
    } else result = storeValue(db, column, value);
    if (result === undefined) return null;
    stored[name] = result;
  }
  return stored;
}

/** T-16: a default is JSON, a string that contains JSON, or `"now"`. */
function defaultOf(column: ColumnDefinition, time: string): Json {
  const given = column.defaultValue ?? null;
  if (column.type === "datetime" && given === "now") return time;
  const textual = ["string", "text", "email", "datetime", "link", "json"].includes(column.type);
  return typeof given === "string" && !textual ? (JSON.parse(given) as Json) : given;
}

/** null stays null; an invalid result fails. */
function calculate(column: ColumnDefinition, operation: JsonObject, held: Json): Json | undefined {
  const [operator, operand] = Object.entries(operation)[0] ?? [];
  const by = Number(operand);
  if (held === null) return null;
  if (operator === "$divide" && by === 0) return undefined;
  const number = Number(held);
  const results: { readonly [operator: string]: number } = {
    $increment: number + by,
    $decrement: number - by,
    $multiply: number * by,
    $divide: number / by,
  };
  const result = results[operator ?? ""] ?? Number.NaN;
  const holds = column.type === "int" ? Number.isSafeInteger(result) : Number.isFinite(result);
  return holds ? result + 0 : undefined;
}

/** The stored value (section T); undefined for invalid arithmetic. */
function storeValue(db: OracleDatabase, column: ColumnDefinition, given: Json): Json | undefined {
  if (given === null) return null;
  switch (column.type) {
    case "int":
    case "float":
      // arithmetic is for updates. T-3: −0 is 0.
      return isObject(given) ? undefined : Number(given) + 0;
    case "datetime":
      return instantText(instantOf(String(given)));
    case "link":
      return linkId(given);
    case "json": {
      const reads = db.profile.base !== "documented" && typeof given === "string";
      return reads ? (JSON.parse(given) as Json) : given;
    }
    default:
      return given;
  }
}
