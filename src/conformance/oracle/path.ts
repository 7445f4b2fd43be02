import type { ColumnDefinition, ColumnType, Json } from "../../types.js";
import {
  findRecord,
  findTable,
  isObject,
  type JsonObject,
  type OracleDatabase,
  type OracleRecord,
  type OracleTable,
  ownValue,
} from "./model.js";
import { isNullColumn, subColumns } from "./values.js";

/** What a path can lead to, beside a column. */
export type PathType = ColumnType | "record" | "id" | "metadata" | "json path";

/** What a path leads to from one record: its value, and what a longer path can name. */
export interface PathValue {
  readonly type: PathType;
  readonly column: ColumnDefinition;
  /** The value; of a record or link the id. */
  readonly value: Json;
  /** The columns that a path can go on to (rule N-4). */
  readonly columns: readonly ColumnDefinition[];
  /** The values of those columns; null where all of them are null (T-9, T-14). */
  readonly values: JsonObject | null;
  /** The record reached, of which `service.*` can be named; null for a null or dangling link. */
  readonly record: OracleRecord | null;
}

const METADATA: readonly ColumnDefinition[] = [
  { name: "version", type: "int" },
  { name: "createdAt", type: "datetime" },
  { name: "updatedAt", type: "datetime" },
];

/** The value of the empty path: the record itself. */
export function recordValue(table: OracleTable, record: OracleRecord): PathValue {
  return {
    type: "record",
    column: { name: "id", type: "string" },
    value: record.id,
    columns: table.columns,
    values: record.columns,
    record,
  };
}

/** A value alone, such as an item of a list. */
export function plainValue(type: PathType, value: Json): PathValue {
  const column: ColumnDefinition = { name: "", type: type === "json path" ? "json" : "text" };
  return { type, column, value, columns: [], values: null, record: null };
}

/** Follows a path of names joined by `.`, and `->` into json (rules N-4, F-17). */
export function followPath(db: OracleDatabase, start: PathValue, path: string): PathValue {
  const [names = "", ...keys] = path.split("->");
  const place = names.split(".").reduce((from, name) => step(db, from, name), start);
  if (keys.length === 0) return place;
  return plainValue("json path", keys.reduce<Json>(stepIntoJson, place.value));
}

function step(db: OracleDatabase, from: PathValue, name: string): PathValue {
  if (from.type === "record" || from.type === "link") {
    // T-9: a link's id is the stored one, also of a dangling link.
    if (name === "id") return { ...plainValue("id", from.value) };
    if (name === db.profile.metadataColumn) {
      const values = from.record && { ...from.record.metadata };
      return { ...plainValue("metadata", null), value: values, columns: METADATA, values };
    }
  }
  const column = from.columns.find((candidate) => candidate.name === name);
  if (column === undefined) throw new Error(`oracle: unknown column ${name}`);
  const value = ownValue(from.values, name);
  const place = { type: column.type, column, value, columns: [], values: null, record: null };
  switch (column.type) {
    case "object":
      if (isNullColumn(column, value))
        return { ...place, value: null, columns: subColumns(column) };
      return { ...place, columns: subColumns(column), values: value as JsonObject };
    case "link": {
      const target = column.link?.table ?? "";
      const record = typeof value === "string" ? findRecord(db, target, value) : undefined;
      return {
        ...place,
        columns: findTable(db, target)?.columns ?? [],
        values: record?.columns ?? null,
        record: record ?? null,
      };
    }
    default:
      return place;
  }
}

/** F-17: array positions are numbers; what leads nowhere is null. */
function stepIntoJson(value: Json, key: string): Json {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? (value[Number(key)] ?? null) : null;
  return isObject(value) ? ownValue(value, key) : null;
}
