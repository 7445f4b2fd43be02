import { describe, expect, it } from "vitest";
import {
  expectRefused,
  idsOf,
  idsOfPages,
  openBranch,
  openShop,
  openTable,
  type UntypedTable,
} from "./fixture.js";

describe("sort", () => {
  it("S-1: a key of undefined is absent; Dates and holes are refused", () => {
    const table = openTable({ n: "int", s: "string" });
    table.insert([
      { id: "a", n: 2 },
      { id: "b", n: 1 },
    ]);
    expect(idsOf(table.query({ sort: [{ n: "asc", s: undefined }, {}] }).records)).toEqual([
      "b",
      "a",
    ]);
    expectRefused(() => table.query({ sort: new Date(0) }), "invalid_sort", "S-1", "/sort");
    const holed = ["n"];
    holed[2] = "s";
    for (const sort of [["n", undefined], holed]) {
      expectRefused(() => table.query({ sort }), "invalid_sort", "S-1", "/sort/1");
    }
  });
});

describe("random order", () => {
  function openMany(seed = 3): UntypedTable {
    const table = openBranch({ seed }).createTable("items", [{ name: "n", type: "int" }]);
    table.insert(Array.from({ length: 100 }, (_, i) => ({ id: `r${100 + i}`, n: i % 2 })));
    return table;
  }
  const RANDOM = { "*": "random" };

  const walk = (table: UntypedTable, size: number): string[] =>
    idsOfPages(table, { sort: RANDOM, page: { size } });

  it("S-4: each query has a new order, with any record first", () => {
    const table = openMany();
    const firsts = Array.from(
      { length: 200 },
      () => table.query({ sort: RANDOM, page: { size: 1 } }).records[0]?.id,
    );
    expect(new Set(firsts).size).toBeGreaterThan(60);
    expect(walk(table, 100)).not.toEqual(walk(table, 100));
    expect(idsOf(table.scan({ sort: RANDOM }))).not.toEqual(idsOf(table.scan({ sort: RANDOM })));
  });

  it("S-4: the same seed and calls give the same orders", () => {
    const orders = (seed: number): unknown => {
      const table = openMany(seed);
      return [walk(table, 100), walk(table, 33), idsOf(table.scan({ sort: RANDOM }))];
    };
    expect(orders(5)).toEqual(orders(5));
    expect(orders(5)).not.toEqual(orders(6));
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
