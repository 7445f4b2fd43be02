import type { BranchAddress, DatabaseAddress } from "./address.js";
import { findBranch, findDatabase, findWorkspace } from "./find.js";
import type { BranchState, CatalogState, DatabaseState, WorkspaceState } from "./state.js";

// Each gives the state after a change, which shares with the one before all that did not change.

/** Another value of the workspace of that id; throws `workspace_not_found` (rule D-5). */
export function withWorkspace(
  state: CatalogState,
  id: string,
  change: (workspace: WorkspaceState) => Partial<WorkspaceState>,
): CatalogState {
  const workspace = findWorkspace(state, id);
  const changed = { ...workspace, ...change(workspace) };
  return { ...state, workspaces: state.workspaces.with(id, changed) };
}

/** Another value of the database at an address; throws `…_not_found` (rule M-4). */
export function withDatabase(
  state: CatalogState,
  address: DatabaseAddress,
  change: (database: DatabaseState) => Partial<DatabaseState>,
): CatalogState {
  const database = findDatabase(state, address);
  const changed = { ...database, ...change(database) };
  return withWorkspace(state, address.workspace, ({ databases }) => ({
    databases: databases.with(address.database, changed),
  }));
}

/** Another value of the branch at an address; throws `…_not_found` (rule M-4). */
export function withBranch(
  state: CatalogState,
  address: BranchAddress,
  change: (branch: BranchState) => Partial<BranchState>,
): CatalogState {
  const branch = findBranch(state, address);
  const changed = { ...branch, ...change(branch) };
  return withDatabase(state, address, ({ branches }) => ({
    branches: branches.with(address.branch, changed),
  }));
}
