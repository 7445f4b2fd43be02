import type { SchemaEdit, TableSchema } from "../../history.js";
import { COLUMN_TYPES } from "../../schema/traits.js";
import type { ColumnDefinition } from "../../types.js";
import type { MigrationPage } from "../migration-pages.js";
import {
  arrayOf,
  byEngine,
  byProfile,
  COMPLETED,
  choiceOf,
  FLAG,
  named,
  objectOf,
  oneOf,
  reading,
  type Schema,
  TEXT,
  TIME,
  textOf,
  wholeOf,
} from "../schema.js";

/** Columns, schemas and their migrations, as requests and answers have them. */

const ACCESS: Schema = objectOf({}, { defaultPublicAccess: FLAG });

export const COLUMN: Schema<ColumnDefinition> = named(
  "Column",
  byEngine<ColumnDefinition>(
    objectOf(
      { name: TEXT, type: oneOf(COLUMN_TYPES) },
      {
        link: objectOf({ table: TEXT }),
        columns: arrayOf(byProfile(() => COLUMN)),
        vector: objectOf({ dimension: wholeOf(2, 10_000) }),
        unique: FLAG,
        notNull: FLAG,
        defaultValue: {},
        file: ACCESS,
        "file[]": ACCESS,
      },
    ),
  ),
);

export const COLUMNS_OF_TABLE: Schema<{ readonly columns: readonly ColumnDefinition[] }> = byEngine(
  objectOf({ columns: arrayOf(COLUMN) }),
);

const IGNORED: Schema = { description: "Ignored." };

const TABLE: Schema<TableSchema> = named(
  "Table",
  byEngine<TableSchema>(
    objectOf({ name: TEXT }, { columns: arrayOf(COLUMN), id: IGNORED, revLinks: IGNORED }),
  ),
);

/** The tables of a branch. */
export const SCHEMA: Schema = named(
  "Schema",
  byEngine(objectOf({ tables: arrayOf(TABLE) }, { tablesOrder: IGNORED })),
);

export const SCHEMA_EDIT: Schema<SchemaEdit> = named(
  "SchemaEdit",
  byEngine<SchemaEdit>(
    choiceOf({
      addTable: objectOf({ table: TEXT }),
      removeTable: objectOf({ table: TEXT }),
      renameTable: objectOf({ oldName: TEXT, newName: TEXT }),
      addColumn: objectOf({ table: TEXT, column: COLUMN }),
      removeColumn: objectOf({ table: TEXT, column: TEXT }),
      renameColumn: objectOf({ table: TEXT, oldName: TEXT, newName: TEXT }),
    }),
  ),
);

/** Steps that are read one by one, where they are done. */
export const OPERATIONS: Schema<readonly SchemaEdit[]> = byEngine(arrayOf(SCHEMA_EDIT), "X-4");

interface SchemaEdits {
  readonly operations: readonly SchemaEdit[];
}

export const SCHEMA_EDITS: Schema<SchemaEdits> = named(
  "SchemaEdits",
  objectOf({ operations: OPERATIONS }, { sourceMigrationID: TEXT, targetMigrationID: TEXT }),
);

/** The answer to a change of a schema. */
export const MIGRATION: Schema = named(
  "Migration",
  objectOf({ migrationID: TEXT, parentMigrationID: TEXT, status: COMPLETED }),
);

const LOGS: Schema = arrayOf(
  named(
    "MigrationCommit",
    objectOf(
      { id: TEXT, checksum: TEXT, createdAt: TIME, operations: arrayOf(SCHEMA_EDIT) },
      { parentID: TEXT, mergeParentID: TEXT, title: TEXT, message: TEXT },
    ),
  ),
);

export const MIGRATION_LOGS: Schema = named(
  "MigrationLogs",
  objectOf({ meta: objectOf({ cursor: TEXT, more: FLAG }), logs: LOGS }),
);

const CURSOR: Schema<string> = byEngine<string>(TEXT);

export const MIGRATION_PAGE: Schema<MigrationPage> = named(
  "MigrationPage",
  reading(
    objectOf(
      {},
      {
        after: CURSOR,
        before: CURSOR,
        size: reading(wholeOf(1, 200), { what: "page size" }),
      },
    ),
    { what: "page", rule: "K-1", code: "invalid_page" },
  ),
);

/** A name in a body; the call that gives it says which names there can be. */
export const NEW_NAME: Schema<string> = textOf(0, 1024);

/** The answer to what has no other. */
export const DONE: Schema = named("Completed", objectOf({ status: COMPLETED }));
