import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEngine, type ProfileOption } from "../../../src/index.js";
import type { Json } from "../../../src/types.js";
import { seed } from "../../generated.js";

type Row = Readonly<Record<string, unknown>>;

function makeTable(rows: readonly Row[], profile: ProfileOption = "documented") {
  const engine = createEngine({ seed: 1, now: 0, profile });
  const branch = engine.createWorkspace("w").createDatabase("d").branch("main");
  branch.createTable("teams", [{ name: "size", type: "int" }]).insert([
    { id: "a", size: 5 },
    { id: "b", size: 7 },
  ]);
  const table = branch.createTable("rows", [
    { name: "i", type: "int" },
    { name: "f", type: "float" },
    { name: "s", type: "string" },
    { name: "d", type: "datetime" },
    { name: "b", type: "bool" },
    { name: "m", type: "multiple" },
    { name: "j", type: "json" },
    { name: "team", type: "link", link: { table: "teams" } },
    { name: "v", type: "vector", vector: { dimension: 2 } },
  ]);
  table.load(rows);
  return table;
}

const rows: fc.Arbitrary<Row[]> = fc.array(
  fc.record(
    {
      i: fc.integer({ min: -5, max: 5 }),
      f: fc.constantFrom(0.25, -0.5, 3, 12.75),
      s: fc.constantFrom("a", "b", "c"),
      d: fc
        .integer({ min: Date.UTC(2019, 11, 28), max: Date.UTC(2020, 2, 3) })
        .map((ms) => new Date(ms).toISOString()),
      b: fc.boolean(),
      team: fc.constantFrom("a", "b", "gone"),
    },
    { requiredKeys: [] },
  ),
  { maxLength: 40 },
);

interface Bucket {
  readonly $key: string | number | boolean;
  readonly $count: number;
  readonly [name: string]: Json;
}

const bucketsOf = (value: unknown): Bucket[] => (value as { values: Bucket[] }).values;
const percentilesOf = (value: unknown): Row => (value as { values: Row }).values;

