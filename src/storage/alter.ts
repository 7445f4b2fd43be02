import { refuse } from "../errors.js";
import type { Profile } from "../profile.js";
import {
  changeColumns,
  renamed,
  replaced,
  requireColumn,
  requirePath,
} from "../schema/change-columns.js";
import { requireColumnName, requireFreeName } from "../schema/column-names.js";
import {
  assembleSchema,
  type Column,
  type CompiledSchema,
  findColumn,
  type LeafColumn,
  mapLeaves,
  type StoredValue,
} from "../schema/columns.js";
import { compareColumns, type SchemaEdit } from "../schema/compare-columns.js";
import {
  compileSchema,
  declareColumn,
  describeColumn,
  describeSchema,
  requireFewColumns,
} from "../schema/declare.js";
import { type ParsedValue, RecordReader, requireValue } from "../schema/record.js";
import { requireRecordSize } from "../schema/record-size.js";
import { isCoded } from "../schema/traits.js";
import { checkEvery } from "../value/check-every.js";
import type { Instant } from "../value/datetime.js";
import type { Chunk } from "./chunk.js";
import type { HashIndex } from "./hash-index.js";
import { copyChunk } from "./ownership.js";
import { type CheckContext, requireAltered, requireValuesKept } from "./row-checks.js";
import { ordinalsOf, TableVersion } from "./table.js";
import { TableTransient } from "./transient.js";
import { buildUniqueIndex } from "./unique.js";
import { Dictionary } from "./vectors.js";

/** The next version of a table, and the edits that lead to it. */
export interface AlteredTable {
  readonly version: TableVersion;
  readonly operations: readonly SchemaEdit[];
}

export interface AlterContext extends CheckContext {
  readonly profile: Profile;
  readonly recordBytes: number;
  readonly now: Instant;
  readonly checkTime: () => void;
}

/**
 * Adds a column, whose default existing records get, or replaces the options of one, whose values stay;
 * a dotted name is of a sub-column.
 *
 * @throws TwinbaseError `column_exists`, `column_not_found`; `invalid_schema`, also for an alteration of
 * type or sub-columns; `invalid_record` naming the first record that it forbids (rules N-3, T-16, K-5)
 */
export function putColumn(
  kind: "addColumn" | "alterColumn",
  table: TableVersion,
  definition: unknown,
  context: AlterContext,
): AlteredTable {
  const { table: name } = context;
  const isNew = kind === "addColumn";
  const { names, column } = declareAt(definition, context);
  const columns = changeColumns(table.schema.columns, names, name, (siblings) => {
    if (isNew) {
      requireFreeName(siblings, column.name, "/name", "column_exists");
      return [...siblings, column];
    }
    const existing = requireColumn(siblings, column.name, column.path, name);
    return replaced(siblings, existing, column);
  });
  const version = withColumns(table, columns, context, "", !isNew);
  const edit = { table: name, column: { ...describeColumn(column), name: column.path } };
  return { version, operations: [{ [kind]: edit } as SchemaEdit] }; // both kinds have the same members
}

/** Declares a column with a dotted name. Returns the names of the objects around it, too. */
function declareAt(
  definition: unknown,
  { profile }: AlterContext,
): { readonly names: readonly string[]; readonly column: Column } {
  const { name } = Object(definition) as { readonly name?: unknown };
  const names = typeof name === "string" ? name.split(".") : [];
  const last = names.pop();
  const local = names.length === 0 ? definition : { ...Object(definition), name: last };
  const prefix = names.map((each) => `${each}.`).join("");
  const parent = { profile, takeSlot: () => 0, prefix, level: names.length + 1 };
  return { names, column: declareColumn(local, parent, "") };
}

/** Renames a column; throws `column_not_found`, `invalid_schema`, `column_exists`. */
export function renameColumn(
  table: TableVersion,
  oldName: unknown,
  newName: unknown,
  context: AlterContext,
): AlteredTable {
  requirePath(oldName, context.table);
  requireColumnName(newName, context.profile, "");
  const version = changeColumn(table, oldName, context, (column, others) => {
    requireFreeName(others, newName, "", "column_exists");
    return renamed(column, newName, oldName.slice(0, -column.name.length));
  });
  return { version, operations: [{ renameColumn: { table: context.table, oldName, newName } }] };
}

export function removeColumn(
  table: TableVersion,
  column: unknown,
  context: AlterContext,
): AlteredTable {
  requirePath(column, context.table);
  const version = changeColumn(table, column, context, () => undefined);
  requireAltered(table, version.schema, [], context, "");
  return { version, operations: [{ removeColumn: { table: context.table, column } }] };
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
    return replaced(siblings, column, changed);
  });
  return withSchema(table, assembleSchema(columns, table.schema.slotCount), context.checkTime);
}

