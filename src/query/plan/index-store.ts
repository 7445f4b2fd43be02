import { History, type TableIndex } from "../../storage/history.js";
import type { TableVersion } from "../../storage/table.js";

/** When secondary indexes are built: as queries show that they want them, at once, or never. */
export type IndexOption = "auto" | "always" | "never";

/** Smaller tables are gone through faster than an index is kept. */
const MIN_ROWS = 4096;
/** Bytes that the indexes of one table may take, for each of its rows, and at least. */
const MAX_BYTES_PER_ROW = 48;
const MIN_BYTES = 1 << 20;
/** Rows written past an index above which it is brought up to date. */
const MAX_DIRTY = 2048;

/** An index as one version of a table sees it. */
export interface IndexView<T extends TableIndex> {
  readonly index: T;
  /** Rows written since the index was made: what it says of them no longer holds. For use at once. */
  readonly dirty: ReadonlySet<number>;
}

/** What an index needs to be built and brought up to date. */
export interface IndexRecipe<T extends TableIndex> {
  /** Names the index within its table; no other kind of index is called so. */
  readonly key: string;
  readonly build: (table: TableVersion, position: number) => T;
  /** The same index for a later version, some rows of which were written since. */
  readonly refresh: (
    index: T,
    table: TableVersion,
    dirty: ReadonlySet<number>,
    position: number,
  ) => T;
}

/**
 * The index of a table version, built now if queries have wanted it often enough; undefined where
 * there is none.
 *
 * @param wanted how often the query at hand counts; it is built at the second time
 */
export function findIndex<T extends TableIndex>(
  table: TableVersion,
  recipe: IndexRecipe<T>,
  option: IndexOption,
  wanted = 1,
): IndexView<T> | undefined {
  if (option === "never") return undefined;
  const { history } = table;
  const known = history?.indexes.get(recipe.key) as T | undefined; // as the key says
  if (known !== undefined && known.position <= table.position) {
    const dirty = history!.writtenSince(known, table.position); // an index is held by its history
    if (dirty.size <= MAX_DIRTY) return { index: known, dirty };
    const index = recipe.refresh(known, table, dirty, table.position);
    history!.indexes.set(recipe.key, index);
    return { index, dirty: NONE };
  }
  if (option === "auto") {
    if (table.size < MIN_ROWS) return undefined;
    const demand = (table.demand.get(recipe.key) ?? 0) + wanted;
    table.demand.set(recipe.key, demand);
    if (demand < 2) return undefined;
  }
  return build(table, recipe);
}

const NONE: ReadonlySet<number> = new Set();

function build<T extends TableIndex>(table: TableVersion, recipe: IndexRecipe<T>): IndexView<T> {
  if (table.history === undefined || table.history.length !== table.position) {
    table.history = new History();
    table.position = 0;
  }
  const index = recipe.build(table, table.position);
  makeRoom(table, table.history.indexes, index.byteLength);
  table.history.indexes.set(recipe.key, index);
  return { index, dirty: NONE };
}

/** Drops the oldest indexes until another fits in what a table's indexes may take. */
function makeRoom(table: TableVersion, indexes: Map<string, TableIndex>, bytes: number): void {
  const bound = Math.max(MIN_BYTES, table.size * MAX_BYTES_PER_ROW) - bytes;
  let held = 0;
  for (const index of indexes.values()) held += index.byteLength;
  for (const [key, index] of indexes) {
    if (held <= bound) return;
    indexes.delete(key);
    table.demand.delete(key);
    held -= index.byteLength;
  }
}
