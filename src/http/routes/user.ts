import { DEFAULT_KEY, type KeyMetadata } from "../../catalog/keys.js";
import { checkName } from "../../catalog/names.js";
import { refuse } from "../../errors.js";
import * as s from "../../shape/schema.js";
import type { Address } from "../address.js";
import { defineRoute, type Routes } from "../route.js";

const KEY_AT = "/user/keys/{key_name}";

const USER = s.named(
  "User",
  s.objectOf({ id: s.TEXT, email: s.TEXT, fullname: s.TEXT, image: s.TEXT }),
);
const DETAILS = s.named(
  "UserDetails",
  s.described(
    s.objectOf({ email: s.TEXT, fullname: s.textOf(1, 255) }, { image: s.textOf(0, 2048) }),
  ),
);
const KEY = s.named("Key", s.objectOf({ name: s.TEXT, createdAt: s.TIME }));
const NEW_KEY = s.named("NewKey", s.objectOf({ name: s.TEXT, key: s.TEXT, createdAt: s.TIME }));

export const USER_ROUTES: Routes<
  | "getUser"
  | "updateUser"
  | "deleteUser"
  | "getUserAPIKeys"
  | "createUserAPIKey"
  | "deleteUserAPIKey"
> = {
  getUser: defineRoute({
    at: "GET /user",
    summary: "The caller.",
    answers: { 200: USER },
    act: ({ caller }) => caller,
  }),
  updateUser: defineRoute({
    at: "PUT /user",
    summary: "Changes the caller's name, email and image.",
    body: DETAILS,
    answers: { 200: USER },
    act: ({ engine, caller }, { body }) => engine.updateUser(caller.id, body),
  }),
  deleteUser: defineRoute({
    at: "DELETE /user",
    summary: "Deletes the caller with its keys; the built-in user is reset instead.",
    answers: { 204: null },
    act: ({ engine, caller }) => engine.deleteUser(caller.id),
  }),
  getUserAPIKeys: defineRoute({
    at: "GET /user/keys",
    summary: "The names of the caller's keys.",
    answers: { 200: s.objectOf({ keys: s.arrayOf(KEY) }) },
    find: listCallerKeys,
    act: (keys) => ({ keys }),
  }),
  createUserAPIKey: defineRoute({
    at: `POST ${KEY_AT}`,
    summary: "Creates a key, which is returned once.",
    body: s.reading(s.NO_KEYS, { what: "key", rule: "A-1" }),
    answers: { 201: NEW_KEY },
    find: requireNewKey,
    act: (name, { engine, caller, closed }) => engine.createKey(caller.id, name, !closed),
  }),
  deleteUserAPIKey: defineRoute({
    at: `DELETE ${KEY_AT}`,
    summary: "Deletes a key.",
    answers: { 204: null },
    find: requireKey,
    act: (name, { engine, caller }) => engine.deleteKey(caller.id, name),
  }),
};

/** Lists the caller's keys; in open mode, `default` stands for any key (rule A-1). */
function listCallerKeys({ engine, caller, closed, openedAt }: Address): KeyMetadata[] {
  const keys = engine.keys(caller.id);
  if (closed || keys.some(({ name }) => name === DEFAULT_KEY)) return keys;
  return [{ name: DEFAULT_KEY, createdAt: openedAt() }, ...keys];
}

function hasKey(address: Address, name: string): boolean {
  return listCallerKeys(address).some((key) => key.name === name);
}

function requireNewKey(address: Address): string {
  const name = address.names.key_name ?? "";
  if (hasKey(address, name)) {
    refuse("key_exists", `key [${name}] already exists`, { rule: "A-1" });
  }
  return name;
}

function requireKey(address: Address): string {
  const name = address.names.key_name ?? "";
  checkName("key", name);
  if (!hasKey(address, name)) {
    refuse("key_not_found", `key [${name}] not found`, { rule: "A-1" });
  }
  if (!address.closed && name === DEFAULT_KEY) {
    refuse("forbidden", `key [${name}] stands for any key and cannot be deleted`, { rule: "A-1" });
  }
  return name;
}
