import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEngine } from "../../../src/index.js";
import type { Json } from "../../../src/types.js";
import { seed } from "../../generated.js";

type Row = Readonly<Record<string, unknown>>;

function makeTable(rows: readonly Row[]) {
  const engine = createEngine({ seed: 1, now: 0 });
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
    { name: "team", type: "link", link: { table: "teams" } },
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

/** Units of the calendar: the part of a date that its bucket keeps, and the rest. */
const UNITS = [
  ["minute", 16, ":00Z"],
  ["hour", 13, ":00:00Z"],
  ["day", 10, "T00:00:00Z"],
  ["month", 7, "-01T00:00:00Z"],
  ["year", 4, "-01-01T00:00:00Z"],
] as const;

interface Bucket {
  readonly $key: string | number | boolean;
  readonly $count: number;
  readonly [name: string]: Json;
}

const bucketsOf = (value: unknown): Bucket[] => (value as { values: Bucket[] }).values;

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
      fc.property(rows, fc.constantFrom(...UNITS), (given, [unit, length, rest]) => {
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
            teams: { topValues: { column: "team" } },
            tens: { numericHistogram: { column: "i", interval: 3, offset: 1, aggs: inner } },
            dates: {
              dateHistogram: {
                column: "d",
                calendarInterval: unit,
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
        const teams = groupBy(present<string>(given, "team"), (team) => team);
        expect(
          Object.fromEntries(bucketsOf(aggs.teams).map(({ $key, $count }) => [$key, $count])),
        ).toEqual(Object.fromEntries(Array.from(teams, ([team, { length }]) => [team, length])));
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
        const dates = groupBy(
          given.filter(({ d }) => d !== undefined),
          ({ d }) => String(d).slice(0, length) + rest,
        );
        expect(bucketsOf(aggs.dates).map(({ $key, $count }) => [$key, $count])).toEqual(
          [...dates].map(([key, group]) => [key, group.length]).toSorted(),
        );
        for (const { $key, flags } of bucketsOf(aggs.dates)) {
          const count = bucketsOf(flags).reduce((sum, { $count }) => sum + $count, 0);
          expect(count).toBe(present(dates.get($key as string)!, "b").length);
        }
      }),
      { seed },
    );
  });

  it("X-6: fixed intervals of dates begin in 1970, and with T-7 in the year 1 at the earliest", () => {
    const firstOf = (d: string, interval: object): unknown => {
      const { aggs } = makeTable([{ d }]).aggregate({
        aggs: { h: { dateHistogram: { column: "d", ...interval } } },
      });
      return bucketsOf(aggs.h)[0]?.$key;
    };
    const late = "2019-12-31T23:30:00.789Z";
    expect(firstOf(late, { interval: "12h" })).toBe("2019-12-31T12:00:00Z");
    expect(firstOf(late, { interval: "500ms" })).toBe("2019-12-31T23:30:00.5Z");
    expect(firstOf(late, { calendarInterval: "year", timezone: "+01:00" })).toBe(
      "2019-12-31T23:00:00Z",
    );
    const first = "0001-01-01T00:00:00Z";
    expect(firstOf(first, { interval: "1000d" })).toBe(first);
    expect(firstOf(first, { calendarInterval: "week", timezone: "+05:00" })).toBe(first);
  });

  it("X-6: keys of numeric histograms are finite", () => {
    const table = makeTable([{ f: 1e308 }, { f: -0.5 }, { f: 0.25 }]);
    const { aggs } = table.aggregate({
      aggs: { h: { numericHistogram: { column: "f", interval: 1e-300 } } },
    });
    expect(bucketsOf(aggs.h).map(({ $key }) => Number.isFinite($key))).toEqual([true, true, true]);
  });

  it("X-6: an undefined aggregation counts as absent", () => {
    const aggs = { n: { count: "*" }, none: undefined } as unknown as { n: { count: "*" } };
    expect(makeTable([{ i: 1 }]).aggregate({ aggs })).toEqual({ aggs: { n: 1 } });
    expect(makeTable([{ i: 1 }]).aggregate()).toEqual({ aggs: {} });
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

function groupBy<T, K>(given: readonly T[], keyOf: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const row of given) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}
