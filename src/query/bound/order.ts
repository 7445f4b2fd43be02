import type { ColumnRef } from "../bind/scope.js";

/** A bound sort: columns with their directions, then perhaps a random order among ties. */
export interface Order {
  readonly keys: readonly SortKey[];
  /** Seed of the random order that breaks ties, where one was asked for (rule S-4). */
  readonly seed: number | undefined;
}

export interface SortKey {
  readonly column: ColumnRef;
  readonly descending: boolean;
}

/** The order without `sort`: by id (rule S-5). */
export const BY_ID: Order = { keys: [], seed: undefined };
