import { describe, pointer, refuse } from "../errors.js";
import type { Profile } from "../profile.js";
import type { ColumnDefinition, Json } from "../types.js";
import { refuseValue, requireKnownKeys } from "../value/fields.js";
import { cloneJson, copyJson, isPlainObject } from "../value/json.js";
import { suggest } from "../value/nearest.js";
import { requireColumnName, requireFreeName } from "./column-names.js";
import { fileSettings, readDimension, readTarget } from "./column-options.js";
import {
  assembleSchema,
  type Column,
  FIRST_COLUMN_SLOT,
  groupColumns,
  type LeafColumn,
  type LeafType,
  type ObjectColumn,
  type Schema,
} from "./columns.js";
import { readDefault, readObjectDefault } from "./default-value.js";
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

/** Leaf columns, and levels of objects (rule L-6). */
const MAX_COLUMNS = 1000;
const MAX_OBJECT_LEVELS = 16;
/** Columns ever, removed ones included: each has a slot (rule L-12). */
const MAX_COLUMNS_EVER = 10_000;
export const MAX_SLOTS: number = FIRST_COLUMN_SLOT + MAX_COLUMNS_EVER;

export interface Declaring {
  readonly profile: Profile;
  readonly takeSlot: () => number;
}

/** Compiles definitions; throws `invalid_schema` (rules N-3, T-10, T-12, T-16, T-17). */
export function compileSchema(definitions: unknown, profile: Profile, base = ""): Schema {
  let slotCount = FIRST_COLUMN_SLOT;
  const declaring: Declaring = { profile, takeSlot: () => slotCount++ };
  const columns = declareColumns(definitions, declaring, "", base, 1);
  return requireFewColumns(assembleSchema(columns, slotCount), base);
}

/** Rules L-6, L-12. */
export function requireFewColumns(schema: Schema, at: string): Schema {
  if (schema.leaves.length > MAX_COLUMNS) {
    refuse("invalid_schema", `a table has at most ${MAX_COLUMNS} columns`, {
      path: at,
      rule: "L-6",
    });
  }
  if (schema.slotCount > MAX_SLOTS) {
    refuse("invalid_schema", `a table has had at most ${MAX_COLUMNS_EVER} columns in its life`, {
      path: at,
      rule: "L-12",
    });
  }
  return schema;
}

/** The definitions of a schema, copied (rule R-6). */
export function describeSchema(schema: Schema): ColumnDefinition[] {
  return schema.columns.map(describeColumn);
}

function describeColumn(column: Column): ColumnDefinition {
  // Definitions are JSON; `structuredClone` is many times slower.
  const definition = cloneJson(column.definition as unknown as Json) as unknown as ColumnDefinition;
  return column.type === "object"
    ? { ...definition, columns: column.columns.map(describeColumn) }
    : definition;
}

function declareColumns(
  definitions: unknown,
  declaring: Declaring,
  parent: string,
  at: string,
  level: number,
): readonly Column[] {
  if (!Array.isArray(definitions)) {
    const part = { what: "columns", path: at, rule: "N-3", code: "invalid_schema" } as const;
    refuseValue(definitions, "an array of columns", part);
  }
  const columns: Column[] = [];
  const folded = new Set<string>();
  for (const [index, definition] of (definitions as readonly unknown[]).entries()) {
    const place = pointer(at, index);
    const column = declareColumn(definition, declaring, parent, place, level);
    columns.push(column);
    folded.add(column.name.toLowerCase());
    // Names are compared only if one repeats: tables may have very many columns.
    if (folded.size < columns.length) {
      requireFreeName(columns.slice(0, -1), column.name, pointer(place, "name"));
    }
  }
  return columns;
}

