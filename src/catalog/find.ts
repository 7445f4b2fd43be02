import type { ErrorCode } from "../errors.js";
import { refuse } from "../errors.js";
import type { BranchAddress, DatabaseAddress, TableAddress } from "./address.js";
import { checkName, type NamedKind } from "./names.js";
import type {
  BranchState,
  CatalogState,
  DatabaseState,
  TableCell,
  WorkspaceState,
} from "./state.js";

/** The workspace of that id; throws `workspace_not_found`, a 401 where base is `xata` (D-5). */
export function findWorkspace(state: CatalogState, workspace: string): WorkspaceState {
  return (
    state.workspaces.get(workspace) ??
    refuseMissing("workspace", "workspace_not_found", workspace, () => workspace, {
      rule: "D-5",
      status: state.base === "xata" ? 401 : undefined,
    })
  );
}

/** The database at an address; throws `…_not_found` (rule M-4). */
export function findDatabase(state: CatalogState, address: DatabaseAddress): DatabaseState {
  const { database } = address;
  return (
    findWorkspace(state, address.workspace).databases.get(database) ??
    refuseMissing("database", "database_not_found", database, () => database)
  );
}

/** The branch at an address; throws `…_not_found` (rule M-4). */
export function findBranch(state: CatalogState, address: BranchAddress): BranchState {
  const { database, branch } = address;
  return (
    findDatabase(state, address).branches.get(branch) ??
    refuseMissing("branch", "branch_not_found", branch, () => `${database}:${branch}`)
  );
}

/** The table at an address; throws `…_not_found` (rule M-4). */
export function findTable(state: CatalogState, address: TableAddress): TableCell {
  const { database, branch, table } = address;
  return (
    findBranch(state, address).tables.get(table) ??
    refuseMissing("table", "table_not_found", table, () => `${database}:${branch}/${table}`)
  );
}

// What is found has a good name, so only a name that leads nowhere is looked at (rule E-6), and
// before it is put into a message: it may be anything.
function refuseMissing(
  kind: NamedKind,
  code: ErrorCode,
  name: unknown,
  place: () => string,
  details: { rule: string; status?: number | undefined } = { rule: "M-4" },
): never {
  checkName(kind, name);
  refuse(code, `${kind} [${place()}] not found`, details);
}
