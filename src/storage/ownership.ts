import { CHUNK_ROWS, Chunk } from "./chunk.js";
import { isSameMark, Mark } from "./mark.js";
import type { TableVersion } from "./table.js";
import type { Vector } from "./vector.js";

// A chunk, a vector and the list of a table's chunks have the mark of who may change them in place:
//
// - draft: the mark of a transient. No version sees it.
// - owned: the mark of an engine's contents, or one they adopted. Only they hold the version that
//   sees it (`TableStore`), so single writes change both in place.
// - shared: no mark, or one that nobody holds. It never changes; changes are made in a copy.
//
// A draft becomes owned when an engine adopts its version, else shared. All that is owned becomes
// shared when the engine takes another mark, before anything else holds a version.
//
// Exception: no version sees rows after the last of a chunk, so the first writer uses them, even in
// a shared vector. `tail.used` counts used rows; whoever finds the next row used copies the vectors.

const SMALLEST_CAPACITY = 8;

export class Ownership {
  readonly isDraft: boolean;
  #mark: Mark;
  /** The tail whose next row this transient has claimed. */
  #claimed: Chunk["tail"] | undefined;

  /** @param mark the engine's; without it a draft */
  constructor(mark: Mark | undefined) {
    this.isDraft = mark === undefined;
    this.#mark = mark ?? new Mark();
  }

  ownList({ owner, chunks }: TableVersion): Chunk[] {
    return isSameMark(owner, this.#mark) ? (chunks as Chunk[]) : chunks.slice(); // owned
  }

  ownChunk(chunks: Chunk[], index: number): Chunk {
    const chunk = chunks[index]!;
    if (isSameMark(chunk.owner, this.#mark)) return chunk;
    const copy = copyChunk(chunk, this.#mark);
    chunks[index] = copy;
    return copy;
  }

  createChunk(slotCount: number, capacity: number): Chunk {
    const chunk = new Chunk(this.#mark);
    reserveRow(chunk, capacity);
    chunk.vectors = new Array<Vector | undefined>(slotCount).fill(undefined);
    return chunk;
  }

  /** Makes the row after the last writable. */
  openTail(chunk: Chunk, capacity: number): void {
    if (chunk.tail === this.#claimed) chunk.tail.used = chunk.count; // free again, if not filled
    if (chunk.count === chunk.capacity || chunk.tail.used !== chunk.count)
      reserveRow(chunk, capacity);
  }

  claim({ tail }: Chunk, used: number): void {
    tail.used = used;
    this.#claimed = tail;
  }

  /** Ends the right to change a draft; returns its mark. */
  release(): Mark {
    const mark = this.#mark;
    if (!this.isDraft) return mark;
    this.#claimed = undefined;
    this.#mark = new Mark();
    return mark;
  }
}

export function copyChunk(chunk: Chunk, owner: Mark | undefined): Chunk {
  const copy = new Chunk(owner);
  copy.count = chunk.count;
  copy.capacity = chunk.capacity;
  copy.vectors = chunk.vectors.slice();
  copy.tail = chunk.tail;
  copy.deleted = chunk.deleted?.slice();
  return copy;
}

/** A vector that the chunk's owner may change at any row. */
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

export function putVector(chunk: Chunk, slot: number, vector: Vector): void {
  vector.owner = chunk.owner;
  chunk.vectors[slot] = vector;
}

/** From here on the vector is shared. */
export function shareVector(chunk: Chunk, slot: number, vector: Vector): void {
  vector.owner = undefined;
  chunk.vectors[slot] = vector;
}

/** Gives a chunk vectors of its own, with room for a row. */
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
