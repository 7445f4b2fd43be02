import { refuse } from "../errors.js";
import { suggest, suggestAmong } from "../value/nearest.js";
import type { BranchAddress, DatabaseAddress, TableAddress } from "./address.js";
import { checkName, type NamedKind } from "./names.js";
import type {
  BranchState,
  CatalogState,
  DatabaseState,
  TableKey,
  WorkspaceState,
} from "./state.js";

/** Throws `workspace_not_found` with the status of the dialect (D-5). */
export function findWorkspace(state: CatalogState, workspace: string): WorkspaceState {
  const { workspaces, base } = state;
  const status = base === "documented" ? 404 : 401;
  return workspaces.get(workspace) ?? refuseMissing("workspace", workspace, workspaces, { status });
}

export function findDatabase(state: CatalogState, address: DatabaseAddress): DatabaseState {
  const { database } = address;
  const { databases } = findWorkspace(state, address.workspace);
  return databases.get(database) ?? refuseMissing("database", database, databases);
}

export function findBranch(state: CatalogState, address: BranchAddress): BranchState {
  const { database, branch } = address;
  const { branches } = findDatabase(state, address);
  return (
    branches.get(branch) ?? refuseMissing("branch", branch, branches, { within: `${database}:` })
  );
}

export function findTable(state: CatalogState, address: TableAddress): TableKey {
  const { database, branch, table } = address;
  const { tables } = findBranch(state, address);
  return (
    tables.get(table) ?? refuseMissing("table", table, tables, { within: `${database}:${branch}/` })
  );
}

// Existing names are valid: only missing ones are validated (E-6), before a message shows them.
function refuseMissing(
  kind: Exclude<NamedKind, "key">,
  name: unknown,
  found: ReadonlyMap<string, unknown>,
  { within = "", status }: { within?: string; status?: number | undefined } = {},
): never {
  checkName(kind, name);
  // Hints never list workspaces, which may be private; names inside a workspace are listed.
  const hint = kind === "workspace" ? suggest(name, found.keys()) : suggestAmong(name, found);
  const rule = kind === "workspace" ? "D-5" : "M-4";
  refuse(`${kind}_not_found`, `${kind} [${within}${name}] not found${hint}`, {
    rule,
    status,
    reason: { kind: "not_found", what: kind, name: `${within}${name}` },
    hint: hint === "" ? undefined : hint.slice("; ".length),
  });
}
