import { nameOf } from "../catalog/names.js";
import type { SchemaEdit } from "../schema/compare-columns.js";
import { COLUMN_TYPES } from "../schema/traits.js";
import { readJsonObject } from "../shape/fields.js";
import * as s from "../shape/schema.js";
import type { ColumnDefinition, Json } from "../types.js";

/** A new name and options of a column; it keeps those that are missing, and its values (K-5). */
export type ColumnChanges = Partial<Omit<ColumnDefinition, "type" | "columns">>;

export const ABOUT_COLUMN = { what: "column", rule: "X-4" } as const;

const ACCESS = s.objectOf({}, { defaultPublicAccess: s.FLAG });

const JSON_VALUE: s.Schema<Json> = {};

/** Validated by the engine. */
const OPTIONS = {
  link: s.described(s.objectOf({ table: s.TEXT })),
  vector: s.described(s.objectOf({ dimension: s.wholeOf(2, 10_000) })),
  unique: s.described(s.FLAG),
  notNull: s.described(s.FLAG),
  defaultValue: s.described(JSON_VALUE),
  file: s.described(ACCESS),
  "file[]": s.described(ACCESS),
};

export const COLUMN: s.Schema<ColumnDefinition> = s.named(
  "Column",
  s.described(
    s.objectOf(
      { name: s.TEXT, type: s.oneOf(COLUMN_TYPES) },
      { ...OPTIONS, columns: s.arrayOf(s.byProfile(() => COLUMN)) },
    ),
  ),
);

export const COLUMN_CHANGES: s.Schema<ColumnChanges> = s.named(
  "ColumnChanges",
  s.reading(s.objectOf({}, { name: s.textOf(0, 1024), ...OPTIONS }), ABOUT_COLUMN),
);

export const COLUMNS_OF_TABLE: s.Schema<{ readonly columns: readonly ColumnDefinition[] }> =
  s.described(s.objectOf({ columns: s.arrayOf(COLUMN) }));

const IGNORED = s.described({ description: "Ignored." });

interface GivenTable {
  readonly name: string;
  readonly columns?: readonly ColumnDefinition[];
}

const TABLE: s.Schema<GivenTable> = s.named(
  "Table",
  s.objectOf(
    { name: nameOf("table") },
    {
      columns: s.described(s.arrayOf(COLUMN)),
      id: IGNORED,
      revLinks: IGNORED,
    },
  ),
);

const TABLES = s.reading(s.arrayOf(TABLE), { what: "schema", expected: "an array of tables" });
export const SCHEMA: s.Schema<{ readonly tables: readonly GivenTable[] }> = s.named(
  "Schema",
  s.reading(s.objectOf({ tables: TABLES }, { tablesOrder: IGNORED }), {
    what: "schema",
    rule: "X-4",
  }),
);

const SCHEMA_EDIT_SHAPE = s.choiceOf({
  addTable: s.objectOf({ table: s.TEXT }),
  removeTable: s.objectOf({ table: s.TEXT }),
  renameTable: s.objectOf({ oldName: s.TEXT, newName: s.TEXT }),
  addColumn: s.objectOf({ table: s.TEXT, column: COLUMN }),
  alterColumn: s.objectOf({ table: s.TEXT, column: COLUMN }),
  removeColumn: s.objectOf({ table: s.TEXT, column: s.TEXT }),
  renameColumn: s.objectOf({ table: s.TEXT, oldName: s.TEXT, newName: s.TEXT }),
});

export const SCHEMA_EDIT: s.Schema<SchemaEdit> = s.named(
  "SchemaEdit",
  s.mapped(
    s.reading(SCHEMA_EDIT_SHAPE, { what: "operation", rule: "X-4" }),
    (edit, part) => readJsonObject(edit, part) as unknown as SchemaEdit, // one of the choices
  ),
);

/** Operations, validated one by one when applied. */
export const OPERATIONS: s.Schema<readonly SchemaEdit[]> = s.described(s.arrayOf(SCHEMA_EDIT), {
  rule: "X-4",
});
