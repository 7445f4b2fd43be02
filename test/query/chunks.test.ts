import { beforeAll, describe, expect, it } from "vitest";
import { CHUNK_ROWS } from "../../src/storage/chunk.js";
import { idsOf, type LooseTable, openBranch } from "../rules/fixture.js";

/** What the tests of this file know of a record. */
interface Row {
  readonly id: string;
  readonly n: number | null;
  readonly at: string | null;
  readonly text: string | null;
  readonly plan: string | null;
  readonly on: boolean | null;
  readonly labels: readonly string[] | null;
  readonly many: readonly string[];
  readonly owner: string | null;
}

type Case = readonly [filter: object, matches: (row: Row) => boolean];

/** A full chunk and a part of another. */
const COUNT = CHUNK_ROWS + 77;
const OWNERS = 5;
const TEXTS = [
  "alpha",
  "alphabet",
  "alp",
  "al",
  "beta",
  "be\u0000ta",
  "álpha",
  "zeta",
  "ÿz",
  "",
  "😀a",
];

/** A row of values that come by different periods, so that their combinations are all there. */
function makeRow(i: number): Row {
  const pick = <T>(from: readonly T[], period: number): T | null =>
    i % period === 0 ? null : from[(i * 7) % from.length]!;
  return {
    id: `r${String(i).padStart(5, "0")}`,
    n: i % 11 === 0 ? null : ((i * 37) % 401) - 200 + (i % 3 === 0 ? 0.5 : 0),
    at:
      i % 13 === 0 ? null : new Date(Date.UTC(2020, 0, 1) + ((i * 31) % 997) * 1000).toISOString(),
    // Each ends in a number of its own: so many different texts are not kept as codes.
    text:
      i % 17 === 0 ? null : `${TEXTS[(i * 5) % TEXTS.length]}${i % 2 === 0 ? i : `-${i % 9}-${i}`}`,
    plan: pick(["free", "pro", "team"], 19),
    on: i % 7 === 0 ? null : i % 2 === 0,
    labels: i % 23 === 0 ? null : ["a", "b", "c", "d"].filter((_, bit) => (i >> bit) % 2 === 1),
    many: [`m${i % 300}`, "common"],
    owner: i % 29 === 0 ? null : i % 31 === 0 ? "gone" : `o${i % OWNERS}`,
  };
}

const rows = Array.from({ length: COUNT }, (_, i) => makeRow(i));
const ownerAge = (id: string | null): number | null =>
  id === null || id === "gone" ? null : Number(id.slice(1)) * 10;
const ms = (text: string | null): number => (text === null ? Number.NaN : Date.parse(text));
const START = Date.UTC(2020, 0, 1);
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString();

