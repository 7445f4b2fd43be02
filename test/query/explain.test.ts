import { describe, expect, it } from "vitest";
import type { PlanDescription } from "../../src/types.js";
import { defineColumns } from "../columns.js";
import { openBranch, openTable, type UntypedTable } from "../rules/fixture.js";

const COUNT = 64;
const TEAMS = 16;

/** A table stored in the order of its ids, or not. */
function openUsers(ordered: boolean, indexes: "auto" | "always" | "never"): UntypedTable {
  const branch = openBranch({ indexes });
  branch
    .createTable("teams", defineColumns({ size: "int", name: "string" }))
    .insert(Array.from({ length: TEAMS }, (_, i) => ({ id: `t${i}`, size: i })));
  const columns = defineColumns({
    age: "int",
    name: "string",
    since: "datetime",
    labels: "multiple",
    doc: "json",
    box: { a: "int", in: { a: "int" } },
    team: "-> teams",
  });
  const users = branch.createTable("users", columns);
  const records = Array.from({ length: COUNT }, (_, i) => ({
    id: `u${String(i).padStart(2, "0")}`,
    team: `t${i % TEAMS}`,
  }));
  users.load(ordered ? records : records.reverse());
  return users;
}

const forward = { kind: "storage-order", backward: false };
const backward = { kind: "storage-order", backward: true };
const scan = { kind: "scan" };
const orderIndex = { kind: "order-index" };
const link = (ids: number, sorted = true): object => {
  return { kind: "link-index", column: "team", ids, sorted };
};

describe("the access path", () => {
  it.each<[name: string, request: object, always: object, never: object]>([
    ["all rows", {}, forward, forward],
    ["filtered rows", { filter: { age: 5 } }, forward, forward],
    ["rows by id", { sort: { id: "asc" } }, forward, forward],
    ["rows by id descending", { sort: { id: "desc" } }, backward, backward],
    ["rows by id and age", { sort: [{ id: "desc" }, { age: "asc" }] }, backward, backward],
    ["the last page", { page: { before: "end" } }, backward, backward],
    ["the last page reversed", { sort: { id: "desc" }, page: { before: "end" } }, forward, forward],
    ["all rows, sorted", { sort: { age: "asc" } }, orderIndex, scan],
    ["filtered rows, sorted", { sort: { age: "asc" }, filter: { age: 5 } }, orderIndex, scan],
    ["all rows, sorted by a link's column", { sort: { "team.size": "asc" } }, scan, scan],
    ["all rows, sorted by a link's id", { sort: { "team.id": "asc" } }, orderIndex, scan],
    ["all rows, in random order", { sort: { "*": "random" } }, scan, scan],
    ["an id", { filter: { id: "u05" } }, { kind: "ids", ids: 1 }, { kind: "ids", ids: 1 }],
    [
      "ids, one of them twice",
      { filter: { id: { $any: ["u05", "u06", "u05"] } } },
      { kind: "ids", ids: 2 },
      { kind: "ids", ids: 2 },
    ],
    [
      "an id and other columns",
      { filter: { age: 5, id: "u05", team: "t1" } },
      { kind: "ids", ids: 1 },
      { kind: "ids", ids: 1 },
    ],
    ["all ids but one", { filter: { id: { $isNot: "u05" } } }, forward, forward],
    ["an id or another column", { filter: { $any: { id: "u05", age: 5 } } }, forward, forward],
    ["ids with a prefix", { filter: { id: { $startsWith: "u" } } }, forward, forward],
    ["a link", { filter: { team: "t3" } }, link(1), forward],
    ["a link's id", { filter: { "team.id": "t3" } }, { kind: "link-index", ids: 1 }, forward],
    ["two links", { filter: { team: { $any: ["t3", "t4"] } } }, link(2), forward],
    ["links to an eighth of the teams", { filter: { "team.size": { $lt: 2 } } }, link(2), forward],
    ["links to more teams", { filter: { "team.size": { $lt: 3 } } }, forward, forward],
    ["a link to no record", { filter: { team: "none" } }, link(0), forward],
    ["no link", { filter: { team: null } }, forward, forward],
    ["all links but one", { filter: { team: { $isNot: "t3" } } }, forward, forward],
    ["null behind a link", { filter: { "team.name": null } }, forward, forward],
    ["a link, sorted", { filter: { team: "t3" }, sort: { age: "asc" } }, link(1), scan],
    [
      "a link, sorted by its column",
      { filter: { team: "t3" }, sort: { "team.size": "asc" } },
      link(1, false),
      scan,
    ],
  ])("of a query for %s", (_, request, always, never) => {
    expect(openUsers(true, "always").explain(request)).toMatchObject({ access: always });
    expect(openUsers(true, "never").explain(request)).toMatchObject({ access: never });
    expect(openUsers(true, "auto").explain(request)).toMatchObject({ access: never });
  });

  it("scans a table that is not stored in the order of its ids, or uses an index", () => {
    expect(openUsers(false, "never").explain()).toMatchObject({ access: scan });
    expect(openUsers(false, "always").explain()).toMatchObject({ access: orderIndex });
    const byId = { sort: { id: "desc" } };
    expect(openUsers(false, "always").explain(byId)).toMatchObject({ access: orderIndex });
  });
});

