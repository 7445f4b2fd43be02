import type { ColumnDefinition, Json } from "../../types.js";

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/**
 * A stored record in JSON form. Columns: a link is its id, a datetime any RFC 3339 text, an object
 * is nested, null and absent mean the same (rule T-14).
 */
export interface OracleRecord {
  readonly id: string;
  readonly columns: JsonObject;
  readonly metadata: {
    readonly version: number;
    readonly createdAt: string;
    readonly updatedAt: string;
  };
}

/** A table as plain data; the order of `records` never matters (rule S-5). */
export interface OracleTable {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
  readonly records: readonly OracleRecord[];
}

/** The parts of a profile that decide what a query answers. */
export interface OracleProfile {
  readonly base: "documented" | "xata";
  readonly metadataColumn: string;
  readonly nullComparison: "complement" | "sql";
}

/** The tables of one branch. */
export interface OracleDatabase {
  readonly tables: readonly OracleTable[];
  readonly profile: OracleProfile;
}

/** The table of that name; a link may name one that does not exist (rule T-17). */
export function findTable(db: OracleDatabase, name: string): OracleTable | undefined {
  return db.tables.find((table) => table.name === name);
}

/** The table of that name, which the caller knows to exist. */
export function requireTable(db: OracleDatabase, name: string): OracleTable {
  const table = findTable(db, name);
  if (table === undefined) throw new Error(`oracle: no table ${name}`);
  return table;
}

/** The record of that id in the table of that name, if both exist. */
export function findRecord(
  db: OracleDatabase,
  tableName: string,
  id: string,
): OracleRecord | undefined {
  return findTable(db, tableName)?.records.find((record) => record.id === id);
}

/** Whether a value is an object of JSON, neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own property, so that `constructor` is a name like any other (rule N-5); else null. */
export function ownValue(object: JsonObject | null, key: string): Json {
  return object !== null && Object.hasOwn(object, key) ? (object[key] ?? null) : null;
}
