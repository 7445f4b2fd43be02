import type { ColumnDefinition, ColumnType, Json } from "../../types.js";
import { FILE_MEMBERS, membersOf } from "./files.js";
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

/** The type at the end of a path. */
export type PathType = ColumnType | "record" | "id" | "metadata" | "json path";

/** The value at a path, with the scope of longer paths. */
export interface PathValue {
  readonly type: PathType;
  readonly column: ColumnDefinition;
  /** The value; the id for a record or link. */
  readonly value: Json;
  /** Columns of longer paths (N-4). */
  readonly columns: readonly ColumnDefinition[];
  /** The values of those columns; null if all are null (T-9, T-14). */
  readonly values: JsonObject | null;
  /** The record, which has `service.*`; null for a null or dangling link. */
  readonly record: OracleRecord | null;
}

const METADATA: readonly ColumnDefinition[] = [
  { name: "version", type: "int" },
  { name: "createdAt", type: "datetime" },
  { name: "updatedAt", type: "datetime" },
];

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

/** A value without a path, such as an item of a list. */
export function plainValue(type: PathType, value: Json): PathValue {
  const column: ColumnDefinition = { name: "", type: type === "json path" ? "json" : "text" };
  return { type, column, value, columns: [], values: null, record: null };
}

/** Resolves a path of names joined by `.`, and `->` into json (N-4, F-17). */
export function followPath(db: OracleDatabase, start: PathValue, path: string): PathValue {
  const [names = "", ...keys] = path.split("->");
  const place = names.split(".").reduce((from, name) => step(db, from, name), start);
  if (keys.length === 0) return place;
  return plainValue("json path", keys.reduce<Json>(stepIntoJson, place.value));
}

function step(db: OracleDatabase, from: PathValue, name: string): PathValue {
  if (from.type === "record" || from.type === "link") {
    // T-9: a link has its stored id even if it dangles.
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
    case "file":
      return { ...place, columns: FILE_MEMBERS, values: value === null ? null : membersOf(value) };
    default:
      return place;
  }
}

/** F-17: array positions are numbers; missing values are null. */
function stepIntoJson(value: Json, key: string): Json {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? (value[Number(key)] ?? null) : null;
  return isObject(value) ? ownValue(value, key) : null;
}
