import { CHUNK_ROWS, Chunk } from "./chunk.js";
import type { TableVersion } from "./table.js";
import type { Vector } from "./vector.js";
import { isSameMark, Mark } from "./vectors.js";

// Chunks, vectors and chunk lists carry the mark of the owner, who may change them in place:
//
// - draft: the mark of a transient. Not visible to any version.
// - owned: the mark of an engine's contents, or one they adopted. Only they reference the version
//   (`TableStore`), so single writes change version and data in place.
// - shared: no mark, or the mark of no current owner. Immutable; writes copy it.
//
// A draft becomes owned when an engine adopts its version, otherwise shared. Owned data becomes
// shared when the engine takes a new mark, which happens before a version is shared.
//
// Exception: rows after a chunk's last one are invisible, so the first writer may use them even in
// a shared vector. `tail.used` counts used rows; if the next row is used, a writer copies first.

const SMALLEST_CAPACITY = 8;

export class Ownership {
  readonly isDraft: boolean;
  #mark: Mark;
  /** The tail whose next row this transient has reserved. */
  #claimed: Chunk["tail"] | undefined;

  /** @param mark the engine's mark; a draft without one */
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

  /** Makes the row after the last one writable. */
  openTail(chunk: Chunk, capacity: number): void {
    if (chunk.tail === this.#claimed) chunk.tail.used = chunk.count; // release the reserved row
    if (chunk.count === chunk.capacity || chunk.tail.used !== chunk.count)
      reserveRow(chunk, capacity);
  }

  claim({ tail }: Chunk, used: number): void {
    tail.used = used;
    this.#claimed = tail;
  }

  /** Ends write access to the draft and returns its mark. */
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

/** Returns a vector that the chunk's owner may change at any row. */
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

/** Marks a vector as shared. */
export function shareVector(chunk: Chunk, slot: number, vector: Vector): void {
  vector.owner = undefined;
  chunk.vectors[slot] = vector;
}

/** Copies a chunk's vectors, with capacity for one more row. */
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
