import { describe, expect, it } from "vitest";
import { exportEngine, importInto } from "../../src/export.js";
import { type AnyEngine, createEngine } from "../../src/index.js";
import { defineColumns } from "../columns.js";
import { expectRefusal } from "../refusal.js";
import { createShop, shopOf } from "./shop.js";

describe("engine.reset()", () => {
  it("restores the baseline that was set after seeding", () => {
    const engine = createShop();
    engine.setBaseline();
    const before = contents(engine);
    shopOf(engine).table("users").insert([{}, {}]);
    shopOf(engine).deleteTable("teams");
    engine.createUser({ email: "x@example.com", fullname: "X" });
    engine.reset();
    expect(contents(engine)).toBe(before);
  });

  it("resets repeatedly, with ids, times and random orders", () => {
    const engine = createShop();
    engine.setBaseline();
    const run = () => {
      engine.clock.advance(5000);
      const users = shopOf(engine).table("users");
      users.insert([{}, {}, {}]);
      return JSON.stringify([users.query(), users.query({ sort: { "*": "random" } })]);
    };
    const first = run();
    for (let i = 0; i < 3; i++) {
      engine.reset();
      expect(run()).toBe(first);
    }
  });

  it("undoes single writes, which are made in place", () => {
    const engine = createShop();
    const users = shopOf(engine).table("users");
    const [record] = users.query().records;
    engine.setBaseline();
    for (let i = 0; i < 3; i++) users.update(record?.id ?? "", { address: { zipcode: i } });
    users.delete(record?.id ?? "");
    engine.reset();
    expect(users.get(record?.id ?? "")).toEqual(record);
  });

  it("without a baseline, empties the engine, or restores the initial state of a fork", () => {
    const engine = createShop();
    const fork = engine.fork();
    engine.reset();
    expect(engine.workspaces()).toEqual([]);
    shopOf(fork).table("users").insert({});
    fork.reset();
    expect(shopOf(fork).table("users").count()).toBe(2);
  });

  it.each([
    ["it", (engine: AnyEngine) => engine.reset()],
    ["an import", (engine: AnyEngine) => importInto(engine, exportEngine(createShop()))],
  ])("G-13: cursors of tables that %s removes are invalid", (_, remove) => {
    const engine = createShop();
    engine.setBaseline();
    const { cursor } = shopOf(engine).createTable("t").query().meta.page;
    remove(engine);
    const made = shopOf(engine).createTable("t");
    expectRefusal(() => made.query({ page: { after: cursor } }), { code: "invalid_cursor" });
  });
});

describe("a snapshot", () => {
  it("is restored into another engine, independent of the first", () => {
    const engine = createShop();
    const saved = engine.snapshot();
    const other = createEngine({ seed: 9, now: 0 });
    other.createWorkspace("gone");
    other.restore(saved);
    expect(contents(other)).toBe(contents(engine));
    shopOf(other).table("users").insert({});
    shopOf(engine).deleteTable("teams");
    expect(shopOf(engine).table("users").count()).toBe(2);
    expect(shopOf(other).table("teams").count()).toBe(1);
    engine.restore(saved);
    expect(shopOf(engine).table("teams").count()).toBe(1);
  });
});

describe("using", () => {
  it("empties the engine at the end of its block, and no other engine", () => {
    const seeded = createShop();
    let kept: AnyEngine;
    {
      using engine = seeded.fork();
      shopOf(engine).table("users").insert({});
      kept = engine;
    }
    expect(kept.workspaces()).toEqual([]);
    kept.reset();
    expect(kept.workspaces()).toEqual([]);
    expect(shopOf(seeded).table("users").count()).toBe(2);
  });
});

it("1,000 forks of an engine with 10,000 records have only their own writes", () => {
  const seeded = createEngine({ seed: 1, now: 0 });
  const main = seeded.createWorkspace("w").createDatabase("d").branch("main");
  main.createTable("users", defineColumns({ n: "int", name: "string" }));
  main.table("users").load(Array.from({ length: 10_000 }, (_, n) => ({ n, name: `user ${n}` })));
  for (let test = 0; test < 1000; test++) {
    using engine = seeded.fork();
    const users = engine.workspace("w").database("d").branch("main").table("users");
    const { id } = users.insert({ n: 20_000 + test, name: "mine" });
    users.update(users.query({ page: { size: 1 } }).records[0]?.id ?? "", { name: "mine" });
    expect(users.count()).toBe(10_001);
    const { records } = users.query({ columns: ["n"], filter: { name: "mine" } });
    expect(records).toHaveLength(2);
    expect(records.find((record) => record.id === id)?.n).toBe(20_000 + test);
  }
  expect(main.table("users").count({ name: "mine" })).toBe(0);
});

/** Workspaces, users and records, as text. */
function contents(engine: AnyEngine): string {
  const main = shopOf(engine);
  const tables = main.tables().map(({ name }) => [name, main.table(name).query()]);
  return JSON.stringify([engine.workspaces(), engine.users(), tables]);
}
