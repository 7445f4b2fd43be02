import { refuse } from "../errors.js";
import { partAt, readOneOf } from "../shape/fields.js";
import { type CatalogEvent, created, deleted } from "./events.js";
import { findWorkspace } from "./find.js";
import type { CatalogState, Role } from "./state.js";
import { requireUser } from "./users.js";

const ROLES: readonly Role[] = ["owner", "maintainer"];

/** Adds a member, or changes the role (rule U-1). */
export function addMember(
  state: CatalogState,
  workspace: string,
  userId: string,
  role: unknown = "owner",
): CatalogEvent[] {
  const { members } = findWorkspace(state, workspace);
  requireUser(state, userId);
  const memberRole = readOneOf(role, ROLES, partAt("role", "A-3"));
  if (memberRole !== "owner") requireOtherOwner(members, userId);
  return [created("member", [workspace, userId], memberRole)];
}

/** Throws `forbidden` for the last owner (rule A-3). */
export function removeMember(
  state: CatalogState,
  workspace: string,
  userId: string,
): CatalogEvent[] {
  const { members } = findWorkspace(state, workspace);
  requireOtherOwner(members, userId);
  return [deleted("member", workspace, userId)];
}

/** Throws if a workspace would lose its last owner (rule A-3). */
function requireOtherOwner(members: ReadonlyMap<string, Role>, userId: string): void {
  if (members.get(userId) !== "owner") return;
  const owners = [...members.values()].filter((role) => role === "owner");
  if (owners.length > 1) return;
  refuse("forbidden", `user [${userId}] is the last owner of the workspace`, { rule: "A-3" });
}
