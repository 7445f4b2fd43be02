import { describe, expect, it } from "vitest";
import { EngineContext } from "../../src/engine/context.js";
import { resolveSetup } from "../../src/engine/options.js";
import { createEngineContents } from "../../src/engine/setup.js";
import { Engine } from "../../src/engine.js";
import { ID_SLOT } from "../../src/schema/columns.js";
import { type RowSource, TableVersion } from "../../src/storage/table.js";
import { untyped } from "../rules/fixture.js";

/** A table that holds the record `b`, whose email is `b@`, and the look-ups of others. */
function openPartly() {
  const setup = resolveSetup({ now: 0, seed: 1 });
  const context = new EngineContext(setup, createEngineContents(setup));
  const database = new Engine(context).createWorkspace("acme").createDatabase("shop");
  const branch = untyped(database.branch("main"));
  const users = branch.createTable("users", [
    { name: "email", type: "string", unique: true },
    { name: "n", type: "int" },
  ]);
  users.insert({ id: "b", email: "b@" });
  const lookups: string[] = [];
  const address = { workspace: "acme", database: "shop", branch: "main", table: "users" };
  const source: RowSource = {
    find: (slot, id) =>
      void lookups.push(slot === ID_SLOT ? `users/${id}` : `users.${slot}->${id}`),
    has: () => false,
    findUnique: ({ path }, value) => void lookups.push(`users.${path}=${String(value)}`),
  };
  context.writeTable(address, new TableVersion({ ...context.readTable(address), source }));
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

type Partly = ReturnType<typeof openPartly>;

describe("a source of rows gets the ids and unique values of look-ups that a table lacks", () => {
  it.each<[name: string, act: (partly: Partly) => unknown, lookups: readonly string[]]>([
    ["get", ({ users }) => users.get("x"), ["users/x"]],
    ["get of an existing record", ({ users }) => users.get("b"), []],
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
      ["users.email=c@"],
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
    const partly = openPartly();
    expect([...new Set(partly.collect(() => act(partly)))]).toEqual(lookups);
  });

  it("and generated ids", () => {
    const { users, collect } = openPartly();
    let id: unknown;
    const lookups = collect(() => {
      id = users.insert({ n: 1 }).id;
    });
    expect(lookups).toEqual([`users/${String(id)}`]);
  });
});
