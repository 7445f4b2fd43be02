import { describe, expect, it } from "vitest";
import { subscribe } from "../../src/changes.js";
import { exportEngine, importEngine, importEngineFrom, importInto } from "../../src/export.js";
import { createHandler } from "../../src/http.js";
import { createEngine, type Engine } from "../../src/index.js";
import type { AnyTable } from "../../src/typed/table.js";
import { expectRefusal } from "../refusal.js";

function open(): { engine: Engine; table: AnyTable } {
  const engine = createEngine({ seed: 1, now: 0 });
  const main = engine.createWorkspace("w").createDatabase("d").branch("main");
  const table = main.createTable("t", [
    { name: "to", type: "link", link: { table: "t" } },
    { name: "vec", type: "vector", vector: { dimension: 2 } },
    { name: "doc", type: "json", defaultValue: { a: [1] } },
    { name: "photo", type: "file", file: { defaultPublicAccess: true } },
    {
      name: "o",
      type: "object",
      columns: [{ name: "tags", type: "multiple", defaultValue: ["x"] }],
      defaultValue: { tags: ["y"] },
    },
  ]);
  return { engine, table };
}

/** Changes every object and array in a value. */
function spoil(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const member of Object.values(value)) spoil(member);
  if (Array.isArray(value)) value.push("spoiled");
  else for (const key of Object.keys(value)) Reflect.set(value, key, "spoiled");
}

function requireFrozen(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  expect(Object.isFrozen(value)).toBe(true);
  for (const member of Object.values(value)) requireFrozen(member);
}

describe("values that an engine exposes", () => {
  it("R-6: a schema belongs to the caller at every level", () => {
    const { engine, table } = open();
    const before = JSON.stringify(table.schema());
    const exported = [...exportEngine(engine)].join("");
    const other = engine.workspace("w").database("d").createBranch("other", { from: "main" });
    spoil(table.schema());
    expect(JSON.stringify(table.schema())).toBe(before);
    expect(JSON.stringify(other.table("t").schema())).toBe(before);
    engine.workspace("w").database("d").deleteBranch("other");
    expect([...exportEngine(engine)].join("")).toBe(exported);
  });

  it("R-6: all listeners get the same changes, frozen at every level", () => {
    const { engine, table } = open();
    const before = JSON.stringify(table.schema());
    const seen: unknown[][] = [[], []];
    for (const list of seen) subscribe(engine, (changes) => list.push(changes));
    table.addColumn({ name: "late", type: "int", defaultValue: 1, notNull: true });
    table.insert([{ late: 2 }, {}]);
    table.removeColumn("late");
    expect(seen[0]).toHaveLength(3);
    for (const [i, changes] of seen[0]!.entries()) {
      expect(changes).toBe(seen[1]![i]);
      requireFrozen(changes);
    }
    expect(JSON.stringify(table.schema())).toBe(before);
  });

  it("profile, limits and clock setting cannot be changed", () => {
    const { engine, table } = open();
    expect(Reflect.set(engine.profile, "maxPageSize", 1)).toBe(false);
    expect(Reflect.set(engine.limits, "columns", 0)).toBe(false);
    spoil(engine.clock.setting);
    expect(engine.clock.now()).toBe(0);
    table.insert([{}, {}]);
    expect(table.query({ columns: ["to"], page: { size: 2 } }).records).toHaveLength(2);
  });
});

describe("an import", () => {
  const bad: readonly unknown[] = [undefined, null, 5, {}, [5], [undefined], () => "", true];

  it.each(bad)("of %o is refused", async (given) => {
    const source = given as string;
    const refusal = { code: "invalid_request", message: /^import: / } as const;
    expectRefusal(() => importEngine(source), refusal);
    expectRefusal(() => importInto(open().engine, source), refusal);
    const stream = given as AsyncIterable<string>;
    await expect(importEngineFrom(stream)).rejects.toMatchObject({ code: "invalid_request" });
  });
});

describe("a request", () => {
  it("E-3: with a consumed body is rejected", async () => {
    const { engine } = open();
    const request = new Request("http://localhost/db/d:main/tables/t/query", {
      method: "POST",
      body: "{}",
    });
    await request.text();
    const answer = await createHandler(engine)(request);
    expect([answer.status, await answer.json()]).toMatchObject([
      400,
      { code: "invalid_request", rule: "E-3" },
    ]);
  });
});

describe("a cursor", () => {
  it("G-13: is invalid for a table that a fork created", () => {
    const { engine } = open();
    const fork = engine.fork();
    const branchOf = (from: Engine) => from.workspace("w").database("d").branch("main");
    branchOf(engine)
      .createTable("x")
      .insert([{ id: "a" }, { id: "b" }]);
    branchOf(fork)
      .createTable("y")
      .insert([{ id: "a" }, { id: "b" }]);
    const { cursor } = branchOf(engine)
      .table("x")
      .query({ page: { size: 1 } }).meta.page;
    engine.restore(fork.snapshot());
    const table = branchOf(engine).table("y");
    expectRefusal(() => table.query({ page: { after: cursor } }), {
      code: "invalid_cursor",
      rule: "G-13",
    });
  });
});

describe("listeners", () => {
  it("get no changes after another listener unsubscribes them", () => {
    const { engine, table } = open();
    const notified: string[] = [];
    subscribe(engine, () => {
      notified.push("first");
      second.unsubscribe();
    });
    const second = subscribe(engine, () => notified.push("second"));
    subscribe(engine, () => notified.push("third"));
    table.insert({});
    expect(notified).toEqual(["first", "third"]);
  });

  it("cannot dispose of the notifying engine", () => {
    const { engine, table } = open();
    let notified = 0;
    const refused: unknown[] = [];
    subscribe(engine, () => {
      try {
        engine[Symbol.dispose]();
      } catch (error) {
        refused.push(error);
      }
    });
    subscribe(engine, () => notified++);
    table.insert({});
    table.insert({});
    expect([notified, refused.length]).toEqual([2, 2]);
    expect(table.count()).toBe(2);
  });
});
