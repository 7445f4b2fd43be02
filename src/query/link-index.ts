import { CHUNK_MASK, CHUNK_SHIFT } from "../storage/chunk.js";
import { NULL_CODE } from "../storage/dictionary.js";
import type { TableIndex } from "../storage/history.js";
import type { TableVersion } from "../storage/table.js";
import type { IndexRecipe, IndexView } from "./index-store.js";

/** For each id that a link column holds, the rows that hold it. */
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

/** How the index of a link column is made. */
export function linkIndexRecipe(slot: number): IndexRecipe<LinkIndex> {
  const build = (table: TableVersion, position: number): LinkIndex =>
    buildLinkIndex(table, slot, position);
  return {
    key: `link ${slot}`,
    isKind: (index) => index instanceof LinkIndex,
    build,
    refresh: (_index, table, _dirty, position) => build(table, position),
  };
}

/** The rows that link to one of some ids, by their codes; in no order. */
export function rowsLinkedTo(
  table: TableVersion,
  slot: number,
  { index, dirty }: IndexView<LinkIndex>,
  codes: ReadonlySet<number>,
): number[] {
  const { starts, rows } = index;
  const isDirty = new Set(dirty);
  const found: number[] = [];
  for (const code of codes) {
    if (code + 1 >= starts.length) continue;
    for (let i = starts[code]!; i < starts[code + 1]!; i++) {
      if (!isDirty.has(rows[i]!)) found.push(rows[i]!);
    }
  }
  for (const row of dirty) {
    if (table.isLive(row) && codes.has(codeAt(table, row, slot))) found.push(row);
  }
  return found;
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
