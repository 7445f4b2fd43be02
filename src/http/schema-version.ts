import type { AnyBranch } from "../engine/branch.js";
import { lastMigrationId } from "../history.js";

export interface CompletedMigration {
  readonly migrationID: string;
  readonly parentMigrationID: string;
  readonly status: "completed";
}

export function completeMigration(branch: AnyBranch, change: () => void): CompletedMigration {
  const parentMigrationID = lastMigrationId(branch);
  change();
  return { migrationID: lastMigrationId(branch), parentMigrationID, status: "completed" };
}
