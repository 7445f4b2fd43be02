import { assert } from "../../errors.js";
import type { TableIndex, WrittenRows } from "../../storage/history.js";
import type { TableVersion } from "../../storage/table.js";
import type { Source } from "../source.js";
import {
  MAX_COUNTED_KEYS,
  MAX_DIRTY_ROWS,
  MAX_INDEX_BYTES_PER_ROW,
  MIN_INDEX_BYTES,
  MIN_INDEXED_ROWS,
  MIN_SLICE_ROWS,
  SLICE_SHARE,
} from "../thresholds.js";

/** When secondary indexes are built: as queries show that they want them, at once, or never. */
export type IndexOption = "auto" | "always" | "never";

/** An index as one version of a table sees it. */
export interface IndexView<T extends TableIndex> {
  readonly index: T;
  /** Rows written since: what the index says of them no longer holds. For use at once. */
  readonly written: WrittenRows;
}

/** What an index needs to be built and brought up to date. */
export interface IndexRecipe<T extends TableIndex> {
  /** Names the index within its table; no other kind of index is called so. */
  readonly key: string;
  /** In steps, each of which yields how many rows it went through. */
  readonly build: (source: Source) => Generator<number, T, undefined>;
  /** The same index for a later version, some rows of which were written since. */
  readonly refresh: (index: T, source: Source, dirty: ReadonlySet<number>) => T;
}

/**
 * The index that serves a version of a table; undefined where there is none. Looking changes
 * nothing: no index comes or goes by it, and nothing is counted.
 */
export function viewIndex<T extends TableIndex>(
  table: TableVersion,
  { key }: Pick<IndexRecipe<T>, "key"> & Partial<IndexRecipe<T>>,
): IndexView<T> | undefined {
  const { history, position } = table;
  const index = history.findIndex(key, position) as T | undefined; // as the key says
  return index && { index, written: history.writtenSince(index, position) };
}

/** The index that a plan names. */
export function plannedIndex<T extends TableIndex>(table: TableVersion, key: string): IndexView<T> {
  const view = viewIndex<T>(table, { key });
  assert(view !== undefined, `the index ${key} is there`);
  return view;
}

/**
 * Notes that a query wants an index, for the queries to come: builds it once it was wanted often
 * enough, or brings it up to date after many writes. Of a large table each query that wants one
 * builds a slice, so that none waits for all of it. For those that run a query only.
 *
 * @param weight how often this query counts; an index is begun at the second time
 * @param used key of the index that this query is about to use, which is not dropped
 */
export function requestIndex<T extends TableIndex>(
  source: Source,
  recipe: IndexRecipe<T>,
  option: IndexOption,
  weight = 1,
  used?: string,
): void {
  if (option === "never") return;
  const { table, checkTime } = source;
  const { history } = table;
  const view = viewIndex(table, recipe);
  const isStale = view !== undefined && view.written.rows.size > MAX_DIRTY_ROWS;
  if (view !== undefined && !isStale) return;
  if (takesTooLong(table, recipe.key)) return;
  try {
    if (view !== undefined) {
      const index = recipe.refresh(view.index, source, view.written.rows);
      history.keepIndex(recipe.key, index, view.index);
    } else if (option === "always") {
      keepBuilt(table, recipe.key, finish(recipe.build(source), checkTime), used);
    } else if (isWanted(table, recipe.key, weight)) {
      if (history.build === undefined) {
        // The time that this query may take is not that of those to come.
        const work = recipe.build({ ...source, checkTime: undefined });
        history.beginBuild({ key: recipe.key, work });
      }
      buildSlice(table, used);
    }
  } catch (error) {
    // Otherwise each query of that kind would time out here, instead of being answered without it.
    history.endBuild();
    history.indexes.delete(recipe.key);
    history.demand.set(recipe.key, TOO_LONG);
    throw error;
  }
}

/** Does all of a build at once; looks at the time after each step. */
function finish<T>(work: Generator<number, T, undefined>, checkTime: Source["checkTime"]): T {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    checkTime?.();
  }
}

/** Goes on with the index that is being built, which may be another than the one wanted. */
function buildSlice(table: TableVersion, used: string | undefined): void {
  const { size, history } = table;
  const { key, work } = history.build!; // the caller has seen to it
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

/** The demand for an index that took longer to make than a call may work (rule L-10). */
const TOO_LONG = Number.NEGATIVE_INFINITY;

/** Whether an index was tried, and took longer to make than a call may work. */
export function takesTooLong({ history }: TableVersion, key: string): boolean {
  return history.demand.get(key) === TOO_LONG;
}

/** Counts a wish for an index; whether there were enough. */
function isWanted(
  { size, history: { demand } }: TableVersion,
  key: string,
  weight: number,
): boolean {
  if (size < MIN_INDEXED_ROWS) return false;
  const known = demand.get(key);
  if (known === undefined && demand.size >= MAX_COUNTED_KEYS) demand.clear();
  const count = (known ?? 0) + weight;
  demand.set(key, count);
  return count >= 2;
}

/** Drops the indexes built first until another fits in what a table's indexes may take. */
function makeRoom(
  { size, history: { indexes, demand } }: TableVersion,
  bytes: number,
  used: string | undefined,
): void {
  let room = Math.max(MIN_INDEX_BYTES, size * MAX_INDEX_BYTES_PER_ROW) - bytes;
  for (const kept of indexes.values()) room -= bytesOf(kept);
  for (const [key, kept] of indexes) {
    if (room >= 0) return;
    if (key === used) continue;
    indexes.delete(key);
    demand.delete(key);
    room += bytesOf(kept);
  }
}

function bytesOf(indexes: readonly TableIndex[]): number {
  return indexes.reduce((sum, { byteLength }) => sum + byteLength, 0);
}
