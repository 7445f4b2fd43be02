export {
  type BranchName,
  openPostgres,
  type PostgresDatabase,
  type PostgresOptions,
  type PostgresStats,
  type PostgresTarget,
} from "./postgres/open.js";
