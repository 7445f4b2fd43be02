import type { StoredValue } from "../schema/columns.js";
import type { Mark } from "./mark.js";

export abstract class VectorFace {
  owner: Mark | undefined = undefined;
  /** Caches of queries; dropped when a row changes. */
  cache: unknown = undefined;
  /** Caches of searches, keyed by the vector; copies keep them. */
  kept: unknown = undefined;
  abstract get(row: number): StoredValue;
  abstract set(row: number, value: StoredValue): void;
  /** Returns a copy of `count` rows with a capacity. */
  abstract copy(count: number, capacity: number): VectorFace;
}

/** Returns an array of nulls without holes, which would slow down reads. */
export function nulls(length: number): null[] {
  const array: null[] = [];
  for (let i = 0; i < length; i++) array.push(null);
  return array;
}

export function copyValues<T>(
  values: readonly (T | null)[],
  count: number,
  capacity: number,
): (T | null)[] {
  const copy = values.slice(0, count);
  while (copy.length < capacity) copy.push(null);
  return copy;
}
