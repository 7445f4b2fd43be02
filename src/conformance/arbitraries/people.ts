import fc from "fast-check";
import type { Json } from "../../types.js";
import type { JsonObject } from "../oracle/model.js";
import type { Fixture, FixtureTable } from "../target/target.js";

export interface LawCase {
  readonly fixture: Fixture;
  /** Features of queries that it covers. */
  readonly features?: readonly string[];
}

const TEAMS: FixtureTable["columns"] = [
  { name: "name", type: "string" },
  { name: "size", type: "int" },
];

const PEOPLE: FixtureTable["columns"] = [
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
];

/** Few values of each kind, so ties are common. */
export const NAMES: readonly string[] = [
  "a",
  "b",
  "ab",
  "A",
  "",
  "a*",
  "\\",
  "?",
  "é",
  "\u{1F600}",
];
export const AGES: readonly number[] = [0, 1, 2, -1];
const TIMES: readonly string[] = [
  "2020-01-01T00:00:00Z",
  "2020-01-01T01:00:00+01:00",
  "2020-01-01T00:00:00.5Z",
  "1999-12-31T23:59:59Z",
];
const LABELS: readonly string[] = ["a", "b", "ab"];
const TEAM_IDS: readonly string[] = ["t1", "t2", "gone"];

export function oneOf<T>(values: readonly T[]): fc.Arbitrary<T> {
  return fc.constantFrom(...values);
}

function sparse(members: { readonly [key: string]: fc.Arbitrary<Json> }): fc.Arbitrary<JsonObject> {
  const keys = Object.keys(members);
  const options = keys.map((key) => fc.option(members[key] ?? fc.constant(null), { freq: 3 }));
  return fc.tuple(...options).map((values) =>
    Object.fromEntries(
      keys.flatMap((key, i): [string, Json][] => {
        const value = values[i] ?? null;
        return value === null ? [] : [[key, value]];
      }),
    ),
  );
}

export function personArbitrary(): fc.Arbitrary<JsonObject> {
  return sparse({
    name: oneOf(NAMES),
    age: oneOf(AGES),
    at: oneOf(TIMES),
    labels: fc.uniqueArray(oneOf(LABELS), { maxLength: 2 }),
    team: oneOf(TEAM_IDS),
    place: sparse({ city: oneOf(NAMES), zip: oneOf(AGES) }),
  });
}

export function fixtureArbitrary(most = 6): fc.Arbitrary<Fixture> {
  const team = sparse({ name: oneOf(NAMES), size: oneOf(AGES) });
  return fc
    .record({
      people: fc.array(personArbitrary(), { maxLength: most, size: "max" }),
      teams: fc.array(team, { maxLength: 2 }),
    })
    .map(({ people, teams }) => ({
      tables: [
        { name: "teams", columns: TEAMS, records: numberRecords("t", teams) },
        { name: "people", columns: PEOPLE, records: numberRecords("p", people) },
      ],
    }));
}

function numberRecords(letter: string, records: readonly JsonObject[]): JsonObject[] {
  return records.map((record, i) => ({ id: `${letter}${i + 1}`, ...record }));
}

export function idsOf(given: LawCase, table = "people"): string[] {
  return recordsOf(given, table).map(({ id }) => String(id));
}

export function recordsOf(given: LawCase, table = "people"): readonly JsonObject[] {
  return given.fixture.tables.find(({ name }) => name === table)?.records ?? [];
}

export interface Leaf {
  readonly path: string;
  readonly predicate: Json;
}

