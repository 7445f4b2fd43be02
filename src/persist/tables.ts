import { isSameRow } from "../engine/diff-records.js";
import type { Profile } from "../profile.js";
import {
  assembleSchema,
  CREATED_AT_SLOT,
  FIRST_COLUMN_SLOT,
  ID_SLOT,
  mapLeaves,
  type Schema,
  UPDATED_AT_SLOT,
  VERSION_SLOT,
} from "../schema/columns.js";
import { compileSchema, describeSchema, MAX_SLOTS } from "../schema/declare.js";
import { type Chunk, ordinalOf } from "../storage/chunk.js";
import { ordinalsOf, type TableVersion } from "../storage/table.js";
import { compareStrings } from "../value/compare.js";
import { refusePart, requireCount, requireFields, requireList, requireText } from "./codec.js";

/** A table without its records; null where it is as the one is that it has the records of. */
export function encodeTable(table: TableVersion, base?: TableVersion): unknown {
  const encoded = describeTable(table);
  if (base === undefined) return encoded;
  const isSame =
    base.schema === table.schema || JSON.stringify(describeTable(base)) === JSON.stringify(encoded);
  return isSame && base.identity === table.identity ? null : encoded;
}

function describeTable({ identity, schema }: TableVersion): object {
  const { leaves, slotCount } = schema;
  const slots = leaves.map(({ slot }) => slot);
  return { identity, columns: describeSchema(schema), slots, slotCount };
}

/** The identity and the schema of a table, its columns in the slots they had: cursors know them. */
export function decodeTable(
  value: unknown,
  profile: Profile,
): { readonly identity: string; readonly schema: Schema } {
  const { identity, columns, slots, slotCount } = requireFields(value, "table");
  const schema = compileSchema(columns, profile, "/columns");
  const count = requireCount(slotCount, "slotCount");
  const given = requireList(slots, "slots").map((slot) => requireCount(slot, "slots"));
  const isGood =
    given.length === schema.leaves.length &&
    new Set(given).size === given.length &&
    given.every((slot) => slot >= FIRST_COLUMN_SLOT && slot < count);
  // Every slot takes room in each chunk.
  if (!isGood || count < FIRST_COLUMN_SLOT || count > MAX_SLOTS) {
    refusePart("slots", "a slot of its own for each column", slots);
  }
  let next = 0;
  const placed = mapLeaves(schema.columns, (leaf) => ({ ...leaf, slot: given[next++]! }));
  return { identity: requireText(identity, "identity"), schema: assembleSchema(placed, count) };
}

/** The ids of the records in which a version differs from one before it: set or deleted. */
export interface RowChanges {
  readonly deleted: readonly string[];
  readonly set: readonly string[];
}

/**
 * The records in which a version differs from another of the same table, in the order of their ids;
 * undefined where its schema has other conditions or types, or all of it takes fewer lines. Chunks
 * that hold the same are not looked into.
 */
export function compareRows(base: TableVersion, after: TableVersion): RowChanges | undefined {
  if (!canFollow(base.schema, after.schema)) return undefined;
  const { leaves } = after.schema;
  const system = [ID_SLOT, VERSION_SLOT, CREATED_AT_SLOT, UPDATED_AT_SLOT];
  const slots = [...system, ...leaves.map(({ slot }) => slot)];
  const deleted: string[] = [];
  const set: string[] = [];
  const isFew = (): boolean => deleted.length + set.length <= after.size;
  for (const ordinal of rowsApart(base, after, slots)) {
    if (!isFew()) return undefined;
    const id = base.idAt(ordinal);
    if (after.find(id) < 0) deleted.push(id);
  }
  for (const ordinal of rowsApart(after, base, slots)) {
    if (!isFew()) return undefined;
    const id = after.idAt(ordinal);
    const isThere = base.isLive(ordinal) && base.idAt(ordinal) === id;
    const known = isThere ? ordinal : base.find(id);
    if (known < 0 || !isSameRow(base, known, after, ordinal, leaves)) set.push(id);
  }
  return isFew()
    ? { deleted: deleted.sort(compareStrings), set: set.sort(compareStrings) }
    : undefined;
}

/** Whether records of one schema can take the place of those of another one by one. */
export function canFollow(base: Schema, after: Schema): boolean {
  if (base === after) return true;
  const known = new Map(base.leaves.map((leaf) => [leaf.slot, leaf]));
  return after.leaves.every(({ slot, type, dimension, unique }) => {
    const leaf = known.get(slot);
    if (leaf === undefined) return !unique;
    return leaf.type === type && leaf.dimension === dimension && (leaf.unique || !unique);
  });
}

/** The ordinals of the records in chunks that are other ones in another version. */
function* rowsApart(
  version: TableVersion,
  other: TableVersion,
  slots: readonly number[],
): Generator<number> {
  for (const [index, chunk] of version.chunks.entries()) {
    const known = other.chunks[index];
    if (known !== undefined && holdSame(known, chunk, slots)) continue;
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

/** The ordinals of all records in the order of their ids. */
export function ordinalsById(table: TableVersion): Iterable<number> {
  const ordinals = ordinalsOf(table.chunks);
  if (table.idsAscend) return ordinals;
  const ids = Array.from(ordinals, (ordinal) => [table.idAt(ordinal), ordinal] as const);
  return ids.sort(([a], [b]) => compareStrings(a, b)).map(([, ordinal]) => ordinal);
}
