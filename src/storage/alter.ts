import { pointer, refuse } from "../errors.js";
import type { Profile } from "../profile.js";
import { changeColumns, renamed, requireColumn } from "../schema/change-columns.js";
import { requireColumnName, requireFreeName } from "../schema/column-names.js";
import {
  assembleSchema,
  type Column,
  findColumn,
  type LeafColumn,
  leavesOf,
  mapLeaves,
  type Schema,
  type StoredValue,
} from "../schema/columns.js";
import { compileSchema, declareColumn, requireFewColumns } from "../schema/declare.js";
import { type GivenValue, RecordReader, requireValue } from "../schema/record.js";
import { requireRecordSize } from "../schema/record-size.js";
import { isCoded } from "../schema/traits.js";
import { checkEvery } from "../value/check-every.js";
import type { Instant } from "../value/datetime.js";
import { isPlainObject } from "../value/json.js";
import type { Chunk } from "./chunk.js";
import type { HashIndex } from "./hash-index.js";
import { copyChunk } from "./ownership.js";
import { ordinalsOf, TableVersion } from "./table.js";
import { TableTransient } from "./transient.js";
import { buildUniqueIndex, findUnique, uniqueKey } from "./unique.js";
import { Dictionary } from "./vectors.js";

export interface AlterContext {
  readonly table: string;
  readonly profile: Profile;
  readonly recordBytes: number;
  readonly now: Instant;
  readonly checkTime: () => void;
}

function* rowsOf({ chunks }: TableVersion, { checkTime }: AlterContext): Generator<number> {
  const check = checkEvery(checkTime);
  for (const ordinal of ordinalsOf(chunks)) {
    check();
    yield ordinal;
  }
}

/**
 * Adds a column; a dotted name adds a sub-column. Existing records get its default.
 *
 * @throws TwinbaseError `invalid_schema`, `column_exists`, `column_not_found` (rules N-3, T-16)
 */
export function addColumn(
  table: TableVersion,
  definition: unknown,
  context: AlterContext,
  at = "",
): TableVersion {
  const fullName = isPlainObject(definition) ? definition.name : undefined;
  const names = typeof fullName === "string" ? fullName.split(".") : [];
  const parent = names.slice(0, -1).join(".");
  const local =
    isPlainObject(definition) && parent !== "" ? { ...definition, name: names.at(-1) } : definition;
  let { slotCount } = table.schema;
  const column = declareColumn(
    local,
    {
      profile: context.profile,
      takeSlot: () => slotCount++,
      prefix: parent === "" ? "" : `${parent}.`,
      level: Math.max(1, names.length),
    },
    at,
  );
  const columns = changeColumns(
    table.schema.columns,
    names.slice(0, -1),
    context.table,
    (siblings) => {
      requireFreeName(siblings, column.name, pointer(at, "name"), "column_exists");
      return [...siblings, column];
    },
  );
  return fillColumns(
    withSchema(table, requireFewColumns(assembleSchema(columns, slotCount), at), context),
    [column],
    context,
    at,
  );
}

/** Renames a column; throws `column_not_found`, `invalid_schema`, `column_exists`. */
export function renameColumn(
  table: TableVersion,
  path: string,
  name: unknown,
  context: AlterContext,
  at = "",
): TableVersion {
  requireColumnName(name, context.profile, at);
  return changeColumn(table, path, context, (column, others) => {
    requireFreeName(others, name, at, "column_exists");
    return renamed(column, name, path.slice(0, -column.name.length));
  });
}

export function removeColumn(
  table: TableVersion,
  path: string,
  context: AlterContext,
): TableVersion {
  return changeColumn(table, path, context, () => undefined);
}

function changeColumn(
  table: TableVersion,
  path: string,
  context: AlterContext,
  change: (column: Column, others: readonly Column[]) => Column | undefined,
): TableVersion {
  const names = path.split(".");
  const name = names.pop() ?? "";
  const columns = changeColumns(table.schema.columns, names, context.table, (siblings) => {
    const column = requireColumn(siblings, name, path, context.table);
    const others = siblings.filter((other) => other !== column);
    const changed = change(column, others);
    if (changed === undefined) return others;
    return siblings.map((other) => (other === column ? changed : other));
  });
  return withSchema(table, assembleSchema(columns, table.schema.slotCount), context);
}

/** Replaces all columns; those with the same path and type keep their values. */
export function replaceColumns(
  table: TableVersion,
  definitions: unknown,
  context: AlterContext,
  at = "",
): TableVersion {
  let { slotCount } = table.schema;
  const fresh = compileSchema(definitions, context.profile, at);
  const added: Column[] = [];
  const columns = mapLeaves(fresh.columns, (column) => {
    const known = findColumn(table.schema, column.path);
    const isKept = known?.type === column.type && known.dimension === column.dimension;
    const kept = { ...column, slot: isKept ? known.slot : slotCount++ };
    if (!isKept) added.push(kept);
    return kept;
  });
  const schema = requireFewColumns(assembleSchema(columns, slotCount), at);
  const next = fillColumns(withSchema(table, schema, context), added, context, at);
  requireNoNulls(next, context, at);
  return next;
}