describe("the residual filter", () => {
  const users = openUsers(true, "always");
  const age5 = { column: "age", equals: 5 };
  const nameA = { column: "name", equals: "a" };
  const above5 = { column: "age", gt: 5 };
  const upTo7 = { column: "age", le: 7 };
  const someA = { column: "labels", someItem: { column: "labels", equals: "a" } };
  const not = (leaf: object): object => ({ ...leaf, not: true, orNull: true });
  const exists = (column: string, is = true): object => ({ column, exists: is });
  it.each<[filter: object, residual: unknown]>([
    [{}, true],
    [{ $any: [] }, false],
    [{ $not: [] }, false],
    [{ $all: [{ age: 5 }, { $any: [] }] }, false],
    [{ $any: [{ age: 5 }, { $all: [] }] }, true],
    [{ age: 5 }, age5],
    [{ $all: [{ $any: [{ age: 5 }] }] }, age5],
    [{ $not: { $not: { age: 5 } } }, age5],
    [{ age: { $isNot: 5 } }, not(age5)],
    [{ age: null }, exists("age", false)],
    [{ $exists: "age" }, exists("age")],
    [{ age: { $any: [7, 5] } }, { column: "age", among: [5, 7] }],
    [{ labels: { $any: [["b"], ["a"]] } }, { column: "labels", among: [["a"], ["b"]] }],
    [
      { team: { $is: ["t1", { id: "t2" }] }, id: "u05" },
      { column: "team", among: ["t1", "t2"] },
    ],
    [{ doc: { $any: [{ a: 1 }, 1] } }, { column: "doc", among: [1, { a: 1 }] }],
    [{ doc: { $any: [[2], [1]] } }, { column: "doc", among: [[1], [2]] }],
    [{ $exists: "box" }, { any: [exists("box.a"), exists("box.in.a")] }],
    [{ age: { $gt: 5, $le: 7 } }, { all: [above5, upTo7] }],
    [{ age: { $ge: 5 } }, { column: "age", ge: 5 }],
    [{ age: { $lt: 5 } }, { column: "age", lt: 5 }],
    [
      { since: { $gt: "2020-01-01T01:00:00+01:00" } },
      { column: "since", gt: "2020-01-01T00:00:00Z" },
    ],
    [{ name: { $contains: "a" } }, { column: "name", contains: "a" }],
    [{ labels: { $includes: "a" } }, someA],
    [{ labels: { $includesNone: ["a"] } }, not(someA)],
    [{ $all: [{ age: 5 }, { $all: [{ name: "a" }, { $all: [] }] }] }, { all: [age5, nameA] }],
    [
      { $all: [{ age: 5 }, { name: "a", since: null }] },
      { all: [age5, nameA, exists("since", false)] },
    ],
    [{ $any: [{ name: "a" }, { $any: [{ age: 5 }] }] }, { any: [age5, nameA] }],
    [{ $none: [{ name: "a" }, { age: 5 }] }, { all: [not(age5), not(nameA)] }],
    [{ id: "u05" }, true],
    [{ id: "u05", age: 5 }, age5],
    [{ team: "t3", age: 5 }, age5],
    [{ "team.size": 3 }, true],
  ])("of %j", (filter, residual) => {
    expect(users.explain({ filter })).toEqual(expect.objectContaining({ residual }));
  });
});

