import { describe, expect, it } from "vitest";
import { createEngine } from "../../src/index.js";
import { searchTable } from "../../src/search.js";
import { defineColumns } from "../columns.js";
import { type LooseTable, openBranch } from "../rules/fixture.js";
import { found, metadataOf, scoresOf, search, searchAll } from "./fixture.js";

const COLUMNS = defineColumns({
  name: "string",
  body: "text",
  mail: "email",
  labels: "multiple",
  n: "int",
  at: "datetime",
  any: "json",
  on: "bool",
  place: { city: "string", zip: "int", deep: { note: "text" } },
  size: { x: "int" },
  team: "-> teams",
});

function open(records: readonly object[]): LooseTable {
  const branch = openBranch();
  branch
    .createTable("teams", [{ name: "title", type: "string" }])
    .insert({ id: "t1", title: "zebra" });
  const table = branch.createTable("items", COLUMNS);
  table.insert(records);
  return table;
}

describe("Q-1: searched columns", () => {
  const table = open([
    { id: "name", name: "needle" },
    { id: "body", body: "a needle" },
    { id: "mail", mail: "needle@x.io" },
    { id: "labels", labels: ["hay", "needle"] },
    { id: "city", place: { city: "needle" } },
    { id: "note", place: { deep: { note: "needle" } } },
    { id: "json", any: { text: "needle" } },
    { id: "needle" },
    { id: "linked", team: "t1" },
  ]);

  it("are all columns with text, none behind links", () => {
    expect(found(table, "needle")).toEqual(["body", "city", "labels", "mail", "name", "note"]);
    expect(found(table, "zebra")).toEqual([]);
  });

  it.each([
    [["name"], ["name"]],
    [
      ["name", { column: "labels" }],
      ["labels", "name"],
    ],
    [["place"], ["city", "note"]],
    [["place.deep"], ["note"]],
    [
      ["place.deep.note", "place"],
      ["city", "note"],
    ],
  ])("target %j: %j", (target, ids) => {
    expect(found(table, "needle", { target })).toEqual(ids);
  });

  it("score by weight, the greatest one if a column is named twice", () => {
    const score = (target: unknown): number =>
      scoresOf(search(table, { query: "needle", target }))[0]!;
    expect(score([{ column: "name", weight: 4 }])).toBeCloseTo(4 * score(["name"]), 12);
    expect(score(["name", { column: "name", weight: 2.5 }])).toBeCloseTo(2.5 * score(["name"]), 12);
  });
});

describe("Q-2, Q-3: matching records", () => {
  const table = open([
    { id: "one", name: "Don't panic" },
    { id: "two", name: "Straße nach İstanbul" },
    { id: "three", name: "東京 tower" },
    { id: "four", name: "colour" },
    { id: "five", name: "color" },
    { id: "six", name: "ab" },
  ]);

  it.each([
    ["PANIC", {}, ["one"]],
    ["panik", {}, ["one"]],
    ["panik", { fuzziness: 0 }, []],
    ["paink", { fuzziness: 1 }, []],
    ["paink", { fuzziness: 2 }, ["one"]],
    ["pnaic", { fuzziness: 1 }, ["one"]],
    ["strasse", { fuzziness: 0 }, ["two"]],
    ["istanbul", { fuzziness: 0 }, ["two"]],
    ["京", {}, ["three"]],
    ["大", {}, []],
    ["color", {}, ["five", "four"]],
    ["color", { fuzziness: 0 }, ["five"]],
    ["ac", { fuzziness: 2 }, []],
    ["ab", { fuzziness: 2 }, ["six"]],
    ["nothing panic", {}, ["one"]],
    ["t", {}, ["one"]],
    ["", {}, []],
    ["!!!", {}, []],
  ])("%j %j: %j", (query, options, ids) => {
    expect(found(table, query, options)).toEqual(ids);
  });

  it("a missing query matches nothing; in a branch search an empty one throws, one without words does not", () => {
    expect(search(table, {})).toEqual({ records: [], totalCount: 0 });
    expect(search(table, undefined)).toEqual({ records: [], totalCount: 0 });
    const branch = openBranch();
    branch.createTable("t", COLUMNS).insert({ name: "x" });
    expect(searchAll(branch, { query: "-" })).toEqual({ records: [], totalCount: 0 });
  });
});

