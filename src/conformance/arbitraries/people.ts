import fc from "fast-check";
import type { Json, Sort } from "../../types.js";
import type { JsonObject } from "../oracle/model.js";
import { fillDatabase } from "../oracle/world.js";
import type { Tier } from "../rules.js";
import type { Fixture, TargetTraits } from "../target/target.js";
import type { LawCase } from "./cases.js";
import { CLOCK_START, type Domains } from "./domains.js";
import { chooseFilter, filterPlanArbitrary, renderFilter, varyPlan } from "./filter.js";
import { type QueriedSchema, recordScope } from "./paths.js";
import { queryPlanArbitrary, renderQuery } from "./query.js";
import type { GeneratedTable } from "./schema.js";

const TEAMS: GeneratedTable = {
  name: "teams",
  columns: [
    { name: "name", type: "string" },
    { name: "size", type: "int" },
  ],
};

const PEOPLE: GeneratedTable = {
  name: "people",
  columns: [
    { name: "name", type: "string" },
    { name: "age", type: "int" },
    { name: "at", type: "datetime" },
    { name: "labels", type: "multiple" },
    { name: "team", type: "link", link: { table: "teams" } },
    {
      name: "place",
      type: "object",
      columns: [
        { name: "city", type: "string" },
        { name: "zip", type: "int" },
      ],
    },
  ],
};

/** Few values of each kind, so ties are common. */
export const NAMES: readonly string[] = ["ab", "", "a*", ..."abA\\?é\u{1F600}"];
export const AGES: readonly number[] = [0, 1, 2, -1];
const TIMES: readonly string[] = [
  "2020-01-01T00:00:00Z",
  "2020-01-01T01:00:00+01:00",
  "2020-01-01T00:00:00.5Z",
  "1999-12-31T23:59:59.999999Z",
];
const LABELS: readonly string[] = ["a", "b", "ab"];
const TEAM_IDS: readonly string[] = ["t1", "t1", "t2", "gone"];
const DOMAINS: Domains = {
  ...{ string: NAMES, int: AGES, datetime: TIMES, link: TEAM_IDS },
  multiple: [[], ["a"], ["b", "a"], ["ab"]],
};

export function oneOf<T>(values: readonly T[]): fc.Arbitrary<T> {
  return fc.constantFrom(...values);
}

/** An object with some of its members; with all if it has no nulls. */
export function sparse(
  members: { readonly [key: string]: fc.Arbitrary<Json> },
  hasNulls = true,
): fc.Arbitrary<JsonObject> {
  const entries = Object.entries(members).map(([key, member]) =>
    (hasNulls ? fc.option(member, { freq: 3 }) : member).map((value): [string, Json][] =>
      value === null ? [] : [[key, value]],
    ),
  );
  return fc.tuple(...entries).map((some) => Object.fromEntries(some.flat()));
}

export function personArbitrary(hasNulls = true): fc.Arbitrary<JsonObject> {
  const place = sparse({ city: oneOf(NAMES), zip: oneOf(AGES) }, hasNulls);
  const labels = fc.uniqueArray(oneOf(LABELS), { maxLength: 2 });
  const own = { name: oneOf(NAMES), age: oneOf(AGES), at: oneOf(TIMES) };
  return sparse({ ...own, labels, team: oneOf(TEAM_IDS), place }, hasNulls);
}

export function fixtureArbitrary(most = 6, hasNulls = true): fc.Arbitrary<Fixture> {
  const team = sparse({ name: oneOf(NAMES), size: oneOf(AGES) });
  return fc
    .record({
      people: fc.array(personArbitrary(hasNulls), { maxLength: most, size: "max" }),
      teams: fc.array(team, { maxLength: 2, size: "max" }),
    })
    .map(({ people, teams }) => ({
      tables: [
        { ...TEAMS, records: numberRecords("t", teams) },
        { ...PEOPLE, records: numberRecords("p", people) },
      ],
    }));
}

function numberRecords(letter: string, records: readonly JsonObject[]): JsonObject[] {
  return records.map((record, i) => ({ id: `${letter}${i + 1}`, ...record }));
}

export function recordsOf(given: LawCase, table = "people"): readonly JsonObject[] {
  return given.fixture.tables.find(({ name }) => name === table)?.records ?? [];
}

/** The fixed schema, with the features of queries up to a tier. */
function peopleSchema({ profile }: TargetTraits, tier: Tier): QueriedSchema {
  const { base, metadataColumn } = profile;
  return { tables: [TEAMS, PEOPLE], base, metadataColumn, tier, domains: DOMAINS };
}

/** Filters of people, most of which match some and not others; in tier `core` without null. */
export function filterCaseArbitrary(
  traits: TargetTraits,
  tier: Tier,
): fc.Arbitrary<LawCase & { readonly filters: readonly JsonObject[] }> {
  const schema = peopleSchema(traits, tier);
  const plans = fc.array(filterPlanArbitrary(2), { minLength: 1, maxLength: 40, size: "max" });
  const fixture = fixtureArbitrary(6, tier !== "core");
  return fc.noBias(fc.record({ fixture, plans })).map(({ fixture, plans }) => {
    const db = fillDatabase(traits.profile, fixture.tables, CLOCK_START);
    const filters = plans.map((plan) =>
      chooseFilter(db, PEOPLE.name, (label) =>
        renderFilter(schema, recordScope(PEOPLE), varyPlan(plan, label)),
      ),
    );
    return { fixture, filters };
  });
}

/** Queries of people with a total order, mostly of every record. */
export function plainQueryArbitrary(traits: TargetTraits, tier: Tier): fc.Arbitrary<PlainQuery> {
  const schema = peopleSchema(traits, tier);
  const isFiltered = oneOf([false, false, false, true]);
  return fc.tuple(fc.noBias(queryPlanArbitrary()), isFiltered).map(([plan, filtered]) => {
    const { filter = {}, sort, columns } = renderQuery(schema, PEOPLE, plan);
    const selection = columns === undefined ? {} : { columns: columns as Json }; // JSON
    return { ...orderTotally(filtered ? filter : {}, sort), ...selection };
  });
}

export interface PlainQuery {
  readonly filter: JsonObject;
  readonly sort: readonly { readonly [path: string]: "asc" | "desc" | "random" }[];
  readonly columns?: Json;
}

/**
 * Limits a query to records with every sort key, ties by id: the service's documentation leaves the
 * order of ties and nulls open.
 */
export function orderTotally(filter: object, sort: Sort | undefined): PlainQuery {
  const keys = [sort ?? []].flat().flatMap((key) => {
    const entries = Object.entries(typeof key === "string" ? { [key]: "asc" as const } : key);
    return entries.filter(([path]) => path !== "id");
  });
  const exists = keys.map(([path]) => ({ $exists: path }));
  const parts = Object.keys(filter).length === 0 ? exists : [filter as JsonObject, ...exists]; // F-2
  return {
    filter: { $all: parts },
    sort: [...keys.map(([path, direction]) => ({ [path]: direction })), { id: "asc" }],
  };
}
