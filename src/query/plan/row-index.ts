import { CHUNK_ROWS, ordinalOf } from "../../storage/chunk.js";
import type { TableIndex } from "../../storage/index-history.js";
import type { TableVersion } from "../../storage/table.js";
import { gallop, lowerBound } from "../../value/lower-bound.js";
import type { Order } from "../bound/bound-query.js";
import { RowOrder } from "../order/row-order.js";
import type { TableView } from "../query-run.js";
import { BUCKET_ROWS, SAMPLES_PER_BUCKET, SORT_COST } from "../thresholds.js";
import { type IndexRecipe, linkKey, orderKey, type Steps } from "./indexes.js";

/** Rows in an order; for links, grouped by code. */
export class RowIndex implements TableIndex {
  readonly position: number;
  readonly rows: Int32Array;
  /** By code, the start of its run; the next entry is its end. */
  readonly starts: Int32Array | undefined;

  constructor(position: number, rows: Int32Array, starts?: Int32Array) {
    this.position = position;
    this.rows = rows;
    this.starts = starts;
  }

  get byteLength(): number {
    return this.rows.byteLength + (this.starts?.byteLength ?? 0);
  }

  /** Returns an empty run for a code added later. */
  runOf(code: number): Int32Array {
    const { rows, starts } = this;
    return starts !== undefined && code + 1 < starts.length
      ? rows.subarray(starts[code]!, starts[code + 1]!)
      : rows.subarray(0, 0);
  }
}

/** Each link's rows; default storage order. */
export function linkIndexRecipe(slot: number): IndexRecipe<RowIndex> {
  return indexRecipe(linkKey(slot), undefined, slot);
}

/** All rows in an order, or each link's; undefined for orders without indexes. */
export function orderIndexRecipe(order: Order, slot?: number): IndexRecipe<RowIndex> | undefined {
  const key = orderKey(order, slot);
  return key === undefined ? undefined : indexRecipe(key, order, slot);
}

function indexRecipe(key: string, order?: Order, slot?: number): IndexRecipe<RowIndex> {
  return {
    key,
    *build(view) {
      const { table } = view;
      const rows = order === undefined ? allRows(table) : yield* sortInSteps(view, order);
      if (slot === undefined) return new RowIndex(table.position, rows);
      return yield* groupByCode(table, slot, rows);
    },
    refresh(index, view, written) {
      const { table } = view;
      const rowOrder = order && new RowOrder(view, order);
      const codeOf = (row: number): number => (slot === undefined ? 0 : table.codeAt(row, slot));
      const compare = (a: number, b: number): number =>
        codeOf(a) - codeOf(b) || (rowOrder?.compare(a, b) ?? a - b);
      const rows = mergeRows(index.rows, written, liveRows(table, written).sort(compare), compare);
      const starts = slot === undefined ? undefined : startsOf(table, slot, rows);
      return new RowIndex(table.position, rows, starts);
    },
  };
}

function allRows({ chunks }: TableVersion): Int32Array {
  const rows = new Int32Array(chunks.length * CHUNK_ROWS);
  let length = 0;
  for (const [index, chunk] of chunks.entries()) {
    for (let row = 0; row < chunk.count; row++) {
      if (!chunk.isDeleted(row)) rows[length++] = ordinalOf(index, row);
    }
  }
  return rows.slice(0, length);
}

/**
 * Samplesort in steps (W. D. Frazer and A. C. McKellar, 1970). Rows written meanwhile may be
 * misplaced; bucket bounds use the initial keys.
 */
