import { CHUNK_ROWS, ordinalOf } from "../../storage/chunk.js";
import type { TableIndex } from "../../storage/history.js";
import type { TableVersion } from "../../storage/table.js";
import type { Order } from "../bound/order.js";
import type { Range } from "../bound/point.js";
import { RowOrder } from "../order/row-order.js";
import type { Work } from "../order/work.js";
import type { Source } from "../source.js";
import { orderKey } from "./index-keys.js";
import type { IndexRecipe, IndexView } from "./indexes.js";

/** The rows of a table in one order. */
export class OrderIndex implements TableIndex {
  readonly position: number;
  readonly rows: Int32Array;

  constructor(position: number, rows: Int32Array) {
    this.position = position;
    this.rows = rows;
  }

  get byteLength(): number {
    return this.rows.byteLength;
  }
}

/** How the index of an order is made and kept; undefined for orders that none is kept for. */
export function orderIndexRecipe(order: Order): IndexRecipe<OrderIndex> | undefined {
  const key = orderKey(order);
  if (key === undefined) return undefined;
  return {
    key,
    build: (source) => buildOrderIndex(source, order),
    refresh: (index, source, dirty) => {
      const { table } = source;
      const rowOrder = new RowOrder(source, order);
      const rows = mergeDirty(index.rows, dirty, sortDirty(table, rowOrder, dirty), rowOrder);
      return new OrderIndex(table.position, rows);
    },
  };
}

function* buildOrderIndex(source: Source, order: Order): Work<OrderIndex> {
  return new OrderIndex(source.table.position, yield* sortAll(source, order));
}

/** Walks an index from one end of a range to the other. */
export class OrderWalk {
  readonly #rows: Int32Array;
  readonly #order: RowOrder;
  readonly #dirty: ReadonlySet<number>;
  readonly #dirtyRows: Int32Array;

  constructor(table: TableVersion, order: RowOrder, view: IndexView<OrderIndex>) {
    this.#rows = view.index.rows;
    this.#order = order;
    this.#dirty = view.dirty;
    this.#dirtyRows = keepSorted(table, order, view.dirty);
  }

  /** Visits the rows of a range, in the order or against it, until the visitor gives false. */
  visit({ after, before }: Range, backward: boolean, visitor: (row: number) => boolean): void {
    const order = this.#order;
    const isBefore = (row: number): boolean =>
      after !== undefined && order.compareToPoint(row, after) <= 0;
    const isWithin = (row: number): boolean =>
      before === undefined || order.compareToPoint(row, before) < 0;
    const extra = this.#dirtyRows;
    const extraStart = partition(extra.length, (i) => !isBefore(extra[i]!));
    const extraEnd = partition(extra.length, (i) => !isWithin(extra[i]!));
    const start = after === undefined ? 0 : this.#count(isBefore);
    const end = before === undefined ? this.#rows.length : this.#count(isWithin);
    const step = backward ? -1 : 1;
    let at = backward ? end - 1 : start;
    let next = backward ? extraEnd - 1 : extraStart;
    for (;;) {
      while (at >= start && at < end && this.#dirty.has(this.#rows[at]!)) at += step;
      const row = at >= start && at < end ? this.#rows[at]! : -1;
      const other = next >= extraStart && next < extraEnd ? extra[next]! : -1;
      if (row < 0 && other < 0) return;
      const takesOther = row < 0 || (other >= 0 && step * order.compare(other, row) < 0);
      if (takesOther) next += step;
      else at += step;
      if (!visitor(takesOther ? other : row)) return;
    }
  }

  /** How many rows of the index come before the first for which a condition ends to hold. */
  #count(holds: (row: number) => boolean): number {
    const rows = this.#rows;
    let low = 0;
    let high = rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      let probe = middle;
      // A dirty row has other keys than it was sorted by: the next clean row tells.
      while (probe < high && this.#dirty.has(rows[probe]!)) probe++;
      if (probe === high || !holds(rows[probe]!)) high = middle;
      else low = probe + 1;
    }
    return low;
  }
}

/** All rows of a table, in order. */
export function* sortAll(source: Source, order: Order): Work<Int32Array> {
  return yield* new RowOrder(source, order).sorting(yield* allRows(source.table));
}

/** All rows of a table as they are stored; some of those that are added in the meantime as well. */
export function* allRows({ chunks }: TableVersion): Work<Int32Array> {
  const chunkCount = chunks.length;
  const rows = new Int32Array(chunkCount * CHUNK_ROWS);
  let length = 0;
  for (let index = 0; index < chunkCount; index++) {
    const chunk = chunks[index]!;
    for (let row = 0; row < chunk.count; row++) {
      if (!chunk.isDeleted(row)) rows[length++] = ordinalOf(index, row);
    }
    yield chunk.count;
  }
  return rows.slice(0, length);
}

/** Binary search: the first of so many positions where a condition holds that holds at all after it. */
export function partition(count: number, holds: (position: number) => boolean): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The rows among the dirty that still are records, in order. */
export function sortDirty(
  table: TableVersion,
  order: RowOrder,
  dirty: ReadonlySet<number>,
): Int32Array {
  const rows = Int32Array.from(dirty).filter((row) => table.isLive(row));
  return rows.length < 2 ? rows : order.sort(rows);
}

/** The sorted dirty rows of an index, as of a position of a history. */
interface SortedDirty {
  readonly position: number;
  readonly rows: Int32Array;
}

/** By the set of dirty rows, which a history keeps for each index and only adds to. */
const lastSorted = new WeakMap<ReadonlySet<number>, SortedDirty>();

/** As {@link sortDirty}, from those of the version that asked last where it came before this one. */
function keepSorted(table: TableVersion, order: RowOrder, dirty: ReadonlySet<number>): Int32Array {
  const { history, position } = table;
  if (dirty.size === 0) return NO_ROWS;
  const last = lastSorted.get(dirty);
  if (last?.position === position) return last.rows;
  let rows: Int32Array;
  if (last === undefined) rows = sortDirty(table, order, dirty);
  else {
    const since = new Set(history.writtenBetween(last.position, position));
    rows = mergeDirty(last.rows, since, sortDirty(table, order, since), order);
  }
  lastSorted.set(dirty, { position, rows });
  return rows;
}

const NO_ROWS = new Int32Array(0);

/** Rows in an order, with those that were written since taken out and put where they now belong. */
export function mergeDirty(
  rows: Int32Array,
  isDirty: ReadonlySet<number>,
  dirtyRows: ArrayLike<number>,
  order: RowOrder,
): Int32Array {
  const clean = rows.filter((row) => !isDirty.has(row));
  const merged = new Int32Array(clean.length + dirtyRows.length);
  let next = 0;
  // The position of each dirty row is found by binary search: most of the index is copied in runs.
  for (let i = 0; i < dirtyRows.length; i++) {
    const row = dirtyRows[i]!;
    const start = next;
    next += partition(clean.length - next, (at) => order.compare(clean[start + at]!, row) >= 0);
    merged.set(clean.subarray(start, next), start + i);
    merged[next + i] = row;
  }
  merged.set(clean.subarray(next), next + dirtyRows.length);
  return merged;
}
