import { refuse } from "../errors.js";
import { refuseValue } from "../value/fields.js";
import { withWorkspace } from "./change.js";
import { findWorkspace } from "./find.js";
import type { CatalogState, Role } from "./state.js";
import { requireUser } from "./users.js";

/** Makes a user a member of a workspace (rule U-1), or gives a member another role. */
export function addMember(
  state: CatalogState,
  workspace: string,
  userId: string,
  role: unknown = "owner",
): CatalogState {
  const { members } = findWorkspace(state, workspace);
  requireUser(state, userId);
  const given = readRole(role, "/role");
  if (given !== "owner") requireOtherOwner(members, userId);
  return withWorkspace(state, workspace, () => ({ members: members.with(userId, given) }));
}

/** Ends a membership; throws `forbidden` for the last owner (rule A-3). */
export function removeMember(state: CatalogState, workspace: string, userId: string): CatalogState {
  const { members } = findWorkspace(state, workspace);
  requireOtherOwner(members, userId);
  return withWorkspace(state, workspace, () => ({ members: members.without(userId) }));
}

/** Reads a role; throws `invalid_request`. */
export function readRole(role: unknown, path: string): Role {
  if (role === "owner" || role === "maintainer") return role;
  return refuseValue(role, "owner or maintainer", { what: "role", path, rule: "A-3" });
}

/** A workspace that has an owner never loses the last one (rule A-3). */
function requireOtherOwner(members: ReadonlyMap<string, Role>, userId: string): void {
  if (members.get(userId) !== "owner") return;
  const owners = [...members.values()].filter((role) => role === "owner");
  if (owners.length > 1) return;
  refuse("forbidden", `user [${userId}] is the last owner of the workspace`, { rule: "A-3" });
}