/** Rejects `notNull` if records have null (rule T-16). */
function requireNoNulls(table: TableVersion, context: AlterContext, at: string): void {
  for (const column of table.schema.constraints.notNulls) {
    const leaves = leavesOf(column);
    for (const ordinal of rowsOf(table, context)) {
      if (leaves.some(({ slot }) => table.get(ordinal, slot) !== null)) continue;
      refuseColumn(context, column, "cannot be notNull: a record holds null", at);
    }
  }
}

/** Renames the target of links (rule T-17). */
export function retargetLinks(table: TableVersion, from: string, to: string): TableVersion {
  if (!table.schema.constraints.links.some(({ target }) => target === from)) return table;
  const columns = mapLeaves(table.schema.columns, (column) =>
    column.target === from
      ? { ...column, target: to, definition: { ...column.definition, link: { table: to } } }
      : column,
  );
  const schema = assembleSchema(columns, table.schema.slotCount);
  return new TableVersion({ ...table, schema, owner: undefined });
}

export function withSchema(
  table: TableVersion,
  schema: Schema,
  context: AlterContext,
): TableVersion {
  const slots = new Set(schema.leaves.map(({ slot }) => slot));
  const dropped = table.schema.leaves.filter(({ slot }) => !slots.has(slot));
  const chunks =
    dropped.length === 0 ? table.chunks : table.chunks.map((chunk) => without(chunk, dropped));
  const dictionaries = new Map([...table.dictionaries].filter(([slot]) => slots.has(slot)));
  const uniques = new Map<number, HashIndex>();
  // Other versions may assign these slots to other columns, so indexes cannot be shared.
  const history = table.history.copyAt(table.position);
  const parts = { ...table, schema, chunks, dictionaries, uniques, history, owner: undefined };
  const next = new TableVersion(parts);
  for (const column of schema.leaves) {
    const { slot, type, unique } = column;
    if (isCoded(type) && !dictionaries.has(slot)) dictionaries.set(slot, new Dictionary());
    if (!unique) continue;
    uniques.set(
      slot,
      table.uniques.get(slot) ?? buildUniqueIndex(next, slot, table.size, rowsOf(next, context)),
    );
    if (!table.uniques.has(slot)) requireDistinct(next, column, context);
  }
  return next;
}

function without(chunk: Chunk, columns: readonly LeafColumn[]): Chunk {
  const copy = copyChunk(chunk, undefined);
  for (const { slot } of columns) copy.vectors[slot] = undefined;
  return copy;
}

/** Rejects `unique` if values repeat (rule T-16). */
function requireDistinct(table: TableVersion, column: LeafColumn, context: AlterContext): void {
  const { slot } = column;
  for (const ordinal of rowsOf(table, context)) {
    const value = table.get(ordinal, slot);
    if (value === null) continue;
    const other = findUnique(table, slot, uniqueKey(value), (found) => found !== ordinal);
    if (other >= 0) refuseRepeats(column, context);
  }
}

function refuseRepeats(column: Column, context: AlterContext): never {
  refuseColumn(context, column, "cannot be unique: its values repeat");
}

function refuseColumn({ table }: AlterContext, { path }: Column, why: string, at?: string): never {
  refuse("invalid_schema", `table [${table}]: column [${path}] ${why}`, { path: at, rule: "T-16" });
}

/** Fills new columns with their defaults (rule T-16). */
function fillColumns(
  table: TableVersion,
  added: readonly Column[],
  context: AlterContext,
  at: string,
): TableVersion {
  const addedLeaves = added.flatMap(leavesOf);
  if (table.size === 0 || added.length === 0) return table;
  const { schema } = table;
  const reader = new RecordReader({ table: context.table, schema, profile: context.profile });
  const given = reader.read({}, at, false);
  reader.fillDefaults(given, context.now, at);
  const { values } = given;
  const isNull = (column: Column): boolean =>
    leavesOf(column).every(({ slot }) => values[slot] == null);
  const slots = new Set(addedLeaves.map(({ slot }) => slot));
  for (const column of schema.constraints.notNulls) {
    if (leavesOf(column).every(({ slot }) => slots.has(slot)) && isNull(column)) {
      refuseColumn(context, column, "is notNull and needs a default: the table has records", at);
    }
  }
  const filled = addedLeaves.filter(({ slot }) => values[slot] != null);
  if (table.size > 1) {
    for (const column of filled) if (column.unique) refuseRepeats(column, context);
  }
  if (filled.length === 0) return table;
  const transient = new TableTransient(table);
  const { unbounded, shortBytes } = schema.constraints;
  const mayBeLarge =
    shortBytes > context.recordBytes || filled.some((column) => unbounded.includes(column));
  const fill = new Array<GivenValue>(values.length);
  for (const { slot } of filled) fill[slot] = values[slot];
  for (const ordinal of rowsOf(table, context)) {
    const storedAt = (slot: number): StoredValue => table.get(ordinal, slot);
    if (mayBeLarge) requireRecordSize(context, schema, fill, storedAt, at);
    for (const column of filled) transient.set(ordinal, column, requireValue(values[column.slot]));
  }
  return transient.persist();
}
