import fc from "fast-check";
import { readPointer } from "../../errors.js";
import type { Json } from "../../types.js";
import { AGES, fixtureArbitrary, NAMES, oneOf, recordsOf } from "../arbitraries/people.js";
import { countValues, divideExactly, measureGroups, percentileOf } from "../oracle/aggregate.js";
import type { JsonObject } from "../oracle/model.js";
import { valueAt } from "../oracle/values.js";
import { defineLaw, type Law } from "./law.js";
import { branchPath, type Scene } from "./scene.js";

/** Numbers whose sum is lost if intermediate results are rounded. */
const EXTREMES = [1e308, -1e308, 1, -1, 0.1, 2 ** 53, -(2 ** 53), 5e-324, 1e-300, 1e16] as const;

export const AGGREGATE_LAWS: readonly Law[] = [
  defineLaw({
    id: "sums-are-exact",
    title: "sums and averages are exact and rounded once, in any order",
    rules: ["X-6"],
    tier: "strict",
    needs: ["summarize", "aggregate"],
    cases: () =>
      fc.record({
        fixture: fc
          .array(fc.oneof(oneOf(EXTREMES), fc.double({ noNaN: true, noDefaultInfinity: true })), {
            minLength: 1,
            maxLength: 6,
          })
          .map((numbers) => ({
            tables: [
              {
                name: "items",
                columns: [{ name: "x", type: "float" as const }],
                records: numbers.map((x, i) => ({ id: `r${i}`, x: x + 0 })),
              },
            ],
          })),
      }),
    async check(scene, given) {
      const numbers = recordsOf(given, "items").map(({ x }) => Number(x));
      const sum = divideExactly(numbers, 1n);
      const mean = divideExactly(numbers, BigInt(numbers.length));
      // No rule defines a sum that overflows.
      if (!Number.isFinite(sum)) return;
      const summaries = { sum: { sum: "x" }, mean: { average: "x" } };
      const right = { status: 200, json: { summaries: [{ sum, mean }] } };
      await scene.send(ask("items", "summarize", { summaries }), right);
      const aggs = { sum: { sum: { column: "x" } }, mean: { average: { column: "x" } } };
      const same = { status: 200, json: { aggs: { sum, mean } } };
      await scene.send(ask("items", "aggregate", { aggs }), same);
    },
  }),
  defineLaw({
    id: "groups-are-those-of-a-loop",
    title: "a summary groups by each combination of values, null included",
    rules: ["X-6"],
    tier: "strict",
    needs: ["summarize"],
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(8),
        columns: fc.uniqueArray(oneOf(["name", "age", "place.zip", "team.id", "team.name"]), {
          minLength: 1,
          maxLength: 2,
        }),
        size: oneOf([1, 2, 50, 50]),
        filter: fc.option(oneOf(AGES), { nil: undefined, freq: 2 }),
        least: fc.option(oneOf([1, 2]), { nil: undefined }),
      }),
    async check(scene, given) {
      const { columns, filter, least, size } = given;
      const teams = recordsOf(given, "teams");
      const records = recordsOf(given)
        .filter(({ age }) => filter === undefined || age === filter)
        .map(({ team: id = null, ...record }): JsonObject => {
          const { name = null } = teams.find((team) => team.id === id) ?? {};
          return { ...record, team: { id, name } };
        });
      const wanted = measureGroups(records, columns, "age").filter(
        (row) => least === undefined || Number(row[columns.length]) >= least,
      );
      const body = {
        columns,
        summaries: {
          n: { count: "*" },
          known: { count: "age" },
          low: { min: "age" },
          high: { max: "age" },
          mean: { average: "age" },
        },
        ...(filter === undefined ? {} : { filter: { age: filter } }),
        ...(least === undefined ? {} : { summariesFilter: { n: { $ge: least } } }),
        page: { size },
      };
      const answer = await scene.send(ask("people", "summarize", body), { status: 200 });
      const rows = readPointer(answer.body, "/summaries") as readonly JsonObject[]; // the form of a summary
      const found = rows.map((row) => [
        ...columns.map((path) => valueAt(row, path)),
        ...["n", "known", "low", "high", "mean"].map((name) => row[name] ?? null),
      ]);
      const all = wanted.map((row) => JSON.stringify(row));
      const right = new Set(
        found.map((row) => JSON.stringify(row)).filter((row) => all.includes(row)),
      );
      if (found.length === right.size && right.size === Math.min(size, all.length)) return;
      scene.fail("groups equal a plain loop's", wanted, found);
    },
  }),
  defineLaw({
    id: "aggregations-are-those-of-a-loop",
    title: "top values are the most frequent, and a percentile lies between its neighbours",
    rules: ["X-6"],
    tier: "strict",
    needs: ["aggregate"],
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(8),
        percentiles: fc.uniqueArray(oneOf([0, 1, 10, 25, 50, 75, 99.5, 100]), { minLength: 1 }),
        size: fc.integer({ min: 1, max: 4 }),
        name: fc.option(oneOf(NAMES), { nil: undefined }),
      }),
    async check(scene, { percentiles, size, name, ...given }) {
      const records = recordsOf(given).filter((record) => record.name === (name ?? record.name));
      const counts = countValues(records, "age");
      const aggs = {
        ages: { percentiles: { column: "age", percentiles } },
        top: { topValues: { column: "age", size } },
        some: { uniqueCount: { column: "age" } },
      };
      const body = name === undefined ? { aggs } : { aggs, filter: { name } };
      const right = { status: 200, at: { "/aggs/some": counts.size } };
      const answer = await scene.send(ask("people", "aggregate", body), right);
      const values = readPointer(answer.body, "/aggs/top/values") as readonly JsonObject[]; // buckets
      const wanted = [...counts.values()].sort((a, b) => b - a).slice(0, size);
      const found = values.map(({ $count }) => Number($count));
      const own = values.every(({ $key, $count }) => counts.get($key ?? null) === $count);
      if (!own || JSON.stringify(found) !== JSON.stringify(wanted)) {
        scene.fail("top values equal a plain loop's", wanted, values as readonly Json[]);
      }
      const sorted = [...counts].flatMap(([age, count]) => Array<number>(count).fill(Number(age)));
      sorted.sort((a, b) => a - b);
      const isXata = scene.traits.profile.base === "xata";
      for (const p of sorted.length === 0 ? [] : percentiles) {
        const key = isXata && Number.isInteger(p) ? p.toFixed(1) : String(p);
        const at = `/aggs/ages/values/${key}`;
        const value = readPointer(answer.body, at);
        const right = percentileOf(sorted, p);
        // Interpolations may differ in the last digit.
        if (typeof value === "number" && Math.abs(value - right) < 1e-9) continue;
        scene.expect({ at: { [at]: right } }, "a percentile lies between its neighbours");
      }
    },
  }),
];

function ask(table: string, what: "summarize" | "aggregate", body: JsonObject) {
  return {
    method: "POST",
    path: branchPath(`/tables/${table}/${what}`),
    body,
  } satisfies Parameters<Scene["send"]>[0];
}
