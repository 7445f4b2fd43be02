import {
  acceptInvite,
  cancelInvite,
  inviteMember,
  isInvitation,
  listInvites,
  resendInvite,
  updateInvite,
} from "../../accounts.js";
import { INVITE_CHANGES, INVITE_OPTIONS, type Invite, ROLE } from "../../catalog/invites.js";
import type { AnyWorkspace } from "../../engine/workspace.js";
import { describe, refuse } from "../../errors.js";
import * as s from "../../shape/schema.js";
import { type Address, findAccount, membersOf, requireRight } from "../address.js";
import { defineRoute, type Routes } from "../route.js";

const MEMBERS = "/workspaces/{workspace_id}/members";
const MEMBER = `${MEMBERS}/{user_id}` as const;
const INVITES = "/workspaces/{workspace_id}/invites";
const INVITE_AT = `${INVITES}/{invite_id}` as const;

const OPEN = { inviteId: s.TEXT, email: s.TEXT, expires: s.TIME, role: ROLE };
const INVITE = s.named("Invite", s.objectOf(OPEN));
const NEW_INVITE = s.named("NewInvite", s.objectOf({ ...OPEN, inviteKey: s.TEXT }));
const ALL = s.named(
  "WorkspaceMembers",
  s.objectOf({
    members: s.arrayOf(s.objectOf({ userId: s.TEXT, fullname: s.TEXT, email: s.TEXT, role: ROLE })),
    invites: s.arrayOf(INVITE),
  }),
);
const NOTHING = s.reading(s.NO_KEYS, { what: "invite", rule: "A-3" });

export const MEMBER_ROUTES: Routes<
  | "getWorkspaceMembersList"
  | "updateWorkspaceMemberRole"
  | "removeWorkspaceMember"
  | "inviteWorkspaceMember"
  | "updateWorkspaceMemberInvite"
  | "cancelWorkspaceMemberInvite"
  | "acceptWorkspaceMemberInvite"
  | "resendWorkspaceMemberInvite"
> = {
  getWorkspaceMembersList: defineRoute({
    at: `GET ${MEMBERS}`,
    summary: "Members and open invitations of a workspace.",
    answers: { 200: ALL },
    find: findAccount,
    act: (workspace, address) => ({
      members: membersOf(address, workspace),
      invites: listInvites(workspace),
    }),
  }),
  updateWorkspaceMemberRole: defineRoute({
    at: `PUT ${MEMBER}`,
    summary: "Changes a member's role.",
    body: s.reading(s.objectOf({ role: ROLE }), { what: "member", rule: "A-3" }),
    answers: { 204: null },
    find: findMember,
    act: ({ workspace, userId }, { body: { role }, ...address }) => {
      const { engine } = address;
      requireRight(address, workspace, role, engine.roleOf(workspace.id, userId));
      engine.addMember(workspace.id, userId, role);
    },
  }),
  removeWorkspaceMember: defineRoute({
    at: `DELETE ${MEMBER}`,
    summary: "Removes a member.",
    answers: { 204: null },
    find: findMember,
    act: ({ workspace, userId }, address) => {
      const { engine } = address;
      requireRight(address, workspace, engine.roleOf(workspace.id, userId));
      engine.removeMember(workspace.id, userId);
    },
  }),
  inviteWorkspaceMember: defineRoute({
    at: `POST ${INVITES}`,
    summary: "Creates an invitation for seven days; sends no mail, returns the key.",
    body: s.described(INVITE_OPTIONS), // after the check of rights
    answers: { 201: NEW_INVITE },
    find: findAccount,
    act: (workspace, { body, ...address }) => {
      requireRight(address, workspace, body.role);
      return inviteMember(workspace, body);
    },
  }),
  updateWorkspaceMemberInvite: defineRoute({
    at: `PATCH ${INVITE_AT}`,
    summary: "Changes an invitation's role.",
    body: INVITE_CHANGES,
    answers: { 200: INVITE },
    find: findInvite,
    act: ({ workspace, invite }, { body, ...address }) => {
      requireRight(address, workspace, invite.role, body.role);
      return updateInvite(workspace, invite.inviteId, body);
    },
  }),
  cancelWorkspaceMemberInvite: defineRoute({
    at: `DELETE ${INVITE_AT}`,
    summary: "Cancels an invitation.",
    answers: { 204: null },
    find: findInvite,
    act: ({ workspace, invite }, address) => {
      requireRight(address, workspace, invite.role);
      cancelInvite(workspace, invite.inviteId);
    },
  }),
  acceptWorkspaceMemberInvite: defineRoute({
    at: `POST ${INVITE_AT}/accept`,
    summary: "Accepts an invitation by its key.",
    body: NOTHING,
    answers: { 204: null },
    find: findInvitation,
    act: (workspace, { caller, names }) => acceptInvite(workspace, names.invite_id, caller.id),
  }),
  resendWorkspaceMemberInvite: defineRoute({
    at: `POST ${INVITE_AT}/resend`,
    summary: "Extends an invitation by seven days.",
    body: NOTHING,
    answers: { 204: null },
    find: findInvite,
    act: ({ workspace, invite }, address) => {
      requireRight(address, workspace, invite.role);
      resendInvite(workspace, invite.inviteId);
    },
  }),
};

function findMember(address: Address): { workspace: AnyWorkspace; userId: string } {
  const workspace = findAccount(address);
  const { engine, names } = address;
  const userId = names.user_id ?? "";
  if (engine.isMember(workspace.id, userId)) return { workspace, userId };
  if (membersOf(address, workspace).some((member) => member.userId === userId)) {
    refuse("forbidden", `user [${userId}] is the last owner of the workspace`, { rule: "A-3" });
  }
  return refuse("workspace_member_not_found", `member ${describe(userId)} not found`, {
    rule: "A-3",
  });
}

function findInvite(address: Address): { workspace: AnyWorkspace; invite: Invite } {
  const workspace = findAccount(address);
  const id = address.names.invite_id ?? "";
  const invite = listInvites(workspace).find(({ inviteId }) => inviteId === id);
  return {
    workspace,
    invite:
      invite ?? refuse("invite_not_found", `invite ${describe(id)} not found`, { rule: "A-3" }),
  };
}

/** An invitation's key suffices, even for a workspace that is not visible to the caller. */
function findInvitation(address: Address): AnyWorkspace {
  const { engine, names } = address;
  const id = names.workspace_id ?? "";
  const key = names.invite_id ?? "";
  const isKnown = engine.workspaces().some((workspace) => workspace.id === id);
  if (isKnown && isInvitation(engine.workspace(id), key)) return engine.workspace(id);
  findAccount(address); // invitations of an unknown workspace are not disclosed
  return refuse("invite_not_found", `invite ${describe(key)} not found`, { rule: "A-3" });
}