/** @param parent path of the enclosing object, or empty */
export function declareColumn(
  definition: unknown,
  declaring: Declaring,
  parent: string,
  at: string,
  level = 1,
): Column {
  if (!isPlainObject(definition)) {
    refuseValue(definition, "a column", { path: at, rule: "N-3", code: "invalid_schema" });
  }
  requireKnownKeys(definition, DEFINITION_KEYS, {
    what: "column",
    path: at,
    code: "invalid_schema",
  });
  const { name, type } = definition;
  requireColumnName(name, declaring.profile, pointer(at, "name"));
  if (!isColumnType(type)) {
    const hint = typeof type === "string" ? suggest(type, COLUMN_TYPES) : "";
    refuse(
      "invalid_schema",
      `column [${name}]: expected a column type, found ${describe(type)}${hint}`,
      { path: pointer(at, "type"), rule: "T-1" },
    );
  }
  for (const option of ["unique", "notNull"] as const) {
    const value = definition[option];
    if (value !== undefined && typeof value !== "boolean") {
      refuseValue(value, "true or false", {
        what: `column [${name}]: ${option}`,
        path: pointer(at, option),
        rule: "T-16",
        code: "invalid_schema",
      });
    }
  }
  const path = parent === "" ? name : `${parent}.${name}`;
  return type === "object"
    ? declareObject(definition, declaring, name, path, at, level)
    : declareLeaf(definition, declaring, name, path, type, at);
}

function declareObject(
  definition: Readonly<Record<string, unknown>>,
  declaring: Declaring,
  name: string,
  path: string,
  at: string,
  level: number,
): ObjectColumn {
  if (level >= MAX_OBJECT_LEVELS) {
    refuse("invalid_schema", `column [${path}]: objects nest at most ${MAX_OBJECT_LEVELS} levels`, {
      path: at,
      rule: "L-6",
    });
  }
  if (definition.unique === true) {
    refuse(
      "invalid_schema",
      `column [${path}]: an object column cannot be unique; its sub-columns can`,
      {
        path: pointer(at, "unique"),
        rule: "T-16",
      },
    );
  }
  const columns = declareColumns(
    definition.columns ?? [],
    declaring,
    path,
    pointer(at, "columns"),
    level + 1,
  );
  const { defaultValue } = definition;
  const notNull = definition.notNull === true;
  const copy: DefinitionCopy = { name, type: "object", columns: [] };
  keepOptions(copy, notNull, defaultValue);
  return {
    type: "object",
    name,
    path,
    ...groupColumns(columns),
    notNull,
    defaultValue: readObjectDefault(defaultValue, path, pointer(at, "defaultValue")),
    definition: copy,
  };
}

type DefinitionCopy = { -readonly [key in keyof ColumnDefinition]: ColumnDefinition[key] };

function declareLeaf(
  definition: Readonly<Record<string, unknown>>,
  declaring: Declaring,
  name: string,
  path: string,
  type: LeafType,
  at: string,
): LeafColumn {
  const target =
    type === "link" ? readTarget(definition.link, path, pointer(at, "link")) : undefined;
  const dimension =
    type === "vector" ? readDimension(definition.vector, path, pointer(at, "vector")) : undefined;
  const unique = definition.unique === true;
  const notNull = definition.notNull === true;
  const given = definition.defaultValue;
  const defaultValue =
    given == null
      ? undefined
      : readDefault(
          given,
          { type, dimension },
          path,
          declaring.profile,
          pointer(at, "defaultValue"),
        );
  const copy: DefinitionCopy = { name, type };
  if (target !== undefined) copy.link = { table: target };
  if (dimension !== undefined) copy.vector = { dimension };
  if (unique) copy.unique = true;
  keepOptions(copy, notNull, given);
  Object.assign(copy, fileSettings(definition, type, at));
  return {
    type,
    name,
    path,
    slot: declaring.takeSlot(),
    target,
    dimension,
    unique,
    notNull,
    defaultValue,
    definition: copy,
  };
}

function keepOptions(copy: DefinitionCopy, notNull: boolean, given: unknown): void {
  if (notNull) copy.notNull = true;
  if (given == null) return;
  const defaultValue = copyJson(given);
  copy.defaultValue = "fault" in defaultValue ? null : defaultValue.value;
}
