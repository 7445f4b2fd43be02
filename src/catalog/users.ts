import { describe, refuse } from "../errors.js";
import { partAt, readFields, readString, readStrings, refuseValue } from "../shape/fields.js";
import type { Instant } from "../value/datetime.js";
import { isEmail } from "../value/text.js";
import { type CatalogEvent, changed, created, deleted } from "./events.js";
import { findWorkspace } from "./find.js";
import { addKey, checkNewKey, DEFAULT_KEY, refuseTakenKey, removeKeys } from "./keys.js";
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

export function addUser(state: CatalogState, options: unknown, at: Instant): CatalogEvent[] {
  const fields = readFields(options, [...DETAILS, "keys", "workspaces"], {
    what: "user",
    rule: "U-2",
  });
  const user = readDetails(fields, "");
  const keys = readStrings(fields.keys ?? [], partAt("keys", "U-1"));
  const workspaces = readStrings(fields.workspaces ?? [], partAt("workspaces", "U-1"));
  for (const [index, key] of keys.entries()) checkNewKey(state, key, `/keys/${index}`);
  for (const workspace of workspaces) findWorkspace(state, workspace);
  const id = nextUserId(state);
  return [
    { kind: "counted", counter: "usersMade" },
    created("user", [id], user),
    ...workspaces.map((workspace) => created("member", [workspace, id], "owner")),
    ...addKeys(state, id, keys, at),
  ];
}

function addKeys(
  state: CatalogState,
  userId: string,
  keys: readonly string[],
  at: Instant,
): CatalogEvent[] {
  return keys.flatMap((key, index) => {
    if (keys.indexOf(key) < index) refuseTakenKey(`/keys/${index}`);
    const name = index === 0 ? DEFAULT_KEY : `${DEFAULT_KEY}-${index + 1}`;
    return addKey(state, userId, key, at, name);
  });
}

/** The id of the next user. */
export function nextUserId({ usersMade }: CatalogState): string {
  return `usr_${usersMade + 1}`;
}

/** Ignores keys created by the built-in user, which are never named `default` (rule A-1). */
export function hasGivenKeys({ keys }: CatalogState): boolean {
  return [...keys.values()].some(
    ({ userId, name }) => userId !== BUILT_IN_USER_ID || name === DEFAULT_KEY,
  );
}

export function changeUser(state: CatalogState, id: string, details: unknown): CatalogEvent[] {
  const { image } = requireUser(state, id);
  const fields = readFields(details, DETAILS, { what: "user", rule: "U-2" });
  return [changed("user", [id], readDetails(fields, image))];
}

/** Deletes a user; resets the built-in one (rule U-2). */
export function removeUser(state: CatalogState, id: string): CatalogEvent[] {
  if (!state.users.has(id)) return [];
  const isBuiltIn = id === BUILT_IN_USER_ID;
  const keys = [...state.keys].filter(([, { userId }]) => userId === id).map(([key]) => key);
  const joined = [...state.workspaces].filter(([, { members }]) => members.has(id));
  return [
    isBuiltIn ? changed("user", [id], BUILT_IN_USER) : deleted("user", id),
    ...removeKeys(state, keys),
    ...joined.map(([workspace]) => deleted("member", workspace, id)),
  ];
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
  const { email, fullname, image: picture = image } = fields;
  if (!isEmail(email)) refuseValue(email, "an email address", partAt("email", "U-2"));
  return {
    email,
    fullname: readString(fullname, 1, 255, partAt("fullname", "U-2")),
    image: readString(picture, 0, 2048, partAt("image", "U-2")),
  };
}

/** Throws `invalid_request`: unknown users have no error code (rule E-1). */
export function requireUser(state: CatalogState, id: unknown): UserState {
  const user = typeof id === "string" ? state.users.get(id) : undefined;
  return user ?? refuse("invalid_request", `user ${describe(id)} not found`, { rule: "U-2" });
}
