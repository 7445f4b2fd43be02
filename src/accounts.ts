import type { CatalogEvent } from "./catalog/events.js";
import { findWorkspace } from "./catalog/find.js";
import {
  addInvite,
  changeInvite,
  describeInvite,
  findInvite,
  findInviteByKey,
  type Invite,
  type InviteOptions,
  joinByInvite,
  openInvites,
  removeInvite,
  renewInvite,
} from "./catalog/invites.js";
import type { CatalogState, Role } from "./catalog/state.js";
import { requireUser } from "./catalog/users.js";
import { type AnyWorkspace, Workspace } from "./engine/workspace.js";
import type { Instant } from "./value/datetime.js";

export type { Invite, InviteOptions } from "./catalog/invites.js";
export type { Role } from "./catalog/state.js";

/** A member of a workspace. */
export interface Member {
  userId: string;
  /** Empty if the user has none. */
  fullname: string;
  /** Empty if the user has none. */
  email: string;
  /** The member's permissions. */
  role: Role;
}

/** Returns the members of a workspace, in the order they joined. */
export function listMembers(workspace: AnyWorkspace): Member[] {
  const { state } = Workspace.contextOf(workspace);
  return Array.from(findWorkspace(state, workspace.id).members, ([userId, role]) => {
    const { fullname, email } = requireUser(state, userId);
    return { userId, fullname, email, role };
  });
}

/** Returns the open invitations, in the order of creation. */
export function listInvites(workspace: AnyWorkspace): Invite[] {
  const context = Workspace.contextOf(workspace);
  return openInvites(context.state, workspace.id, context.now());
}

/**
 * Creates an invitation to a workspace, valid for seven days and accepted by its key. Throws
 * `invalid_request`.
 */
export function inviteMember(
  workspace: AnyWorkspace,
  options: InviteOptions,
): Invite & { inviteKey: string } {
  const { streams } = Workspace.contextOf(workspace);
  let [id, key] = ["", ""];
  change(workspace, (state, now) => {
    const secret = streams.drawSecret("invite", state.secretsMade, 40);
    [id, key] = [`inv_${secret.slice(0, 16)}`, `ik_${secret.slice(16)}`];
    return addInvite(state, workspace.id, options, { id, key, now });
  });
  return { ...describe(workspace, id), inviteKey: key };
}

/** Changes the role of an invitation; throws `invite_not_found`, `invalid_request`. */
export function updateInvite(
  workspace: AnyWorkspace,
  inviteId: string,
  changes: Pick<InviteOptions, "role">,
): Invite {
  change(workspace, (state, now) => changeInvite(state, workspace.id, inviteId, changes, now));
  return describe(workspace, inviteId);
}

/** Extends an invitation to seven days from now; throws `invite_not_found`. */
export function resendInvite(workspace: AnyWorkspace, inviteId: string): void {
  change(workspace, (state, now) => renewInvite(state, workspace.id, inviteId, now));
}

/** Deletes an invitation; throws `invite_not_found`. */
export function cancelInvite(workspace: AnyWorkspace, inviteId: string): void {
  change(workspace, (state, now) => removeInvite(state, workspace.id, inviteId, now));
}

/** Whether a key accepts an open invitation. */
export function isInvitation(workspace: AnyWorkspace, inviteKey: string): boolean {
  const context = Workspace.contextOf(workspace);
  return findInviteByKey(context.state, workspace.id, inviteKey, context.now()) !== undefined;
}

/** Makes a user a member by an invitation's single-use key; throws `invite_not_found`. */
export function acceptInvite(workspace: AnyWorkspace, inviteKey: string, userId: string): void {
  change(workspace, (state, now) => joinByInvite(state, workspace.id, inviteKey, userId, now));
}

function change(
  workspace: AnyWorkspace,
  decide: (state: CatalogState, now: Instant) => readonly CatalogEvent[],
): void {
  const context = Workspace.contextOf(workspace);
  const now = context.now();
  context.change((state) => decide(state, now));
}

function describe(workspace: AnyWorkspace, inviteId: string): Invite {
  const context = Workspace.contextOf(workspace);
  const invite = findInvite(context.state, workspace.id, inviteId, context.now());
  return describeInvite(inviteId, invite);
}
