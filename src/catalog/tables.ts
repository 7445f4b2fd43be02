import { refuse } from "../errors.js";
import type { SchemaEdit } from "../schema/compare-columns.js";
import { retargetLinks } from "../storage/alter.js";
import type { Instant } from "../value/datetime.js";
import {
  type BranchAddress,
  branchNames,
  type TableAddress,
  tableAt,
  tableNames,
} from "./address.js";
import { type CatalogEvent, type CommandContext, deleted } from "./events.js";
import { findBranch, findTable } from "./find.js";
import { checkName } from "./names.js";
import type { CatalogState } from "./state.js";

/** A table in a list. */
export interface TableSummary {
  name: string;
}

export function checkNewTable(state: CatalogState, address: TableAddress): void {
  const { table: name } = address;
  checkName("table", name);
  const { tables } = findBranch(state, address);
  requireFreeTable(findInAnyCase(tables.keys(), name), address, { name, rule: "M-1" });
}

/** Renames a table, and the targets of links in all tables of the branch (rules M-3, T-17). */
export function renameTable(
  state: CatalogState,
  address: TableAddress,
  name: unknown,
  context: CommandContext,
): CatalogEvent[] {
  const { table: from } = address;
  findTable(state, address);
  const { tables } = findBranch(state, address);
  checkName("table", name, "/name");
  const others = Array.from(tables.keys()).filter((other) => other !== from || other === name);
  requireFreeTable(findInAnyCase(others, name), address, { name, rule: "M-3", path: "/name" });
  const events: CatalogEvent[] = [
    { kind: "renamed", entity: "table", at: tableNames(address), to: name },
  ];
  for (const [table, key] of tables) {
    const before = context.tableAt(key);
    const version = retargetLinks(before, from, name);
    if (version === before) continue;
    const at = tableNames(tableAt(address, table === from ? name : table));
    events.push({ kind: "table_altered", at, key, before, version });
  }
  const operation = { renameTable: { oldName: from, newName: name } };
  return [...events, ...addMigration(state, address, context.now(), [operation])];
}

/** Deletes a table, but not links to it (rules M-2, T-17). */
export function removeTable(
  state: CatalogState,
  address: TableAddress,
  context: CommandContext,
): CatalogEvent[] {
  findTable(state, address);
  return [
    deleted("table", ...tableNames(address)),
    ...addMigration(state, address, context.now(), [{ removeTable: { table: address.table } }]),
  ];
}

export function addMigration(
  state: CatalogState,
  address: BranchAddress,
  createdAt: Instant,
  operations: readonly SchemaEdit[],
): CatalogEvent[] {
  if (operations.length === 0) return [];
  const { length: index } = findBranch(state, address).history;
  const migrations = [{ createdAt, operations }];
  return [{ kind: "history", at: branchNames(address), index, migrations }];
}

export function listTables(state: CatalogState, address: BranchAddress): TableSummary[] {
  return Array.from(findBranch(state, address).tables.keys(), (name) => ({ name }));
}

function findInAnyCase(tables: Iterable<string>, name: string): string | undefined {
  const folded = name.toLowerCase(); // names are ASCII
  for (const other of tables) if (other.toLowerCase() === folded) return other;
  return undefined;
}

/** Throws if another table has the name, in any case (rule N-6). */
export function requireFreeTable(
  other: string | undefined,
  { database, branch }: BranchAddress,
  { name, rule, path }: { readonly name: string; readonly rule: string; readonly path?: string },
): void {
  if (other === undefined) return;
  const hint = other === name ? "" : `: names of tables differ in more than case`;
  refuse("table_exists", `table [${database}:${branch}/${other}] already exists${hint}`, {
    rule: other === name ? rule : "N-6",
    path,
  });
}
