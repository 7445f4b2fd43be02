import type { SchemaEdit, TableSchema } from "../../history.js";
import { COLUMN_TYPES } from "../../schema/traits.js";
import * as s from "../../shape/schema.js";
import type { ColumnDefinition } from "../../types.js";
import type { MigrationPage } from "../migration-pages.js";

const ACCESS: s.Schema = s.objectOf({}, { defaultPublicAccess: s.FLAG });

export const COLUMN: s.Schema<ColumnDefinition> = s.named(
  "Column",
  s.byEngine<ColumnDefinition>(
    s.objectOf(
      { name: s.TEXT, type: s.oneOf(COLUMN_TYPES) },
      {
        link: s.objectOf({ table: s.TEXT }),
        columns: s.arrayOf(s.byProfile(() => COLUMN)),
        vector: s.objectOf({ dimension: s.wholeOf(2, 10_000) }),
        unique: s.FLAG,
        notNull: s.FLAG,
        defaultValue: {},
        file: ACCESS,
        "file[]": ACCESS,
      },
    ),
  ),
);

export const COLUMNS_OF_TABLE: s.Schema<{ readonly columns: readonly ColumnDefinition[] }> =
  s.byEngine(s.objectOf({ columns: s.arrayOf(COLUMN) }));

const IGNORED: s.Schema = { description: "Ignored." };

const TABLE: s.Schema<TableSchema> = s.named(
  "Table",
  s.byEngine<TableSchema>(
    s.objectOf({ name: s.TEXT }, { columns: s.arrayOf(COLUMN), id: IGNORED, revLinks: IGNORED }),
  ),
);

export const SCHEMA: s.Schema = s.named(
  "Schema",
  s.byEngine(s.objectOf({ tables: s.arrayOf(TABLE) }, { tablesOrder: IGNORED })),
);

const SCHEMA_EDIT: s.Schema<SchemaEdit> = s.named(
  "SchemaEdit",
  s.byEngine<SchemaEdit>(
    s.choiceOf({
      addTable: s.objectOf({ table: s.TEXT }),
      removeTable: s.objectOf({ table: s.TEXT }),
      renameTable: s.objectOf({ oldName: s.TEXT, newName: s.TEXT }),
      addColumn: s.objectOf({ table: s.TEXT, column: COLUMN }),
      removeColumn: s.objectOf({ table: s.TEXT, column: s.TEXT }),
      renameColumn: s.objectOf({ table: s.TEXT, oldName: s.TEXT, newName: s.TEXT }),
    }),
  ),
);

/** Operations, validated one by one when applied. */
export const OPERATIONS: s.Schema<readonly SchemaEdit[]> = s.byEngine(
  s.arrayOf(SCHEMA_EDIT),
  "X-4",
);

interface SchemaEdits {
  readonly operations: readonly SchemaEdit[];
}

export const SCHEMA_EDITS: s.Schema<SchemaEdits> = s.named(
  "SchemaEdits",
  s.objectOf({ operations: OPERATIONS }, { sourceMigrationID: s.TEXT, targetMigrationID: s.TEXT }),
);

export const COMPARED: s.Schema = s.objectOf({
  source: SCHEMA,
  target: SCHEMA,
  edits: SCHEMA_EDITS,
});

export const MIGRATION: s.Schema = s.named(
  "Migration",
  s.objectOf({ migrationID: s.TEXT, parentMigrationID: s.TEXT, status: s.COMPLETED }),
);

const LOGS: s.Schema = s.arrayOf(
  s.named(
    "MigrationCommit",
    s.objectOf(
      { id: s.TEXT, checksum: s.TEXT, createdAt: s.TIME, operations: s.arrayOf(SCHEMA_EDIT) },
      { parentID: s.TEXT, mergeParentID: s.TEXT, title: s.TEXT, message: s.TEXT },
    ),
  ),
);

export const MIGRATION_LOGS: s.Schema = s.named(
  "MigrationLogs",
  s.objectOf({ meta: s.objectOf({ cursor: s.TEXT, more: s.FLAG }), logs: LOGS }),
);

const CURSOR: s.Schema<string> = s.byEngine<string>(s.TEXT);

export const MIGRATION_PAGE: s.Schema<MigrationPage> = s.named(
  "MigrationPage",
  s.reading(
    s.objectOf(
      {},
      {
        after: CURSOR,
        before: CURSOR,
        size: s.reading(s.wholeOf(1, 200), { what: "page size" }),
      },
    ),
    { what: "page", rule: "K-1", code: "invalid_page" },
  ),
);

/** A name in a body, validated by the engine. */
export const NEW_NAME: s.Schema<string> = s.textOf(0, 1024);
