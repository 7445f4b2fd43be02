import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  makeManyRecords,
  type QueryCase,
  queryCaseArbitrary,
  type WalkCase,
  walkCaseArbitrary,
} from "../../src/conformance/arbitraries/cases.js";
import { queryPlanArbitrary, renderQuery } from "../../src/conformance/arbitraries/query.js";
import { makeWideTables } from "../../src/conformance/arbitraries/schema.js";
import {
  renderStep,
  stepPlanArbitrary,
  type WalkStep,
} from "../../src/conformance/arbitraries/walk.js";
import type { JsonObject } from "../../src/conformance/oracle/model.js";
import type { IndexOption } from "../../src/index.js";
import { type ProfileOption, resolveProfile } from "../../src/profile.js";
import { runs, seed } from "../generated.js";
import { compareQueries, compareQuery } from "./compare-queries.js";
import { compareSteps, compareWalk } from "./compare-walk.js";
import { openMirror } from "./mirror.js";

/** A case once found to differ, with the rule it broke and the option it was found with. */
type FoundCase = { readonly rule: string; readonly indexes: IndexOption } & (
  | { readonly kind: "query"; readonly case: QueryCase }
  | { readonly kind: "walk"; readonly case: WalkCase }
);

/** Generous, so that no outcome depends on how busy the machine is. */
const timeout = 300_000 * Math.max(1, runs);
const indexes = fc.constantFrom<IndexOption>("auto", "always", "never");

describe(`the engine equals the oracle (seed ${seed})`, () => {
  const found = JSON.parse(
    readFileSync(new URL("found.json", import.meta.url), "utf8"),
  ) as FoundCase[];
  it.each(found.map((entry) => [entry.rule, entry] as const))("%s", (_, entry) => {
    if (entry.kind === "query") compareQueries(entry.case, entry.indexes);
    else compareWalk(entry.case, entry.indexes);
  });

  it(
    "F-1 … F-30, S-1 … S-5, P-1 … P-11: queries of generated tables",
    () => {
      let queries = 0;
      const property = fc.property(queryCaseArbitrary(), indexes, (generated, option) => {
        compareQueries(generated, option);
        queries += generated.queries.length;
      });
      fc.assert(property, { seed, numRuns: Math.ceil(2000 * runs) });
      expect(queries).toBeGreaterThan(8000 * runs);
    },
    timeout,
  );

  it(
    "G-1 … G-12, R-1 … R-9: walks through pages with writes in between",
    () => {
      const property = fc.property(walkCaseArbitrary({ length: 16 }), indexes, compareWalk);
      fc.assert(property, { seed, numRuns: Math.ceil(600 * runs) });
    },
    timeout,
  );

  it.each<[ProfileOption, IndexOption]>([
    ["documented", "auto"],
    ["xata", "always"],
    [{ base: "documented", nullComparison: "sql" }, "never"],
  ])(
    "S-5, G-5: a table of 5,000 records under %j with indexes %s",
    { tags: "slow", timeout },
    (profile, option) => {
      const tables = makeWideTables(seed);
      const records = tables.map((table, i): [string, JsonObject[]] => [
        table.name,
        makeManyRecords(profile, table, i === 0 ? 5000 : 14, seed),
      ]);
      const table = tables[0]!;
      const mirror = openMirror({ profile, tables, records: Object.fromEntries(records) }, option);
      const { base, metadataColumn } = resolveProfile(profile);
      const branch = { tables, base, metadataColumn };

      const numRuns = Math.ceil(10 * runs);
      for (const plan of fc.sample(fc.noBias(queryPlanArbitrary()), { seed, numRuns })) {
        compareQuery(mirror, table.name, renderQuery(branch, table, plan, { reverse: false }));
      }
      for (const [i, plan] of fc
        .sample(fc.noBias(walkPlan), { seed, numRuns: Math.ceil(2 * runs) })
        .entries()) {
        const query = renderQuery(branch, table, plan.query, { random: false, reverse: false });
        const whole: WalkStep = { kind: "all", forward: i % 2 === 0, sizes: [200, 137] };
        const steps = plan.steps.map((step) => renderStep(branch, table, step));
        compareSteps(mirror, { table: table.name, query, steps: [...steps, whole] });
      }
    },
  );
});

/** A query, and steps through some of its pages. */
const walkPlan = fc.record({
  query: queryPlanArbitrary(),
  steps: fc.array(
    stepPlanArbitrary().filter(({ step }) => step.kind !== "all"),
    { maxLength: 20, size: "max" },
  ),
});
