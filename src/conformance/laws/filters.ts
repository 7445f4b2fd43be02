import fc from "fast-check";
import { filterArbitrary, fixtureArbitrary, listArbitrary, oneOf } from "../arbitraries/people.js";
import { evaluateQuery, type OracleRequest } from "../oracle/evaluate.js";
import type { JsonObject } from "../oracle/model.js";
import type { Fixture } from "../target/target.js";
import { databaseOf } from "./compare.js";
import { defineLaw, type Law, type LawDefinition } from "./law.js";

const PATHS = ["name", "age", "at", "labels", "team", "place.zip", "place.city", "place"];

/** A law of filters that match the same records as the oracle's. */
function filterLaw(
  law: Pick<LawDefinition<never>, "id" | "title" | "rules" | "tier" | "share">,
  fixture: fc.Arbitrary<Fixture>,
  filter: fc.Arbitrary<JsonObject>,
): Law {
  return defineLaw({
    ...law,
    cases: () =>
      fc.record({
        fixture,
        filters: fc.array(filter, { minLength: 1, maxLength: 15, size: "max" }),
      }),
    async check(scene, given) {
      const db = databaseOf(scene.traits, given.fixture);
      for (const each of given.filters) {
        const request = { filter: each, page: { size: 200 } } as OracleRequest; // a valid filter
        const ids = evaluateQuery(db, "people", request).records.map(({ id }) => id);
        await scene.query("people", { filter: each, page: { size: 50 } });
        scene.expect({ status: 200, ids: { unordered: ids } }, law.title);
      }
    },
  });
}

export const FILTER_LAWS: readonly Law[] = [
  filterLaw(
    {
      id: "filters-equal-the-oracle",
      title: "nested filters of records without null equal the oracle",
      rules: ["F-1", "F-2", "F-3", "F-6", "F-8", "F-9", "F-10", "F-11", "F-12", "F-13", "N-4"],
      tier: "core",
      share: 2,
    },
    fixtureArbitrary(6, false),
    filterArbitrary(),
  ),
  filterLaw(
    {
      id: "existence-splits",
      title: "$exists, $notExists and lists of values match null as the oracle",
      rules: ["F-4", "T-14", "T-8", "F-14", "F-8", "F-9", "F-15", "F-30"],
      tier: "complete",
    },
    fixtureArbitrary(),
    fc.oneof(
      fc
        .tuple(oneOf(["$exists", "$notExists"]), oneOf(PATHS))
        .map(([key, path]) => ({ [key]: path })),
      { weight: 2, arbitrary: listArbitrary() },
    ),
  ),
];
