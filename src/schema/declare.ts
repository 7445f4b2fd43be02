import { type At, below, describe, ROOT, refuse } from "../errors.js";
import type { Profile } from "../profile.js";
import { readFields, refuseValue } from "../shape/fields.js";
import type { ColumnDefinition, Json } from "../types.js";
import { cloneJson, isArray, isPlainObject } from "../value/json.js";
import { suggest } from "../value/nearest.js";
import { requireColumnName, requireFreeName } from "./column-names.js";
import {
  type ColumnInput,
  copyDefault,
  readDefault,
  readDimension,
  readFileSettings,
  readLinkTarget,
  readObjectDefault,
  readOption,
  requireNoOptions,
} from "./column-options.js";
import {
  assembleSchema,
  type Column,
  type CompiledSchema,
  FIRST_COLUMN_SLOT,
  groupColumns,
  type LeafColumn,
  type ObjectColumn,
} from "./columns.js";
import { isFileType } from "./stored-files.js";
import { COLUMN_TYPES, isColumnType } from "./traits.js";

const DEFINITION_KEYS = [
  "name",
  "type",
  "link",
  "columns",
  "vector",
  "unique",
  "notNull",
  "defaultValue",
  "file",
  "file[]",
] as const satisfies readonly (keyof ColumnDefinition)[];

/** Maximum leaf columns, and levels of objects (rule L-6). */
const MAX_COLUMNS = 1000;
const MAX_OBJECT_LEVELS = 16;
/** Maximum columns in a table's lifetime, including removed ones: each has a slot (rule L-12). */
const MAX_COLUMNS_EVER = 10_000;
export const MAX_SLOTS: number = FIRST_COLUMN_SLOT + MAX_COLUMNS_EVER;

/** The table or object column that contains the declared columns. */
export interface Parent {
  readonly profile: Profile;
  readonly takeSlot: () => number;
  /** The path of an object column and a dot; empty for a table. */
  readonly prefix: string;
  /** Nesting level, from 1. */
  readonly level: number;
}

/** Compiles definitions; throws `invalid_schema` (rules N-3, T-10, T-12, T-16, T-17). */
export function compileSchema(
  definitions: unknown,
  profile: Profile,
  at: At = ROOT,
): CompiledSchema {
  let slotCount = FIRST_COLUMN_SLOT;
  const parent: Parent = { profile, takeSlot: () => slotCount++, prefix: "", level: 1 };
  const columns = declareColumns(definitions, parent, at);
  return requireFewColumns(assembleSchema(columns, slotCount), at);
}

/** Throws if a table has too many columns (rules L-6, L-12). */
export function requireFewColumns(schema: CompiledSchema, path: At): CompiledSchema {
  if (schema.leaves.length > MAX_COLUMNS) {
    const message = `a table has at most ${MAX_COLUMNS} columns`;
    refuse("invalid_schema", message, { path, rule: "L-6" });
  }
  if (schema.slotCount > MAX_SLOTS) {
    const message = `a table can have at most ${MAX_COLUMNS_EVER} columns in its lifetime`;
    refuse("invalid_schema", message, { path, rule: "L-12" });
  }
  return schema;
}

/** Returns a copy of a schema's definitions (rule R-6). */
export function describeSchema(schema: CompiledSchema): ColumnDefinition[] {
  return schema.columns.map(describeColumn);
}

export function describeColumn(column: Column): ColumnDefinition {
  // Definitions are JSON; `structuredClone` is many times slower.
  const definition = cloneJson(column.definition as unknown as Json) as unknown as ColumnDefinition;
  return column.type === "object"
    ? { ...definition, columns: column.columns.map(describeColumn) }
    : definition;
}

