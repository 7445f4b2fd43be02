export {
  compareBranches,
  lastMigrationId,
  listMigrations,
  missingMigrations,
  type PushedMigration,
  pushMigrations,
  type SchemaUpdate,
  updateSchema,
} from "./history/branch-history.js";
export { copyRecords } from "./history/copy.js";
export {
  compareSchemas,
  describeTables,
  readEdits,
  readSchema,
  replay,
  type TableSchema,
} from "./history/edits.js";
export type { Migration } from "./history/migrations.js";
export {
  createMigrationRequest,
  getMigrationRequest,
  listMigrationRequests,
  listRequestMigrations,
  type MigrationRequest,
  type MigrationRequestChanges,
  type MigrationRequestOptions,
  mergeMigrationRequest,
  updateMigrationRequest,
} from "./history/requests.js";
export type { SchemaEdit } from "./schema/compare-columns.js";
