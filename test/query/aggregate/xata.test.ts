import { describe, expect, it } from "vitest";
import { createEngine, type ProfileName } from "../../../src/index.js";

/** A table whose figures are not looked up by the types. */
function open(profile: ProfileName, numbers: readonly number[] = [1, 2, 3, 4]) {
  const rows = createEngine({ profile, seed: 1, now: 0 })
    .createWorkspace("w")
    .createDatabase("d")
    .branch("main")
    .createTable("rows", [
      { name: "f", type: "float" },
      { name: "at", type: "datetime" },
    ]);
  rows.load(numbers.map((f) => ({ f, at: "2021-12-27T00:00:00Z" })));
  return {
    summarize: rows.summarize.bind(rows),
    aggregate: (request?: object) =>
      rows.aggregate(request) as { aggs: Record<string, { values: object }> },
  };
}

describe("figures", () => {
  it("X-6: without aggs the answer is the number of records, under xata", () => {
    expect(open("xata").aggregate()).toEqual({ aggs: { count: 4 } });
    expect(open("xata").aggregate({ filter: { f: { $gt: 2 } } })).toEqual({ aggs: { count: 2 } });
    expect(open("xata").aggregate({ aggs: {} })).toEqual({ aggs: {} });
    expect(open("documented").aggregate()).toEqual({ aggs: {} });
  });

  const percentiles = [0, 50, 99.9, 100];

  it("X-6: a percentile stands at p·n/100 − ½, held to the ends, straight between neighbours", () => {
    const of = (numbers: readonly number[], wanted: readonly number[]) =>
      wanted.map(
        (percentile) =>
          Object.values(
            open("documented", numbers).aggregate({
              aggs: { p: { percentiles: { column: "f", percentiles: [percentile] } } },
            }).aggs.p!.values,
          )[0],
      );
    expect(of([1, 2, 3, 4], [0, 12.5, 25, 37.5, 50, 75, 87.5, 100])).toEqual([
      1, 1, 1.5, 2, 2.5, 3.5, 4, 4,
    ]);
    expect(of([5], [0, 50, 100])).toEqual([5, 5, 5]);
    expect(of([-1.7e308, 1.7e308], [50])).toEqual([0]);
  });

  it("X-6: under xata its key has a decimal, and the key of a date three", () => {
    const aggs = {
      p: { percentiles: { column: "f", percentiles } },
      d: { dateHistogram: { column: "at", calendarInterval: "day" } },
    } as const;
    const keysOf = (values: object) => Object.keys(values);
    const xata = open("xata").aggregate({ aggs }).aggs;
    expect(keysOf(xata.p!.values)).toEqual(["0.0", "50.0", "99.9", "100.0"]);
    expect(xata.d!.values).toEqual([{ $key: "2021-12-27T00:00:00.000Z", $count: 4 }]);
    const documented = open("documented").aggregate({ aggs }).aggs;
    expect(keysOf(documented.p!.values)).toEqual(["0", "50", "100", "99.9"]);
    expect(documented.d!.values).toEqual([{ $key: "2021-12-27T00:00:00Z", $count: 4 }]);
  });

  it("X-6: sums and averages are exact and rounded once", () => {
    const figures = (numbers: readonly number[]) =>
      open("documented", numbers).summarize({
        summaries: { sum: { sum: "f" }, mean: { average: "f" } },
      }).summaries[0];
    expect(figures([1e308, 1e308, -1e308])).toEqual({ sum: 1e308, mean: 1e308 / 3 });
    expect(figures([1e308, 1e308])).toEqual({ sum: null, mean: 1e308 });
    expect(figures([2 ** 53, 1, 1, 1].map((n) => n / 4))).toMatchObject({
      mean: (2 ** 53 + 4) / 16,
    });
    expect(figures([])).toEqual({ sum: null, mean: null });
  });
});
