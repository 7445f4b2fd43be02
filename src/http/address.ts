import { listMembers, type Member } from "../accounts.js";
import { tableAt } from "../catalog/address.js";
import { checkName, parseDbBranchName } from "../catalog/names.js";
import type { Role } from "../catalog/state.js";
import type { UserRecord } from "../catalog/users.js";
import { type AnyBranch, Branch } from "../engine/branch.js";
import type { AnyDatabase } from "../engine/database.js";
import type { AnyWorkspace } from "../engine/workspace.js";
import type { AnyEngine } from "../engine.js";
import { changeErrors, describe, refuse } from "../errors.js";
import type { AnyTable } from "../typed/table.js";
import type { BranchStats } from "./branch-stats.js";

export interface Address {
  readonly engine: AnyEngine;
  readonly caller: UserRecord;
  /** Whether the request has an accepted key; false only in routes that need none. */
  readonly hasKey: boolean;
  /** Whether the caller sees only the workspaces it is a member of (rule U-1); false for the control key. */
  readonly closed: boolean;
  /** The region of databases created without one; default the engine's. */
  readonly region: string | undefined;
  readonly stats: BranchStats;
  readonly openedAt: () => string;
  /** The workspace from host, prefix or default; absent if none applies. */
  readonly workspace: string | undefined;
  readonly names: Readonly<Record<string, string>>;
}

/** Whether a workspace is visible to the caller: in open mode all, otherwise its own (rule U-1). */
export function seesWorkspace(
  { engine, caller, closed }: Pick<Address, "engine" | "caller" | "closed">,
  id: string,
): boolean {
  return !closed || engine.isMember(id, caller.id);
}

/** Requires the control key of a closed service. */
export function requireControl({ closed }: Address): void {
  if (closed)
    refuse("forbidden", "requires the key that control was started with", { rule: "U-1" });
}

export function findControlWorkspace(address: Address): AnyWorkspace {
  return findWorkspace(address, nameIn(address, "workspace_id"));
}

/** As {@link findControlWorkspace}, but a missing workspace gives 404 in any profile (rule A-4). */
export function findAccount(address: Address): AnyWorkspace {
  return changeErrors(
    () => findControlWorkspace(address),
    ({ code }) => (code === "workspace_not_found" ? { rule: "A-4", status: 404 } : {}),
  );
}

/** Rejects giving or taking the role `owner`, unless by an owner (rule A-3). */
export function requireRight(
  { engine, caller, closed }: Pick<Address, "engine" | "caller" | "closed">,
  { id }: AnyWorkspace,
  ...roles: readonly (Role | null)[]
): void {
  if (!closed || !roles.includes("owner") || engine.roleOf(id, caller.id) === "owner") return;
  refuse("forbidden", `workspace [${id}]: only an owner may give or take the role owner`, {
    rule: "A-3",
  });
}

/** The members of a workspace; in open mode one without members is the caller's. */
export function membersOf(
  { caller, closed }: Pick<Address, "caller" | "closed">,
  workspace: AnyWorkspace,
): Member[] {
  const members = listMembers(workspace);
  if (closed || members.length > 0) return members;
  const { id: userId, fullname, email } = caller;
  return [{ userId, fullname, email, role: "owner" }];
}

export function findControlDatabase(address: Address): AnyDatabase {
  return findControlWorkspace(address).database(nameIn(address, "db_name"));
}

export function databaseHandle(address: Address): AnyDatabase {
  return findAddressed(address).database(nameIn(address, "db_name"));
}

export function findBranchPlace(address: Address): { database: AnyDatabase; branch: string } {
  const workspace = findAddressed(address);
  const { database, branch } = parseDbBranchName(nameIn(address, "db_branch_name"));
  return { database: workspace.database(database), branch };
}

export function branchHandle(address: Address): AnyBranch {
  const { database, branch } = findBranchPlace(address);
  return database.branch(branch);
}

export function tableHandle(address: Address): AnyTable {
  return findTableOnBranch(address).table;
}

export function findTableOnBranch(address: Address): { branch: AnyBranch; table: AnyTable } {
  const branch = branchHandle(address);
  return { branch, table: branch.table(nameIn(address, "table_name")) };
}

export function findTableOfRecord(address: Address): AnyTable {
  const { branch, table } = findTableOnBranch(address);
  const id = nameIn(address, "record_id");
  const source = Branch.sourceOf(branch);
  const at = tableAt(source.address, table.name);
  // Only checks that it exists: reading it took a seventh of a GET.
  const ordinal = source.context.readTable(at).find(id);
  if (ordinal < 0) refuseRecord(table, id);
  return table;
}

export function findTableForRecord(address: Address): AnyTable {
  const table = tableHandle(address);
  const id = nameIn(address, "record_id");
  if (id === "") refuseRecord(table, id);
  return table;
}

function refuseRecord({ name }: AnyTable, id: string): never {
  refuse("record_not_found", `table [${name}]: record ${describe(id)} not found`, { rule: "X-1" });
}

function findAddressed(address: Address): AnyWorkspace {
  const { workspace } = address;
  if (workspace === undefined) refuseWorkspace(address, "the address names no workspace");
  return findWorkspace(address, workspace);
}

function findWorkspace(address: Address, id: string): AnyWorkspace {
  if (!seesWorkspace(address, id)) {
    // The same message as for a missing workspace (rule D-5).
    checkName("workspace", id);
    refuseWorkspace(address, `workspace [${id}] not found`);
  }
  return address.engine.workspace(id);
}

function refuseWorkspace({ engine }: Address, message: string): never {
  refuse("workspace_not_found", message, {
    rule: "D-5",
    status: engine.profile.base === "documented" ? 404 : 401,
  });
}

function nameIn({ names }: Address, parameter: string): string {
  return names[parameter] ?? "";
}
