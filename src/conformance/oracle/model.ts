import type { Profile } from "../../profile.js";
import type { ColumnDefinition, Json } from "../../types.js";

export type JsonObject = { readonly [key: string]: Json };

/**
 * A stored record as JSON: a link is its id, a datetime RFC 3339, an object is nested; null and
 * absent are equal (T-14).
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

/** A table; the order of `records` is irrelevant (S-5). */
export interface OracleTable {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
  readonly records: readonly OracleRecord[];
}

export type OracleProfile = Pick<Profile, "base" | "metadataColumn" | "nullComparison" | "links">;

export interface OracleDatabase {
  readonly tables: readonly OracleTable[];
  readonly profile: OracleProfile;
}

/** A link may refer to a missing table (T-17). */
export function findTable(db: OracleDatabase, name: string): OracleTable | undefined {
  return db.tables.find((table) => table.name === name);
}

export function requireTable(db: OracleDatabase, name: string): OracleTable {
  const table = findTable(db, name);
  if (table === undefined) throw new Error(`oracle: no table ${name}`);
  return table;
}

export function findRecord(
  db: OracleDatabase,
  tableName: string,
  id: string,
): OracleRecord | undefined {
  return findTable(db, tableName)?.records.find((record) => record.id === id);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An own property or null: `constructor` is a normal name (N-5). */
export function ownValue(object: JsonObject | null, key: string): Json {
  return object !== null && Object.hasOwn(object, key) ? (object[key] ?? null) : null;
}
