import { beforeAll, describe, expect, it } from "vitest";
import { matchingRecords } from "../../src/conformance/oracle/evaluate.js";
import { fillDatabase } from "../../src/conformance/oracle/world.js";
import { PROFILES } from "../../src/profile.js";
import { CHUNK_ROWS } from "../../src/storage/chunk.js";
import type { Filter } from "../../src/types.js";
import { defineColumns } from "../columns.js";
import { idsOf, openBranch, type UntypedTable } from "../rules/fixture.js";

/** One full chunk and part of a second. */
const COUNT = CHUNK_ROWS + 77;
const OWNERS = 5;
// Sort keys of prefixes hold one byte per character up to U+00FE.
const TEXTS = "alpha|alphabet|alp|al|beta|be\0ta|álpha|zeta|ÿz||😀a|alé|alÿ".split("|");

/** A row whose values repeat with different periods, so that all combinations occur. */
function makeRow(i: number) {
  const pick = <T>(from: readonly T[], period: number): T | null =>
    i % period === 0 ? null : from[(i * 7) % from.length]!;
  return {
    id: `r${String(i).padStart(5, "0")}`,
    n: i % 11 === 0 ? null : ((i * 37) % 401) - 200 + (i % 3 === 0 ? 0.5 : 0),
    at:
      i % 13 === 0 ? null : new Date(Date.UTC(2020, 0, 1) + ((i * 31) % 997) * 1000).toISOString(),
    // Unique suffixes prevent dictionary encoding.
    text:
      i % 17 === 0 ? null : `${TEXTS[(i * 5) % TEXTS.length]}${i % 2 === 0 ? i : `-${i % 9}-${i}`}`,
    plan: pick(["free", "pro", "team"], 19),
    // More values than the initial capacity of the code bitmaps.
    grade: `g${i % 12}`,
    on: i % 7 === 0 ? null : i % 2 === 0,
    fine: i % 5 === 0 ? null : `2020-01-01T00:00:31.000${i % 10}00Z`,
    doc: i % 37 === 0 ? null : { a: i % 9 },
    labels: i % 23 === 0 ? null : ["a", "b", "c", "d"].filter((_, bit) => (i >> bit) % 2 === 1),
    many: [`m${i % 300}`, "common"],
    owner: i % 29 === 0 ? null : i % 31 === 0 ? "gone" : `o${i % OWNERS}`,
  };
}

const rows = Array.from({ length: COUNT }, (_, i) => makeRow(i));
const at = (seconds: number): string =>
  new Date(Date.UTC(2020, 0, 1) + seconds * 1000).toISOString();
const BETWEEN = "2020-01-01T00:00:31.000001Z";
const PREFIXES = "al|alp|alph|alpha|alphabet|á|álpha|ÿ|ÿz|😀|be\0|z|zz|".split("|");

