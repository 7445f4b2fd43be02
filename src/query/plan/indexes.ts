import type { TableIndex, WrittenRows } from "../../storage/index-history.js";
import type { TableVersion } from "../../storage/table.js";
import type { Order } from "../bound/bound-query.js";
import { createTableView, type TableView } from "../query-run.js";
import {
  MAX_COUNTED_KEYS,
  MAX_DIRTY_ROWS,
  MAX_INDEX_BYTES_PER_ROW,
  MIN_INDEX_BYTES,
  MIN_INDEXED_ROWS,
  MIN_SLICE_ROWS,
  SLICE_SHARE,
} from "../thresholds.js";

export interface IndexView<T extends TableIndex> {
  readonly index: T;
  /** Rows written after the index was built. Valid until the next write. */
  readonly written: WrittenRows;
}

/** Yields after each step: the rows processed, those of slow steps several times. */
export type Steps<T> = Generator<number, T, undefined>;

export interface IndexRecipe<T extends TableIndex> {
  /** Unique within a table. */
  readonly key: string;
  readonly build: (view: TableView) => Steps<T>;
  /** Updates the index for a later version. */
  readonly refresh: (index: T, view: TableView, written: ReadonlySet<number>) => T;
}

/** Returns an index for a version. Records no demand. */
export function viewIndex<T extends TableIndex>(
  table: TableVersion,
  { key }: Pick<IndexRecipe<T>, "key"> & Partial<IndexRecipe<T>>,
): IndexView<T> | undefined {
  const { history, position } = table;
  const index = history.findIndex(key, position) as T | undefined; // the key determines the type
  return index && { index, written: history.writtenSince(index, position) };
}

/** Returns an index that a plan names: the planner found it. */
export function plannedIndex<T extends TableIndex>(table: TableVersion, key: string): IndexView<T> {
  return viewIndex<T>(table, { key })!;
}

/**
 * Records demand; once it is high enough, builds or refreshes the index, large ones in slices.
 * @param weight demand added by this query; a build starts at 2
 * @param used key of an index in use, which is not evicted
 */
export function requestIndex<T extends TableIndex>(
  view: TableView,
  recipe: IndexRecipe<T>,
  weight = 1,
  used?: string,
): void {
  const { table, indexes } = view;
  if (indexes === "never") return;
  const { history } = table;
  const existing = viewIndex(table, recipe);
  const isStale = existing !== undefined && existing.written.rows.size > MAX_DIRTY_ROWS;
  if (existing !== undefined && !isStale) return;
  if (takesTooLong(table, recipe.key)) return;
  try {
    if (existing !== undefined) {
      const index = recipe.refresh(existing.index, view, existing.written.rows);
      history.keepIndex(recipe.key, index, existing.index);
    } else if (indexes === "always") {
      keepBuilt(table, recipe.key, finish(recipe.build(view), view.checkTime), used);
    } else if (isWanted(table, recipe.key, weight)) {
      if (history.build === undefined) {
        // Later slices belong to other queries, with their own time limits.
        const work = recipe.build(createTableView(table));
        history.beginBuild({ key: recipe.key, work });
      }
      buildSlice(table, used);
    }
  } catch (error) {
    // Otherwise every such query would time out instead of running without the index.
    history.endBuild();
    history.indexes.delete(recipe.key);
    history.demand.set(recipe.key, TOO_LONG);
    throw error;
  }
}

/** Takes all steps, within the time limit. */
function finish<T>(work: Steps<T>, checkTime: TableView["checkTime"]): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    checkTime?.();
  }
}

/** Continues the current build, which may be of another index. */
function buildSlice(table: TableVersion, used: string | undefined): void {
  const { size, history } = table;
  const { key, work } = history.build!; // checked by the caller
  let left = Math.max(MIN_SLICE_ROWS, size * SLICE_SHARE);
  while (left > 0) {
    const step = work.next();
    if (step.done === true) {
      keepBuilt(table, key, step.value, used);
      history.endBuild();
      return;
    }
    left -= step.value;
  }
}

function keepBuilt(
  table: TableVersion,
  key: string,
  index: TableIndex,
  used: string | undefined,
): void {
  makeRoom(table, index.byteLength, used);
  table.history.keepIndex(key, index);
}

/** Demand for an index that exceeded the time limit (rule L-10). */
const TOO_LONG = Number.NEGATIVE_INFINITY;

export function takesTooLong({ history }: TableVersion, key: string): boolean {
  return history.demand.get(key) === TOO_LONG;
}

/** Adds demand; true once a build is due. */
function isWanted(
  { size, history: { demand } }: TableVersion,
  key: string,
  weight: number,
): boolean {
  if (size < MIN_INDEXED_ROWS) return false;
  const entry = demand.get(key);
  if (entry === undefined && demand.size >= MAX_COUNTED_KEYS) demand.clear();
  const count = (entry ?? 0) + weight;
  demand.set(key, count);
  return count >= 2;
}

/** Evicts the oldest indexes until another fits. */
function makeRoom(
  { size, history: { indexes, demand } }: TableVersion,
  bytes: number,
  used: string | undefined,
): void {
  let free = Math.max(MIN_INDEX_BYTES, size * MAX_INDEX_BYTES_PER_ROW) - bytes;
  for (const index of indexes.values()) free -= bytesOf(index);
  for (const [key, index] of indexes) {
    if (free >= 0) return;
    if (key === used) continue;
    indexes.delete(key);
    demand.delete(key);
    free += bytesOf(index);
  }
}

function bytesOf(indexes: readonly TableIndex[]): number {
  return indexes.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

export function linkKey(slot: number): string {
  return `link ${slot}`;
}

/** Returns the key of an order's index, or of its index by link; undefined if it has none. */
export function orderKey({ keys, seed }: Order, link?: number): string | undefined {
  // Linked values change independently of this table; a seed is never reused.
  if (seed !== undefined || keys.some(({ column }) => column.hops.length > 0)) return undefined;
  const slots = keys.map(({ column, descending }) => {
    return `${[column.slot, ...(column.keys ?? [])].join(".")}${descending ? "-" : "+"}`;
  });
  return `${link === undefined ? "" : linkKey(link)} order ${slots.join(" ")}`;
}
