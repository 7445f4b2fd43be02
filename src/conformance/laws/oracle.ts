import fc from "fast-check";
import type { Profile } from "../../profile.js";
import {
  type GeneratedBranch,
  makeManyRecords,
  type QueryCase,
  queryCaseArbitrary,
  type WalkCase,
  walkCaseArbitrary,
} from "../arbitraries/cases.js";
import { type QueryPlan, queryPlanArbitrary, renderQuery } from "../arbitraries/query.js";
import { makeWideTables } from "../arbitraries/schema.js";
import {
  evaluateQuery,
  type OraclePage,
  type OracleRequest,
  sameUpToTies,
} from "../oracle/evaluate.js";
import type { OracleDatabase } from "../oracle/model.js";
import { isRandomSort } from "../oracle/order.js";
import type { Fixture } from "../target/target.js";
import {
  filterArbitrary,
  fixtureArbitrary,
  type JsonObject,
  oneOf,
  type SortKeys,
  sortArbitrary,
  totalSort,
} from "./cases.js";
import { defineLaw, type Law, type LawCase } from "./law.js";
import { comparePage, readDatabase } from "./oracle-mirror.js";
import { compareWalk } from "./oracle-walk.js";
import type { Scene, SceneQuery } from "./scene.js";

/** Laws that compare a service with the oracle, on generated tables and on plain ones. */
export const ORACLE_LAWS: readonly Law[] = [
  defineLaw({
    id: "queries-equal-the-oracle",
    title: "queries of generated tables are answered as the oracle answers them",
    rules: [
      "F-1",
      "F-7",
      "F-8",
      "F-16",
      "F-18",
      "F-30",
      "S-1",
      "S-2",
      "S-3",
      "S-5",
      "P-1",
      "P-5",
      "P-11",
    ],
    tier: "strict",
    cases: ({ profile }) =>
      queryCaseArbitrary({ profiles: [profile], records: 5, length: 3 }).map(withFixture),
    async check(scene, given: QueryCase & LawCase) {
      const db = await readDatabase(scene, given);
      for (const query of given.queries) {
        // Generated queries are JSON and have no cursors.
        await compareQuery(scene, db, given.table, query as OracleRequest);
      }
    },
  }),
  defineLaw({
    id: "large-tables-equal-the-oracle",
    title: "queries of a table of a thousand records are answered as the oracle answers them",
    rules: ["F-1", "F-8", "F-12", "F-30", "S-1", "S-3", "S-5", "P-5", "G-2"],
    tier: "strict",
    share: 0.08,
    cases: ({ profile }) =>
      fc
        .record({
          // Each case fills a table, so that a smaller one is made in few steps: fewer queries.
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
        // Again: what was noted at the first time is used at the next.
        await compareQuery(scene, db, given.table, request);
        await compareQuery(scene, db, given.table, request);
      }
    },
  }),
  defineLaw({
    id: "plain-queries-equal-the-oracle",
    title: "queries of what the description shows are answered as the oracle answers them",
    rules: [
      "F-2",
      "F-3",
      "F-4",
      "F-10",
      "F-11",
      "F-12",
      "F-13",
      "F-14",
      "F-30",
      "S-1",
      "G-1",
      "P-1",
      "P-2",
      "P-4",
      "P-5",
      "P-10",
    ],
    tier: "complete",
    cases: ({ profile }) =>
      fc.record({
        fixture: fixtureArbitrary(),
        filter: filterArbitrary(),
        keys: sortArbitrary(),
        columns: fc.option(fc.array(oneOf(PLAIN_COLUMNS), { maxLength: 3 }), { nil: undefined }),
        size: fc.integer({ min: 1, max: 5 }),
        profile: fc.constant(profile),
      }),
    async check(scene, { fixture, filter, keys, columns, size, profile }) {
      const db = await readDatabase(scene, plainBranch(profile, fixture));
      const request = { ...plainQuery(filter, keys), columns, page: { size } };
      await compareQuery(scene, db, "people", request as OracleRequest); // its shape is a query's
    },
  }),
  defineLaw({
    id: "walks-equal-the-oracle",
    title: "walks through pages, with writes in between, go as the oracle goes",
    rules: ["G-2", "G-5", "G-6", "G-9", "G-10", "G-11", "G-12", "R-7", "X-2", "T-16"],
    tier: "strict",
    needs: ["records"],
    share: 0.5,
    cases: ({ profile }) =>
      walkCaseArbitrary({ profiles: [profile], records: 6, length: 8 }).map(withFixture),
    check: (scene, given: WalkCase & LawCase) => compareWalk(scene, given),
  }),
];

const PLAIN_COLUMNS = ["name", "age", "at", "labels", "place", "place.zip", "place.*", "team.*"];

/** A fixture as a generated branch. */
function plainBranch(profile: Profile, { tables }: Fixture): GeneratedBranch {
  const records = Object.fromEntries(tables.map(({ name, records: own }) => [name, own]));
  return { profile, tables: tables.map(({ name, columns }) => ({ name, columns })), records };
}

/** A query whose order leaves no ties and no nulls: what the description does not say is not asked. */
function plainQuery(filter: JsonObject, keys: SortKeys): Pick<SceneQuery, "filter" | "sort"> {
  const exists = keys.flatMap((key) => Object.keys(key)).map((path) => ({ $exists: path }));
  return { filter: { $all: [filter, ...exists] }, sort: totalSort(keys) };
}

/** A table of many records and others that its links lead to, with queries. */
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

function withFixture<C extends GeneratedBranch>(given: C): C & { readonly fixture: Fixture } {
  const tables = given.tables.map((table) => ({
    ...table,
    records: given.records[table.name] ?? [],
  }));
  return { ...given, fixture: { tables } };
}

async function compareQuery(
  scene: Scene,
  db: OracleDatabase,
  table: string,
  request: OracleRequest,
): Promise<void> {
  const expected = evaluateQuery(db, table, request);
  const page = await scene.query(table, request as SceneQuery); // both are JSON
  if (!isRandomSort(request.sort)) return comparePage(scene, page, expected);
  const { offset = 0 } = request.page ?? {};
  const count = { count: expected.records.length, page: { more: expected.more } };
  scene.expect(count, "a random page is as long as another");
  const records = page.records as OraclePage["records"]; // from JSON
  if (!sameUpToTies(db, table, request, offset, records)) {
    const ids = evaluateQuery(db, table, { ...request, page: { size: 1000 } }).records;
    scene.fail(
      "a random page does not fit the order",
      ids.map(({ id }) => id),
      [...page.ids],
    );
  }
}
