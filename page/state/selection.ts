import type { QueryRequest } from "../../src/types.js";
import { profile } from "./catalog.js";

/** The selected records of a query: some, or all but some. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Whether `ids` are those that are not selected. */
  readonly isInverse: boolean;
}

export const NONE: Selection = { ids: new Set(), isInverse: false };
export const ALL: Selection = { ids: new Set(), isInverse: true };

export function selectionOf(id: string): Selection {
  return { ids: new Set([id]), isInverse: false };
}

export function isSelected({ ids, isInverse }: Selection, id: string): boolean {
  return ids.has(id) !== isInverse;
}

/** @param total the number of records that match the query */
export function countSelected({ ids, isInverse }: Selection, total: number): number {
  return isInverse ? Math.max(total - ids.size, 0) : ids.size;
}

/** Adds records to a selection, or removes them. */
export function select(
  selection: Selection,
  changed: readonly string[],
  isAdded: boolean,
): Selection {
  const ids = new Set(selection.ids);
  for (const id of changed)
    if (isAdded === selection.isInverse) ids.delete(id);
    else ids.add(id);
  return { ...selection, ids };
}

/** The query of the selected records. */
export function querySelected({ ids, isInverse }: Selection, query: QueryRequest): QueryRequest {
  const some = { [profile.value.idColumn]: { $any: [...ids] } };
  if (!isInverse) return { ...query, filter: some };
  if (ids.size === 0) return query;
  const others = { $not: some };
  const { filter = {} } = query;
  const isAny = Object.keys(filter).length === 0;
  return { ...query, filter: isAny ? others : { $all: [filter, others] } };
}
