import { type Chunk, chunkIndexOf, ordinalOf, rowAt } from "../../storage/chunk.js";
import { openAccess } from "../fetch/fetch.js";
import { countBits, listBits, wordsFor } from "../filter/kernels.js";
import type { Plan } from "../plan/plan.js";
import type { TableView } from "../query-run.js";

/** Matching rows of one chunk. Values read from them are dense: indexed from 0 to `count`. */
export class Piece {
  readonly chunk: Chunk;
  /** The ordinal of the chunk's first row. */
  readonly base: number;
  readonly bits: Uint32Array;
  readonly count: number;
  readonly #scratch: Uint16Array;
  #rows: Uint16Array | undefined;

  constructor(chunk: Chunk, base: number, bits: Uint32Array, scratch: Uint16Array) {
    this.chunk = chunk;
    this.base = base;
    this.bits = bits;
    this.count = countBits(bits, wordsFor(chunk.count));
    this.#scratch = scratch;
  }

  /** The rows in the chunk; undefined for the first `count` ones. Valid until the next piece. */
  get rows(): Uint16Array | undefined {
    const { bits, chunk, count } = this;
    if (this.#rows === undefined && count < chunk.count) {
      listBits(bits, wordsFor(chunk.count), this.#scratch);
      this.#rows = this.#scratch;
    }
    return this.#rows;
  }
}

/** Visits the matching rows of a plan without an order, chunk by chunk. */
export function eachPiece(view: TableView, plan: Plan, visit: (piece: Piece) => void): void {
  const { chunks } = view.table;
  let scratch = new Uint16Array(0);
  const give = (chunk: Chunk, base: number, bits: Uint32Array): boolean => {
    scratch = roomFor(scratch, chunk, Uint16Array);
    const piece = new Piece(chunk, base, bits, scratch);
    if (piece.count > 0) visit(piece);
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

/** Returns an array with room for the rows of a chunk: the given one if it is long enough. */
export function roomFor<A extends Int32Array | Float64Array | Uint16Array>(
  scratch: A,
  chunk: Chunk,
  type: new (length: number) => A,
): A {
  return scratch.length >= chunk.count ? scratch : new type(chunk.count);
}

export function rowOf({ rows }: Piece, position: number): number {
  return rows === undefined ? position : rows[position]!;
}
