import { current } from "immer";
import { describe, refuse } from "../errors.js";
import type { Instant } from "../value/datetime.js";
import { readEmail, readFields, readString, readStrings } from "../value/fields.js";
import type { CatalogDraft } from "./draft.js";
import { findWorkspace } from "./find.js";
import { addKey, checkNewKey, DEFAULT_KEY, removeKey } from "./keys.js";
import type { CatalogState, UserState } from "./state.js";

/** A user (rule U-2). */
export interface UserRecord {
  id: string;
  /** Unique. */
  email: string;
  fullname: string;
  /** A URL, or empty. */
  image: string;
}

/** Details of a user (rule U-2). */
export interface UserDetails {
  /** A valid address (rule T-6). */
  readonly email: string;
  /** 1–255 characters. */
  readonly fullname: string;
  /** At most 2048 characters; default none. */
  readonly image?: string | undefined;
}

/** Options of a new user. */
export interface UserOptions extends UserDetails {
  /** API keys of the user, 1–1024 characters each (rule U-1). */
  readonly keys?: readonly string[] | undefined;
  /** Ids of workspaces to join. */
  readonly workspaces?: readonly string[] | undefined;
}

/** The id of the built-in user, to whom every key belongs in open mode (rule U-1). */
export const BUILT_IN_USER_ID = "usr_0";

/** Initial details of the built-in user; deleting it restores them (U-2). */
export const BUILT_IN_USER: UserState = {
  email: "user@example.com",
  fullname: "Built-in User",
  image: "",
};

const DETAILS = ["email", "fullname", "image"] as const;

export function addUser(draft: CatalogDraft, options: unknown, at: Instant): string {
  const fields = readFields(options, [...DETAILS, "keys", "workspaces"], {
    what: "user",
    rule: "U-2",
  });
  const user = readDetails(fields, "");
  const keys = readStrings(fields.keys ?? [], { what: "keys", path: "/keys", rule: "U-1" });
  const workspaces = readStrings(fields.workspaces ?? [], {
    what: "workspaces",
    path: "/workspaces",
    rule: "U-1",
  });
  for (const [index, key] of keys.entries()) checkNewKey(draft, key, `/keys/${index}`);
  const joined = workspaces.map((workspace) => findWorkspace(draft, workspace));
  draft.usersMade += 1;
  const id = `usr_${draft.usersMade}`;
  draft.users.set(id, user);
  for (const { members } of joined) members.set(id, "owner");
  for (const key of keys) addKey(draft, id, key, at);
  return id;
}

/** Ignores keys created by the built-in user, which are never named `default` (rule A-1). */
export function hasGivenKeys({ keys }: CatalogState): boolean {
  return [...keys.values()].some(
    ({ userId, name }) => userId !== BUILT_IN_USER_ID || name === DEFAULT_KEY,
  );
}

export function changeUser(draft: CatalogDraft, id: string, details: unknown): void {
  const { image } = requireUser(draft, id);
  const fields = readFields(details, DETAILS, { what: "user", rule: "U-2" });
  draft.users.set(id, readDetails(fields, image));
}

/** Deletes a user; resets the built-in one (rule U-2). */
export function removeUser(draft: CatalogDraft, id: string): void {
  if (!draft.users.has(id)) return;
  if (id === BUILT_IN_USER_ID) draft.users.set(id, BUILT_IN_USER);
  else draft.users.delete(id);
  for (const [key, { userId }] of current(draft.keys)) if (userId === id) removeKey(draft, key);
  for (const [workspace, { members }] of current(draft.workspaces)) {
    if (members.has(id)) findWorkspace(draft, workspace).members.delete(id);
  }
}

export function findUser(state: CatalogState, id: string): UserRecord | null {
  const user = state.users.get(id);
  return user === undefined ? null : { id, ...user };
}

export function listUsers(state: CatalogState): UserRecord[] {
  return Array.from(state.users, ([id, user]) => ({ id, ...user }));
}

function readDetails(
  fields: { readonly [key in (typeof DETAILS)[number]]?: unknown },
  image: string,
): UserState {
  const place = (key: string) => ({ what: key, path: `/${key}`, rule: "U-2" });
  return {
    email: readEmail(fields.email, "U-2"),
    fullname: readString(fields.fullname, 1, 255, place("fullname")),
    image: fields.image === undefined ? image : readString(fields.image, 0, 2048, place("image")),
  };
}

/** Throws `invalid_request`: unknown users have no error code (rule E-1). */
export function requireUser(state: CatalogState, id: unknown): UserState {
  const user = typeof id === "string" ? state.users.get(id) : undefined;
  return user ?? refuse("invalid_request", `user ${describe(id)} not found`, { rule: "U-2" });
}
