import type { Json, Sort } from "../../types.js";
import { type OracleDatabase, type OracleRecord, requireTable } from "./model.js";
import { followPath, type PathType, recordValue } from "./path.js";
import { compareText, instantOf } from "./values.js";

/** A value as its sort key. */
export type Comparable = number | bigint | string | null;

/** The sort keys and the id of a record (G-4). */
export interface Position {
  readonly keys: readonly Comparable[];
  readonly id: string;
}

export interface SortKey {
  readonly path: string;
  readonly descending: boolean;
}

/** The keys of a sort; a bare string is ascending (S-1). */
export function sortKeys(sort: Sort | undefined): readonly SortKey[] {
  return sortEntries(sort)
    .filter(([path]) => path !== "*")
    .map(([path, direction]) => ({ path, descending: direction === "desc" }));
}

/** Whether ties after all keys are in random order (rule S-4). */
export function isRandomSort(sort: Sort | undefined): boolean {
  return sortEntries(sort).some(([path]) => path === "*");
}

function sortEntries(sort: Sort | undefined): [string, string][] {
  if (sort === undefined) return [];
  const parts = Array.isArray(sort) ? (sort as readonly (string | object)[]) : [sort];
  return parts.flatMap((part): [string, string][] =>
    typeof part === "string" ? [[part, "asc"]] : (Object.entries(part) as [string, string][]),
  );
}

function positionOf(
  db: OracleDatabase,
  tableName: string,
  sort: Sort | undefined,
  record: OracleRecord,
): Position {
  const start = recordValue(requireTable(db, tableName), record);
  const values = sortKeys(sort).map((key) => {
    const place = followPath(db, start, key.path);
    return comparable(place.type, place.value);
  });
  return { keys: values, id: record.id };
}

/** The sort key of a type (section T). */
export function comparable(type: PathType, value: Json): Comparable {
  if (value === null) return null;
  if (type === "datetime") return instantOf(String(value));
  return typeof value === "boolean" ? Number(value) : (value as number | string);
}

/** Compares positions of one sort. */
export function comparePositions(keys: readonly SortKey[], a: Position, b: Position): number {
  for (let i = 0; i < keys.length; i++) {
    const order = compareKeys(a.keys[i] ?? null, b.keys[i] ?? null);
    if (order !== 0) return keys[i]!.descending ? -order : order;
  }
  // S-5: remaining ties by id, ascending.
  return compareText(a.id, b.id);
}

/** Compares sort keys; null is greater than every value (S-3). */
export function compareKeys(a: Comparable, b: Comparable): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  return Number(a > b) - Number(a < b);
}

/** Sorts records; random order is by id. */
export function sortRecords(
  db: OracleDatabase,
  tableName: string,
  sort: Sort | undefined,
  records: readonly OracleRecord[],
): { record: OracleRecord; position: Position }[] {
  const keys = sortKeys(sort);
  return records
    .map((record) => ({ record, position: positionOf(db, tableName, sort, record) }))
    .sort((a, b) => comparePositions(keys, a.position, b.position));
}
