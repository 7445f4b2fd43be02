import type { Vector } from "./vector.js";

/** Rows a full chunk holds: an ordinal is a chunk and a row in it. */
export const CHUNK_ROWS = 4096;
export const CHUNK_SHIFT = 12;
export const CHUNK_MASK: number = CHUNK_ROWS - 1;

/** 32-bit words of a bitmap over a chunk. */
export const CHUNK_WORDS: number = CHUNK_ROWS / 32;

/** Rows the first chunk of a table has room for; it doubles as it fills. */
const SMALLEST_CAPACITY = 8;

/** What one maker has made of rows. */
export interface RowCache {
  /** Tells makers apart: another one finds nothing here that is its own. */
  readonly maker: object;
  readonly byRow: Map<number, unknown>;
}

/**
 * A run of rows with one vector for each column.
 *
 * Versions of a table share chunks, and chunks share vectors. Rows are appended in place behind
 * the rows any version can see: `tail.used` says up to where the vectors are taken, by whichever
 * version came first; one that finds its own end taken copies the vectors first.
 */
export class Chunk {
  count: number;
  capacity: number;
  /** By slot; absent where every row is null. */
  vectors: (Vector | undefined)[];
  tail: { used: number };
  /** A bit for each deleted row; absent where there is none. */
  deleted: Uint32Array | undefined;
  /** What queries have made of whole rows, by row; a row that is written loses its entry. */
  rowCache: RowCache | undefined;
  /** Who may change this chunk in place: see `TableTransient`. */
  owner: symbol | undefined;

  constructor(owner: symbol | undefined) {
    this.count = 0;
    this.capacity = 0;
    this.vectors = [];
    this.tail = { used: 0 };
    this.deleted = undefined;
    this.rowCache = undefined;
    this.owner = owner;
  }

  /** The same rows, for one writer to change; the vectors stay shared. */
  copyFor(owner: symbol): Chunk {
    const copy = new Chunk(owner);
    copy.count = this.count;
    copy.capacity = this.capacity;
    copy.vectors = this.vectors.slice();
    copy.tail = this.tail;
    copy.deleted = this.deleted?.slice();
    return copy;
  }

  isDeleted(row: number): boolean {
    return this.deleted !== undefined && (this.deleted[row >>> 5]! & (1 << (row & 31))) !== 0;
  }

  /** Makes sure that the row behind the last can be written, in vectors that are free there. */
  reserveRow(capacity: number): void {
    const { count } = this;
    const full = count === this.capacity;
    if (full)
      this.capacity = Math.min(CHUNK_ROWS, Math.max(SMALLEST_CAPACITY, capacity, count * 2));
    if (full || this.tail.used !== count) {
      this.vectors = this.vectors.map((vector) => this.#copyVector(vector));
      this.tail = { used: count };
    }
  }

  /** The vector of a slot, for the owner to change at any row. */
  ownVector(slot: number): Vector | undefined {
    const vector = this.vectors[slot];
    if (vector === undefined) return undefined;
    if (vector.owner === this.owner) {
      vector.cache = undefined;
      return vector;
    }
    const owned = this.#copyVector(vector);
    this.vectors[slot] = owned;
    return owned;
  }

  /** Puts a vector that nobody shares into a slot. */
  putVector(slot: number, vector: Vector): void {
    vector.owner = this.owner;
    this.vectors[slot] = vector;
  }

  #copyVector(vector: Vector | undefined): Vector | undefined {
    if (vector === undefined) return undefined;
    const copy = vector.copy(this.count, this.capacity);
    copy.owner = this.owner;
    copy.kept = vector.kept;
    return copy;
  }

  /** Hands what one owner holds of this chunk to another. */
  adopt(from: symbol, to: symbol): void {
    if (this.owner !== from) return;
    this.owner = to;
    for (const vector of this.vectors) if (vector?.owner === from) vector.owner = to;
  }
}