describe("Q-4: a phrase", () => {
  const table = open([
    { id: "a", body: "the quick brown fox" },
    { id: "b", body: "brown quick" },
    { id: "c", labels: ["the quick", "brown fox"] },
    { id: "d", name: "quick", body: "brown" },
    { id: "e", body: "quick-browning" },
    { id: "f", body: "quack brown" },
  ]);

  it.each([
    ["quick br", ["a", "e"]],
    ["quick brown", ["a", "e"]],
    ["qui", ["a", "b", "c", "d", "e"]],
    ["the quick", ["a", "c"]],
    ["the quick b", ["a"]],
    ["quick the", []],
    ["brown f", ["a", "c"]],
    ["nowhere quick", []],
    ["", []],
  ])("%j: %j", (query, ids) => {
    expect(found(table, query, { prefix: "phrase", fuzziness: 2 })).toEqual(ids);
  });

  it("counts each occurrence", () => {
    const scored = open([
      { id: "one", name: "a a b" },
      { id: "two", name: "a a a" },
    ]);
    const hits = search(scored, { query: "a a", prefix: "phrase" });
    expect(hits.records.map(({ id }) => id)).toEqual(["two", "one"]);
  });
});

describe("Q-5: scores", () => {
  it("follow the formula", () => {
    const table = open([
      { id: "a", name: "red red green" },
      { id: "b", name: "reed blue" },
      { id: "c", name: "blue", body: "red" },
      { id: "d", body: "green" },
    ]);
    const scores = new Map(
      search(table, { query: "red" }).records.map((record) => [
        record.id,
        metadataOf(record).score,
      ]),
    );
    const rarity = (n: number, df: number): number => Math.log(1 + (n - df + 0.5) / (df + 0.5));
    const score = (f: number, l: number, a: number): number =>
      (2.2 * f) / (f + 0.3 + (0.9 * l) / a);
    expect(scores.get("a")).toBeCloseTo(rarity(3, 2) * score(2, 3, 2), 12);
    expect(scores.get("b")).toBeCloseTo(rarity(3, 2) * score(2 / 3, 2, 2), 12);
    expect(scores.get("c")).toBeCloseTo(rarity(2, 1) * score(1, 1, 1), 12);
    expect(scores.has("d")).toBe(false);
  });

  it("use totals of the whole table, regardless of the filter", () => {
    const table = open([
      { id: "a", name: "red", n: 1 },
      { id: "b", name: "red", n: 2 },
      { id: "c", name: "blue", n: 2 },
    ]);
    const all = search(table, { query: "red" });
    const some = search(table, { query: "red", filter: { n: 2 } });
    expect(some.totalCount).toBe(1);
    expect(scoresOf(some)[0]).toBe(scoresOf(all)[0]);
  });

  it("order records, ties by table, then id", () => {
    const branch = openBranch();
    for (const name of ["b", "a"]) {
      branch.createTable(name, [{ name: "x", type: "string" }]).insert([
        { id: "2", x: "red" },
        { id: "1", x: "red" },
        { id: "10", x: "red red" },
      ]);
    }
    const { records, totalCount } = searchAll(branch, { query: "red" });
    const order = records.map((record) => `${metadataOf(record).table}${record.id}`);
    expect(order).toEqual(["a10", "b10", "a1", "a2", "b1", "b2"]);
    expect(totalCount).toBe(6);
    const page = searchAll(branch, { query: "red", page: { size: 2, offset: 1 } });
    expect(page.records).toEqual(records.slice(1, 3));
    expect(page.totalCount).toBe(6);
    const one = searchAll(branch, { query: "red", tables: [{ table: "b", filter: { id: "1" } }] });
    expect(one.records).toEqual([records[4]]);
  });
});

