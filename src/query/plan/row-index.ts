import { CHUNK_ROWS, ordinalOf, rowAt, vectorAt } from "../../storage/chunk.js";
import { NULL_CODE } from "../../storage/dictionary.js";
import type { TableIndex } from "../../storage/history.js";
import type { TableVersion } from "../../storage/table.js";
import type { Order } from "../bound/order.js";
import { RowOrder } from "../order/row-order.js";
import type { Source } from "../source.js";
import { BUCKET_ROWS, SAMPLES_PER_BUCKET } from "../thresholds.js";
import { linkKey, orderKey, sortedLinkKey } from "./index-keys.js";
import type { IndexRecipe, IndexView } from "./indexes.js";

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

type Compare = (a: number, b: number) => number;

/** Returns undefined for orders without indexes. */
export function orderIndexRecipe(order: Order): IndexRecipe<RowIndex> | undefined {
  const key = orderKey(order);
  if (key === undefined) return undefined;
  return {
    key,
    *build(source) {
      return new RowIndex(source.table.position, yield* sortInSteps(source, order));
    },
    refresh(index, source, written) {
      const { table } = source;
      const rowOrder = new RowOrder(source, order);
      const compare: Compare = (a, b) => rowOrder.compare(a, b);
      const rows = mergeRows(index.rows, written, liveRows(table, written).sort(compare), compare);
      return new RowIndex(table.position, rows);
    },
  };
}

/** Runs by code, each in an order; default storage order. */
export function linkIndexRecipe(slot: number, order?: Order): IndexRecipe<RowIndex> | undefined {
  const key = order === undefined ? linkKey(slot) : sortedLinkKey(slot, order);
  if (key === undefined) return undefined;
  return {
    key,
    *build(source) {
      const { table } = source;
      const rows = order === undefined ? allRows(table) : yield* sortInSteps(source, order);
      yield 0; // check the time limit
      return groupByCode(table, slot, rows);
    },
    refresh(index, source, written) {
      const { table } = source;
      const rowOrder = order && new RowOrder(source, order);
      const compare: Compare = (a, b) =>
        codeAt(table, a, slot) - codeAt(table, b, slot) || (rowOrder?.compare(a, b) ?? a - b);
      const fresh = liveRows(table, written).sort(compare);
      return groupByCode(table, slot, mergeRows(index.rows, written, fresh, compare));
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
 * Samplesort in steps (W. D. Frazer and A. C. McKellar, 1970); yields the rows processed. Rows
 * written meanwhile may be misplaced; bucket bounds use the initial keys.
 */
function* sortInSteps(source: Source, order: Order): Generator<number, Int32Array, undefined> {
  const rows = allRows(source.table);
  const rowOrder = new RowOrder(source, order);
  const count = Math.ceil(rows.length / BUCKET_ROWS);
  const sample = rowOrder.sort(
    Int32Array.from({ length: count * SAMPLES_PER_BUCKET }, (_, i) => {
      return rows[Math.floor((i * rows.length) / (count * SAMPLES_PER_BUCKET))]!;
    }),
  );
  const bounds = Array.from({ length: Math.max(0, count - 1) }, (_, i) => {
    return { keys: rowOrder.keysOf(sample[(i + 1) * SAMPLES_PER_BUCKET]!), side: 0 } as const;
  });
  yield sample.length;
  const buckets = new Uint32Array(rows.length);
  const starts = new Int32Array(count + 1);
  for (let from = 0; from < rows.length; from += BUCKET_ROWS) {
    const to = Math.min(from + BUCKET_ROWS, rows.length);
    for (let i = from; i < to; i++) {
      const row = rows[i]!;
      const bucket = partition(bounds.length, (at) => {
        return rowOrder.compareToPoint(row, bounds[at]!) < 0;
      });
      buckets[i] = bucket;
      starts[bucket + 1]!++;
    }
    yield to - from;
  }
  const sorted = scatter(rows, buckets, starts);
  for (let bucket = 0; bucket < count; bucket++) {
    const run = sorted.subarray(starts[bucket]!, starts[bucket + 1]!);
    run.set(rowOrder.sort(run));
    yield run.length;
  }
  return sorted;
}

/** Stable counting sort. `starts` holds sizes, shifted by one, and becomes the groups' starts. */
function scatter(rows: Int32Array, groups: Uint32Array, starts: Int32Array): Int32Array {
  for (let group = 1; group < starts.length; group++) starts[group]! += starts[group - 1]!;
  const next = starts.slice();
  const sorted = new Int32Array(rows.length);
  for (let i = 0; i < rows.length; i++) sorted[next[groups[i]!]!++] = rows[i]!;
  return sorted;
}

/** Groups rows by link code, in stable order. */
function groupByCode(table: TableVersion, slot: number, rows: Int32Array): RowIndex {
  const starts = new Int32Array((table.dictionaries.get(slot)?.size ?? 1) + 1);
  const codes = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) {
    const code = codeAt(table, rows[i]!, slot);
    codes[i] = code;
    starts[code + 1]!++;
  }
  return new RowIndex(table.position, scatter(rows, codes, starts), starts);
}

function codeAt(table: TableVersion, ordinal: number, slot: number): number {
  const vector = vectorAt(table.chunks, ordinal, slot);
  return vector?.kind === "code" ? vector.codes[rowAt(ordinal)]! : NULL_CODE;
}

/** Rows that link to some ids. */
export interface LinkedRows {
  readonly runs: readonly Int32Array[];
  /** Rows to skip in runs. */
  readonly dirty: ReadonlySet<number>;
  /** Dirty rows that still match. */
  readonly written: readonly number[];
}

export function rowsLinkedTo(
  table: TableVersion,
  slot: number,
  { index, written: { rows: dirty } }: IndexView<RowIndex>,
  codes: ReadonlySet<number>,
): LinkedRows {
  const runs = Array.from(codes, (code) => index.runOf(code));
  const written = [...dirty].filter((row) => {
    return codes.has(codeAt(table, row, slot)) && table.isLive(row);
  });
  return { runs, dirty, written };
}

/** Counts rows with any of the codes, without an index. */
export function countCodes(table: TableVersion, slot: number, codes: readonly number[]): number {
  const wanted = new Set(codes);
  let total = 0;
  for (const chunk of table.chunks) {
    const vector = chunk.vectors[slot];
    if (vector?.kind !== "code") continue;
    for (let row = 0; row < chunk.count; row++) {
      if (wanted.has(vector.codes[row]!) && !chunk.isDeleted(row)) total++;
    }
  }
  return total;
}

/** Lower bound: the first position where a monotone predicate holds. */
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

export function liveRows(table: TableVersion, written: Iterable<number>): Int32Array {
  return Int32Array.from(written).filter((row) => table.isLive(row));
}

/** Replaces written rows of an ordered list by their current positions. */
export function mergeRows(
  rows: Int32Array,
  written: ReadonlySet<number>,
  fresh: Int32Array,
  compare: Compare,
): Int32Array {
  const clean = rows.filter((row) => !written.has(row));
  const merged = new Int32Array(clean.length + fresh.length);
  let next = 0;
  // Binary search for each; the rest is copied in runs.
  for (let i = 0; i < fresh.length; i++) {
    const row = fresh[i]!;
    const start = next;
    next += partition(clean.length - next, (at) => compare(clean[start + at]!, row) >= 0);
    merged.set(clean.subarray(start, next), start + i);
    merged[next + i] = row;
  }
  merged.set(clean.subarray(next), next + fresh.length);
  return merged;
}
