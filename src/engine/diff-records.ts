import {
  CREATED_AT_SLOT,
  ID_SLOT,
  type LeafColumn,
  UPDATED_AT_SLOT,
  VERSION_SLOT,
} from "../schema/columns.js";
import { type Chunk, chunkAt, ordinalOf } from "../storage/chunk.js";
import { metadataOf } from "../storage/metadata.js";
import type { TableVersion } from "../storage/table.js";
import type { Json } from "../types.js";
import { compareInstants } from "../value/datetime.js";
import { equalJson } from "../value/json.js";
import type { RecordsWritten } from "./notice.js";

const SYSTEM_SLOTS = [ID_SLOT, VERSION_SLOT, CREATED_AT_SLOT, UPDATED_AT_SLOT];

/** The ordinals of a record that differs; −1 if absent. */
export interface RecordDiff {
  readonly before: number;
  readonly after: number;
}

/** Yields records whose metadata or columns differ; skips shared chunks. */
export function* diffRecords(
  before: TableVersion,
  after: TableVersion,
  columns: readonly LeafColumn[] = sharedColumns(before, after),
): Generator<RecordDiff> {
  if (before.chunks === after.chunks) return;
  for (const ordinal of ordinalsApart(before, after, columns)) {
    if (after.find(before.idAt(ordinal)) < 0) yield { before: ordinal, after: -1 };
  }
  for (const ordinal of ordinalsApart(after, before, columns)) {
    const former = findSame(before, after, ordinal);
    if (former < 0 || !isSameRow(before, former, after, ordinal, columns)) {
      yield { before: former, after: ordinal };
    }
  }
}

/** Yields the records that a call wrote and changed, deletions first. */
export function* diffWritten({ before, version, ids }: RecordsWritten): Generator<RecordDiff> {
  const { leaves } = version.schema;
  const pairs = Array.from(ids, (id) => ({ before: before.find(id), after: version.find(id) }));
  for (const record of pairs) if (record.before >= 0 && record.after < 0) yield record;
  for (const record of pairs) {
    const { before: former, after: ordinal } = record;
    // A record may be deleted and restored unchanged.
    if (ordinal >= 0 && (former < 0 || !isSameRow(before, former, version, ordinal, leaves)))
      yield record;
  }
}

function sharedColumns(before: TableVersion, after: TableVersion): readonly LeafColumn[] {
  return after.schema.leaves.filter(({ slot, type }) =>
    before.schema.leaves.some((known) => known.slot === slot && known.type === type),
  );
}

/** Yields live ordinals in chunks that differ. */
function* ordinalsApart(
  version: TableVersion,
  other: TableVersion,
  columns: readonly LeafColumn[],
): Generator<number> {
  const slots = [...SYSTEM_SLOTS, ...columns.map(({ slot }) => slot)];
  for (const [index, chunk] of version.chunks.entries()) {
    if (holdSame(chunk, other.chunks[index], slots)) continue;
    for (let row = 0; row < chunk.count; row++) {
      if (!chunk.isDeleted(row)) yield ordinalOf(index, row);
    }
  }
}

function holdSame(a: Chunk, b: Chunk | undefined, slots: readonly number[]): boolean {
  if (a === b || b === undefined) return a === b;
  const isAlike = a.count === b.count && slots.every((slot) => a.vectors[slot] === b.vectors[slot]);
  return isAlike && String(a.deleted ?? "") === String(b.deleted ?? "");
}

/** Returns the former ordinal; usually the same one. */
function findSame(before: TableVersion, after: TableVersion, ordinal: number): number {
  const id = after.idAt(ordinal);
  return before.isLive(ordinal) && before.idAt(ordinal) === id ? ordinal : before.find(id);
}

function isSameRow(
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
  // Equal metadata may come from different histories: compare the values.
  const [from, to] = [chunkAt(before.chunks, known), chunkAt(after.chunks, ordinal)];
  return columns.every(
    ({ slot }) =>
      (known === ordinal && from.vectors[slot] === to.vectors[slot]) ||
      // All stored values, including instants, compare as JSON.
      equalJson(before.get(known, slot) as Json, after.get(ordinal, slot) as Json),
  );
}
