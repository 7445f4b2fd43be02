import type { AnyBranch } from "../engine/branch.js";
import type { ColumnDefinition } from "../types.js";
import { checksum } from "../value/hash.js";
import { canonicalJson } from "../value/json.js";

/** A table as schemas of a branch list it. */
export interface TableSchema {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
}

/** What a change of a schema answers. */
export interface Migration {
  readonly migrationID: string;
  readonly parentMigrationID: string;
  readonly status: "completed";
}

/** The tables of a branch with their columns, in the order they were made. */
export function describeTables(branch: AnyBranch): TableSchema[] {
  return branch.tables().map(({ name }) => ({ name, ...branch.table(name).schema() }));
}

/** Names the schema that a branch has now: the same schema, the same id. */
export function schemaVersion(branch: AnyBranch): string {
  // Definitions are JSON: what they leave undefined is not in them.
  return `mig_${checksum(canonicalJson(JSON.parse(JSON.stringify(describeTables(branch)))))}`;
}

/** Changes the schema of a branch, and says from which to which. */
export function completeMigration(branch: AnyBranch, change: () => void): Migration {
  const parentMigrationID = schemaVersion(branch);
  change();
  return { migrationID: schemaVersion(branch), parentMigrationID, status: "completed" };
}
