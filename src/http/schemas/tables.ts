import { OPERATIONS, SCHEMA, SCHEMA_EDIT } from "../../history/shapes.js";
import type { SchemaEdit } from "../../history.js";
import * as s from "../../shape/schema.js";
import type { MigrationPage } from "../migration-pages.js";

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

export const MIGRATION_ANSWER: s.Schema = s.named(
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

const CURSOR: s.Schema<string> = s.described(s.TEXT);

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
