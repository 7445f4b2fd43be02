import fc from "fast-check";
import type { Profile } from "../../profile.js";
import { makeManyRecords, type QueryCase } from "../arbitraries/cases.js";
import { oneOf } from "../arbitraries/people.js";
import { type QueryPlan, queryPlanArbitrary, renderQuery } from "../arbitraries/query.js";
import { makeWideTables } from "../arbitraries/schema.js";
import { comparePage, readDatabase } from "./compare.js";
import { defineLaw, type Law } from "./law.js";
import { comparePages } from "./walks.js";

export const QUERY_LAWS: readonly Law[] = [
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
        .map(({ seed, count, plans }) => makeLargeCase(profile, seed, count, plans)),
    async check(scene, given) {
      const db = await readDatabase(scene, given);
      // Repeated: caches of the first time are used now.
      for (const query of given.queries.flatMap((each) => [each, each])) {
        const walk = { table: given.table, query, steps: [] };
        await comparePages(scene, db, walk, { compare: comparePage });
      }
    },
  }),
];

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
  const filled = tables.map((table, i) => ({
    ...table,
    records: makeManyRecords(profile, table, i === 0 ? count : 14, seed),
  }));
  const queries = plans.map((plan) =>
    renderQuery({ tables, base, metadataColumn }, first, plan, { random: false, reverse: false }),
  );
  return { profile, fixture: { tables: filled }, table: first.name, queries };
}
