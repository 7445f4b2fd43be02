import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEngine, type ProfileOption } from "../../../src/index.js";
import { seed } from "../../generated.js";

type Row = Readonly<Record<string, unknown>>;

const TEAM_IDS = ["a", "b", "gone"];
const COLUMNS = [
  { name: "i", type: "int" },
  { name: "f", type: "float" },
  { name: "s", type: "string" },
  { name: "d", type: "datetime" },
  { name: "b", type: "bool" },
  { name: "m", type: "multiple" },
  { name: "team", type: "link", link: { table: "teams" } },
  {
    name: "o",
    type: "object",
    columns: [
      { name: "x", type: "int" },
      { name: "p", type: "object", columns: [{ name: "y", type: "string" }] },
    ],
  },
] as const;

function makeTable(rows: readonly Row[], profile: ProfileOption = "documented") {
  const engine = createEngine({ seed: 1, now: 0, profile });
  const branch = engine.createWorkspace("w").createDatabase("d").branch("main");
  const teams = branch.createTable("teams", [{ name: "name", type: "string" }]);
  teams.insert([{ id: "a", name: "Ants" }, { id: "b" }]);
  const table = branch.createTable("rows", COLUMNS);
  table.load(rows);
  return table;
}

/** Rows over few values, so that groups have members and ties are common. */
const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record(
    {
      i: fc.integer({ min: -2, max: 2 }),
      f: fc.constantFrom(0.1, 0.2, 0.3, -1.5, 1e16, -1e16, 1),
      s: fc.constantFrom("", "a", "B", "ä", "𝒳", "\uffff"),
      d: fc.constantFrom(
        "2020-01-01T00:00:00Z",
        "2020-01-01T00:00:00.000001Z",
        "1999-12-31T23:59:59Z",
      ),
      b: fc.boolean(),
      m: fc.constantFrom([], ["a"], ["a", "b"]),
      team: fc.constantFrom(...TEAM_IDS),
      "o.x": fc.integer({ min: 0, max: 1 }),
      "o.p.y": fc.constantFrom("p", "q"),
    },
    { requiredKeys: [] },
  ),
  { maxLength: 40 },
);

const GROUPINGS = [[], ["i"], ["s", "b"], ["team"], ["team.name"], ["o.x", "o.p.y"], ["d"], ["m"]];