function declareColumns(definitions: unknown, parent: Parent, at: At): readonly Column[] {
  if (!isArray(definitions)) {
    const part = { what: "columns", path: at, rule: "N-3", code: "invalid_schema" } as const;
    refuseValue(definitions, "an array of columns", part);
  }
  const columns: Column[] = [];
  const folded = new Set<string>();
  for (const [index, definition] of (definitions as readonly unknown[]).entries()) {
    const path = below(at, index);
    const column = declareColumn(definition, parent, path);
    columns.push(column);
    folded.add(column.name.toLowerCase());
    // Siblings are compared only if a name repeats: tables may have very many columns.
    if (folded.size < columns.length) {
      requireFreeName(columns.slice(0, -1), column.name, below(path, "name"));
    }
  }
  return columns;
}

export function declareColumn(input: unknown, parent: Parent, at: At): Column {
  const { profile, prefix } = parent;
  const code = "invalid_schema";
  if (!isPlainObject(input)) {
    refuseValue(input, "a column", { path: at, rule: "N-3", code });
  }
  const part = { what: "column", path: at, rule: "N-3", code } as const;
  const definition = readFields(input, DEFINITION_KEYS, part);
  const { name, type } = definition;
  requireColumnName(name, profile, below(at, "name"));
  if (!isColumnType(type)) {
    const hint = typeof type === "string" ? suggest(type, COLUMN_TYPES) : "";
    const message = `column [${name}]: expected a column type, found ${describe(type)}${hint}`;
    refuse(code, message, { path: below(at, "type"), rule: "T-1" });
  }
  const column: ColumnInput = { definition, name, path: prefix + name, at, profile };
  const [unique, notNull] = [readOption(column, "unique"), readOption(column, "notNull")];
  return type === "object"
    ? declareObject(column, unique, notNull, parent)
    : declareLeaf(column, { type, unique, notNull }, parent);
}

function declareObject(
  input: ColumnInput,
  unique: boolean,
  notNull: boolean,
  parent: Parent,
): ObjectColumn {
  const { name, path, at } = input;
  const level = parent.level + 1;
  if (level > MAX_OBJECT_LEVELS) {
    const message = `column [${path}]: objects nest at most ${MAX_OBJECT_LEVELS} levels`;
    refuse("invalid_schema", message, { path: at, rule: "L-6" });
  }
  if (unique) {
    const message = `column [${path}]: an object column cannot be unique; its sub-columns can`;
    refuse("invalid_schema", message, { path: below(at, "unique"), rule: "T-16" });
  }
  const inside = { ...parent, prefix: `${path}.`, level };
  const columns = declareColumns(input.definition.columns ?? [], inside, below(at, "columns"));
  const defaultValue = readObjectDefault(input);
  const definition: DefinitionCopy = { name, type: "object", columns: [] };
  if (notNull) definition.notNull = true;
  if (defaultValue !== undefined) definition.defaultValue = copyDefault(input);
  return {
    type: "object",
    name,
    path,
    ...groupColumns(columns),
    notNull,
    defaultValue,
    definition,
  };
}

type DefinitionCopy = { -readonly [key in keyof ColumnDefinition]: ColumnDefinition[key] };

function declareLeaf(
  input: ColumnInput,
  { type, unique, notNull }: Pick<LeafColumn, "type" | "unique" | "notNull">,
  { takeSlot }: Parent,
): LeafColumn {
  const { name, path } = input;
  if (isFileType(type)) requireNoOptions(input);
  const target = type === "link" ? readLinkTarget(input) : undefined;
  const dimension = type === "vector" ? readDimension(input) : undefined;
  const defaultValue = readDefault(input, { type, dimension });
  const definition: DefinitionCopy = { name, type };
  if (target !== undefined) definition.link = { table: target };
  if (dimension !== undefined) definition.vector = { dimension };
  if (unique) definition.unique = true;
  if (notNull) definition.notNull = true;
  if (defaultValue !== undefined) definition.defaultValue = copyDefault(input);
  Object.assign(definition, readFileSettings(input, type));
  const options = { target, dimension, unique, notNull, defaultValue, definition };
  return { type, name, path, slot: takeSlot(), ...options };
}
