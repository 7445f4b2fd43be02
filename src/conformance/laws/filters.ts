import { filterCaseArbitrary } from "../arbitraries/people.js";
import { matchingRecords } from "../oracle/evaluate.js";
import { databaseOf } from "./compare.js";
import { defineLaw, type Law, type LawDefinition } from "./law.js";

/** A law of filters that match the same records as the oracle's. */
function filterLaw(
  law: Pick<LawDefinition<never>, "id" | "title" | "rules" | "tier" | "share">,
): Law {
  return defineLaw({
    ...law,
    cases: (traits) => filterCaseArbitrary(traits, law.tier),
    async check(scene, given) {
      const db = databaseOf(scene.traits, given.fixture);
      for (const filter of given.filters) {
        const ids = matchingRecords(db, "people", filter).map(({ id }) => id);
        await scene.query("people", { filter, page: { size: 50 } });
        scene.expect({ status: 200, ids: { unordered: ids } }, law.title);
      }
    },
  });
}

export const FILTER_LAWS: readonly Law[] = [
  filterLaw({
    id: "filters-equal-the-oracle",
    title: "nested filters of records without null equal the oracle",
    rules: ["F-1", "F-2", "F-3", "F-6", "F-8", "F-9", "F-10", "F-11", "F-12", "F-13", "N-4"],
    tier: "core",
    share: 2,
  }),
  filterLaw({
    id: "existence-splits",
    title: "nested filters match null as the oracle",
    rules: ["F-4", "T-14", "T-8", "F-14", "F-8", "F-9", "F-15", "F-30"],
    tier: "complete",
  }),
];
