import { describe, expect, it } from "vitest";
import { EngineContext } from "../../src/engine/context.js";
import { resolveSetup } from "../../src/engine/options.js";
import { createContents } from "../../src/engine/setup.js";
import { Engine } from "../../src/engine.js";
import { untyped } from "../rules/fixture.js";

/** A table with the record `b`, whose email is `b@`, and its observed look-ups. */
function openObserved() {
  const setup = resolveSetup({ now: 0, seed: 1 });
  const context = new EngineContext(setup, createContents(setup));
  const database = new Engine(context).createWorkspace("acme").createDatabase("shop");
  const branch = untyped(database.branch("main"));
  const users = branch.createTable("users", [
    { name: "email", type: "string", unique: true },
    { name: "n", type: "int" },
  ]);
  users.insert({ id: "b", email: "b@" });
  const lookups: string[] = [];
  context.observer = {
    at: ({ table }) => ({
      onFind: (id) => lookups.push(`${table}/${id}`),
      onUnique: ({ path }, value) => lookups.push(`${table}.${path}=${String(value)}`),
    }),
  };
  const collect = (act: () => unknown): string[] => {
    lookups.length = 0;
    try {
      act();
    } catch {
      // A refused call looks up rows too.
    }
    return lookups;
  };
  return { branch, users, collect };
}

type Observed = ReturnType<typeof openObserved>;

describe("an observer gets the ids and unique values of look-ups", () => {
  it.each<[name: string, act: (observed: Observed) => unknown, lookups: readonly string[]]>([
    ["get", ({ users }) => users.get("x"), ["users/x"]],
    ["get of an existing record", ({ users }) => users.get("b"), ["users/b"]],
    ["delete", ({ users }) => users.delete("x"), ["users/x"]],
    ["update", ({ users }) => users.update("x", { n: 1 }), ["users/x"]],
    ["replace", ({ users }) => users.replace("x", { n: 1 }), ["users/x"]],
    ["upsert", ({ users }) => users.upsert("x", { email: "x@" }), ["users/x", "users.email=x@"]],
    ["put", ({ users }) => users.put("a", { n: 1 }), ["users/a"]],
    [
      "an id greater than all others",
      ({ users }) => users.insert({ id: "z", email: "b@" }),
      ["users/z", "users.email=b@"],
    ],
    [
      "an update of a unique column",
      ({ users }) => users.update("b", { email: "c@" }),
      ["users/b", "users.email=c@"],
    ],
    ["an insert without a unique value", ({ users }) => users.insert({ id: "z" }), ["users/z"]],
    [
      "several records",
      ({ users }) => users.insert([{ id: "y" }, { id: "z" }]),
      ["users/y", "users/z"],
    ],
    [
      "a transaction",
      ({ branch }) =>
        branch.transaction([
          { get: { table: "users", id: "g" } },
          { delete: { table: "users", id: "d" } },
        ]),
      ["users/g", "users/d"],
    ],
    ["a count by another column", ({ users }) => users.count({ n: 1 }), []],
  ])("%s", (_, act, lookups) => {
    const observed = openObserved();
    expect([...new Set(observed.collect(() => act(observed)))]).toEqual(lookups);
  });

  it("and generated ids", () => {
    const { users, collect } = openObserved();
    let id: unknown;
    const lookups = collect(() => {
      id = users.insert({ n: 1 }).id;
    });
    expect(lookups).toEqual([`users/${String(id)}`]);
  });
});
