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

export function oneOf<T>(values: readonly T[]): fc.Arbitrary<T> {
  return fc.constantFrom(...values);
}

/** An object with some of its members; with all if it has no nulls. */
export function sparse(
  members: { readonly [key: string]: fc.Arbitrary<Json> },
  hasNulls = true,
): fc.Arbitrary<JsonObject> {
  const keys = Object.keys(members);
  const options = Object.values(members).map((member) =>
    hasNulls ? fc.option(member, { freq: 3 }) : member,
  );
  return fc.tuple(...options).map((values) =>
    Object.fromEntries(
      keys.flatMap((key, i): [string, Json][] => {
        const value = values[i] ?? null;
        return value === null ? [] : [[key, value]];
      }),
    ),
  );
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

/** Conditions that no null matches. */
function leafArbitrary(
  paths: readonly string[] = ["name", "place.city", "age", "place.zip", "at"],
): fc.Arbitrary<JsonObject> {
  const star = oneOf(["", "*"]);
  const pattern = fc.tuple(star, oneOf(NAMES), star).map(([before, text, after]) => {
    return `${before}${text.replace(/[*?\\]/g, "\\$&")}${after}`;
  });
  const text = fc.oneof(
    oneOf(NAMES),
    oneOf(NAMES).map((value) => ({ $is: value })),
    fc.array(oneOf(NAMES), { minLength: 1, maxLength: 2 }).map((some) => ({ $any: some })),
    fc.tuple(oneOf(["$contains", "$startsWith", "$endsWith"]), oneOf(NAMES)).map(pair),
    fc.oneof(pattern, oneOf(["*", "a*", "?", "*b", "a?"])).map(($pattern) => ({ $pattern })),
  );
  const ranges = (values: readonly Json[]): fc.Arbitrary<Json> =>
    fc.oneof(
      oneOf(values),
      oneOf(values).map((value) => ({ $is: value })),
      fc.tuple(oneOf(["$gt", "$ge", "$lt", "$le"]), oneOf(values)).map(pair),
      fc
        .tuple(oneOf(["$gt", "$ge"]), oneOf(values), oneOf(["$lt", "$le"]), oneOf(values))
        .map(([above, low, below, high]) => ({ [above]: low, [below]: high })),
    );
  const groups: readonly [readonly string[], fc.Arbitrary<Json>][] = [
    [["name", "place.city"], text],
    [["age", "place.zip"], ranges(AGES)],
    [["at"], ranges(TIMES)],
  ];
  return fc.oneof(
    ...groups.flatMap(([own, predicate]) => {
      const some = own.filter((path) => paths.includes(path));
      return some.length === 0 ? [] : [fc.tuple(oneOf(some), predicate).map(pair)];
    }),
  );
}

function pair([key, value]: readonly [string, Json]): JsonObject {
  return { [key]: value };
}

/** Lists of values and null. */
export function listArbitrary(): fc.Arbitrary<JsonObject> {
  const listOf = ([paths, values]: readonly [readonly string[], readonly Json[]]) =>
    fc
      .tuple(
        oneOf(paths),
        oneOf(["$is", "$isNot", "$any", "$none"]),
        fc.array(fc.option(oneOf(values)), { maxLength: 2 }),
      )
      .map(([path, operator, list]) => ({ [path]: { [operator]: list } }));
  return fc.oneof(
    listOf([["name", "place.city"], NAMES]),
    listOf([["age", "place.zip"], AGES]),
    listOf([["at"], TIMES]),
    listOf([["team"], TEAM_IDS]),
  );
}

/** Filters of all forms, for records without null. */
export function filterArbitrary(depth = 2): fc.Arbitrary<JsonObject> {
  const isNot = fc.oneof(
    fc.tuple(oneOf(["name", "place.city"]), oneOf<Json>(NAMES)),
    fc.tuple(oneOf(["age", "place.zip"]), oneOf<Json>(AGES)),
  );
  const contains = oneOf(["a", "b"]).map((text): Json => ({ $contains: text }));
  const includes = fc.tuple(
    oneOf(["$includes", "$includesAll", "$includesNone"]),
    fc.oneof(oneOf<Json>(LABELS), contains),
  );
  const leaf = fc.oneof(
    { weight: 6, arbitrary: leafArbitrary() },
    isNot.map(([path, value]) => ({ [path]: { $isNot: value } })),
    includes.map((entry) => ({ labels: pair(entry) })),
    fc.tuple(oneOf(NAMES), oneOf(AGES)).map(([city, zip]) => ({ place: { city, zip } })),
  );
  if (depth === 0) return leaf;
  const some = fc.array(filterArbitrary(depth - 1), { minLength: 1, maxLength: 3 });
  // F-2: the parts as keys of one object.
  const merged = some.map((parts): JsonObject => Object.assign({}, ...parts));
  const operand = fc.oneof<fc.Arbitrary<Json>[]>(some, merged);
  const connected = fc.tuple(oneOf(["$all", "$any", "$none", "$not"]), operand).map(pair);
  return fc.oneof({ weight: 3, arbitrary: leaf }, merged, { weight: 2, arbitrary: connected });
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

const SELECTED = [
  "*",
  "name",
  "age",
  "at",
  "labels",
  "place",
  "place.zip",
  "place.*",
  "place.city",
];

/** A query with a total order, mostly of every record. */
export function plainQueryArbitrary(paths?: readonly string[]): fc.Arbitrary<PlainQuery> {
  const everything = { weight: 3, arbitrary: fc.constant<JsonObject>({}) };
  const filter = fc.oneof(everything, leafArbitrary(paths));
  const keys = fc.oneof(fc.constant<SortKeys>([]), sortArbitrary(paths));
  const columns = fc.option(fc.array(oneOf(SELECTED), { maxLength: 3 }), { nil: undefined });
  return fc
    .tuple(keys, filter, columns)
    .map(([sort, some, selected]) => orderTotally(some, sort, selected));
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
  return { filter: { $all: parts }, sort: [...keys, { id: "asc" }], ...selection };
}