describe("Q-5: boosters", () => {
  const table = open([
    { id: "a", name: "red", n: 4, at: "2022-01-31T10:20:30Z", on: true, team: "t1" },
    { id: "b", name: "red", n: 0, at: "2022-01-21T10:20:30Z", on: false },
    { id: "c", name: "red" },
  ]);
  const base = scoresOf(search(table, { query: "red" }))[0]!;
  const added = (...boosters: readonly object[]): Record<string, number> =>
    Object.fromEntries(
      search(table, { query: "red", boosters }).records.map((record) => [
        record.id,
        Math.round((metadataOf(record).score - base) * 1e9) / 1e9,
      ]),
    );
  const number = (options: object): object => ({
    numericBooster: { column: "n", factor: 10, ...options },
  });
  const date = (options: object): object => ({
    dateBooster: { column: "at", scale: "10d", decay: 0.5, ...options },
  });

  it.each([
    [number({}), { a: 40, b: 0, c: 0 }],
    [number({ factor: -1 }), { a: -4, b: 0, c: 0 }],
    [number({ modifier: "none" }), { a: 40, b: 0, c: 0 }],
    [number({ modifier: "square" }), { a: 160, b: 0, c: 0 }],
    [number({ modifier: "sqrt" }), { a: 20, b: 0, c: 0 }],
    [number({ modifier: "reciprocal" }), { a: 2.5, b: 0, c: 0 }],
    [number({ modifier: "log" }), { a: 6.020599913, b: 0, c: 0 }],
    [number({ modifier: "log1p" }), { a: 6.989700043, b: 0, c: 0 }],
    [number({ modifier: "ln" }), { a: 13.862943611, b: 0, c: 0 }],
    [number({ modifier: "ln1p" }), { a: 16.094379124, b: 0, c: 0 }],
    [number({ ifMatchesFilter: { n: { $lt: 4 } } }), { a: 0, b: 0, c: 0 }],
    [number({ factor: 1e308 }), { a: 0, b: 0, c: 0 }],
    [date({}), { a: 1, b: 0.5, c: 0 }],
    [date({ factor: 4 }), { a: 4, b: 2, c: 0 }],
    [date({ origin: "2022-01-21T10:20:30Z" }), { a: 0.5, b: 1, c: 0 }],
    [date({ scale: "240h", decay: 0.25 }), { a: 1, b: 0.25, c: 0 }],
    [date({ scale: "0d" }), { a: 0, b: 0, c: 0 }],
    [date({ decay: -1 }), { a: 1, b: -1, c: 0 }],
    [{ valueBooster: { column: "on", value: true, factor: 3 } }, { a: 3, b: 0, c: 0 }],
    [{ valueBooster: { column: "n", value: 0, factor: 3 } }, { a: 0, b: 3, c: 0 }],
    [{ valueBooster: { column: "name", value: "red", factor: 3 } }, { a: 3, b: 3, c: 3 }],
    [{ valueBooster: { column: "team.title", value: "zebra", factor: 3 } }, { a: 3, b: 0, c: 0 }],
    [{ valueBooster: { column: "team.id", value: "t1", factor: 3 } }, { a: 3, b: 0, c: 0 }],
    [{ numericBooster: { column: "service.version", factor: 3 } }, { a: 0, b: 0, c: 0 }],
  ])("%j adds %j", (booster, expected) => {
    expect(added(booster)).toEqual(expected);
  });

  it("add up, and change the order but not the matches", () => {
    const boosters = [number({}), date({ factor: 100, origin: "2022-01-21T10:20:30Z" })];
    expect(added(...boosters)).toEqual({ a: 90, b: 100, c: 0 });
    const answer = search(table, { query: "red", boosters });
    expect(answer.records.map(({ id }) => id)).toEqual(["b", "a", "c"]);
    expect(search(table, { query: "blue", boosters }).totalCount).toBe(0);
  });
});

describe("Q-6 … Q-8: the answer", () => {
  it("has whole records, and does not change the table", () => {
    const table = open([{ id: "a", name: "red", place: { zip: 1 }, team: "t1" }]);
    const { records } = search(table, { query: "red", highlight: { enabled: false } });
    const stored = table.get("a");
    expect(records).toEqual([
      {
        ...stored,
        service: { ...(stored?.service as object), table: "items", score: expect.any(Number) },
      },
    ]);
    expect(table.get("a")).toEqual(stored);
  });

  it("is one page, and counts all matches", () => {
    const table = open(Array.from({ length: 30 }, (_, i) => ({ id: `r${i + 10}`, name: "red" })));
    expect(search(table, { query: "red" })).toMatchObject({ totalCount: 30 });
    expect(search(table, { query: "red" }).records).toHaveLength(25);
    const page = search(table, { query: "red", page: { size: 3, offset: 28 } });
    expect(page.records.map(({ id }) => id)).toEqual(["r38", "r39"]);
    expect(page.totalCount).toBe(30);
    expect(search(table, { query: "red", page: { offset: 800 } }).records).toEqual([]);
  });

  it("sees every write before it", () => {
    const table = open([{ id: "a", name: "red" }]);
    expect(found(table, "red")).toEqual(["a"]);
    table.update("a", { name: "blue" });
    expect(found(table, "red")).toEqual([]);
    table.insert({ id: "b", name: "red" });
    expect(found(table, "red")).toEqual(["b"]);
    table.delete("b");
    expect(found(table, "red")).toEqual([]);
    table.update("a", { name: null, labels: ["deep red"] });
    expect(found(table, "red")).toEqual(["a"]);
    table.removeColumn("labels");
    expect(found(table, "red")).toEqual([]);
  });
});

it("Q-1: a search of a branch finds no record that only another branch has", () => {
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
  // Reads the words of all three rows; the branch's write takes them along with its copy.
  expect(searchTable(table, { query: "needle" }).totalCount).toBe(1);
  const side = database.branch("side").table("t");
  side.insert({ id: "d", name: "two" });
  expect(searchTable(side, { query: "needle" }).records).toEqual([]);
  expect(searchTable(side, { query: "two" }).records.map(({ id }) => id)).toEqual(["d"]);
});
