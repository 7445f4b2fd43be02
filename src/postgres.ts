export type { Advice } from "./postgres/advice.js";
export type { IndexAdvice } from "./postgres/advisor.js";
export type { Counts as PostgresStats } from "./postgres/counts.js";
export type { CopiedCounts, OpenExport } from "./postgres/fill.js";
export {
  type BranchName,
  openPostgres,
  type PostgresDatabase,
  type PostgresOptions,
  type PostgresTarget,
} from "./postgres/open.js";
export type { QueryExplanation } from "./postgres/query-table.js";
