import { rowAt, vectorAt } from "../../storage/chunk.js";
import { NULL_CODE } from "../../storage/dictionary.js";
import type { TableIndex } from "../../storage/history.js";
import type { TableVersion } from "../../storage/table.js";
import type { Order } from "../bound/order.js";
import { RowOrder } from "../order/row-order.js";
import { finish, inSteps, type Work } from "../order/work.js";
import { checkRows, type Source } from "../source.js";
import { linkKey, sortedLinkKey } from "./index-keys.js";
import type { IndexRecipe, IndexView } from "./indexes.js";
import { allRows, mergeDirty, sortAll, sortDirty } from "./order-index.js";

/** For each id that a link column holds, the run of rows that hold it. */
export class LinkIndex implements TableIndex {
  readonly position: number;
  /** By code: where its rows begin; those of the next code follow. */
  readonly starts: Int32Array;
  readonly rows: Int32Array;

  constructor(position: number, starts: Int32Array, rows: Int32Array) {
    this.position = position;
    this.starts = starts;
    this.rows = rows;
  }

  get byteLength(): number {
    return this.starts.byteLength + this.rows.byteLength;
  }
}

/** How the index of a link column is made; its runs are in the order of storage. */
export function linkIndexRecipe(slot: number): IndexRecipe<LinkIndex> {
  const build = (source: Source) => buildInStorageOrder(source, slot);
  const refresh = (_index: LinkIndex, source: Source): LinkIndex =>
    finish(build(source), source.checkTime);
  return { key: linkKey(slot), build, refresh };
}

function* buildInStorageOrder({ table }: Source, slot: number): Work<LinkIndex> {
  return yield* buildLinkIndex(table, slot, yield* allRows(table));
}

/** The same with each run in an order; undefined for orders that no index is kept for. */
export function sortedLinkIndexRecipe(
  slot: number,
  order: Order,
): IndexRecipe<LinkIndex> | undefined {
  const key = sortedLinkKey(slot, order);
  if (key === undefined) return undefined;
  return {
    key,
    build: (source) => buildSorted(source, slot, order),
    refresh: (index, source, dirty) =>
      refreshSorted(index, source, slot, new RowOrder(source, order), dirty),
  };
}

/** Sorting all rows at once takes a fraction of sorting each run. */
function* buildSorted(source: Source, slot: number, order: Order): Work<LinkIndex> {
  return yield* buildLinkIndex(source.table, slot, yield* sortAll(source, order));
}

/** Merges the rows written since into their runs, so that none is sorted again. */
function refreshSorted(
  index: LinkIndex,
  source: Source,
  slot: number,
  order: RowOrder,
  dirty: ReadonlySet<number>,
): LinkIndex {
  const { table } = source;
  const check = checkRows(source);
  const writtenByCode = new Map<number, number[]>();
  for (const row of sortDirty(table, order, dirty)) {
    const code = codeAt(table, row, slot);
    const rows = writtenByCode.get(code);
    if (rows === undefined) writtenByCode.set(code, [row]);
    else rows.push(row);
  }
  const size = table.dictionaries.get(slot)?.size ?? 1;
  const starts = new Int32Array(size + 1);
  const rows = new Int32Array(index.rows.length + dirty.size);
  let length = 0;
  for (let code = 1; code < size; code++) {
    check();
    starts[code] = length;
    const run = runOf(index, code);
    const written = writtenByCode.get(code);
    const isSame = written === undefined && !run.some((row) => dirty.has(row));
    const merged = isSame ? run : mergeDirty(run, dirty, written ?? [], order);
    rows.set(merged, length);
    length += merged.length;
  }
  starts[size] = length;
  return new LinkIndex(table.position, starts, rows.slice(0, length));
}

/** The rows of one code; none for a code that came later. */
function runOf({ starts, rows }: LinkIndex, code: number): Int32Array {
  return code + 1 < starts.length ? rows.subarray(starts[code]!, starts[code + 1]!) : NO_ROWS;
}

const NO_ROWS = new Int32Array(0);

/** The rows that link to one of some ids: a run for each id, but for those written since. */
export interface LinkedRows {
  readonly runs: readonly Int32Array[];
  /** The rows of runs that are not to be taken from there. */
  readonly dirty: ReadonlySet<number>;
  /** Those of them that do link there now. */
  readonly written: readonly number[];
}

/** Finds the rows that link to one of some ids, by their codes. */
export function rowsLinkedTo(
  table: TableVersion,
  slot: number,
  { index, dirty }: IndexView<LinkIndex>,
  codes: ReadonlySet<number>,
): LinkedRows {
  const runs = Array.from(codes, (code) => runOf(index, code));
  const written: number[] = [];
  for (const row of dirty) {
    if (codes.has(codeAt(table, row, slot)) && table.isLive(row)) written.push(row);
  }
  return { runs, dirty, written };
}

/** How many rows the index has for some codes, those written since left aside. */
export function countLinkedTo(index: LinkIndex, codes: readonly number[]): number {
  let total = 0;
  for (const code of codes) total += runOf(index, code).length;
  return total;
}

/** How many rows have one of some codes, without an index. */
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

function codeAt(table: TableVersion, ordinal: number, slot: number): number {
  const vector = vectorAt(table.chunks, ordinal, slot);
  return vector?.kind === "code" ? vector.codes[rowAt(ordinal)]! : NULL_CODE;
}

/**
 * Counting sort by code, of rows in an order. The codes are read once: a row that is written in the
 * meantime would be placed where none was counted.
 */
function* buildLinkIndex(table: TableVersion, slot: number, ordered: Int32Array): Work<LinkIndex> {
  const codes = new Uint32Array(ordered.length);
  yield* inSteps(ordered.length, (start, end) => {
    for (let i = start; i < end; i++) codes[i] = codeAt(table, ordered[i]!, slot);
  });
  const size = table.dictionaries.get(slot)?.size ?? 1;
  const starts = new Int32Array(size + 1);
  yield* inSteps(codes.length, (start, end) => {
    for (let i = start; i < end; i++) if (codes[i] !== NULL_CODE) starts[codes[i]! + 1]!++;
  });
  for (let code = 0; code < size; code++) starts[code + 1]! += starts[code]!;
  const rows = new Int32Array(starts[size]!);
  const next = starts.slice();
  yield* inSteps(codes.length, (start, end) => {
    for (let i = start; i < end; i++) {
      if (codes[i] !== NULL_CODE) rows[next[codes[i]!]!++] = ordered[i]!;
    }
  });
  return new LinkIndex(table.position, starts, rows);
}