/** Replaces all columns; those with the same path and type keep their values. */
export function replaceColumns(
  table: TableVersion,
  definitions: unknown,
  dropValues: boolean | undefined,
  context: AlterContext,
): AlteredTable {
  const { columns } = compileSchema(definitions, context.profile, "/columns");
  const version = withColumns(table, columns, context, "/columns");
  if (dropValues !== true) requireValuesKept(table, version.schema, context, "/columns");
  const [before, after] = [table, version].map(({ schema }) => describeSchema(schema));
  return { version, operations: compareColumns(context.table, before!, after!) }; // one each
}

/** Gives columns their slots: those with the path and type of a known one take its slot, and values. */
function withColumns(
  table: TableVersion,
  definitions: readonly Column[],
  context: AlterContext,
  at: string,
  isAlteration = false,
): TableVersion {
  const before = table.schema;
  let { slotCount } = before;
  const columns = mapLeaves(definitions, (column) => {
    const former = findColumn(before, column.path);
    return { ...column, slot: former?.type === column.type ? former.slot : slotCount++ };
  });
  const schema = requireFewColumns(assembleSchema(columns, slotCount), at);
  const isOther = slotCount > before.slotCount || schema.leaves.length !== before.leaves.length;
  if (isAlteration && isOther) {
    refuse("invalid_schema", "an alteration keeps the types of columns", { path: at, rule: "K-5" });
  }
  const filled = readDefaults(table, schema, context, at);
  requireAltered(table, schema, filled, context, at);
  return fill(withSchema(table, schema, context.checkTime), filled, context, at);
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
  schema: CompiledSchema,
  checkTime: () => void,
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
  for (const { slot, type, unique } of schema.leaves) {
    if (isCoded(type) && !dictionaries.has(slot)) dictionaries.set(slot, new Dictionary());
    if (!unique) continue;
    const existing = table.uniques.get(slot);
    uniques.set(
      slot,
      existing ?? buildUniqueIndex(next, slot, table.size, rowsOf(next, checkTime)),
    );
  }
  return next;
}

function* rowsOf({ chunks }: TableVersion, checkTime: () => void): Generator<number> {
  const check = checkEvery(checkTime);
  for (const ordinal of ordinalsOf(chunks)) {
    check();
    yield ordinal;
  }
}

function without(chunk: Chunk, columns: readonly LeafColumn[]): Chunk {
  const copy = copyChunk(chunk, undefined);
  for (const { slot } of columns) copy.vectors[slot] = undefined;
  return copy;
}

/** Returns the defaults of new columns by slot (rule T-16). */
export function readDefaults(
  version: TableVersion,
  schema: CompiledSchema,
  { table, profile, now, findBreach }: Omit<AlterContext, "recordBytes" | "checkTime">,
  at: string,
): ParsedValue[] {
  const slots = new Set(version.schema.leaves.map(({ slot }) => slot));
  const added = schema.leaves.filter(({ slot }) => !slots.has(slot));
  const defaults = new Array<ParsedValue>(schema.slotCount);
  const [column] = added;
  if (column === undefined) return defaults;
  const reader = new RecordReader({ table, schema, profile });
  const parsed = reader.read({}, at, false);
  try {
    reader.fillDefaults(parsed, now, at);
  } catch (error) {
    // The default of an object is read where it is used.
    if (findBreach(version, { breaks: "null", column, slots: [] }) !== undefined) throw error;
  }
  for (const { slot } of added) defaults[slot] = parsed.values[slot] ?? undefined;
  return defaults;
}

/** Fills new columns with their defaults. */
function fill(
  table: TableVersion,
  defaults: readonly ParsedValue[],
  context: AlterContext,
  at: string,
): TableVersion {
  const { schema, size } = table;
  const filled = schema.leaves.filter(({ slot }) => defaults[slot] !== undefined);
  if (size === 0 || filled.length === 0) return table;
  const transient = new TableTransient(table);
  const { unbounded, shortBytes } = schema.constraints;
  const mayBeLarge =
    shortBytes > context.recordBytes || filled.some((column) => unbounded.includes(column));
  for (const ordinal of rowsOf(table, context.checkTime)) {
    const storedAt = (slot: number): StoredValue => table.get(ordinal, slot);
    if (mayBeLarge) requireRecordSize(context, schema, defaults, storedAt, at);
    for (const column of filled)
      transient.set(ordinal, column, requireValue(defaults[column.slot]));
  }
  return transient.persist();
}
