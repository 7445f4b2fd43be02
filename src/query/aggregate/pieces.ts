import { type Chunk, chunkIndexOf, ordinalOf, rowAt } from "../../storage/chunk.js";
import { grown } from "../../value/sums.js";
import { openAccess } from "../fetch/fetch.js";
import { countBits, listBits, wordsFor } from "../filter/kernels.js";
import type { Plan } from "../plan/plan.js";
import type { TableView } from "../query-run.js";

/** Matching rows of one chunk. Values read from them are dense: indexed from 0 to `count`. */
export interface Piece {
  readonly chunk: Chunk;
  /** The ordinal of the chunk's first row. */
  readonly base: number;
  readonly bits: Uint32Array;
  readonly count: number;
  /** The rows in the chunk; undefined for the first `count` ones. Valid until the next piece. */
  readonly rows: Uint16Array | undefined;
}

/** Visits the matching rows of a plan without an order, chunk by chunk. */
export function eachPiece(view: TableView, plan: Plan, visit: (piece: Piece) => void): void {
  const { chunks } = view.table;
  let scratch = new Uint16Array(0);
  const give = (chunk: Chunk, base: number, bits: Uint32Array): boolean => {
    const words = wordsFor(chunk.count);
    const count = countBits(bits, words);
    let rows: Uint16Array | undefined;
    if (count < chunk.count) {
      scratch = grown(scratch, count);
      listBits(bits, words, scratch);
      rows = scratch;
    }
    if (count > 0) visit({ chunk, base, bits, count, rows });
    return true;
  };
  const named = new Map<number, Uint32Array>();
  openAccess(view, plan).visit({
    row: (ordinal) => {
      const index = chunkIndexOf(ordinal);
      const bits = named.get(index) ?? new Uint32Array(wordsFor(chunks[index]!.count));
      bits[rowAt(ordinal) >>> 5]! |= 1 << (ordinal & 31);
      named.set(index, bits);
      return true;
    },
    chunk: give,
  });
  for (const [index, bits] of [...named].sort(([a], [b]) => a - b)) {
    view.checkTime?.();
    give(chunks[index]!, ordinalOf(index, 0), bits);
  }
}

export function rowOf({ rows }: Piece, position: number): number {
  return rows === undefined ? position : rows[position]!;
}
