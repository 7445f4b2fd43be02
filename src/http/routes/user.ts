import { findNothing } from "../address.js";
import { unchecked } from "../fields.js";
import { refer } from "../openapi/schema.js";
import { defineRoute, type Route } from "../route.js";

/** The user that asks (rule U-2). */
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
];