describe("summarize", () => {
  it("X-6: equals a plain loop", () => {
    fc.assert(
      fc.property(rows, fc.constantFrom(...GROUPINGS), (given, columns) => {
        const table = makeTable(given);
        const { summaries } = table.summarize({
          columns,
          summaries: {
            n: { count: "*" },
            ni: { count: "i" },
            lowI: { min: "i" },
            highF: { max: "f" },
            lowS: { min: "s" },
            highD: { max: "d" },
            sumI: { sum: "i" },
            meanI: { average: "i" },
          },
          page: { size: 200 },
        });
        const records = [...table.scan({ columns: ["*", "team.*"] })];
        const groups = groupByHand(records, columns);
        expect(summaries).toHaveLength(groups.size);
        for (const summary of summaries) {
          const group = groups.get(keyOf(summary, columns));
          expect(group, JSON.stringify(summary)).toBeDefined();
          const ints = group!.flatMap(({ i }) => (i === undefined ? [] : [i as number]));
          expect(summary).toMatchObject({
            n: group!.length,
            ni: ints.length,
            lowI: ints.length === 0 ? null : Math.min(...ints),
            highF: extreme(group!, "f", -1),
            lowS: extreme(group!, "s", 1),
            highD: extreme(group!, "d", -1),
            sumI: ints.length === 0 ? null : ints.reduce((sum, i) => sum + i, 0),
            meanI: ints.length === 0 ? null : ints.reduce((sum, i) => sum + i, 0) / ints.length,
          });
        }
      }),
      { seed },
    );
  });

  it("X-6: groups of many rows: whole and other numbers, texts in and out of the dictionary", () => {
    const others = [-1, 0.5, 1e-20, 2 ** 31, 2 ** 52, 1e300, undefined];
    const given = Array.from({ length: 12_000 }, (_, i) => ({
      f: i % 3 === 0 ? others[i % 7] : i % 2900,
      s: i % 13 === 0 ? undefined : i % 5 === 0 ? "often" : `text ${i % 6000}`,
    }));
    const table = makeTable(given);
    for (const column of ["f", "s"] as const) {
      const counts = new Map<unknown, number>();
      for (const row of given)
        counts.set(row[column] ?? null, (counts.get(row[column] ?? null) ?? 0) + 1);
      const groups = table.summarize({
        columns: [column],
        summaries: { n: { count: "*" } },
        page: { size: 200 },
        sort: { n: "desc" },
      }).summaries;
      expect(groups.length).toBe(200);
      for (const { n, [column]: key } of groups) expect(counts.get(key)).toBe(n);
      const unique = table.aggregate({ aggs: { u: { uniqueCount: { column } } } }).aggs;
      expect(unique).toEqual({ u: counts.size - 1 });
    }
  });

  it("X-6: does not depend on the order of records", () => {
    fc.assert(
      fc.property(
        rows.chain((given) =>
          fc.tuple(
            fc.constant(given.map((row, i) => ({ id: `r${i}`, ...row }))),
            fc.shuffledSubarray(
              given.map((row, i) => ({ id: `r${i}`, ...row })),
              {
                minLength: given.length,
              },
            ),
          ),
        ),
        fc.constantFrom(...GROUPINGS),
        ([given, shuffled], columns) => {
          const request = {
            columns,
            summaries: { total: { sum: "f" }, mean: { average: "f" }, n: { count: "*" } },
          };
          expect(makeTable(shuffled).summarize(request)).toEqual(
            makeTable(given).summarize(request),
          );
        },
      ),
      { seed },
    );
  });

  it("X-6: filters, sorts and pages the groups", () => {
    const table = makeTable([
      { i: 1, s: "a", team: "a" },
      { i: 1, s: "b", team: "a" },
      { i: 2, s: "a", team: "b" },
      { s: "c" },
    ]);
    const summaries = { n: { count: "*" }, high: { max: "s" } };
    const ask = (request: object) =>
      table.summarize({ columns: ["i"], summaries, ...request }).summaries;
    expect(ask({ sort: { n: "desc" } }).map(({ i }) => i)).toEqual([1, 2, null]);
    expect(ask({ sort: [{ n: "asc" }, { i: "desc" }] }).map(({ i }) => i)).toEqual([2, null, 1]);
    expect(ask({ summariesFilter: { n: { $gt: 1 } } })).toEqual([{ i: 1, n: 2, high: "b" }]);
    expect(ask({ summariesFilter: { high: { $startsWith: "a" } } })).toEqual([
      { i: 2, n: 1, high: "a" },
    ]);
    expect(ask({ summariesFilter: { $not: { $exists: "i" } } })).toEqual([
      { i: null, n: 1, high: "c" },
    ]);
    expect(ask({ filter: { s: { $isNot: "c" } }, page: { size: 1 } })).toEqual([
      { i: 1, n: 2, high: "b" },
    ]);
    expect(
      table.summarize({ columns: ["team.name"], summaries, sort: { "team.name": "desc" } })
        .summaries,
    ).toMatchObject([{ team: { name: "Ants" } }, {}]);
    expect(ask({ sort: { "*": "random" } })).toHaveLength(3);
  });

  it("X-6: an undefined summary counts as absent, a name may be the prefix of a column", () => {
    const table = makeTable([{ team: "a" }]);
    const request = {
      columns: ["team"],
      summaries: { t: { count: "*" }, n: undefined },
    } as unknown as Parameters<typeof table.summarize>[0];
    expect(table.summarize(request).summaries).toEqual([{ team: { id: "a" }, t: 1 }]);
  });

  it("X-6: a column that is named like a member of every object shows its null", () => {
    const engine = createEngine({ seed: 1, now: 0 });
    const branch = engine.createWorkspace("w").createDatabase("d").branch("main");
    const own = { name: "constructor", type: "string" } as const;
    const table = branch.createTable("t", [own, { name: "o", type: "object", columns: [own] }]);
    table.load([{}]);
    expect(table.summarize({ columns: ["constructor", "o.constructor"] })).toStrictEqual({
      summaries: [{ constructor: null, o: { constructor: null } }],
    });
  });
});

function groupByHand(records: readonly Row[], columns: readonly string[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  if (columns.length === 0) groups.set("", []);
  for (const record of records) {
    const key = keyOf(record, columns);
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  return groups;
}

function keyOf(record: Row, columns: readonly string[]): string {
  return columns.map((path) => JSON.stringify(valueAt(record, path) ?? null)).join();
}

function valueAt(record: Row, path: string): unknown {
  let value: unknown = record;
  for (const name of path.split(".")) value = (value as Row | undefined)?.[name];
  return path === "team" ? (value as Row | undefined)?.id : value;
}

/** The minimum by code points, instants or numbers; with −1 the maximum. */
function extreme(records: readonly Row[], column: string, sign: number): unknown {
  const values = records.map((record) => record[column]).filter((value) => value !== undefined);
  const [first] = values.toSorted((a, b) => sign * compare(a, b));
  return first ?? null;
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number") return a - (b as number);
  // Without the Z, datetimes sort as text.
  const [x, y] = [a, b].map((text) =>
    Array.from(String(text).replace(/Z$/, ""), (point) => point.codePointAt(0)!),
  );
  for (let i = 0; i < Math.max(x!.length, y!.length); i++) {
    const order = (x![i] ?? -1) - (y![i] ?? -1);
    if (order !== 0) return order;
  }
  return 0;
}
