import type { LeafColumn } from "../schema/columns.js";
import { chunkAt, ordinalOf } from "../storage/chunk.js";
import { metadataOf } from "../storage/metadata.js";
import type { TableVersion } from "../storage/table.js";
import type { Json } from "../types.js";
import { compareInstants } from "../value/datetime.js";
import { equalJson } from "../value/json.js";

/** A record that differs between two versions of a table, by its ordinals there. */
export interface RecordDiff {
  /** −1 where it was not there before. */
  readonly before: number;
  /** −1 where it is there no more. */
  readonly after: number;
}

/**
 * The records in which two versions of a table differ. Chunks that they share are not looked into,
 * so that it costs what was written and not what there is.
 */
export function* diffRecords(before: TableVersion, after: TableVersion): Generator<RecordDiff> {
  if (before.chunks === after.chunks) return;
  for (const ordinal of ordinalsApart(before, after)) {
    if (after.find(before.idAt(ordinal)) < 0) yield { before: ordinal, after: -1 };
  }
  const columns = after.schema.leaves.filter(({ slot, type }) =>
    before.schema.leaves.some((known) => known.slot === slot && known.type === type),
  );
  for (const ordinal of ordinalsApart(after, before)) {
    const known = findSame(before, after, ordinal);
    if (known < 0 || !isSameRow(before, known, after, ordinal, columns)) {
      yield { before: known, after: ordinal };
    }
  }
}

/** The ordinals of the records of a version in chunks that another does not have at that place. */
function* ordinalsApart(version: TableVersion, other: TableVersion): Generator<number> {
  for (const [index, chunk] of version.chunks.entries()) {
    if (chunk === other.chunks[index]) continue;
    for (let row = 0; row < chunk.count; row++) {
      if (!chunk.isDeleted(row)) yield ordinalOf(index, row);
    }
  }
}

/** The ordinal in `before` of a record of `after`: mostly the same. */
function findSame(before: TableVersion, after: TableVersion, ordinal: number): number {
  const id = after.idAt(ordinal);
  return before.isLive(ordinal) && before.idAt(ordinal) === id ? ordinal : before.find(id);
}

/** Whether a record is the same in two versions, in those columns and its metadata. */
export function isSameRow(
  before: TableVersion,
  known: number,
  after: TableVersion,
  ordinal: number,
  columns: readonly LeafColumn[],
): boolean {
  const [a, b] = [metadataOf(before, known), metadataOf(after, ordinal)];
  const isSameWrite =
    a.version === b.version &&
    compareInstants(a.updatedAt, b.updatedAt) === 0 &&
    compareInstants(a.createdAt, b.createdAt) === 0;
  if (!isSameWrite) return false;
  // Two histories may have written it as often and at one time: the values tell.
  const [from, to] = [chunkAt(before.chunks, known), chunkAt(after.chunks, ordinal)];
  return columns.every(
    ({ slot }) =>
      (known === ordinal && from.vectors[slot] === to.vectors[slot]) ||
      // Stored values are plain: instants too compare as JSON does.
      equalJson(before.get(known, slot) as Json, after.get(ordinal, slot) as Json),
  );
}
