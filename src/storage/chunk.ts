import { ID_SLOT } from "../schema/columns.js";
import type { Vector } from "./vector.js";
import type { Mark, TextVector } from "./vectors.js";

export const CHUNK_ROWS = 4096;
const CHUNK_SHIFT = 12;
const CHUNK_MASK = CHUNK_ROWS - 1;

export const CHUNK_WORDS: number = CHUNK_ROWS / 32;

export class Chunk {
  count = 0;
  capacity = 0;
  /** Vectors by slot; absent if every row is null. */
  vectors: (Vector | undefined)[] = [];
  /** The number of rows in use by any version. */
  tail: { used: number } = { used: 0 };
  /** One bit per deleted row; absent if no row is deleted. */
  deleted: Uint32Array | undefined = undefined;
  owner: Mark | undefined;

  constructor(owner: Mark | undefined) {
    this.owner = owner;
  }

  idAt(row: number): string {
    return (this.vectors[ID_SLOT] as TextVector).texts[row]!; // id vectors hold text
  }

  isDeleted(row: number): boolean {
    return this.deleted !== undefined && (this.deleted[row >>> 5]! & (1 << (row & 31))) !== 0;
  }
}

// An ordinal encodes a chunk and a row in it. These functions are small enough for inlining.

export function chunkIndexOf(ordinal: number): number {
  return ordinal >>> CHUNK_SHIFT;
}

export function chunkAt(chunks: readonly Chunk[], ordinal: number): Chunk {
  return chunks[ordinal >>> CHUNK_SHIFT]!;
}

/** Returns undefined if all values are null. */
export function vectorAt(
  chunks: readonly Chunk[],
  ordinal: number,
  slot: number,
): Vector | undefined {
  return chunks[ordinal >>> CHUNK_SHIFT]!.vectors[slot];
}

export function rowAt(ordinal: number): number {
  return ordinal & CHUNK_MASK;
}

export function ordinalOf(chunk: number, row: number): number {
  return (chunk << CHUNK_SHIFT) + row;
}