const FILTERS: readonly Filter[] = [
  { n: 5 },
  { n: { $isNot: 5 } },
  { n: { $gt: 5 } },
  { n: { $ge: 5 } },
  { n: { $lt: -0.5 } },
  { n: { $le: -0.5 } },
  { n: { $gt: 0 } },
  { n: { $lt: 0 } },
  { n: { $gt: 3, $le: 40 } },
  { $not: { n: { $gt: 3, $le: 40 } } },
  { n: null },
  { $exists: "n" },
  { n: { $any: [1, 2, 77, 0.5] } },
  { at: at(31) },
  { at: { $isNot: at(31) } },
  { at: { $gt: at(500) } },
  { at: { $ge: at(500) } },
  { at: { $lt: at(500) } },
  { at: { $le: at(500) } },
  { at: { $gt: BETWEEN } },
  { at: { $ge: BETWEEN } },
  { at: { $lt: BETWEEN } },
  { at: { $le: BETWEEN } },
  { at: BETWEEN },
  { at: null },
  { $not: { at: { $gt: at(500) } } },
  { on: true },
  { on: { $isNot: true } },
  { on: false },
  { on: null },
  { plan: "pro" },
  { plan: { $isNot: "pro" } },
  { plan: { $contains: "e" } },
  { plan: null },
  { plan: "none" },
  ...[8, 9, 11].map((n) => ({ grade: `g${n}` })),
  { text: rows[1000]!.text },
  { text: { $isNot: rows[1000]!.text } },
  { text: { $any: [rows[5]!.text, rows[6]!.text] } },
  ...PREFIXES.flatMap((prefix) => [
    { text: { $startsWith: prefix } },
    { $not: { text: { $startsWith: prefix } } },
    { text: { $contains: prefix } },
    { $not: { text: { $contains: prefix } } },
  ]),
  { text: { $endsWith: "8" } },
  { text: { $pattern: "?l*-3-*" } },
  { text: null },
  { $exists: "text" },
  { $not: { text: { $endsWith: "8" } } },
  { $not: { text: { $any: [rows[5]!.text, rows[6]!.text] } } },
  { fine: { $ge: "2020-01-01T00:00:31.000500Z" } },
  { fine: { $isNot: "2020-01-01T00:00:31.000500Z" } },
  { doc: { a: 3 } },
  { "doc->a": { $gt: 3 } },
  { doc: null },
  { $exists: "doc" },
  { labels: { $includes: "b" } },
  { labels: { $includes: "none" } },
  { labels: { $includesAny: ["a", "d"] } },
  { labels: { $includesNone: ["a", "d"] } },
  { $not: { labels: { $includes: "b" } } },
  { labels: { $includesAll: [{ $any: ["a", "b"] }] } },
  { $not: { labels: { $includesAll: [{ $any: ["a", "b"] }] } } },
  { labels: null },
  { $exists: "labels" },
  { labels: ["a", "c"] },
  { many: { $includes: "m7" } },
  { many: { $includes: "common" } },
  { owner: "o3" },
  { "owner.age": { $ge: 20 } },
  { $not: { "owner.age": { $ge: 20 } } },
  { "owner.age": null },
];
const FEW: Filter = { n: { $gt: 190 } };
const MANY: Filter = { on: { $isNot: true } };

const OWNERS_TABLE = { name: "owners", columns: defineColumns({ age: "int" }) };
const ROWS_TABLE = {
  name: "rows",
  columns: defineColumns({
    n: "float",
    at: "datetime",
    text: "text",
    plan: "string",
    grade: "string",
    on: "bool",
    fine: "datetime",
    doc: "json",
    labels: "multiple",
    many: "multiple",
    owner: "-> owners",
  }),
};
const owners = Array.from({ length: OWNERS }, (_, i) => ({ id: `o${i}`, age: i * 10 }));
const isGone = (i: number): boolean => i % 101 === 3;
const kept = rows.filter((_, i) => !isGone(i));

/** The ids that each filter matches, by the oracle. */
const expected = new Map<Filter, readonly string[]>();

describe.each(["never", "always"] as const)("filters over full chunks, indexes %s", (indexes) => {
  let table: UntypedTable;

  beforeAll(() => {
    const branch = openBranch({ indexes });
    branch.createTable("owners", OWNERS_TABLE.columns).insert(owners);
    table = branch.createTable("rows", ROWS_TABLE.columns);
    table.load(rows);
    for (const [i, { id }] of rows.entries()) if (isGone(i)) table.delete(id);
    if (expected.size > 0) return;
    const tables = [
      { ...OWNERS_TABLE, records: owners },
      { ...ROWS_TABLE, records: kept },
    ];
    const db = fillDatabase(PROFILES.documented, tables, 0);
    for (const filter of [...FILTERS, FEW, MANY]) {
      expected.set(filter, idsOf(matchingRecords(db, "rows", filter)));
    }
  });

  // The second query fills the caches of a chunk, the third uses them.
  it.each(FILTERS.map((filter) => [JSON.stringify(filter), filter] as const))(
    "F-8 … F-15: %s",
    (_, filter) => {
      const ids = expected.get(filter) ?? [];
      for (const time of ["first", "second", "third"]) {
        expect(idsOf(table.scan({ filter })), time).toEqual(ids);
        expect(table.count(filter), time).toBe(ids.length);
      }
    },
  );

  it("F-1, F-2: intersections and unions with a filter of few and of many rows", () => {
    for (const filter of FILTERS) {
      const ids = new Set(expected.get(filter));
      for (const other of [FEW, MANY]) {
        const others = expected.get(other) ?? [];
        const both = others.filter((id) => ids.has(id)).length;
        const title = JSON.stringify(filter);
        expect(table.count({ $all: [other, filter] }), title).toBe(both);
        expect(table.count({ $any: [filter, other] }), title).toBe(ids.size + others.length - both);
      }
    }
  });
});