describe("order", () => {
  it("S-1: a repeated sort column is dropped", () => {
    const sort = [{ age: "desc" }, { name: "asc" }, { age: "asc" }];
    const { order } = openUsers(true, "never").explain({ sort }) as { order: string[] };
    expect(order).toEqual(["age desc", "name asc", "id asc"]);
  });

  it("S-2: columns behind different links are different columns", () => {
    const links = Array.from({ length: 42 }, (_, i) => [`next${i}`, "-> items"] as const);
    const table = openTable(Object.fromEntries(links));
    // The first column has slot 4, so these are 4 and 45, and 44 and 5.
    const sort = ["next0.next41", "next40.next1"];
    const { order } = table.explain({ sort }) as { order: string[] };
    expect(order).toEqual(["next0.next41 asc", "next40.next1 asc", "id asc"]);
  });
});

describe("order, limit and estimate", () => {
  const users = openUsers(true, "never");
  it.each<
    [request: object, order: readonly string[], limit: number, examined: number, rows: number]
  >([
    [{}, ["id asc"], 21, 21, 21],
    [{ page: { size: 5, offset: 3 } }, ["id asc"], 9, 9, 9],
    [{ page: { size: 100 } }, ["id asc"], 101, 64, 64],
    [{ sort: { age: "desc" } }, ["age desc", "id asc"], 21, 64, 21],
    [{ sort: [{ age: "desc" }, { id: "desc" }] }, ["age desc", "id desc"], 21, 64, 21],
    [{ sort: ["age", "*"] }, ["age asc", "* random", "id asc"], 21, 64, 21],
    [{ filter: { id: { $any: ["u05", "none"] } } }, ["id asc"], 21, 1, 1],
    [{ filter: { age: 5 } }, ["id asc"], 21, 64, 0],
  ])("of %j", (request, order, limit, examined, rows) => {
    expect(users.explain(request)).toEqual(
      expect.objectContaining({ order, limit, estimate: { examined, rows } }),
    );
  });
});

describe("estimates", () => {
  const table = openBranch().createTable("rows", [
    { name: "n", type: "int" },
    { name: "at", type: "datetime", unique: true },
    { name: "code", type: "string", unique: true },
  ]);
  const at = (i: number): string => new Date(i * 1000).toISOString();
  table.load(
    Array.from({ length: 9000 }, (_, i) => ({
      id: `r${9999 - i}`,
      n: i % 100,
      at: at(i),
      code: `c${i}`,
    })),
  );
  table.delete("r9999");
  const explain = (request: object): PlanDescription => table.explain(request) as PlanDescription;

  it("are close to the number of matches, for periodic values too", () => {
    for (const least of [10, 50, 90]) {
      const filter = { n: { $ge: least } };
      const { estimate } = explain({ filter, page: { size: 200, offset: 800 } });
      expect(estimate).toEqual({ examined: 8999, rows: Math.min(1001, estimate.rows) });
      expect(Math.abs(estimate.rows - Math.min(1001, table.count(filter)))).toBeLessThan(200);
    }
  });

  it.each([
    { code: "c7" },
    { code: { $any: ["c7", "c8", "none", "c7"] } },
    { at: { $is: new Date(7000) } },
    { n: 7, code: "c7" },
    { n: 8, code: "c7" },
    { code: "c0" },
  ])("use the index of a unique column: %j", (filter) => {
    const { access, estimate } = explain({ filter });
    expect(access.kind).toBe("unique-index");
    const found = table.query({ filter }).records;
    expect(estimate).toEqual({ examined: expect.any(Number), rows: found.length });
    expect(estimate.examined).toBeLessThanOrEqual(3);
    // The same rows without an index.
    const scanned = table.query({ filter: { $any: [filter, { n: -1 }] } });
    expect(found).toEqual(scanned.records);
    expect(table.count(filter)).toBe(found.length);
  });

  it("do not use the unique index where null or another value matches", () => {
    for (const filter of [
      { code: null },
      { code: { $isNot: "c7" } },
      { $any: [{ code: "c7" }, { n: 3 }] },
    ]) {
      expect(explain({ filter }).access.kind).not.toBe("unique-index");
    }
  });
});

it("explain has no effect on later plans", () => {
  const open = (): UntypedTable => {
    const table = openTable({ n: "int" });
    table.load(Array.from({ length: 5000 }, (_, i) => ({ id: `r${9999 - i}`, n: (i * 31) % 101 })));
    return table;
  };
  const request = { sort: { n: "desc" }, page: { size: 7, offset: 3 } };
  const [explained, unexplained] = [open(), open()];
  for (let i = 0; i < 70; i++) {
    explained.explain(request);
    explained.query(request);
    unexplained.query(request);
    expect(explained.explain(request)).toEqual(unexplained.explain(request));
  }
  expect(explained.explain(request)).toMatchObject({ access: { kind: "order-index" } });
});
