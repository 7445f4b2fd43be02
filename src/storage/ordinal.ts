import type { Chunk } from "./chunk.js";
import { CHUNK_MASK, CHUNK_SHIFT } from "./chunk.js";
import type { Vector } from "./vector.js";

// A row of a table is named by its ordinal: the number of its chunk, and its row there. These are
// called for single cells inside of loops: small enough to be inlined.

/** The index of the chunk that a row is in. */
export function chunkIndexOf(ordinal: number): number {
  return ordinal >>> CHUNK_SHIFT;
}

/** The chunk that a row is in. */
export function chunkAt(chunks: readonly Chunk[], ordinal: number): Chunk {
  return chunks[ordinal >>> CHUNK_SHIFT]!;
}

/** The vector that holds a cell, in the row {@link rowAt}; absent where every row of it is null. */
export function vectorAt(
  chunks: readonly Chunk[],
  ordinal: number,
  slot: number,
): Vector | undefined {
  return chunks[ordinal >>> CHUNK_SHIFT]!.vectors[slot];
}

/** The row within its chunk and the vectors of that. */
export function rowAt(ordinal: number): number {
  return ordinal & CHUNK_MASK;
}

/** The ordinal of a row of a chunk by the number of that. */
export function ordinalOf(chunk: number, row: number): number {
  return (chunk << CHUNK_SHIFT) + row;
}
