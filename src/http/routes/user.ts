import { DEFAULT_KEY, type KeyMetadata } from "../../catalog/keys.js";
import { checkName } from "../../catalog/names.js";
import { refuse } from "../../errors.js";
import { readFields } from "../../value/fields.js";
import { type Address, findNothing } from "../address.js";
import { unchecked } from "../fields.js";
import { arrayOf, NO_KEYS, objectOf, refer } from "../openapi/schema.js";
import { defineRoute, type Route } from "../route.js";

const KEY = "/user/keys/{key_name}";

/** The user that asks (rule U-2), and its keys. */
export const USER_ROUTES: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/user",
    plane: "control",
    touches: "catalog",
    operation: "getUser",
    summary: "The user that asks.",
    answers: { 200: refer("User") },
    find: findNothing,
    handle: (_, { caller }) => ({ status: 200, body: caller }),
  }),
  defineRoute({
    method: "PUT",
    path: "/user",
    plane: "control",
    touches: "catalog",
    operation: "updateUser",
    summary: "Changes what the user is known by.",
    body: refer("UserDetails"),
    answers: { 200: refer("User") },
    find: findNothing,
    handle: (_, { engine, caller, body }) => ({
      status: 200,
      body: engine.updateUser(caller.id, unchecked(body)),
    }),
  }),
  defineRoute({
    method: "DELETE",
    path: "/user",
    plane: "control",
    touches: "catalog",
    operation: "deleteUser",
    summary: "Deletes the user with its keys; the built-in user is reset instead.",
    answers: { 204: null },
    find: findNothing,
    handle: (_, { engine, caller }) => {
      engine.deleteUser(caller.id);
      return { status: 204 };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/user/keys",
    plane: "control",
    touches: "catalog",
    operation: "getUserAPIKeys",
    summary: "The keys of the user by their names, never the keys themselves.",
    answers: { 200: objectOf({ keys: arrayOf(refer("Key")) }) },
    find: listCallerKeys,
    handle: (keys) => ({ status: 200, body: { keys } }),
  }),
  defineRoute({
    method: "POST",
    path: KEY,
    plane: "control",
    touches: "catalog",
    operation: "createUserAPIKey",
    summary: "Makes a key, which is told this one time.",
    body: NO_KEYS,
    answers: { 201: refer("NewKey") },
    find: (address) => ({ keys: listCallerKeys(address), closed: address.closed }),
    handle: ({ keys, closed }, { engine, caller, names, body }) => {
      const name = names.key_name!;
      if (keys.some((key) => key.name === name)) {
        refuse("key_exists", `key [${name}] already exists`, { rule: "A-1" });
      }
      readFields(body, [], { what: "key", rule: "A-1" });
      return { status: 201, body: engine.createKey(caller.id, name, !closed) };
    },
  }),
  defineRoute({
    method: "DELETE",
    path: KEY,
    plane: "control",
    touches: "catalog",
    operation: "deleteUserAPIKey",
    summary: "Deletes a key, which is refused from then on.",
    answers: { 204: null },
    find: requireKey,
    handle: (name, { engine, caller }) => {
      engine.deleteKey(caller.id, name);
      return { status: 204 };
    },
  }),
];

/** The keys of the caller; in open mode `default` means any key (rule A-1). */
function listCallerKeys({ engine, caller, closed, openedAt }: Address): KeyMetadata[] {
  const keys = engine.keys(caller.id);
  if (closed || keys.some(({ name }) => name === DEFAULT_KEY)) return keys;
  return [{ name: DEFAULT_KEY, createdAt: openedAt() }, ...keys];
}

/** The name of a key that the caller has and may delete. */
function requireKey(address: Address): string {
  const name = address.names.key_name ?? "";
  checkName("key", name);
  if (!listCallerKeys(address).some((key) => key.name === name)) {
    refuse("key_not_found", `key [${name}] not found`, { rule: "A-1" });
  }
  if (!address.closed && name === DEFAULT_KEY) {
    refuse("forbidden", `key [${name}] is a name for every key: it cannot be deleted`, {
      rule: "A-1",
    });
  }
  return name;
}