describe("aggregate", () => {
  it("X-6: under a filter that keeps most rows, equals the rows that it keeps", () => {
    const numbers = fc.constantFrom(undefined, 0.1, 1, 2 ** -53, 2 ** -200, 1e300, -1e300, -0.5);
    const isKept = fc.nat({ max: 9 }).map((digit) => digit > 0);
    const both = fc.record({ f: numbers, b: isKept });
    const aggs = {
      total: { sum: { column: "f" } },
      mean: { average: { column: "f" } },
      low: { min: { column: "f" } },
      high: { max: { column: "f" } },
    } as const;
    fc.assert(
      fc.property(fc.array(both, { minLength: 8, maxLength: 80 }), (given) => {
        const kept = given.filter(({ b }) => b);
        const filtered = makeTable(given).aggregate({ filter: { b: true }, aggs });
        expect(filtered).toEqual(makeTable(kept).aggregate({ aggs }));
      }),
      { seed },
    );
  });

  it("X-6: equals a plain loop, including nested buckets", () => {
    fc.assert(
      fc.property(rows, (given) => {
        const inner = { total: { sum: { column: "i" } }, n: { count: "*" } } as const;
        const { aggs } = makeTable(given).aggregate({
          filter: { $any: [{ $exists: "i" }, { $notExists: "i" }] },
          aggs: {
            all: { count: "*" },
            some: { count: { filter: { i: { $gt: 0 } } } },
            total: { sum: { column: "i" } },
            mean: { average: { column: "f" } },
            low: { min: { column: "f" } },
            high: { max: { column: "i" } },
            distinct: { uniqueCount: { column: "s" } },
            half: { percentiles: { column: "f", percentiles: [0, 50, 100] } },
            top: { topValues: { column: "s", size: 2, aggs: inner } },
            tens: { numericHistogram: { column: "i", interval: 3, offset: 1, aggs: inner } },
            months: {
              dateHistogram: {
                column: "d",
                calendarInterval: "month",
                aggs: { flags: { topValues: { column: "b", aggs: inner } } },
              },
            },
          },
        });
        const ints = present<number>(given, "i");
        const floats = present<number>(given, "f").toSorted((a, b) => a - b);
        expect(aggs).toMatchObject({
          all: given.length,
          some: ints.filter((i) => i > 0).length,
          total: sumOf(ints),
          mean: floats.length === 0 ? null : floats.reduce((sum, f) => sum + f, 0) / floats.length,
          low: floats[0] ?? null,
          high: ints.length === 0 ? null : Math.max(...ints),
          distinct: new Set(present(given, "s")).size,
          half: {
            values: { "0": floats[0] ?? null, "50": median(floats), "100": floats.at(-1) ?? null },
          },
        });
        const bySuit = groupBy(given, ({ s }) => s);
        const top = [...bySuit]
          .filter(([s]) => s !== undefined)
          .map(([s, group]) => ({
            $key: s as string,
            $count: group.length,
            total: sumOf(present<number>(group, "i")),
            n: group.length,
          }))
          .toSorted((a, b) => b.$count - a.$count || (a.$key < b.$key ? -1 : 1))
          .slice(0, 2);
        expect(bucketsOf(aggs.top)).toEqual(top);
        const tens = groupBy(
          given.filter(({ i }) => i !== undefined),
          ({ i }) => Math.floor(((i as number) - 1) / 3) * 3 + 1,
        );
        expect(bucketsOf(aggs.tens)).toEqual(
          [...tens]
            .toSorted(([a], [b]) => a - b)
            .map(([key, group]) => ({
              $key: key + 0,
              $count: group.length,
              total: sumOf(present<number>(group, "i")),
              n: group.length,
            })),
        );
        const months = groupBy(
          given.filter(({ d }) => d !== undefined),
          ({ d }) => `${String(d).slice(0, 7)}-01T00:00:00Z`,
        );
        expect(bucketsOf(aggs.months).map(({ $key, $count }) => [$key, $count])).toEqual(
          [...months].map(([key, group]) => [key, group.length]).toSorted(),
        );
        for (const month of bucketsOf(aggs.months)) {
          const group = months.get(month.$key as string)!;
          const flags = bucketsOf(month.flags);
          expect(flags.reduce((sum, { $count }) => sum + $count, 0)).toBe(
            present(group, "b").length,
          );
        }
      }),
      { seed },
    );
  });

  it("X-6: no records give zero counts, null values and no buckets", () => {
    const { aggs } = makeTable([]).aggregate({
      aggs: {
        all: { count: "*" },
        distinct: { uniqueCount: { column: "s" } },
        total: { sum: { column: "i" } },
        mean: { average: { column: "i" } },
        low: { min: { column: "i" } },
        half: { percentiles: { column: "i", percentiles: [50] } },
        top: { topValues: { column: "s" } },
      },
    });
    expect(aggs).toEqual({
      all: 0,
      distinct: 0,
      total: null,
      mean: null,
      low: null,
      half: { values: { "50": null } },
      top: { values: [] },
    });
    expect(makeTable([{ i: 1 }]).aggregate()).toEqual({ aggs: {} });
    const some = { n: { count: "*" }, none: undefined } as unknown as { n: { count: "*" } };
    expect(makeTable([{ i: 1 }]).aggregate({ aggs: some })).toEqual({ aggs: { n: 1 } });
  });

  it("X-6: follows links", () => {
    const table = makeTable([{ team: "a" }, { team: "b" }, { team: "a" }, { team: "gone" }, {}]);
    const { aggs } = table.aggregate({
      aggs: {
        seats: { sum: { column: "team.size" } },
        teams: { topValues: { column: "team" } },
        sizes: { topValues: { column: "team.size" } },
      },
    });
    expect(aggs).toEqual({
      seats: 17,
      teams: {
        values: [
          { $key: "a", $count: 2 },
          { $key: "b", $count: 1 },
          { $key: "gone", $count: 1 },
        ],
      },
      sizes: {
        values: [
          { $key: 5, $count: 2 },
          { $key: 7, $count: 1 },
        ],
      },
    });
  });

  it("X-6: counts distinct lists and JSON values", () => {
    const table = makeTable([
      { m: ["a", "b"], j: { a: 1, b: 2 } },
      { m: ["b", "a"], j: { b: 2, a: 1 } },
      { m: ["a", "b"], j: "1" },
      { m: [], j: 1 },
    ]);
    const { aggs } = table.aggregate({
      aggs: { m: { uniqueCount: { column: "m" } }, j: { uniqueCount: { column: "j" } } },
    });
    expect(aggs).toEqual({ m: 3, j: 3 });
  });

  describe("histograms of dates", () => {
    const TIMES = [
      "2019-12-31T23:30:00Z",
      "2020-01-01T00:00:00Z",
      "2020-01-06T12:34:56.789Z",
      "2020-02-29T23:59:59.999999Z",
      "2020-04-01T00:00:00Z",
    ];

    it.each<[string, object, string[]]>([
      [
        "days",
        { calendarInterval: "day" },
        ["2019-12-31", "2020-01-01", "2020-01-06", "2020-02-29", "2020-04-01"],
      ],
      [
        "weeks from Monday",
        { calendarInterval: "week" },
        ["2019-12-30", "2020-01-06", "2020-02-24", "2020-03-30"],
      ],
      [
        "months",
        { calendarInterval: "month" },
        ["2019-12-01", "2020-01-01", "2020-02-01", "2020-04-01"],
      ],
      ["quarters", { calendarInterval: "quarter" }, ["2019-10-01", "2020-01-01", "2020-04-01"]],
      ["years", { calendarInterval: "year" }, ["2019-01-01", "2020-01-01"]],
    ])("X-6: by %s", (_, interval, days) => {
      expect(keysOf(interval)).toEqual(days.map((day) => `${day}T00:00:00Z`));
    });

    it("X-6: by hours and minutes", () => {
      expect(keysOf({ calendarInterval: "hour" }).slice(0, 3)).toEqual([
        "2019-12-31T23:00:00Z",
        "2020-01-01T00:00:00Z",
        "2020-01-06T12:00:00Z",
      ]);
      expect(keysOf({ calendarInterval: "minute" })[2]).toBe("2020-01-06T12:34:00Z");
    });

    it("X-6: by a fixed interval since 1970", () => {
      expect(keysOf({ interval: "12h" }).slice(0, 3)).toEqual([
        "2019-12-31T12:00:00Z",
        "2020-01-01T00:00:00Z",
        "2020-01-06T12:00:00Z",
      ]);
      expect(keysOf({ interval: "500ms" })[2]).toBe("2020-01-06T12:34:56.5Z");
      expect(keysOf({ interval: "365d" })).toEqual(["2019-12-20T00:00:00Z"]);
    });

    it("X-6: at an offset from UTC", () => {
      expect(keysOf({ calendarInterval: "year", timezone: "+01:00" })).toEqual([
        "2019-12-31T23:00:00Z",
      ]);
      expect(keysOf({ interval: "1d", timezone: "-08:00" })[0]).toBe("2019-12-31T08:00:00Z");
    });

    it("T-7: begin in the year 1 at the earliest", () => {
      const table = makeTable([{ d: "0001-01-01T00:00:00Z" }]);
      for (const interval of [
        { interval: "1000d" },
        { calendarInterval: "week" as const, timezone: "+05:00" },
      ]) {
        const { aggs } = table.aggregate({
          aggs: { h: { dateHistogram: { column: "d", ...interval } } },
        });
        expect(bucketsOf(aggs.h)[0]?.$key).toBe("0001-01-01T00:00:00Z");
      }
    });

    function keysOf(interval: object): unknown[] {
      const table = makeTable(TIMES.map((d) => ({ d })));
      const { aggs } = table.aggregate({
        aggs: { h: { dateHistogram: { column: "d", ...interval } } },
      });
      return bucketsOf(aggs.h).map(({ $key }) => $key);
    }
  });

  it("X-6: keys of numeric histograms are finite", () => {
    const table = makeTable([{ f: 1e308 }, { f: -0.5 }, { f: 0.25 }]);
    const { aggs } = table.aggregate({
      aggs: { h: { numericHistogram: { column: "f", interval: 1e-300 } } },
    });
    expect(bucketsOf(aggs.h).map(({ $key }) => Number.isFinite($key))).toEqual([true, true, true]);
  });

  it("X-6: without aggs the answer is the number of records, under xata", () => {
    const table = makeTable([{ f: 1 }, { f: 3 }], "xata");
    expect(table.aggregate()).toEqual({ aggs: { count: 2 } });
    expect(table.aggregate({ filter: { f: { $gt: 2 } } })).toEqual({ aggs: { count: 1 } });
    expect(table.aggregate({ aggs: {} })).toEqual({ aggs: {} });
  });

  it.each([
    ["documented", ["0", "50", "100", "99.9"], "2021-12-27T00:00:00Z"],
    ["xata", ["0.0", "50.0", "99.9", "100.0"], "2021-12-27T00:00:00.000Z"],
  ] as const)("X-6: %s has its own keys of percentiles and dates", (profile, keys, day) => {
    const { aggs } = makeTable([{ f: 1, d: "2021-12-27T00:00:00Z" }], profile).aggregate({
      aggs: {
        p: { percentiles: { column: "f", percentiles: [0, 50, 99.9, 100] } },
        d: { dateHistogram: { column: "d", calendarInterval: "day" } },
      },
    });
    expect(Object.keys(percentilesOf(aggs.p))).toEqual(keys);
    expect(bucketsOf(aggs.d)).toEqual([{ $key: day, $count: 1 }]);
  });

  it.each([
    [
      [1, 2, 3, 4],
      [0, 12.5, 25, 37.5, 50, 75, 87.5, 100],
      [1, 1, 1.5, 2, 2.5, 3.5, 4, 4],
    ],
    [[5], [0, 50, 100], [5, 5, 5]],
    [[-1.7e308, 1.7e308], [50], [0]],
  ])("X-6: of %j the percentiles %j are %j", (numbers, wanted, expected) => {
    const table = makeTable(numbers.map((f) => ({ f })));
    const found = wanted.map((percentile) => {
      const p = { percentiles: { column: "f", percentiles: [percentile] } } as const;
      return Object.values(percentilesOf(table.aggregate({ aggs: { p } }).aggs.p))[0];
    });
    expect(found).toEqual(expected);
  });

  it("X-6: nests at most 32 levels", () => {
    const nest = (levels: number): Json =>
      levels === 0 ? {} : { a: { topValues: { column: "s", aggs: nest(levels - 1) } } };
    const ask = (levels: number) => () =>
      makeTable([{ s: "a" }]).aggregate({ aggs: nest(levels) as never });
    expect(ask(31)).not.toThrow();
    expect(ask(33)).toThrow(expect.objectContaining({ code: "invalid_request" }));
  });
});

function present<T>(given: readonly Row[], column: string): T[] {
  return given.flatMap((row) => (row[column] === undefined ? [] : [row[column] as T]));
}

function sumOf(ints: readonly number[]): number | null {
  return ints.length === 0 ? null : ints.reduce((sum, i) => sum + i, 0);
}

function median(sorted: readonly number[]): number | null {
  if (sorted.length === 0) return null;
  const place = (sorted.length - 1) / 2;
  return (sorted[Math.floor(place)]! + sorted[Math.ceil(place)]!) / 2;
}

function groupBy<K>(given: readonly Row[], keyOf: (row: Row) => K): Map<K, Row[]> {
  const groups = new Map<K, Row[]>();
  for (const row of given) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}
