import { CHUNK_ROWS, Chunk } from "./chunk.js";
import { isSameMark, Mark } from "./mark.js";
import type { TableVersion } from "./table.js";
import type { Vector } from "./vector.js";

// A chunk, a vector and the list of a table's chunks each have the mark of who may change them in
// place, and by that are in one of three states:
//
// - draft: the mark of a transient that has not persisted it yet. No version sees it.
// - owned: the mark of an engine's present contents, or one that they have adopted. One version sees
//   it, which nothing but these contents holds (`TableStore`): a single write changes it in place,
//   and the version with it.
// - shared: no mark, or one that nobody holds any more. Versions may see it: it is never changed,
//   a change is made in a copy.
//
// A draft becomes owned when an engine adopts the version that was made of it, else shared. What is
// owned becomes shared, all at once, when the engine takes another mark: it does so before anything
// else holds a version. Nothing that is shared becomes a draft or owned again.
//
// Rows after the last of a chunk are an exception. No version sees them, so the first
// writer uses them, even in a shared vector: `tail.used` is the number of rows used. A writer that
// finds the next row used copies the vectors first.

/** Rows the first chunk of a table has room for; it doubles as it fills. */
const SMALLEST_CAPACITY = 8;

/** What one transient may change in place. */
export class Ownership {
  /** Whether what it writes is its own until it is persisted. */
  readonly isDraft: boolean;
  #mark: Mark;
  /** The tail in which this transient has taken the row after the last. */
  #claimed: Chunk["tail"] | undefined;

  /** @param mark of the engine's present contents; without one it is a draft */
  constructor(mark: Mark | undefined) {
    this.isDraft = mark === undefined;
    this.#mark = mark ?? new Mark();
  }

  /** The list of a table's chunks, to be changed. */
  ownList({ owner, chunks }: TableVersion): Chunk[] {
    return isSameMark(owner, this.#mark) ? (chunks as Chunk[]) : chunks.slice(); // owned
  }

  /** One chunk of an own list, to be changed. */
  ownChunk(chunks: Chunk[], index: number): Chunk {
    const chunk = chunks[index]!;
    if (isSameMark(chunk.owner, this.#mark)) return chunk;
    const copy = copyChunk(chunk, this.#mark);
    chunks[index] = copy;
    return copy;
  }

  /** A chunk without rows. */
  createChunk(slotCount: number, capacity: number): Chunk {
    const chunk = new Chunk(this.#mark);
    reserveRow(chunk, capacity);
    chunk.vectors = new Array<Vector | undefined>(slotCount).fill(undefined);
    return chunk;
  }

  /** Makes sure that the row after the last of an own chunk can be written. */
  openTail(chunk: Chunk, capacity: number): void {
    if (chunk.tail === this.#claimed) chunk.tail.used = chunk.count; // free again, if not filled
    if (chunk.count === chunk.capacity || chunk.tail.used !== chunk.count)
      reserveRow(chunk, capacity);
  }

  /** Takes the rows of a chunk up to a count. */
  claim({ tail }: Chunk, used: number): void {
    tail.used = used;
    this.#claimed = tail;
  }

  /** Gives up the right to change a draft, for a version to be made of it, and returns the mark. */
  release(): Mark {
    const mark = this.#mark;
    if (!this.isDraft) return mark;
    this.#claimed = undefined;
    this.#mark = new Mark();
    return mark;
  }
}

/** The same rows, to be changed by who holds the mark; the vectors stay shared. */
export function copyChunk(chunk: Chunk, owner: Mark | undefined): Chunk {
  const copy = new Chunk(owner);
  copy.count = chunk.count;
  copy.capacity = chunk.capacity;
  copy.vectors = chunk.vectors.slice();
  copy.tail = chunk.tail;
  copy.deleted = chunk.deleted?.slice();
  return copy;
}

/** The vector of a slot, to be changed at any row by the owner of the chunk. */
export function ownVector(chunk: Chunk, slot: number): Vector | undefined {
  const vector = chunk.vectors[slot];
  if (vector === undefined) return undefined;
  if (isSameMark(vector.owner, chunk.owner)) {
    vector.cache = undefined;
    return vector;
  }
  const copy = copyVector(chunk, vector);
  chunk.vectors[slot] = copy;
  return copy;
}

/** Puts a vector that nobody else has into a slot of an own chunk. */
export function putVector(chunk: Chunk, slot: number, vector: Vector): void {
  vector.owner = chunk.owner;
  chunk.vectors[slot] = vector;
}

/** Puts a vector of another chunk into a slot as well: from here on it is shared. */
export function shareVector(chunk: Chunk, slot: number, vector: Vector): void {
  vector.owner = undefined;
  chunk.vectors[slot] = vector;
}

/** Gives a chunk vectors of its own, with room for a row after the last. */
function reserveRow(chunk: Chunk, capacity: number): void {
  const { count } = chunk;
  if (count === chunk.capacity)
    chunk.capacity = Math.min(CHUNK_ROWS, Math.max(SMALLEST_CAPACITY, capacity, count * 2));
  chunk.vectors = chunk.vectors.map((vector) => vector && copyVector(chunk, vector));
  chunk.tail = { used: count };
}

function copyVector({ count, capacity, owner }: Chunk, vector: Vector): Vector {
  const copy = vector.copy(count, capacity);
  copy.owner = owner;
  copy.kept = vector.kept;
  return copy;
}
