import { CHUNK_MASK, CHUNK_SHIFT } from "../storage/chunk.js";
import { NULL_CODE } from "../storage/dictionary.js";
import type { TableIndex } from "../storage/history.js";
import type { TableVersion } from "../storage/table.js";
import type { IndexRecipe, IndexView } from "./index-store.js";
import type { Order } from "./order.js";
import { orderIndexKey } from "./order-index.js";
import { RowOrder } from "./row-order.js";

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

/** How the index of a link column is made; its runs stand as the rows do. */
export function linkIndexRecipe(slot: number): IndexRecipe<LinkIndex> {
  return recipeOf(`link ${slot}`, (table, position) => buildLinkIndex(table, slot, position));
}

/** The same with each run in an order; undefined for orders that no index is kept for. */
export function sortedLinkIndexRecipe(
  slot: number,
  order: Order,
): IndexRecipe<LinkIndex> | undefined {
  const key = orderIndexKey(order);
  if (key === undefined) return undefined;
  return recipeOf(`link ${slot} ${key}`, (table, position) => {
    const index = buildLinkIndex(table, slot, position);
    const rowOrder = new RowOrder(table, order);
    for (const run of runsOf(index)) run.set(rowOrder.sort(run.slice()));
    return index;
  });
}

function recipeOf(
  key: string,
  build: (table: TableVersion, position: number) => LinkIndex,
): IndexRecipe<LinkIndex> {
  return {
    key,
    isKind: (index) => index instanceof LinkIndex,
    build,
    refresh: (_index, table, _dirty, position) => build(table, position),
  };
}

function runsOf({ starts, rows }: LinkIndex): Int32Array[] {
  const runs: Int32Array[] = [];
  for (let code = 1; code + 1 < starts.length; code++) {
    runs.push(rows.subarray(starts[code]!, starts[code + 1]!));
  }
  return runs;
}

/** The rows that link to one of some ids: a run for each id, but for those written since. */
export interface LinkedRows {
  readonly runs: readonly Int32Array[];
  /** The rows of runs that are not to be taken from there. */
  readonly isDirty: ReadonlySet<number>;
  /** Those of them that do link there, as they stand now. */
  readonly written: readonly number[];
}

/** Finds the rows that link to one of some ids, by their codes. */
export function rowsLinkedTo(
  table: TableVersion,
  slot: number,
  { index: { starts, rows }, dirty }: IndexView<LinkIndex>,
  codes: ReadonlySet<number>,
): LinkedRows {
  const runs: Int32Array[] = [];
  for (const code of codes) {
    if (code + 1 < starts.length) runs.push(rows.subarray(starts[code]!, starts[code + 1]!));
  }
  const written = dirty.filter((row) => table.isLive(row) && codes.has(codeAt(table, row, slot)));
  return { runs, isDirty: new Set(dirty), written };
}

/** How many rows the index has for some codes, those written since left aside. */
export function countLinkedTo({ starts }: LinkIndex, codes: ReadonlySet<number>): number {
  let total = 0;
  for (const code of codes) {
    if (code + 1 < starts.length) total += starts[code + 1]! - starts[code]!;
  }
  return total;
}

function codeAt(table: TableVersion, ordinal: number, slot: number): number {
  const vector = table.chunks[ordinal >>> CHUNK_SHIFT]?.vectors[slot];
  return vector?.kind === "code" ? vector.codes[ordinal & CHUNK_MASK]! : NULL_CODE;
}

/** Counting sort of the rows by code. */
function buildLinkIndex(table: TableVersion, slot: number, position: number): LinkIndex {
  const size = table.dictionaries.get(slot)?.size ?? 1;
  const starts = new Int32Array(size + 1);
  eachCode(table, slot, (code) => {
    starts[code + 1]!++;
  });
  for (let code = 0; code < size; code++) starts[code + 1]! += starts[code]!;
  const rows = new Int32Array(starts[size]!);
  const next = starts.slice();
  eachCode(table, slot, (code, row) => {
    rows[next[code]!++] = row;
  });
  return new LinkIndex(position, starts, rows);
}

function eachCode(
  table: TableVersion,
  slot: number,
  visit: (code: number, row: number) => void,
): void {
  for (const [index, chunk] of table.chunks.entries()) {
    const vector = chunk.vectors[slot];
    if (vector?.kind !== "code") continue;
    for (let row = 0; row < chunk.count; row++) {
      const code = vector.codes[row]!;
      if (code !== NULL_CODE && !chunk.isDeleted(row)) visit(code, (index << CHUNK_SHIFT) + row);
    }
  }
}