const has = (row: Row, label: string): boolean => row.labels?.includes(label) ?? false;
const cases: readonly (readonly [name: string, ...Case])[] = [
  ["n = 5", { n: 5 }, ({ n }) => n === 5],
  ["n ≠ 5", { n: { $isNot: 5 } }, ({ n }) => n !== 5],
  ["n > 5", { n: { $gt: 5 } }, ({ n }) => n !== null && n > 5],
  ["n ≥ 5", { n: { $ge: 5 } }, ({ n }) => n !== null && n >= 5],
  ["n < -0.5", { n: { $lt: -0.5 } }, ({ n }) => n !== null && n < -0.5],
  ["n ≤ -0.5", { n: { $le: -0.5 } }, ({ n }) => n !== null && n <= -0.5],
  ["n > 0", { n: { $gt: 0 } }, ({ n }) => n !== null && n > 0],
  ["n < 0", { n: { $lt: 0 } }, ({ n }) => n !== null && n < 0],
  ["3 < n ≤ 40", { n: { $gt: 3, $le: 40 } }, ({ n }) => n !== null && n > 3 && n <= 40],
  [
    "not 3 < n ≤ 40",
    { $not: { n: { $gt: 3, $le: 40 } } },
    ({ n }) => !(n !== null && n > 3 && n <= 40),
  ],
  ["no n", { n: null }, ({ n }) => n === null],
  ["some n", { $exists: "n" }, ({ n }) => n !== null],
  [
    "n among",
    { n: { $any: [1, 2, 77, 0.5] } },
    ({ n }) => n !== null && [1, 2, 77, 0.5].includes(n),
  ],
  ["at =", { at: at(31) }, (row) => ms(row.at) === START + 31_000],
  ["at ≠", { at: { $isNot: at(31) } }, (row) => ms(row.at) !== START + 31_000],
  ["at >", { at: { $gt: at(500) } }, (row) => ms(row.at) > START + 500_000],
  ["at ≥", { at: { $ge: at(500) } }, (row) => ms(row.at) >= START + 500_000],
  ["at <", { at: { $lt: at(500) } }, (row) => ms(row.at) < START + 500_000],
  ["at ≤", { at: { $le: at(500) } }, (row) => ms(row.at) <= START + 500_000],
  [
    "at > between milliseconds",
    { at: { $gt: "2020-01-01T00:00:31.000001Z" } },
    (row) => ms(row.at) > START + 31_000,
  ],
  [
    "at ≥ between milliseconds",
    { at: { $ge: "2020-01-01T00:00:31.000001Z" } },
    (row) => ms(row.at) > START + 31_000,
  ],
  [
    "at < between milliseconds",
    { at: { $lt: "2020-01-01T00:00:31.000001Z" } },
    (row) => ms(row.at) <= START + 31_000,
  ],
  [
    "at ≤ between milliseconds",
    { at: { $le: "2020-01-01T00:00:31.000001Z" } },
    (row) => ms(row.at) <= START + 31_000,
  ],
  ["at = between milliseconds", { at: "2020-01-01T00:00:31.000001Z" }, () => false],
  ["no at", { at: null }, (row) => row.at === null],
  ["not at >", { $not: { at: { $gt: at(500) } } }, (row) => !(ms(row.at) > START + 500_000)],
  ["on", { on: true }, ({ on }) => on === true],
  ["not on", { on: { $isNot: true } }, ({ on }) => on !== true],
  ["off", { on: false }, ({ on }) => on === false],
  ["no on", { on: null }, ({ on }) => on === null],
  ["plan =", { plan: "pro" }, ({ plan }) => plan === "pro"],
  ["plan ≠", { plan: { $isNot: "pro" } }, ({ plan }) => plan !== "pro"],
  ["plan contains", { plan: { $contains: "e" } }, ({ plan }) => plan?.includes("e") ?? false],
  ["no plan", { plan: null }, ({ plan }) => plan === null],
  ["a plan of no record", { plan: "none" }, () => false],
  ["text =", { text: rows[1000]!.text }, ({ text }) => text === rows[1000]!.text],
  ["text ≠", { text: { $isNot: rows[1000]!.text } }, ({ text }) => text !== rows[1000]!.text],
  [
    "text among",
    { text: { $any: [rows[5]!.text, rows[6]!.text] } },
    ({ id }) => id === "r00005" || id === "r00006",
  ],
  ...[
    "al",
    "alp",
    "alph",
    "alpha",
    "alphabet",
    "á",
    "álpha",
    "ÿ",
    "ÿz",
    "😀",
    "be\u0000",
    "z",
    "zz",
    "",
  ].flatMap((prefix): (readonly [string, ...Case])[] => [
    [
      `text starts with ${JSON.stringify(prefix)}`,
      { text: { $startsWith: prefix } },
      ({ text }) => text?.startsWith(prefix) ?? false,
    ],
    [
      `text does not start with ${JSON.stringify(prefix)}`,
      { $not: { text: { $startsWith: prefix } } },
      ({ text }) => !(text?.startsWith(prefix) ?? false),
    ],
    [
      `text contains ${JSON.stringify(prefix)}`,
      { text: { $contains: prefix } },
      ({ text }) => text?.includes(prefix) ?? false,
    ],
    [
      `text does not contain ${JSON.stringify(prefix)}`,
      { $not: { text: { $contains: prefix } } },
      ({ text }) => !(text?.includes(prefix) ?? false),
    ],
  ]),
  ["text ends with", { text: { $endsWith: "8" } }, ({ text }) => text?.endsWith("8") ?? false],
  [
    "text matches",
    { text: { $pattern: "?l*-3-*" } },
    ({ text }) => text !== null && /^.l.*-3-/u.test(text),
  ],
  ["no text", { text: null }, ({ text }) => text === null],
  ["some text", { $exists: "text" }, ({ text }) => text !== null],
  ["includes", { labels: { $includes: "b" } }, (row) => has(row, "b")],
  ["includes what none has", { labels: { $includes: "none" } }, () => false],
  [
    "includes any",
    { labels: { $includesAny: ["a", "d"] } },
    (row) => has(row, "a") || has(row, "d"),
  ],
  [
    "includes none",
    { labels: { $includesNone: ["a", "d"] } },
    (row) => !has(row, "a") && !has(row, "d"),
  ],
  ["not includes", { $not: { labels: { $includes: "b" } } }, (row) => !has(row, "b")],
  [
    "includes all",
    { labels: { $includesAll: [{ $any: ["a", "b"] }] } },
    ({ labels }) => (labels ?? []).every((label) => label === "a" || label === "b"),
  ],
  [
    "not includes all",
    { $not: { labels: { $includesAll: [{ $any: ["a", "b"] }] } } },
    ({ labels }) => !(labels ?? []).every((label) => label === "a" || label === "b"),
  ],
  ["no labels", { labels: null }, ({ labels }) => labels === null],
  ["labels", { $exists: "labels" }, ({ labels }) => labels !== null],
  ["the whole list", { labels: ["a", "c"] }, ({ labels }) => labels?.join() === "a,c"],
  ["an item of many", { many: { $includes: "m7" } }, ({ many }) => many[0] === "m7"],
  ["an item of all", { many: { $includes: "common" } }, () => true],
  ["owner =", { owner: "o3" }, ({ owner }) => owner === "o3"],
  ["owner.age", { "owner.age": { $ge: 20 } }, ({ owner }) => (ownerAge(owner) ?? -1) >= 20],
  [
    "not owner.age",
    { $not: { "owner.age": { $ge: 20 } } },
    ({ owner }) => (ownerAge(owner) ?? -1) < 20,
  ],
  ["no owner.age", { "owner.age": null }, ({ owner }) => ownerAge(owner) === null],
];

