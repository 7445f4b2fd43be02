import { describe, expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { searchTable } from "../../src/search.js";
import { defineColumns } from "../columns.js";
import { expectRefused, openBranch, type UntypedTable } from "../rules/fixture.js";
import { found, metadataOf, scoresOf, search, searchAll } from "./fixture.js";

// Vectors and laws of the conformance kit search by requests in JSON; this is what they leave out.

const COLUMNS = {
  name: "string",
  labels: "multiple",
  n: "int",
  f: "float",
  at: "datetime",
  on: "bool",
  team: "-> teams",
} as const;

function open(records: readonly object[]): UntypedTable {
  const branch = openBranch();
  branch
    .createTable("teams", defineColumns({ title: "string" }))
    .insert({ id: "t1", title: "zebra" });
  const table = branch.createTable("items", defineColumns(COLUMNS));
  table.insert(records);
  return table;
}

it("Q-1: a column named twice has its greatest weight", () => {
  const table = open([{ name: "needle" }]);
  const score = (target: unknown): number =>
    scoresOf(search(table, { query: "needle", target }))[0]!;
  const twice = ["name", { column: "name", weight: 2.5 }, "name"];
  expect(score(twice)).toBeCloseTo(2.5 * score(["name"]), 12);
});

it("Q-2: a search of a table without a query matches nothing, and counts all", () => {
  const table = open(Array.from({ length: 5000 }, (_, i) => ({ name: i % 2 === 0 ? "red" : "b" })));
  for (const { id } of table.query({ filter: { name: "b" } }).records) table.delete(id);
  const totalCount = table.count();
  for (const request of [{}, undefined, { query: "", page: { size: 0 } }]) {
    expect(search(table, request)).toEqual({ records: [], totalCount });
  }
  const red = search(table, { filter: { name: "red" } });
  expect(red).toEqual({ records: [], totalCount: 2500 });
  expect(search(table, { query: "-" })).toEqual({ records: [], totalCount: 0 });
});

it("Q-2: a search of a branch for no words matches nothing", () => {
  const branch = openBranch();
  branch.createTable("t", defineColumns({ name: "string" })).insert({ name: "x" });
  expect(searchAll(branch, { query: "-" })).toEqual({ records: [], totalCount: 0 });
});

it.each([null, "red"])("E-3: refuses the request %j", (request) => {
  expectRefused(() => search(open([]), request), "invalid_request", "E-3", "");
});

describe("Q-5: boosters", () => {
  const table = open([
    { id: "a", name: "red", n: 4, f: 0.5, at: "2022-01-31T10:20:30Z", on: true, team: "t1" },
    { id: "b", name: "red", n: 0, at: "2022-01-21T10:20:30Z", on: false },
    { id: "c", name: "red" },
  ]);
  const base = scoresOf(search(table, { query: "red" }))[0]!;
  const number = (options: object): object => ({
    numericBooster: { column: "n", factor: 10, ...options },
  });
  const date = (options: object): object => ({
    dateBooster: { column: "at", scale: "10d", decay: 0.5, ...options },
  });

  it.each([
    [date({ factor: Number.POSITIVE_INFINITY }), "/dateBooster/factor"],
    [date({ decay: Number.POSITIVE_INFINITY }), "/dateBooster/decay"],
    [number({ factor: Number.NEGATIVE_INFINITY }), "/numericBooster/factor"],
    [{ valueBooster: { column: "name", factor: 1 } }, "/valueBooster/value"],
  ])("refuses %j", (booster, at) => {
    const refused = { code: "invalid_request", path: `/boosters/0${at}`, rule: "Q-5" };
    expect(() => search(table, { query: "red", boosters: [booster] })).toThrow(
      expect.objectContaining(refused),
    );
  });

  it.each([
    [number({ factor: 1e308 }), { a: 0, b: 0, c: 0 }],
    [number({ modifier: "sqrt" }), { a: Math.sqrt(40), b: 0, c: 0 }],
    [number({ modifier: "square" }), { a: 1600, b: 0, c: 0 }],
    [number({ modifier: "reciprocal" }), { a: 1 / 40, b: 0, c: 0 }],
    [number({ modifier: "log" }), { a: Math.log10(40), b: 0, c: 0 }],
    [number({ modifier: "log1p" }), { a: Math.log10(41), b: 0, c: 0 }],
    [number({ modifier: "ln" }), { a: Math.log(40), b: 0, c: 0 }],
    [number({ modifier: "ln1p" }), { a: Math.log(41), b: 0, c: 0 }],
    [{ numericBooster: { column: "f", factor: 3 } }, { a: 1.5, b: 0, c: 0 }],
    [{ numericBooster: { column: "service.version", factor: 3 } }, { a: 0, b: 0, c: 0 }],
    [date({}), { a: 1, b: 0.5, c: 0 }],
    [date({ scale: "240h", decay: 0.25 }), { a: 1, b: 0.25, c: 0 }],
    [date({ scale: "0d" }), { a: 0, b: 0, c: 0 }],
    [date({ decay: -1 }), { a: 1, b: -1, c: 0 }],
    [{ valueBooster: { column: "on", value: true, factor: 3 } }, { a: 3, b: 0, c: 0 }],
    [{ valueBooster: { column: "team.id", value: "t1", factor: 3 } }, { a: 3, b: 0, c: 0 }],
  ])("%j adds %j", (booster, expected) => {
    const { records } = search(table, { query: "red", boosters: [booster] });
    const added = records.map((record) => [record.id, metadataOf(record).score - base] as const);
    for (const [id, score] of added) {
      expect(score).toBeCloseTo(expected[id as keyof typeof expected], 9);
    }
  });
});

it("Q-7: a page has 25 records by default", () => {
  const table = open(Array.from({ length: 30 }, () => ({ name: "red" })));
  expect(search(table, { query: "red" }).records).toHaveLength(25);
});

it("Q-8: a search sees nulls and removed columns", () => {
  const table = open([{ id: "a", name: "red", labels: ["deep red"] }]);
  table.update("a", { name: null });
  expect(found(table, "red")).toEqual(["a"]);
  table.removeColumn("labels");
  expect(found(table, "red")).toEqual([]);
});

it("Q-8: a search of a branch does not find records of another branch", () => {
  const engine = createEngine({ seed: 1, now: 0 });
  const database = engine.createWorkspace("w").createDatabase("d");
  const main = database.branch("main");
  main.createTable("t", [{ name: "name", type: "string" }]).insert([{ id: "a", name: "one" }]);
  database.createBranch("side", { from: "main" });
  const table = main.table("t");
  table.insert([
    { id: "b", name: "two" },
    { id: "c", name: "needle" },
  ]);
  // Indexes all three rows; the first write to the branch copies the index of the shared rows.
  expect(searchTable(table, { query: "needle" }).totalCount).toBe(1);
  const side = database.branch("side").table("t");
  side.insert({ id: "d", name: "two" });
  expect(searchTable(side, { query: "needle" }).records).toEqual([]);
  expect(searchTable(side, { query: "two" }).records.map(({ id }) => id)).toEqual(["d"]);
});

it("E-3: null in a booster's filter is a value over HTTP, in profile xata too", async () => {
  const engine = createEngine({ profile: "xata" });
  const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
  const rows = main.createTable("rows", defineColumns({ text: "string", flag: "string" }));
  rows.insert([
    { id: "a", text: "red", flag: "set" },
    { id: "b", text: "red" },
  ]);
  const booster = { column: "text", value: "red", factor: 5, ifMatchesFilter: { flag: null } };
  const response = await createFetch(engine, { workspace: "acme" })(
    "http://localhost/db/shop:main/tables/rows/search",
    {
      method: "POST",
      body: JSON.stringify({ query: "red", boosters: [{ valueBooster: booster }] }),
    },
  );
  const { records } = (await response.json()) as { records: { id: string }[] };
  expect(records.map(({ id }) => id)).toEqual(["b", "a"]);
});
