import { describe, expect, it } from "vitest";
import { idsOf, openBranch, openShop, type UntypedTable } from "./fixture.js";
import { walkForward } from "./page-walks.js";

describe("random order", () => {
  function openMany(seed = 3): UntypedTable {
    const table = openBranch({ seed }).createTable("items", [{ name: "n", type: "int" }]);
    table.insert(Array.from({ length: 100 }, (_, i) => ({ id: `r${100 + i}`, n: i % 2 })));
    return table;
  }
  const RANDOM = { "*": "random" };

  const walk = (table: UntypedTable, sort: unknown, size: number): string[] =>
    walkForward(table, { sort, page: { size } });

  it("S-4: each query has a new order, with any record first", () => {
    const table = openMany();
    const firsts = Array.from(
      { length: 200 },
      () => table.query({ sort: RANDOM, page: { size: 1 } }).records[0]?.id,
    );
    expect(new Set(firsts).size).toBeGreaterThan(60);
    expect(walk(table, RANDOM, 100)).not.toEqual(walk(table, RANDOM, 100));
    expect(idsOf(table.scan({ sort: RANDOM }))).not.toEqual(idsOf(table.scan({ sort: RANDOM })));
  });

  it("S-4: the same seed and calls give the same orders", () => {
    const orders = (seed: number): unknown => {
      const table = openMany(seed);
      return [
        walk(table, RANDOM, 100),
        walk(table, RANDOM, 33),
        idsOf(table.scan({ sort: RANDOM })),
      ];
    };
    expect(orders(5)).toEqual(orders(5));
    expect(orders(5)).not.toEqual(orders(6));
  });

  it("S-4: inserts and deletes keep the order of other records", () => {
    const table = openMany();
    const first = table.query({ sort: RANDOM, page: { size: 100 } });
    const order = idsOf(first.records);
    const gone = order.filter((_, i) => i % 3 === 0);
    for (const id of gone) table.delete(id);
    table.insert({ id: "new" });
    const again = idsOf(
      table.query({ page: { start: first.meta.page.cursor, size: 200 } }).records,
    );
    expect(again.filter((id) => id !== "new")).toEqual(order.filter((id) => !gone.includes(id)));
  });

  it("S-4: random queries don't change an engine's state", () => {
    const { engine, main } = openShop();
    const table = main.createTable("items", [{ name: "n", type: "int" }]);
    table.insert(Array.from({ length: 50 }, (_, i) => ({ id: `r${i}`, n: i })));
    const saved = engine.snapshot();
    const one = idsOf(table.query({ sort: RANDOM, page: { size: 50 } }).records);
    engine.restore(saved);
    // A restore does not repeat an order.
    expect(idsOf(table.query({ sort: RANDOM, page: { size: 50 } }).records)).not.toEqual(one);
    const { id } = table.insert({});
    engine.restore(saved);
    table.query({ sort: RANDOM });
    expect(table.insert({}).id).toBe(id);
  });
});
