import type { Vector } from "./vector.js";

/** Rows a full chunk holds: an ordinal is a chunk and a row in it. */
export const CHUNK_ROWS = 4096;
export const CHUNK_SHIFT = 12;
export const CHUNK_MASK: number = CHUNK_ROWS - 1;

/** 32-bit words of a bitmap over a chunk. */
export const CHUNK_WORDS: number = CHUNK_ROWS / 32;

/** What one maker has made of rows. */
export interface RowCache {
  /** Tells makers apart: another one finds nothing here that is its own. */
  readonly maker: object;
  readonly byRow: Map<number, unknown>;
}

/**
 * A run of rows with one vector for each column. Versions of a table share chunks, and chunks share
 * vectors: what may be changed in place, and by whom, is said in `ownership.ts`.
 */
export class Chunk {
  count = 0;
  capacity = 0;
  /** By slot; absent where every row is null. */
  vectors: (Vector | undefined)[] = [];
  /** How many rows of the vectors are taken, by whichever version did so first. */
  tail: { used: number } = { used: 0 };
  /** A bit for each deleted row; absent where there is none. */
  deleted: Uint32Array | undefined = undefined;
  /** What queries have made of whole rows, by row; a row that is written loses its entry. */
  rowCache: RowCache | undefined = undefined;
  /** The mark of who may change this chunk in place. */
  owner: symbol | undefined;

  constructor(owner: symbol | undefined) {
    this.owner = owner;
  }

  isDeleted(row: number): boolean {
    return this.deleted !== undefined && (this.deleted[row >>> 5]! & (1 << (row & 31))) !== 0;
  }
}
