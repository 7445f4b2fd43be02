import {
  acceptInvite,
  cancelInvite,
  inviteMember,
  isInvitation,
  listInvites,
  listMembers,
  resendInvite,
  updateInvite,
} from "../../accounts.js";
import type { AnyWorkspace } from "../../engine/workspace.js";
import { describe, refuse } from "../../errors.js";
import { readFields } from "../../value/fields.js";
import { type Address, findAccount, findOwnAccount } from "../address.js";
import { unchecked } from "../fields.js";
import { NO_KEYS, objectOf, refer } from "../openapi/schema.js";
import { defineRoute, type Route } from "../route.js";

const MEMBERS = "/workspaces/{workspace_id}/members";
const MEMBER = `${MEMBERS}/{user_id}`;
const INVITES = "/workspaces/{workspace_id}/invites";
const INVITE = `${INVITES}/{invite_id}`;

/** Who is a member of a workspace, and who is invited to be (rule A-3). */
export const MEMBER_ROUTES: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: MEMBERS,
    plane: "control",
    touches: "catalog",
    operation: "getWorkspaceMembersList",
    summary: "The members of a workspace, and the invitations that are open.",
    answers: { 200: refer("WorkspaceMembers") },
    find: findAccount,
    handle: (workspace) => ({
      status: 200,
      body: { members: listMembers(workspace), invites: listInvites(workspace) },
    }),
  }),
  defineRoute({
    method: "PUT",
    path: MEMBER,
    plane: "control",
    touches: "catalog",
    operation: "updateWorkspaceMemberRole",
    summary: "Gives a member another role.",
    body: objectOf({ role: refer("Role") }),
    answers: { 204: null },
    find: findMember,
    handle: ({ workspace, userId }, { engine, body }) => {
      const { role = null } = readFields(body, ["role"], { what: "member", rule: "A-3" });
      engine.addMember(workspace.id, userId, unchecked(role));
      return { status: 204 };
    },
  }),
  defineRoute({
    method: "DELETE",
    path: MEMBER,
    plane: "control",
    touches: "catalog",
    operation: "removeWorkspaceMember",
    summary: "Ends a membership.",
    answers: { 204: null },
    find: findMember,
    handle: ({ workspace, userId }, { engine }) => {
      engine.removeMember(workspace.id, userId);
      return { status: 204 };
    },
  }),
  defineRoute({
    method: "POST",
    path: INVITES,
    plane: "control",
    touches: "catalog",
    operation: "inviteWorkspaceMember",
    summary: "Invites somebody for seven days; no mail is sent, the answer has the key.",
    body: refer("InviteOptions"),
    answers: { 201: refer("NewInvite") },
    find: findOwnAccount,
    handle: (workspace, { body }) => ({
      status: 201,
      body: inviteMember(workspace, unchecked(body)),
    }),
  }),
  defineRoute({
    method: "PATCH",
    path: INVITE,
    plane: "control",
    touches: "catalog",
    operation: "updateWorkspaceMemberInvite",
    summary: "Gives an invitation another role.",
    body: objectOf({ role: refer("Role") }),
    answers: { 200: refer("Invite") },
    find: findInvite,
    handle: ({ workspace, inviteId }, { body }) => ({
      status: 200,
      body: updateInvite(workspace, inviteId, unchecked(body)),
    }),
  }),
  defineRoute({
    method: "DELETE",
    path: INVITE,
    plane: "control",
    touches: "catalog",
    operation: "cancelWorkspaceMemberInvite",
    summary: "Takes an invitation back.",
    answers: { 204: null },
    find: findInvite,
    handle: ({ workspace, inviteId }) => {
      cancelInvite(workspace, inviteId);
      return { status: 204 };
    },
  }),
  defineRoute({
    method: "POST",
    path: `${INVITE}/accept`,
    plane: "control",
    touches: "catalog",
    operation: "acceptWorkspaceMemberInvite",
    summary: "Makes the caller a member by the key of an invitation, once.",
    body: NO_KEYS,
    answers: { 204: null },
    find: findInvitation,
    handle: (workspace, { caller, names, body }) => {
      readFields(body, [], { what: "invite", rule: "A-3" });
      acceptInvite(workspace, names.invite_id!, caller.id);
      return { status: 204 };
    },
  }),
  defineRoute({
    method: "POST",
    path: `${INVITE}/resend`,
    plane: "control",
    touches: "catalog",
    operation: "resendWorkspaceMemberInvite",
    summary: "Leaves an invitation open for another seven days.",
    body: NO_KEYS,
    answers: { 204: null },
    find: findInvite,
    handle: ({ workspace, inviteId }, { body }) => {
      readFields(body, [], { what: "invite", rule: "A-3" });
      resendInvite(workspace, inviteId);
      return { status: 204 };
    },
  }),
];

function findMember(address: Address): { workspace: AnyWorkspace; userId: string } {
  const workspace = findOwnAccount(address);
  const { engine, caller, closed, names } = address;
  const userId = names.user_id ?? "";
  if (engine.isMember(workspace.id, userId)) return { workspace, userId };
  // In open mode the caller owns what nobody else was made a member of.
  if (!closed && userId === caller.id && listMembers(workspace).length === 0) {
    refuse("forbidden", `user [${userId}] is the last owner of the workspace`, { rule: "A-3" });
  }
  return refuse("workspace_member_not_found", `member ${describe(userId)} not found`, {
    rule: "A-3",
  });
}

function findInvite(address: Address): { workspace: AnyWorkspace; inviteId: string } {
  const workspace = findOwnAccount(address);
  const inviteId = address.names.invite_id ?? "";
  if (!listInvites(workspace).some((invite) => invite.inviteId === inviteId)) {
    refuse("invite_not_found", `invite ${describe(inviteId)} not found`, { rule: "A-3" });
  }
  return { workspace, inviteId };
}

/** Whoever has the key of an invitation may accept it, also of a workspace that it does not see. */
function findInvitation(address: Address): AnyWorkspace {
  const { engine, names } = address;
  const id = names.workspace_id ?? "";
  const key = names.invite_id ?? "";
  const isKnown = engine.workspaces().some((workspace) => workspace.id === id);
  if (isKnown && isInvitation(engine.workspace(id), key)) return engine.workspace(id);
  findAccount(address); // to whom it is unknown nothing is told of its invitations
  return refuse("invite_not_found", `invite ${describe(key)} not found`, { rule: "A-3" });
}
