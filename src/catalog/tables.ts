import { refuse } from "../errors.js";
import type { SchemaEdit } from "../schema/compare-columns.js";
import { retargetLinks } from "../storage/alter.js";
import type { Instant } from "../value/datetime.js";
import { type BranchAddress, type TableAddress, tableAt } from "./address.js";
import { asDraft, type CatalogDraft, type ChangeContext, renameKey } from "./draft.js";
import { findBranch, findTable } from "./find.js";
import { checkName } from "./names.js";
import type { CatalogState, MigrationState, TableKey } from "./state.js";

/** A table in a list. */
export interface TableSummary {
  name: string;
}

export function checkNewTable(state: CatalogState, address: TableAddress, path?: string): void {
  checkName("table", address.table, path);
  if (findBranch(state, address).tables.has(address.table)) {
    refuseTaken(address, address.table, "M-1", path);
  }
}

/** Adds tables checked by {@link checkNewTable}, and a migration (K-1). */
export function addTables(
  draft: CatalogDraft,
  address: BranchAddress,
  keys: ReadonlyMap<string, TableKey>,
  migration: MigrationState,
): void {
  const { tables, history } = findBranch(draft, address);
  for (const [name, key] of keys) tables.set(name, key);
  history.push(asDraft(migration));
}

/** Renames a table, and the targets of links in all tables of the branch (rules M-3, T-17). */
export function renameTable(
  draft: CatalogDraft,
  address: TableAddress,
  name: unknown,
  context: ChangeContext,
): void {
  const { workspace, database, branch: inBranch, table: from } = address;
  findTable(draft, address);
  const branch = findBranch(draft, address);
  checkName("table", name, "/name");
  if (branch.tables.has(name)) refuseTaken(address, name, "M-3", "/name");
  branch.tables = renameKey(branch.tables, from, name);
  const path = ["workspaces", workspace, "databases", database, "branches", inBranch, "tables"];
  context.noteRename({ path, from, to: name });
  for (const [table, key] of branch.tables) {
    const version = context.tableAt(key);
    const after = retargetLinks(version, from, name);
    if (after !== version) context.alterTable(tableAt(address, table), key, after);
  }
}

/** Deletes a table, but not links to it (rules M-2, T-17). */
export function removeTable(
  draft: CatalogDraft,
  address: TableAddress,
  context: ChangeContext,
): void {
  context.dropTable(findTable(draft, address));
  findBranch(draft, address).tables.delete(address.table);
}

export function addMigration(
  draft: CatalogDraft,
  address: BranchAddress,
  createdAt: Instant,
  operations: readonly SchemaEdit[],
): void {
  if (operations.length === 0) return;
  findBranch(draft, address).history.push(asDraft({ createdAt, operations }));
}

export function listTables(state: CatalogState, address: BranchAddress): TableSummary[] {
  return Array.from(findBranch(state, address).tables.keys(), (name) => ({ name }));
}

function refuseTaken(address: BranchAddress, name: string, rule: string, path?: string): never {
  const { database, branch } = address;
  refuse("table_exists", `table [${database}:${branch}/${name}] already exists`, { rule, path });
}
