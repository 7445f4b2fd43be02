import type { Schema } from "../../schema/columns.js";
import { CREATED_AT_SLOT, ID_SLOT, UPDATED_AT_SLOT, VERSION_SLOT } from "../../schema/columns.js";
import { type Chunk, ordinalOf } from "../../storage/chunk.js";
import type { TableVersion } from "../../storage/table.js";
import { isSameRow } from "../diff-records.js";

/** Whether records of one schema can be told as what differs from records of another. */
export function canFollow(base: Schema, after: Schema): boolean {
  if (base === after) return true;
  const known = new Map(base.leaves.map((leaf) => [leaf.slot, leaf]));
  return after.leaves.every(({ slot, type, dimension, unique }) => {
    const leaf = known.get(slot);
    if (leaf === undefined) return !unique;
    return leaf.type === type && leaf.dimension === dimension && (leaf.unique || !unique);
  });
}

/**
 * The records in which a version differs from one that it can follow: the ordinal of each that is
 * new or another, the id of each that is gone. Chunks that hold the same are not looked into.
 */
export function* changedRows(
  base: TableVersion,
  after: TableVersion,
): Generator<number | { readonly gone: string }> {
  const { leaves } = after.schema;
  const system = [ID_SLOT, VERSION_SLOT, CREATED_AT_SLOT, UPDATED_AT_SLOT];
  const slots = [...system, ...leaves.map(({ slot }) => slot)];
  const isApart = (index: number): boolean => {
    const [from, to] = [base.chunks[index], after.chunks[index]];
    return from === undefined || to === undefined || !holdSame(from, to, slots);
  };
  for (const ordinal of liveRows(base.chunks, isApart)) {
    const id = base.idAt(ordinal);
    if (after.find(id) < 0) yield { gone: id };
  }
  for (const ordinal of liveRows(after.chunks, isApart)) {
    const id = after.idAt(ordinal);
    const isThere = base.isLive(ordinal) && base.idAt(ordinal) === id;
    const known = isThere ? ordinal : base.find(id);
    if (known < 0 || !isSameRow(base, known, after, ordinal, leaves)) yield ordinal;
  }
}

function* liveRows(
  chunks: readonly Chunk[],
  isApart: (index: number) => boolean,
): Generator<number> {
  for (const [index, chunk] of chunks.entries()) {
    if (!isApart(index)) continue;
    for (let row = 0; row < chunk.count; row++) {
      if (!chunk.isDeleted(row)) yield ordinalOf(index, row);
    }
  }
}

function holdSame(a: Chunk, b: Chunk, slots: readonly number[]): boolean {
  if (a === b) return true;
  return (
    a.count === b.count &&
    slots.every((slot) => a.vectors[slot] === b.vectors[slot]) &&
    (a.deleted === b.deleted || String(a.deleted ?? "") === String(b.deleted ?? ""))
  );
}
