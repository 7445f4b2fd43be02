import type { CatalogState, TableKey } from "../catalog/state.js";
import { diffRecords } from "../engine/diff-records.js";
import type { Profile } from "../profile.js";
import {
  assembleSchema,
  type CompiledSchema,
  FIRST_COLUMN_SLOT,
  mapLeaves,
} from "../schema/columns.js";
import { compileSchema, describeSchema, MAX_SLOTS } from "../schema/declare.js";
import { readBySchema } from "../shape/read.js";
import * as s from "../shape/schema.js";
import { ordinalsOf, type TableVersion } from "../storage/table.js";
import { compareStrings } from "../value/compare.js";
import { COUNT, refusePart } from "./require.js";

/** Encodes a table without its records; null if it equals its base. */
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

const TABLE = s.openObject({
  identity: s.TEXT,
  columns: s.ANYTHING,
  slots: s.arrayOf(COUNT),
  slotCount: COUNT,
});

/** Encodes columns with their slots, which cursors contain. */
export function decodeTable(
  value: unknown,
  profile: Profile,
): { readonly identity: string; readonly schema: CompiledSchema } {
  const { identity, columns, slots, slotCount } = readBySchema(TABLE, value);
  const schema = compileSchema(columns, profile, "/columns");
  const isGood =
    slots.length === schema.leaves.length &&
    new Set(slots).size === slots.length &&
    slots.every((slot) => slot >= FIRST_COLUMN_SLOT && slot < slotCount);
  // Every slot uses memory in each chunk.
  if (!isGood || slotCount < FIRST_COLUMN_SLOT || slotCount > MAX_SLOTS) {
    refusePart("slots", "a distinct slot for each column", slots);
  }
  let next = 0;
  const placed = mapLeaves(schema.columns, (leaf) => ({ ...leaf, slot: slots[next++]! }));
  return { identity, schema: assembleSchema(placed, slotCount) };
}

export interface RowChanges {
  readonly deleted: readonly string[];
  readonly set: readonly string[];
}

/** Undefined if constraints or types differ, or if writing all records takes fewer lines. */
export function compareRows(base: TableVersion, after: TableVersion): RowChanges | undefined {
  if (!canFollow(base.schema, after.schema)) return undefined;
  const deleted: string[] = [];
  const set: string[] = [];
  for (const { before, after: ordinal } of diffRecords(base, after, after.schema.leaves)) {
    if (ordinal < 0) deleted.push(base.idAt(before));
    else set.push(after.idAt(ordinal));
    if (deleted.length + set.length > after.size) return undefined;
  }
  return { deleted: deleted.sort(compareStrings), set: set.sort(compareStrings) };
}

/** Whether a table can be altered without rewriting its records. */
export function canFollow(base: CompiledSchema, after: CompiledSchema): boolean {
  if (base === after) return true;
  const leavesBySlot = new Map(base.leaves.map((leaf) => [leaf.slot, leaf]));
  return after.leaves.every(({ slot, type, dimension, unique }) => {
    const leaf = leavesBySlot.get(slot);
    if (leaf === undefined) return !unique;
    return leaf.type === type && leaf.dimension === dimension && (leaf.unique || !unique);
  });
}

export function ordinalsById(table: TableVersion): Iterable<number> {
  const ordinals = ordinalsOf(table.chunks);
  if (table.idsAscend) return ordinals;
  const ids = Array.from(ordinals, (ordinal) => [table.idAt(ordinal), ordinal] as const);
  return ids.sort(([a], [b]) => compareStrings(a, b)).map(([, ordinal]) => ordinal);
}

/** Yields the tables by name, in catalog order. */
export function* tablesIn({ workspaces }: CatalogState): Generator<readonly [string, TableKey]> {
  for (const { databases } of workspaces.values()) {
    for (const { branches } of databases.values()) {
      for (const { tables } of branches.values()) yield* tables;
    }
  }
}
