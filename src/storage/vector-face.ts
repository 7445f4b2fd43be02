import type { StoredValue } from "../schema/columns.js";
import type { Mark } from "./mark.js";

/** What all kinds of vectors have, and can do. */
export abstract class VectorFace {
  /** Who may change rows in place: see `ownership.ts`. */
  owner: Mark | undefined = undefined;
  /** What queries have computed from the rows there were; dropped when one of them changes. */
  cache: unknown = undefined;
  /** What searches have computed from the rows of a vector, which it names; copies take it along. */
  kept: unknown = undefined;
  /** The value of a row; null where there is none. */
  abstract get(row: number): StoredValue;
  /** Stores a value of the column's type, or null. */
  abstract set(row: number, value: StoredValue): void;
  /** A vector of its own with the first `count` rows and room for `capacity`. */
  abstract copy(count: number, capacity: number): VectorFace;
}

const NULLS: null[] = [];

/** So many nulls: an array without holes, which would make every read of it slower. */
export function nulls(length: number): null[] {
  while (NULLS.length < length) NULLS.push(null);
  return NULLS.slice(0, length);
}

/** The first `count` values, and nulls up to `capacity`. */
export function copyValues<T>(
  values: readonly (T | null)[],
  count: number,
  capacity: number,
): (T | null)[] {
  const copy: (T | null)[] = nulls(capacity);
  for (let row = 0; row < count; row++) copy[row] = values[row]!;
  return copy;
}
