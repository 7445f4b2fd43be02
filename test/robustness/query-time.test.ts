import { describe, expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { serve } from "../../src/node.js";
import { digest } from "./digest.js";

/** An engine whose calls may take a millisecond, and a table that each of those here takes longer on. */
function openLimited(queryMs: number, rows = 20_000) {
  const engine = createEngine({ limits: { queryMs }, seed: 1, now: 0, indexes: "never" });
  const branch = engine.createWorkspace("acme").createDatabase("shop").branch("main");
  const table = branch.createTable("items", [
    { name: "n", type: "int" },
    { name: "t", type: "text" },
  ]);
  const record = (i: number) => ({ id: `r${i}`, n: i, t: `text ${i} `.repeat(20) });
  for (let from = 0; from < rows; from += 10) {
    table.insert(Array.from({ length: 10 }, (_, i) => record(from + i)));
  }
  return { engine, branch, table, record };
}

const SLOW = { $any: Array.from({ length: 999 }, (_, i) => ({ t: { $iPattern: `*x${i}*z` } })) };
const TIMEOUT = { code: "query_timeout", status: 408, rule: "L-10" };

describe("L-10: a call that works too long", () => {
  it("is ended, and has changed nothing", () => {
    const { engine, branch, table, record } = openLimited(100, 5000);
    const before = digest(engine);
    const many = Array.from({ length: 200_000 }, (_, i) => record(i + 5000));
    const calls: (() => unknown)[] = [
      () => table.query({ filter: SLOW }),
      () => table.count(SLOW),
      () =>
        table.aggregate({
          aggs: { a: { count: { filter: SLOW } }, b: { count: { filter: SLOW } } },
        }),
      () => table.summarize({ columns: ["n"], filter: SLOW, summaries: { c: { count: "*" } } }),
      () => table.insert(many),
    ];
    for (const call of calls) expect(call).toThrow(expect.objectContaining(TIMEOUT));
    expect(digest(engine)).toBe(before);
    expect(branch.table("items").count({ n: { $lt: 10 } })).toBe(10);
  });

  it("is told of over HTTP, by a limit of the engine", async () => {
    const { engine } = openLimited(100, 5000);
    const ask = createFetch(engine);
    const response = await ask("http://x/db/shop:main/tables/items/query", {
      method: "POST",
      body: JSON.stringify({ filter: SLOW }),
    });
    expect(response.status).toBe(408);
    expect(await response.json()).toMatchObject({ code: "query_timeout", rule: "L-10" });
  });

  it("has no limit in calls of an engine that was given none", () => {
    const { table } = openLimited(0, 5000);
    expect(table.count(SLOW)).toBe(0);
  });

  it("leaves the next call all of its time", async () => {
    const { engine, table } = openLimited(500, 5000);
    await using server = await serve(engine);
    for (let i = 0; i < 20; i++) {
      const response = await fetch(`${server.url}/db/shop:main/tables/items/query`, {
        method: "POST",
        body: JSON.stringify({ page: { size: 1 } }),
      });
      expect(response.status).toBe(200);
    }
    expect(table.count()).toBe(5000);
  });
});