function* sortInSteps(view: TableView, order: Order): Steps<Int32Array> {
  const rows = allRows(view.table);
  const rowOrder = new RowOrder(view, order);
  const count = Math.ceil(rows.length / BUCKET_ROWS);
  const sample = rowOrder.sort(
    Int32Array.from({ length: count * SAMPLES_PER_BUCKET }, (_, i) => {
      return rows[Math.floor((i * rows.length) / (count * SAMPLES_PER_BUCKET))]!;
    }),
  );
  const bounds = Array.from({ length: Math.max(0, count - 1) }, (_, i) => {
    return { keys: rowOrder.keysOf(sample[(i + 1) * SAMPLES_PER_BUCKET]!), side: 0 } as const;
  });
  yield rows.length;
  const { grouped, starts } = yield* groupRows(rows, count, (row) =>
    lowerBound(0, bounds.length, (at) => rowOrder.compareToPoint(row, bounds[at]!) < 0),
  );
  for (let bucket = 0; bucket < count; bucket++) {
    const run = grouped.subarray(starts[bucket]!, starts[bucket + 1]!);
    run.set(rowOrder.sort(run));
    yield run.length * SORT_COST;
  }
  return grouped;
}

function* groupByCode(table: TableVersion, slot: number, rows: Int32Array): Steps<RowIndex> {
  const count = table.dictionaries.get(slot)?.size ?? 1;
  // Rows with a code added meanwhile are written rows, so their place does not matter.
  const { grouped, starts } = yield* groupRows(rows, count, (row) =>
    Math.min(table.codeAt(row, slot), count - 1),
  );
  return new RowIndex(table.position, grouped, starts);
}

/** Finds the runs of grouped rows by galloping search, because most runs are long. */
function startsOf(table: TableVersion, slot: number, rows: Int32Array): Int32Array {
  const starts = new Int32Array((table.dictionaries.get(slot)?.size ?? 1) + 1);
  for (let code = 0, start = 0; code + 1 < starts.length; starts[++code] = start) {
    const isLater = (at: number): boolean => table.codeAt(rows[at]!, slot) > code;
    start = gallop(start, rows.length, isLater);
  }
  return starts;
}

/** Stable counting sort. */
function* groupRows(
  rows: Int32Array,
  count: number,
  groupOf: (row: number) => number,
): Steps<{ grouped: Int32Array; starts: Int32Array }> {
  const groups = new Uint32Array(rows.length);
  const starts = new Int32Array(count + 1); // sizes at first, shifted by one
  for (let from = 0; from < rows.length; from += BUCKET_ROWS) {
    const to = Math.min(from + BUCKET_ROWS, rows.length);
    for (let i = from; i < to; i++) {
      const group = groupOf(rows[i]!);
      groups[i] = group;
      starts[group + 1]!++;
    }
    yield to - from;
  }
  for (let group = 1; group < starts.length; group++) starts[group]! += starts[group - 1]!;
  const next = starts.slice();
  const grouped = new Int32Array(rows.length);
  for (let i = 0; i < rows.length; i++) grouped[next[groups[i]!]!++] = rows[i]!;
  return { grouped, starts };
}

export function liveRows(table: TableVersion, written: Iterable<number>): Int32Array {
  return Int32Array.from(written).filter((row) => table.isLive(row));
}

/** Replaces written rows of an ordered list by their current positions. */
export function mergeRows(
  rows: Int32Array,
  written: ReadonlySet<number>,
  fresh: Int32Array,
  compare: (a: number, b: number) => number,
): Int32Array {
  const clean = rows.slice();
  let count = 0;
  // `filter` of typed arrays is ten times slower.
  for (let i = 0; i < rows.length; i++) if (!written.has(rows[i]!)) clean[count++] = rows[i]!;
  const merged = new Int32Array(count + fresh.length);
  let next = 0;
  // Binary search for each; the rest is copied in runs.
  for (let i = 0; i < fresh.length; i++) {
    const row = fresh[i]!;
    const start = next;
    next = lowerBound(start, count, (at) => compare(clean[at]!, row) >= 0);
    merged.set(clean.subarray(start, next), start + i);
    merged[next + i] = row;
  }
  merged.set(clean.subarray(next, count), next + fresh.length);
  return merged;
}
