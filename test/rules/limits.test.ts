import { describe, expect, it } from "vitest";
import { defineColumns } from "../columns.js";
import { openPeople } from "./filter-table.js";
import {
  expectMatches,
  expectRefused,
  idsOf,
  matching,
  openBranch,
  openTable,
  type UntypedTable,
} from "./fixture.js";

/** `{$not: {$not: … filter}}`. */
function nest(filter: unknown, levels: number, operator = "$not"): unknown {
  let nested = filter;
  for (let i = 0; i < levels; i++) nested = { [operator]: nested };
  return nested;
}

/** `{$not: [{$not: [… filter]}]}`; without an operator `[[… filter]]`. */
function nestInLists(filter: unknown, levels: number, operator?: string): unknown {
  let nested = filter;
  for (let i = 0; i < levels; i++) {
    nested = operator === undefined ? [nested] : { [operator]: [nested] };
  }
  return nested;
}

function expectTooMuch(table: UntypedTable, filter: unknown): void {
  const call = (): unknown => table.query({ filter });
  expect(call).toThrow(
    expect.objectContaining({ code: "invalid_request", rule: "L-3", status: 400 }),
  );
}

describe("limits", () => {
  const { people } = openPeople();

  it("L-3: a filter has at most 1,000 predicates", () => {
    const any = (count: number): unknown => ({
      $any: Array.from({ length: count }, () => ({ n: 1 })),
    });
    expectMatches(people, any(1000), "a");
    expectRefused(
      () => people.query({ filter: any(1001) }),
      "invalid_request L-3 /filter/$any/1000/n",
    );
    const ranges = (count: number): unknown => ({
      n: { $all: Array(count).fill({ $ge: 1, $le: 1 }) },
    });
    expectMatches(people, ranges(500), "a");
    expectTooMuch(people, ranges(501));
    expectMatches(people, { $exists: Array(1000).fill("n") }, "abcd");
    expectTooMuch(people, { $exists: Array(1001).fill("n") });
    const items = (count: number): unknown => ({
      tags: { $includes: Array(count).fill({ $contains: "x" }) },
    });
    expectMatches(people, items(998), "ab");
    expectTooMuch(people, items(1001));
    const ones = (count: number): unknown => ({ $any: Array(count).fill({ n: { $any: 1 } }) });
    expectMatches(people, ones(1000), "a");
    expectTooMuch(people, ones(1001));
    const mixed = { ...(any(999) as object), name: "Ann", n: 1 };
    expectTooMuch(people, mixed);
  });

  it("L-3: a list has at most 100,000 members", () => {
    expect(people.count({ n: Array(100_000).fill(1) })).toBe(1);
    expectTooMuch(people, { n: Array(100_001).fill(1) });
  });

  it("L-3: plain values in nested lists are no predicates", () => {
    const lists = Array(1001).fill([1]);
    const texts = Array(1001).fill(["x"]);
    for (const n of [lists, { $is: lists }, { $any: lists }]) {
      expect(people.count({ n })).toBe(1);
    }
    expect(people.count({ tags: { $includes: texts } })).toBe(2);
  });

  it.each<[form: string, filter: (operator: string, levels: number) => unknown, most: number]>([
    ["filters", (o, n) => nest({ n: { $gt: 0 } }, n, o), 30],
    ["lists of filters", (o, n) => nestInLists({ n: { $gt: 0 } }, n, o), 30],
    ["predicates", (o, n) => ({ n: nest({ $gt: 0 }, n, o) }), 30],
    ["lists of predicates", (o, n) => ({ n: nestInLists({ $gt: 0 }, n, o) }), 30],
    ["values", (o, n) => ({ n: nest(1, n, o) }), 30],
    ["filters of an object", (o, n) => ({ home: nest({ city: "X" }, n, o) }), 29],
    ["filters of an object, in lists", (o, n) => ({ home: nestInLists({ city: "X" }, n, o) }), 29],
    ["predicates of items", (o, n) => ({ tags: { $includes: nest({ $is: "x" }, n, o) } }), 29],
    [
      "predicates of items, in lists",
      (o, n) => ({ tags: { $includes: [nestInLists({ $is: "x" }, n, o)] } }),
      29,
    ],
    ["lists", (_, n) => ({ n: nestInLists({ $gt: 0 }, n) }), 30],
    ["lists under $is", (_, n) => ({ n: { $is: nestInLists(1, n) } }), 31],
  ])("L-3: nested %s count as levels", (_, filter, most) => {
    for (const operator of ["$not", "$all", "$any", "$none"]) {
      expect(() => people.count(filter(operator, most))).not.toThrow();
      expectTooMuch(people, filter(operator, most + 1));
    }
  });

  it("L-3: a filter has at most 32 levels", () => {
    for (const operator of ["$not", "$all", "$any", "$none"]) {
      const even = matching(people, nest({ name: "Ann" }, 20, operator));
      expect(even).toEqual(["a"]);
      expectMatches(people, nest({ name: "Ann" }, 30, operator), "a");
      for (const levels of [33, 40, 1000, 100_000]) {
        expectTooMuch(people, nest({ name: "Ann" }, levels, operator));
        expectTooMuch(people, { n: nest(1, levels, operator) });
        expectTooMuch(people, { tags: { $includes: nest("x", levels, operator) } });
      }
    }
    let lists: unknown = 1;
    for (let i = 0; i < 100_000; i++) lists = [lists];
    expectTooMuch(people, { n: lists });
    expectTooMuch(people, { n: { $is: lists } });
    expectTooMuch(people, { team: lists });
  });

  it("L-3: nested columns count as levels", () => {
    const next = openTable({ next: "-> items" });
    next.insert({ id: "a", next: "a" });
    expectMatches(next, nest({ id: "a" }, 14, "next"), "a");
    const deep = nest({ id: "a" }, 100_000, "next");
    expect(() => next.count(deep)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });

  it("L-4: columns has at most 1,000 entries", () => {
    const names = Array.from({ length: 1000 }, (_, i) => (i % 2 === 0 ? "name" : "n"));
    expect(people.query({ columns: names, page: { size: 1 } }).records[0]).toMatchObject({
      name: "Ann",
    });
    for (const columns of [[...names, "n"], Array(100_000).fill("nope")]) {
      expectRefused(() => people.query({ columns }), "invalid_request L-4 /columns");
      expectRefused(() => people.get("a", { columns }), "invalid_request L-4 /columns");
    }
    const wide = openTable(
      Array.from({ length: 1000 }, (_, i) => ({ name: `c${i}`, type: "int" })),
    );
    wide.insert({ id: "a", c999: 7 });
    const all = Array.from({ length: 1000 }, (_, i) => `c${999 - i}`);
    expect(wide.query({ columns: all }).records).toMatchObject([{ id: "a", c999: 7 }]);
  });

  it("L-5: a path follows at most 16 links, in filters, sorts and columns", () => {
    const branch = openBranch();
    const items = branch.createTable(
      "items",
      defineColumns({ n: "int", next: "-> items", o: { next: "-> items" } }),
    );
    items.insert({ id: "a", n: 1, next: "a", o: { next: "a" } });
    const path = (links: number, end: string): string => `${"next.".repeat(links)}${end}`;
    for (const good of [
      path(16, "n"),
      path(16, "id"),
      path(16, "next"),
      `${"o.next.".repeat(16)}n`,
    ]) {
      expectMatches(items, { $exists: good }, "a");
      expect(idsOf(items.query({ sort: { [good]: "asc" } }).records)).toEqual(["a"]);
      expect(JSON.stringify(items.query({ columns: [good] }).records[0])).toContain('"id":"a"');
    }
    const tooLong = [
      path(17, "n"),
      path(17, "id"),
      path(18, "*"),
      path(10_000, "n"),
      path(17, "nope"),
    ];
    for (const bad of tooLong) {
      const refused = (call: () => unknown, place: string): void =>
        expectRefused(call, `invalid_request L-5 ${place}`);
      refused(() => items.query({ filter: { $exists: bad } }), "/filter/$exists");
      refused(() => items.query({ sort: [bad] }), "/sort/0");
      refused(() => items.query({ columns: [bad] }), "/columns/0");
    }
    const nested = nest({ n: 1 }, 17, "next");
    expect(() => items.count(nested)).toThrow(expect.objectContaining({ rule: "L-5" }));
  });
});
