import fc from "fast-check";
import { readPointer } from "../../errors.js";
import type { Profile } from "../../profile.js";
import type { Json } from "../../types.js";
import { makeManyRecords, type QueryCase, withFixture } from "../arbitraries/cases.js";
import { fixtureArbitrary, idsOf, type LawCase, oneOf } from "../arbitraries/people.js";
import { type QueryPlan, queryPlanArbitrary, renderQuery } from "../arbitraries/query.js";
import { makeWideTables } from "../arbitraries/schema.js";
import type { JsonObject } from "../oracle/model.js";
import { comparePage, readDatabase } from "./compare.js";
import { defineLaw, type Law } from "./law.js";
import type { ScenePage } from "./scene.js";
import { comparePages } from "./walks.js";

export const QUERY_LAWS: readonly Law[] = [
  defineLaw({
    id: "random-breaks-ties",
    title: "a sort is a permutation, and a random key orders only ties",
    rules: ["S-4", "S-1"],
    tier: "core",
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(),
        path: oneOf(["name", "age", "at", "place.zip", "place.city"]),
        direction: oneOf(["asc", "desc"] as const),
      }),
    async check(scene, given) {
      const main = { [given.path]: given.direction };
      const sorted = valuesOf(await scene.query("people", { sort: main }), main);
      scene.expect({ ids: { unordered: idsOf(given) } }, "a sort is a permutation");
      const random = { sort: [main, { "*": "random" as const }] };
      const mixed = valuesOf(await scene.query("people", random), main);
      scene.expect({ ids: { unordered: idsOf(given) } }, "a sort is a permutation");
      if (JSON.stringify(mixed) === JSON.stringify(sorted)) return;
      scene.fail("a random key only breaks ties", sorted, mixed);
    },
  }),
  defineLaw({
    id: "large-tables-equal-the-oracle",
    title: "queries of a thousand records equal the oracle",
    rules: ["F-1", "F-8", "F-12", "F-30", "S-1", "S-3", "S-5", "P-5", "G-2"],
    tier: "strict",
    share: 0.08,
    cases: ({ profile }) =>
      fc
        .record({
          // Shrink only the number of queries, as each case fills a table.
          seed: fc.noShrink(fc.nat()),
          count: oneOf([300, 1200]),
          plans: fc.array(fc.noShrink(fc.noBias(queryPlanArbitrary())), {
            minLength: 1,
            maxLength: 14,
            size: "max",
          }),
        })
        .map(({ seed, count, plans }) => withFixture(makeLargeCase(profile, seed, count, plans))),
    async check(scene, given: QueryCase & LawCase) {
      const db = await readDatabase(scene, given);
      // Repeated: caches of the first time are used now.
      for (const query of given.queries.flatMap((each) => [each, each])) {
        const walk = { table: given.table, query, steps: [] };
        await comparePages(scene, db, walk, { compare: comparePage });
      }
    },
  }),
];

/** The values of a sort key, in order. */
function valuesOf({ records }: ScenePage, key: JsonObject): Json[] {
  const pointers = Object.keys(key).map((path) => `/${path.replaceAll(".", "/")}`);
  const values = records.flatMap((record) => pointers.map((each) => readPointer(record, each)));
  return values.map((value) => (value ?? null) as Json); // from JSON
}

function makeLargeCase(
  profile: Profile,
  seed: number,
  count: number,
  plans: readonly QueryPlan[],
): QueryCase {
  const { base, metadataColumn } = profile;
  const tables = makeWideTables(seed);
  const [first] = tables;
  if (first === undefined) throw new Error("there is at least one table");
  const records = tables.map((table, i) => [
    table.name,
    makeManyRecords(profile, table, i === 0 ? count : 14, seed),
  ]);
  const queries = plans.map((plan) =>
    renderQuery({ tables, base, metadataColumn }, first, plan, { random: false, reverse: false }),
  );
  return { profile, tables, records: Object.fromEntries(records), table: first.name, queries };
}