export function leafArbitrary(
  paths: readonly string[] = ["name", "place.city", "age", "place.zip", "at"],
): fc.Arbitrary<Leaf> {
  const text = fc.oneof(
    oneOf(NAMES).map((value) => ({ $is: value })),
    fc.array(oneOf(NAMES), { minLength: 1, maxLength: 2 }).map((some) => ({ $any: some })),
    fc.tuple(oneOf(["$contains", "$startsWith", "$endsWith"]), oneOf(NAMES)).map(pair),
    oneOf(["*", "a*", "?", "*b", "\\*", "a?"]).map((pattern) => ({ $pattern: pattern })),
  );
  const ranges = (values: readonly Json[]): fc.Arbitrary<JsonObject> =>
    fc.oneof(
      oneOf(values).map((value) => ({ $is: value })),
      fc.tuple(oneOf(["$gt", "$ge", "$lt", "$le"]), oneOf(values)).map(pair),
      fc.tuple(oneOf(values), oneOf(values)).map(([low, high]) => ({ $ge: low, $lt: high })),
    );
  const groups: readonly [readonly string[], fc.Arbitrary<Json>][] = [
    [["name", "place.city"], text],
    [["age", "place.zip"], ranges(AGES)],
    [["at"], ranges(TIMES)],
  ];
  return fc.oneof(
    ...groups.flatMap(([own, predicate]) => {
      const some = own.filter((path) => paths.includes(path));
      return some.length === 0 ? [] : [fc.record({ path: oneOf(some), predicate })];
    }),
  );
}

export function pair([key, value]: readonly [string, Json]): JsonObject {
  return { [key]: value };
}

export function leafFilter({ path, predicate }: Leaf): JsonObject {
  return { [path]: predicate };
}

export function filterArbitrary(depth = 2): fc.Arbitrary<JsonObject> {
  const item = fc.oneof(
    oneOf<Json>(LABELS),
    oneOf(["a", "b"]).map((text): Json => ({ $contains: text })),
  );
  const leaf: fc.Arbitrary<JsonObject> = fc.oneof(
    { weight: 4, arbitrary: leafArbitrary().map(leafFilter) },
    oneOf(["name", "age", "labels", "team", "place", "place.zip"]).map((path) => ({
      $exists: path,
    })),
    oneOf(["name", "at", "place"]).map((path) => ({ $notExists: path })),
    fc
      .tuple(oneOf(["$includes", "$includesAll", "$includesNone"]), item)
      .map((entry) => ({ labels: pair(entry) })),
  );
  if (depth === 0) return leaf;
  const inner = filterArbitrary(depth - 1);
  return fc.oneof(
    { weight: 3, arbitrary: leaf },
    fc
      .tuple(oneOf(["$all", "$any", "$none"]), fc.array(inner, { minLength: 1, maxLength: 2 }))
      .map(pair),
    inner.map((filter) => ({ $not: filter })),
  );
}

export type SortKeys = readonly { readonly [path: string]: "asc" | "desc" }[];

export function sortArbitrary(
  paths: readonly string[] = ["name", "age", "at", "place.zip", "place.city"],
): fc.Arbitrary<SortKeys> {
  const key = fc.tuple(oneOf(paths), oneOf(["asc", "desc"] as const));
  return fc
    .uniqueArray(key, { maxLength: 2, selector: ([path]) => path })
    .map((keys) => keys.map(([path, direction]) => ({ [path]: direction })));
}

function totalSort(keys: SortKeys): Json {
  return [...keys, { id: "asc" }];
}

/** A query with a total order, mostly of every record. */
export function plainQueryArbitrary(paths?: readonly string[]): fc.Arbitrary<PlainQuery> {
  const everything = { weight: 3, arbitrary: fc.constant<JsonObject>({}) };
  const filter = fc.oneof(everything, leafArbitrary(paths).map(leafFilter));
  const keys = fc.oneof(fc.constant<SortKeys>([]), sortArbitrary(paths));
  return fc
    .tuple(keys, filter, fc.subarray(["name", "age"]))
    .map(([sort, some, columns]) => orderTotally(some, sort, columns));
}

export interface PlainQuery {
  readonly filter: JsonObject;
  readonly sort: Json;
  readonly columns?: readonly string[];
}

/**
 * Limits a query to records with every sort key, ties by id: the service's documentation leaves the
 * order of ties and nulls open.
 */
export function orderTotally(
  filter: JsonObject,
  keys: SortKeys,
  columns?: readonly string[],
): PlainQuery {
  const exists = keys.flatMap((key) => Object.keys(key)).map((path) => ({ $exists: path }));
  const parts = Object.keys(filter).length === 0 ? exists : [filter, ...exists]; // F-2
  const selection = columns === undefined ? {} : { columns };
  return { filter: { $all: parts }, sort: totalSort(keys), ...selection };
}
