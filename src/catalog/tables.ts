import { refuse } from "../errors.js";
import type { SchemaEdit } from "../schema/compare-columns.js";
import { retargetLinks } from "../storage/alter.js";
import type { TableVersion } from "../storage/table.js";
import type { Instant } from "../value/datetime.js";
import type { BranchAddress, TableAddress } from "./address.js";
import { withBranch } from "./change.js";
import { findBranch, findTable } from "./find.js";
import { checkName } from "./names.js";
import type { CatalogState, MigrationState, TableCell } from "./state.js";

/** A table, as lists of them give it. */
export interface TableSummary {
  /** Its name in its branch. */
  name: string;
}

/** Refuses a name that a table of the branch cannot have or has already (rules N-1, M-1). */
export function checkNewTable(state: CatalogState, address: TableAddress, path?: string): void {
  checkName("table", address.table, path);
  if (findBranch(state, address).tables.has(address.table)) {
    refuseTaken(address, address.table, "M-1", path);
  }
}

/**
 * Gives a table another name (rule M-3). Links to it follow, in every table of the branch (T-17);
 * `createCell` makes the cells of those that change.
 */
export function renameTable(
  state: CatalogState,
  address: TableAddress,
  name: unknown,
  createCell: (value: TableVersion) => TableCell,
): CatalogState {
  const renamed = findTable(state, address);
  const { tables } = findBranch(state, address);
  checkName("table", name, "/name");
  if (tables.has(name)) refuseTaken(address, name, "M-3", "/name");
  let moved = tables.rename(address.table, name, renamed);
  for (const [key, cell] of moved) {
    const value = retargetLinks(cell.value, address.table, name);
    if (value !== cell.value) moved = moved.with(key, createCell(value));
  }
  return withBranch(state, address, () => ({ tables: moved }));
}

/** Removes a table (rule M-2). Links to it stay as they are (T-17). */
export function removeTable(state: CatalogState, address: TableAddress): CatalogState {
  findTable(state, address);
  return withBranch(state, address, ({ tables }) => ({ tables: tables.without(address.table) }));
}

/**
 * Gives tables of one branch new cells, or a branch new tables ({@link checkNewTable} first), noted
 * as a change of its schema (rule K-1).
 */
export function setTableCells(
  state: CatalogState,
  address: BranchAddress,
  cells: ReadonlyMap<string, TableCell>,
  migration?: MigrationState,
): CatalogState {
  return withBranch(state, address, (branch) => {
    let { tables, history } = branch;
    for (const [name, cell] of cells) tables = tables.with(name, cell);
    if (migration !== undefined) history = [...history, migration];
    return { tables, history };
  });
}

/** Notes a change of a branch's schema; without steps there was none (rule K-1). */
export function addMigration(
  state: CatalogState,
  address: BranchAddress,
  createdAt: Instant,
  operations: readonly SchemaEdit[],
): CatalogState {
  if (operations.length === 0) return state;
  return withBranch(state, address, (branch) => ({
    ...branch,
    history: [...branch.history, { createdAt, operations }],
  }));
}

/** Every table of a branch, in the order they were made. */
export function listTables(state: CatalogState, address: BranchAddress): TableSummary[] {
  return Array.from(findBranch(state, address).tables.keys(), (name) => ({ name }));
}

function refuseTaken(address: BranchAddress, name: string, rule: string, path?: string): never {
  const { database, branch } = address;
  refuse("table_exists", `table [${database}:${branch}/${name}] already exists`, { rule, path });
}
