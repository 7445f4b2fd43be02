import { CREATED_AT_SLOT, ID_SLOT, UPDATED_AT_SLOT, VERSION_SLOT } from "../schema/columns.js";
import type { Instant } from "../value/datetime.js";
import { CHUNK_ROWS, type Chunk } from "./chunk.js";
import { ownVector, putVector, shareVector } from "./ownership.js";
import type { TableVersion } from "./table.js";
import type { Vector } from "./vector.js";
import { InstantVector, NumberVector, TextVector } from "./vectors.js";

export interface RowMetadata {
  readonly version: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

export function putSystemVectors(chunk: Chunk): void {
  putVector(chunk, ID_SLOT, new TextVector(chunk.capacity));
  putVector(chunk, VERSION_SLOT, new NumberVector(chunk.capacity));
  putVector(chunk, CREATED_AT_SLOT, new InstantVector(chunk.capacity));
  putVector(chunk, UPDATED_AT_SLOT, new InstantVector(chunk.capacity));
}

export function setMetadata(chunk: Chunk, row: number, id: string, metadata: RowMetadata): void {
  const { vectors } = chunk;
  (vectors[ID_SLOT] as TextVector).set(row, id);
  (vectors[VERSION_SLOT] as NumberVector).set(row, metadata.version);
  (vectors[CREATED_AT_SLOT] as InstantVector).set(row, metadata.createdAt);
  (vectors[UPDATED_AT_SLOT] as InstantVector).set(row, metadata.updatedAt);
}

export function replaceMetadata(chunk: Chunk, row: number, metadata: RowMetadata): void {
  (ownVector(chunk, VERSION_SLOT) as NumberVector).set(row, metadata.version); // as above
  ownVector(chunk, CREATED_AT_SLOT)!.set(row, metadata.createdAt);
  ownVector(chunk, UPDATED_AT_SLOT)!.set(row, metadata.updatedAt);
}

export function countWrite(chunk: Chunk, row: number, now: Instant): void {
  (ownVector(chunk, VERSION_SLOT) as NumberVector).values[row]! += 1; // as above
  ownVector(chunk, UPDATED_AT_SLOT)!.set(row, now);
}

export function metadataOf(table: TableVersion, ordinal: number): RowMetadata {
  return {
    version: table.get(ordinal, VERSION_SLOT) as number, // the types of the system columns
    createdAt: table.get(ordinal, CREATED_AT_SLOT) as Instant,
    updatedAt: table.get(ordinal, UPDATED_AT_SLOT) as Instant,
  };
}

/** Shares metadata vectors between full chunks of a bulk load, where they are equal. */
export function shareMetadata(chunk: Chunk, before: Chunk | undefined): void {
  for (const slot of [VERSION_SLOT, CREATED_AT_SLOT, UPDATED_AT_SLOT]) {
    const vector = chunk.vectors[slot];
    const other = before?.vectors[slot];
    if (vector === undefined || other === undefined || !isRepeated(vector, other)) continue;
    shareVector(chunk, slot, other);
  }
}

function isRepeated(a: Vector, b: Vector): boolean {
  if (a.kind === "number" && b.kind === "number") return isOneNumber(a.values, b.values);
  if (a.kind !== "instant" || b.kind !== "instant") return false;
  return a.micros === undefined && b.micros === undefined && isOneNumber(a.ms, b.ms);
}

function isOneNumber(a: Float64Array, b: Float64Array): boolean {
  const first = a[0];
  for (let row = 0; row < CHUNK_ROWS; row++) {
    if (a[row] !== first || b[row] !== first) return false;
  }
  return true;
}
