import { refuse } from "../errors.js";
import { refuseValue } from "../value/fields.js";
import type { CatalogDraft } from "./draft.js";
import { findWorkspace } from "./find.js";
import type { Role } from "./state.js";
import { requireUser } from "./users.js";

/** Adds a member, or changes the role (rule U-1). */
export function addMember(
  draft: CatalogDraft,
  workspace: string,
  userId: string,
  role: unknown = "owner",
): void {
  const { members } = findWorkspace(draft, workspace);
  requireUser(draft, userId);
  const given = readRole(role, "/role");
  if (given !== "owner") requireOtherOwner(members, userId);
  members.set(userId, given);
}

/** Throws `forbidden` for the last owner (rule A-3). */
export function removeMember(draft: CatalogDraft, workspace: string, userId: string): void {
  const { members } = findWorkspace(draft, workspace);
  requireOtherOwner(members, userId);
  members.delete(userId);
}

export function readRole(role: unknown, path: string): Role {
  if (role === "owner" || role === "maintainer") return role;
  return refuseValue(role, "owner or maintainer", { what: "role", path, rule: "A-3" });
}

/** Throws if a workspace would lose its last owner (rule A-3). */
function requireOtherOwner(members: ReadonlyMap<string, Role>, userId: string): void {
  if (members.get(userId) !== "owner") return;
  const owners = [...members.values()].filter((role) => role === "owner");
  if (owners.length > 1) return;
  refuse("forbidden", `user [${userId}] is the last owner of the workspace`, { rule: "A-3" });
}