describe.each(["never", "always"] as const)("filters over full chunks, indexes %s", (indexes) => {
  let table: LooseTable;
  let kept: readonly Row[];

  beforeAll(() => {
    const branch = openBranch({ indexes });
    const owners = branch.createTable("owners", [{ name: "age", type: "int" }]);
    owners.insert(Array.from({ length: OWNERS }, (_, i) => ({ id: `o${i}`, age: i * 10 })));
    table = branch.createTable("rows", [
      { name: "n", type: "float" },
      { name: "at", type: "datetime" },
      { name: "text", type: "text" },
      { name: "plan", type: "string" },
      { name: "on", type: "bool" },
      { name: "labels", type: "multiple" },
      { name: "many", type: "multiple" },
      { name: "owner", type: "link", link: { table: "owners" } },
    ]);
    table.load(rows);
    const gone = rows.filter((_, i) => i % 101 === 3);
    for (const { id } of gone) table.delete(id);
    kept = rows.filter((row) => !gone.includes(row));
  });

  // The second answer to a kind of question fills what is kept with a chunk, the third uses it.
  const expectAll = (filter: object, matches: (row: Row) => boolean): void => {
    const expected = idsOf(kept.filter(matches));
    for (const time of ["first", "second", "third"]) {
      expect(idsOf(table.scan({ filter })), time).toEqual(expected);
      expect(table.count(filter), time).toBe(expected.length);
    }
  };

  it.each(cases)("F-8 … F-15: %s", (_, filter, matches) => expectAll(filter, matches));

  it("F-1, F-2: each of these narrowed by few and by many rows, and united with them", () => {
    const few: Case = [{ n: { $gt: 190 } }, ({ n }) => n !== null && n > 190];
    const many: Case = [{ on: { $isNot: true } }, ({ on }) => on !== true];
    for (const [, filter, matches] of cases) {
      for (const [other, matchesOther] of [few, many]) {
        expectSame({ $all: [other, filter] }, (row) => matches(row) && matchesOther(row));
        expectSame({ $any: [filter, other] }, (row) => matches(row) || matchesOther(row));
      }
    }
  });

  function expectSame(filter: object, matches: (row: Row) => boolean): void {
    const expected = kept.filter(matches).length;
    expect(table.count(filter), JSON.stringify(filter)).toBe(expected);
  }
});
