import fc from "fast-check";
import type { ColumnDefinition, Json } from "../../types.js";
import { MODIFIERS, type OracleBooster } from "../oracle/boosters.js";
import type { JsonObject } from "../oracle/model.js";
import type { OracleSearch } from "../oracle/search.js";
import type { Fixture } from "../target/target.js";
import { oneOf, sparse } from "./people.js";

const COLUMNS: readonly ColumnDefinition[] = [
  { name: "title", type: "string" },
  { name: "labels", type: "multiple" },
  { name: "n", type: "int" },
  { name: "place", type: "object", columns: [{ name: "city", type: "text" }] },
  { name: "facts", type: "json" },
];
export const PATHS = ["title", "labels", "place.city", "facts"] as const;

/** Few similar words, so matches, ties and repeats are common. */
const WORDS = ["abc", "abcd", "acb", "ab", "b", "Éa", "straße", "STRASSE", "京", "12"] as const;

export function textArbitrary(most = 4): fc.Arbitrary<string> {
  const parts = fc.array(fc.tuple(oneOf(WORDS), oneOf([" ", "-", ", ", " <&> "])), {
    maxLength: most,
  });
  return parts.map((some) => some.flat().join(""));
}

/** No texts alone: profile `xata` parses them. */
function factsArbitrary(): fc.Arbitrary<Json> {
  const fact = fc.oneof(textArbitrary(2), oneOf([12, -1.5, true, null]));
  const key = oneOf(["abc", "b"]);
  const object = fc.dictionary(key, fact, { maxKeys: 2, noNullPrototype: true });
  return fc.oneof(oneOf([12, false]), fc.array(fc.oneof(fact, object), { maxLength: 2 }), object);
}

export function documentArbitrary(): fc.Arbitrary<JsonObject> {
  return sparse({
    title: textArbitrary(),
    labels: fc.array(textArbitrary(2), { maxLength: 2 }),
    n: oneOf([0, 1, 2]),
    place: textArbitrary().map((city) => ({ city })),
    facts: factsArbitrary(),
  });
}

export function documentsArbitrary(table = "docs"): fc.Arbitrary<Fixture> {
  const some = fc.array(documentArbitrary(), { maxLength: 7, size: "max" });
  return some.map((documents) => fixtureOf(documents, table));
}

function fixtureOf(
  documents: readonly JsonObject[],
  name = "docs",
  columns: readonly ColumnDefinition[] = COLUMNS,
): Fixture {
  const records = documents.map((document, i) => ({ id: `d${i + 1}`, ...document }));
  return { tables: [{ name, columns, records }] };
}

export function searchArbitrary(): fc.Arbitrary<OracleSearch> {
  return fc.record(
    {
      query: textArbitrary(3),
      fuzziness: oneOf([0, 1, 2]),
      prefix: oneOf(["phrase", "disabled"] as const),
      weights: fc
        .dictionary(oneOf(PATHS), fc.integer({ min: 1, max: 10 }), { noNullPrototype: true })
        .chain((weights) => {
          const all = fc.constant({ ...weights, "*": 1 });
          return Object.keys(weights).length === 0 ? all : fc.oneof(all, fc.constant(weights));
        }),
    },
    { requiredKeys: ["query"] },
  );
}

/** Documents with a time; every title contains the searched word. */
export function datedArbitrary(): fc.Arbitrary<Fixture> {
  const at = fc.option(oneOf(["2024-01-30T12:00:00Z", "2024-02-01T00:00:00Z"]), { freq: 4 });
  const dated = fc
    .tuple(documentArbitrary(), at)
    .map(([{ title = "", ...rest }, time]): JsonObject => {
      const document = { title: `abc ${String(title)}`, ...rest };
      return time === null ? document : { ...document, at: time };
    });
  const columns = [...COLUMNS, { name: "at", type: "datetime" as const }];
  const some = fc.array(dated, { maxLength: 7, size: "max" });
  return some.map((documents) => fixtureOf(documents, "docs", columns));
}

const ONLY = [
  { filter: { n: { $ge: 1 } }, holds: ({ n }: JsonObject) => Number(n ?? 0) >= 1 },
  { filter: { $exists: "labels" }, holds: ({ labels = null }: JsonObject) => labels !== null },
  { filter: {}, holds: () => true },
] as const;

export function boosterArbitrary(): fc.Arbitrary<OracleBooster> {
  const factor = oneOf([0, 0.5, 1, 3, -2]);
  const only = fc.option(oneOf(ONLY), { nil: undefined }).map((some) => some && { only: some });
  const number = fc.record({ column: fc.constant("n"), factor, modifier: oneOf(MODIFIERS) });
  const value = fc.record({
    factor,
    seen: oneOf([
      { column: "n", value: 0 },
      { column: "n", value: 2 },
      { column: "title", value: "abc " },
    ]),
  });
  const date = fc.record({
    column: fc.constant("at"),
    factor: oneOf([0, 1, 4]),
    origin: oneOf(["2024-01-31T12:00:00Z", "2024-02-01T01:00:00+01:00"]),
    days: oneOf([1, 3]),
    decay: oneOf([0.5, 0.1, 1]),
  });
  return fc
    .oneof(
      number.map((parts) => ({ kind: "numericBooster" as const, ...parts })),
      value.map(({ seen, ...parts }) => ({ kind: "valueBooster" as const, ...parts, ...seen })),
      date.map((parts) => ({ kind: "dateBooster" as const, ...parts })),
    )
    .chain((booster) => only.map((some) => ({ ...booster, ...some })));
}
