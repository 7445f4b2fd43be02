import fc from "fast-check";
import { readPointer } from "../../errors.js";
import type { Profile } from "../../profile.js";
import { makeManyRecords, type QueryCase, queryCaseArbitrary } from "../arbitraries/cases.js";
import {
  fixtureArbitrary,
  idsOf,
  type LawCase,
  leafArbitrary,
  leafFilter,
  oneOf,
  orderTotally,
  type SortKeys,
  sortArbitrary,
} from "../arbitraries/people.js";
import { type QueryPlan, queryPlanArbitrary, renderQuery } from "../arbitraries/query.js";
import { makeWideTables } from "../arbitraries/schema.js";
import type { OracleRequest } from "../oracle/evaluate.js";
import {
  comparePlainPage,
  compareQuery,
  databaseOf,
  readDatabase,
  withFixture,
} from "./compare.js";
import { defineLaw, type Law } from "./law.js";
import type { ScenePage } from "./scene.js";

const COLUMNS = ["name", "age", "at", "labels", "place", "place.zip", "place.*", "place.city"];

export const QUERY_LAWS: readonly Law[] = [
  defineLaw({
    id: "columns-of-plain-queries",
    title: "records have the selected columns, in the order of the sort",
    rules: ["P-1", "P-2", "P-3", "P-4", "S-1", "R-1", "G-1"],
    tier: "core",
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(),
        filter: fc.oneof(fc.constant({}), leafArbitrary(["age", "place.zip"]).map(leafFilter)),
        keys: sortArbitrary(["age", "place.zip"]),
        columns: fc.option(fc.array(oneOf(["*", ...COLUMNS]), { maxLength: 3 }), {
          nil: undefined,
        }),
      }),
    async check(scene, { fixture, filter, keys, columns }) {
      const db = databaseOf(scene.traits, fixture);
      const request = orderTotally(filter, keys, columns) as OracleRequest; // has the shape of a query
      await compareQuery(scene, db, "people", request, comparePlainPage);
    },
  }),
  defineLaw({
    id: "random-breaks-ties",
    title: "a sort is a permutation, and a random key orders only ties",
    rules: ["S-4", "S-1"],
    tier: "core",
    cases: () => fc.record({ fixture: fixtureArbitrary(), keys: sortArbitrary() }),
    async check(scene, given) {
      const [main = { name: "asc" as const }] = given.keys;
      const groups = groupIds(await scene.query("people", { sort: main }), main);
      scene.expect({ ids: { unordered: idsOf(given) } }, "a sort is a permutation");
      const mixed = await scene.query("people", { sort: [main, { "*": "random" }] });
      const rank = new Map(mixed.ids.map((id, i) => [id, i]));
      const expected = groups.flatMap((group) =>
        group.toSorted((a, b) => (rank.get(a) ?? 0) - (rank.get(b) ?? 0)),
      );
      scene.expect({ ids: { exact: expected } }, "a random key only breaks ties");
    },
  }),
  defineLaw({
    id: "random-permutes",
    title: "a random order has every record once, and its pages join to it",
    rules: ["S-4", "G-6"],
    tier: "strict",
    cases: () => fc.record({ fixture: fixtureArbitrary(), size: fc.integer({ min: 1, max: 4 }) }),
    async check(scene, given) {
      const { size } = given;
      const whole = await scene.query("people", { sort: { "*": "random" } });
      scene.expect({ ids: { unordered: idsOf(given) } }, "a random order is a permutation");
      const page = await scene.query("people", { page: { start: whole.cursor, size } });
      scene.expect(
        { ids: { exact: whole.ids.slice(0, size) } },
        "start returns the first page of the same random order",
      );
      await scene.query("people", { page: { after: page.cursor } });
      const next = whole.ids.slice(size, 2 * size);
      scene.expect({ ids: { exact: next } }, "the next page continues the random order");
    },
  }),
  defineLaw({
    id: "queries-equal-the-oracle",
    title: "queries of generated tables equal the oracle",
    rules: [
      ...(["F-1", "F-7", "F-8", "F-16", "F-18", "F-30"] as const),
      ...(["S-1", "S-2", "S-3", "S-5", "P-1", "P-5", "P-11"] as const),
    ],
    tier: "strict",
    cases: ({ profile }) =>
      queryCaseArbitrary({ profiles: [profile], records: 5, length: 3 }).map(withFixture),
    async check(scene, given: QueryCase & LawCase) {
      const db = await readDatabase(scene, given);
      for (const query of given.queries) {
        // Generated queries are JSON without cursors.
        await compareQuery(scene, db, given.table, query as OracleRequest);
      }
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
      for (const query of given.queries) {
        const request = query as OracleRequest; // as above
        // Repeated: caches of the first time are used now.
        await compareQuery(scene, db, given.table, request);
        await compareQuery(scene, db, given.table, request);
      }
    },
  }),
];

function groupIds(page: ScenePage, key: SortKeys[number]): string[][] {
  const pointers = Object.keys(key).map((path) => `/${path.replaceAll(".", "/")}`);
  const groups = new Map<string, string[]>();
  for (const record of page.records) {
    const values = pointers.map((pointer) => readPointer(record, pointer) ?? null);
    const text = JSON.stringify(values);
    groups.set(text, [...(groups.get(text) ?? []), record.id]);
  }
  return [...groups.values()];
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
