import { describe, refuse } from "../errors.js";
import { readBySchema } from "../shape/read.js";
import * as s from "../shape/schema.js";
import { addMs, compareInstants, formatInstant, type Instant } from "../value/datetime.js";
import { isEmail } from "../value/text.js";
import { type CatalogEvent, changed, created, deleted } from "./events.js";
import { findWorkspace } from "./find.js";
import { COUNT_SECRET } from "./keys.js";
import { addMember } from "./members.js";
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

export const EMAIL: s.Schema<string> = s.parsed(s.TEXT, "an email address", (text) =>
  isEmail(text) ? text : undefined,
);
export const ROLE: s.Schema<Role> = s.named("Role", s.oneOf(["owner", "maintainer"]));
const OF_INVITE = { what: "invite", rule: "A-3" };
export const INVITE_OPTIONS: s.Schema<InviteOptions> = s.named(
  "InviteOptions",
  s.reading(s.objectOf({ email: EMAIL, role: ROLE }), OF_INVITE),
);
export const INVITE_CHANGES: s.Schema<Pick<InviteOptions, "role">> = s.reading(
  s.objectOf({ role: ROLE }),
  OF_INVITE,
);

/** Rule A-3. */
const INVITE_MS = 7 * 24 * 60 * 60 * 1000;

/** Open invitations, oldest first. */
export function openInvites(state: CatalogState, workspace: string, now: Instant): Invite[] {
  return Array.from(findWorkspace(state, workspace).invites)
    .filter(([, invite]) => isOpen(invite, now))
    .map(([id, invite]) => describeInvite(id, invite));
}

/** Throws `invite_not_found`. */
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
  state: CatalogState,
  workspace: string,
  request: unknown,
  made: { readonly id: string; readonly key: string; readonly now: Instant },
): CatalogEvent[] {
  findWorkspace(state, workspace);
  const { email, role } = readBySchema(INVITE_OPTIONS, request);
  const { id, key, now } = made;
  const invite = { key, email, role, expires: addMs(now, INVITE_MS) };
  return [COUNT_SECRET, created("invite", [workspace, id], invite)];
}

export function changeInvite(
  state: CatalogState,
  workspace: string,
  id: string,
  request: unknown,
  now: Instant,
): CatalogEvent[] {
  const invite = findInvite(state, workspace, id, now);
  const { role } = readBySchema(INVITE_CHANGES, request);
  return [changed("invite", [workspace, id], { ...invite, role })];
}

export function renewInvite(
  state: CatalogState,
  workspace: string,
  id: string,
  now: Instant,
): CatalogEvent[] {
  const invite = findInvite(state, workspace, id, now);
  return [changed("invite", [workspace, id], { ...invite, expires: addMs(now, INVITE_MS) })];
}

export function removeInvite(
  state: CatalogState,
  workspace: string,
  id: string,
  now: Instant,
): CatalogEvent[] {
  findInvite(state, workspace, id, now);
  return [deleted("invite", workspace, id)];
}

/** Adds a user as a member and deletes the invitation; an owner stays owner. */
export function joinByInvite(
  state: CatalogState,
  workspace: string,
  key: string,
  userId: string,
  now: Instant,
): CatalogEvent[] {
  const { members } = findWorkspace(state, workspace);
  const id = findInviteByKey(state, workspace, key, now);
  if (id === undefined) refuseInvite(key);
  const { role } = findInvite(state, workspace, id, now);
  const granted = members.get(userId) === "owner" ? "owner" : role;
  return [...addMember(state, workspace, userId, granted), deleted("invite", workspace, id)];
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
