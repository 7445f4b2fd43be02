import fc from "fast-check";
import type { Json } from "../../types.js";
import { claim, claimSame, find } from "./asking.js";
import {
  filterArbitrary,
  fixtureArbitrary,
  idsOf,
  intersect,
  type JsonObject,
  LABELS,
  leafArbitrary,
  leafFilter,
  oneOf,
  recordsOf,
  subtract,
  unite,
  valueAt,
  withFilter,
  withFilters,
} from "./cases.js";
import { defineLaw, type Law } from "./law.js";

/** Laws of control operators, and of what null does under them. */
export const LOGIC_LAWS: readonly Law[] = [
  defineLaw({
    id: "negation-parts-the-table",
    title: "a filter and its negation part the table, what is null aside in sql mode",
    rules: ["F-3", "F-30"],
    tier: "complete",
    cases: withFilter,
    async check(scene, given) {
      const matched = await find(scene, given.filter);
      const rest = await find(scene, { $not: given.filter });
      const whole = scene.traits.profile.nullComparison === "complement";
      const ids = subtract(whole ? idsOf(given) : rest, matched);
      scene.expect({ ids: { unordered: ids } }, "a negation matches what the filter does not");
    },
  }),
  defineLaw({
    id: "negated-comparison-and-null",
    title: "a comparison, its negation and null part the table",
    rules: ["F-30", "F-3"],
    tier: "complete",
    cases: () => fc.record({ fixture: fixtureArbitrary(), leaf: leafArbitrary() }),
    async check(scene, given) {
      const matched = await find(scene, leafFilter(given.leaf));
      const nulls = recordsOf(given)
        .filter((record) => valueAt(record, given.leaf.path) === null)
        .map(({ id }) => String(id));
      const whole = scene.traits.profile.nullComparison === "complement";
      const rest = subtract(subtract(idsOf(given), matched), whole ? [] : nulls);
      const { path, predicate } = given.leaf;
      const why = "what is null belongs where the profile says";
      await claim(scene, { $not: leafFilter(given.leaf) }, rest, why);
      await claim(scene, { [path]: { $not: predicate } }, rest, why);
      await claim(scene, { $none: [leafFilter(given.leaf)] }, rest, why);
      await claim(scene, { $notExists: path }, nulls, why);
    },
  }),
  defineLaw({
    id: "null-satisfies-nothing",
    title: "a null column satisfies no positive predicate",
    rules: ["F-30"],
    tier: "complete",
    cases: () => fc.record({ fixture: fixtureArbitrary(), leaf: leafArbitrary() }),
    async check(scene, { leaf }) {
      await find(scene, { $all: [leafFilter(leaf), { $notExists: leaf.path }] });
      scene.expect({ ids: { unordered: [] } }, "null satisfies no positive predicate");
    },
  }),
  defineLaw({
    id: "double-negation",
    title: "a double negation is the filter itself",
    rules: ["F-3", "F-30"],
    tier: "core",
    cases: withFilter,
    check: (scene, { filter }) =>
      claimSame(scene, "a double negation is the thing itself", filter, { $not: { $not: filter } }),
  }),
  defineLaw({
    id: "de-morgan",
    title: "the negation of all is any negation, the negation of any is all negations",
    rules: ["F-3", "F-2", "F-30"],
    tier: "complete",
    cases: withFilters,
    async check(scene, { one, other }) {
      const negations = [{ $not: one }, { $not: other }];
      const why = "De Morgan's law";
      await claimSame(scene, why, { $not: { $all: [one, other] } }, { $any: negations });
      await claimSame(scene, why, { $not: { $any: [one, other] } }, { $all: negations });
      await claimSame(scene, why, { $not: [one, other] }, { $any: negations });
    },
  }),
  defineLaw({
    id: "all-intersects-any-unites",
    title: "$all is the intersection and $any the union of what its parts match",
    rules: ["F-2", "F-1"],
    tier: "core",
    cases: withFilters,
    async check(scene, { one, other }) {
      const [left, right] = [await find(scene, one), await find(scene, other)];
      await claim(scene, { $all: [one, other] }, intersect(left, right), "$all intersects");
      await claim(scene, { $any: [one, other] }, unite(left, right), "$any unites");
      const keys = { $all: [one], $any: [other] };
      await claim(scene, keys, intersect(left, right), "the keys of a filter intersect");
      await claim(scene, { $any: keys }, unite(left, right), "the keys of an $any object unite");
    },
  }),
  defineLaw({
    id: "members-join-their-keys",
    title: "a member of an array joins its keys with and",
    rules: ["F-2"],
    tier: "core",
    cases: () =>
      fc.record({ fixture: fixtureArbitrary(), one: leafArbitrary(), other: leafArbitrary() }),
    async check(scene, given) {
      const [one, other] = [leafFilter(given.one), leafFilter(given.other)];
      if (given.one.path === given.other.path) return;
      const joined = { ...one, ...other };
      const why = "a member's keys are joined with and";
      await claimSame(scene, why, { $all: [one, other] }, joined, { $any: [joined] });
    },
  }),
  defineLaw({
    id: "none-is-not-any",
    title: "$none is $not around $any",
    rules: ["F-3"],
    tier: "core",
    cases: withFilters,
    async check(scene, { one, other }) {
      const why = "$none is $not around $any";
      await claimSame(scene, why, { $not: { $any: [one, other] } }, { $none: [one, other] });
      await claimSame(scene, why, { $not: one }, { $none: [one] }, { $none: [one, one] });
    },
  }),
  defineLaw({
    id: "nothing-to-join",
    title: "$all and $none of nothing hold, $any and $not of nothing do not",
    rules: ["F-2", "F-3"],
    tier: "complete",
    cases: () => fc.record({ fixture: fixtureArbitrary(2), empty: oneOf<Json>([[], {}]) }),
    async check(scene, given) {
      const all = idsOf(given);
      await claim(scene, { $all: given.empty }, all, "$all of nothing is true");
      await claim(scene, { $any: given.empty }, [], "$any of nothing is false");
      await claim(scene, { $none: given.empty }, all, "$none of nothing is true");
      await claim(scene, { $not: given.empty }, [], "$not of nothing is false");
    },
  }),
  defineLaw({
    id: "true-of-a-pivot-finds-it",
    title: "a filter made true of a record finds it",
    rules: ["F-1", "F-8", "F-12", "F-10"],
    tier: "core",
    cases: () =>
      fc
        .record({ fixture: fixtureArbitrary(), pivot: fc.nat(), more: filterArbitrary(1) })
        .filter((given) => recordsOf(given).length > 0),
    async check(scene, given) {
      const records = recordsOf(given);
      const pivot = records[given.pivot % records.length] ?? {};
      const truths = trueOf(pivot);
      const found = await find(scene, { $all: truths });
      const why = "a filter true of a record finds it";
      scene.expect({ ids: { unordered: unite(found, [String(pivot.id)]) } }, why);
      const wider = await find(scene, { $any: [given.more, { $all: truths }] });
      scene.expect(
        { ids: { unordered: unite(wider, found) } },
        "$any finds no less than its parts",
      );
    },
  }),
];

/** Conditions that hold of a record because of what it was made of. */
function trueOf(record: JsonObject): Json[] {
  const { id, name, age, at, labels } = record;
  const truths: Json[] = [{ id: id ?? "" }];
  if (typeof name === "string") {
    truths.push({ name }, { name: { $contains: name } }, { name: { $startsWith: name } });
    truths.push({ name: { $pattern: "*" } });
  }
  if (typeof age === "number") truths.push({ age: { $gt: age - 1, $lt: age + 1 } }, { age });
  if (typeof at === "string") truths.push({ at: { $ge: at, $le: at } });
  if (Array.isArray(labels)) {
    truths.push({ labels: { $includesAll: { $any: [...LABELS] } } });
    for (const label of labels) truths.push({ labels: { $includes: label } });
  }
  return truths;
}
