import { ID_SLOT } from "../schema/columns.js";
import type { Mark } from "./mark.js";
import type { TextVector } from "./text-vectors.js";
import type { Vector } from "./vector.js";

/** Rows a full chunk holds. */
export const CHUNK_ROWS = 4096;
const CHUNK_SHIFT = 12;
const CHUNK_MASK = CHUNK_ROWS - 1;

/** 32-bit words of a bitmap over a chunk. */
export const CHUNK_WORDS: number = CHUNK_ROWS / 32;

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
  /** The mark of who may change this chunk in place. */
  owner: Mark | undefined;

  constructor(owner: Mark | undefined) {
    this.owner = owner;
  }

  /** The id of a row. */
  idAt(row: number): string {
    return (this.vectors[ID_SLOT] as TextVector).texts[row]!; // as every id vector
  }

  isDeleted(row: number): boolean {
    return this.deleted !== undefined && (this.deleted[row >>> 5]! & (1 << (row & 31))) !== 0;
  }
}

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
