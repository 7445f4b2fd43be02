import { current, type Draft } from "immer";
import { describe, refuse } from "../errors.js";
import { addMs, compareInstants, formatInstant, type Instant } from "../value/datetime.js";
import { readEmail, readFields } from "../value/fields.js";
import type { CatalogDraft } from "./draft.js";
import { findWorkspace } from "./find.js";
import { addMember, readRole } from "./members.js";
import type { CatalogState, InviteState, Role } from "./state.js";

/** An invitation, without its key (rule A-3). */
export interface Invite {
  inviteId: string;
  email: string;
  /** RFC 3339, UTC. */
  expires: string;
  role: Role;
}

/** Options of an invitation (rule A-3). */
export interface InviteOptions {
  /** No mail is sent; any user with the key may accept. */
  readonly email: string;
  readonly role: Role;
}

/** Rule A-3. */
const INVITE_MS = 7 * 24 * 60 * 60 * 1000;

/** Open invitations, oldest first. */
export function listInvites(state: CatalogState, workspace: string, now: Instant): Invite[] {
  return Array.from(findWorkspace(state, workspace).invites)
    .filter(([, invite]) => isOpen(invite, now))
    .map(([id, invite]) => describeInvite(id, invite));
}

/** Throws `invite_not_found`. */
export function findInvite(
  state: CatalogDraft,
  workspace: string,
  id: string,
  now: Instant,
): Draft<InviteState>;
export function findInvite(
  state: CatalogState,
  workspace: string,
  id: string,
  now: Instant,
): InviteState;
export function findInvite(
  state: CatalogState,
  workspace: string,
  id: string,
  now: Instant,
): InviteState {
  const invite = findWorkspace(state, workspace).invites.get(id);
  return invite !== undefined && isOpen(invite, now) ? invite : refuseInvite(id);
}

export function findInviteByKey(
  state: CatalogState,
  workspace: string,
  key: string,
  now: Instant,
): string | undefined {
  const invites = [...findWorkspace(state, workspace).invites];
  return invites.find(([, invite]) => invite.key === key && isOpen(invite, now))?.[0];
}

export function addInvite(
  draft: CatalogDraft,
  workspace: string,
  given: unknown,
  made: { readonly id: string; readonly key: string; readonly now: Instant },
): void {
  const { invites } = findWorkspace(draft, workspace);
  const fields = readFields(given, ["email", "role"], { what: "invite", rule: "A-3" });
  const email = readEmail(fields.email, "A-3");
  const role = readRole(fields.role, "/role");
  const { id, key, now } = made;
  invites.set(id, { key, email, role, expires: addMs(now, INVITE_MS) });
}

export function changeInvite(
  draft: CatalogDraft,
  workspace: string,
  id: string,
  given: unknown,
  now: Instant,
): void {
  const invite = findInvite(draft, workspace, id, now);
  const fields = readFields(given, ["role"], { what: "invite", rule: "A-3" });
  invite.role = readRole(fields.role, "/role");
}

export function renewInvite(
  draft: CatalogDraft,
  workspace: string,
  id: string,
  now: Instant,
): void {
  findInvite(draft, workspace, id, now).expires = addMs(now, INVITE_MS);
}

export function removeInvite(
  draft: CatalogDraft,
  workspace: string,
  id: string,
  now: Instant,
): void {
  findInvite(draft, workspace, id, now);
  findWorkspace(draft, workspace).invites.delete(id);
}

/** Adds a user as a member and deletes the invitation; an owner stays owner. */
export function acceptInvite(
  draft: CatalogDraft,
  workspace: string,
  key: string,
  userId: string,
  now: Instant,
): void {
  const { members } = findWorkspace(draft, workspace);
  const id = findInviteByKey(current(draft), workspace, key, now);
  if (id === undefined) refuseInvite(key);
  const { role } = findInvite(draft, workspace, id, now);
  addMember(draft, workspace, userId, members.get(userId) === "owner" ? "owner" : role);
  removeInvite(draft, workspace, id, now);
}

export function describeInvite(id: string, { email, role, expires }: InviteState): Invite {
  return { inviteId: id, email, expires: formatInstant(expires.ms, expires.micros), role };
}

function isOpen({ expires }: InviteState, now: Instant): boolean {
  return compareInstants(now, expires) < 0;
}

function refuseInvite(id: unknown): never {
  refuse("invite_not_found", `invite ${describe(id)} not found`, { rule: "A-3" });
}
