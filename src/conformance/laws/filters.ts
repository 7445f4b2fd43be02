import fc from "fast-check";
import type { Json } from "../../types.js";
import {
  AGES,
  filterArbitrary,
  fixtureArbitrary,
  intersect,
  type JsonObject,
  LABELS,
  leafArbitrary,
  leafFilter,
  NAMES,
  oneOf,
  pair,
  recordsOf,
  subtract,
  TIMES,
  unite,
  withFilter,
  withFilters,
} from "./cases.js";
import { defineFilterLaw, sameAsObserved } from "./filter-law.js";
import type { Law, LawCase } from "./law.js";

const PATHS = ["name", "age", "at", "labels", "team", "place.zip", "place.city", "place"];

/** Laws of filters of the description: operators, null, ranges, links. */
const LOGIC: readonly Law[] = [
  defineFilterLaw({
    id: "double-negation",
    title: "a double negation is the filter itself",
    rules: ["F-3", "F-30"],
    tier: "core",
    cases: withFilter,
    observed: ({ filter }) => [filter],
    claims: ({ filter }) => sameAsObserved({ $not: { $not: filter } }),
  }),
  defineFilterLaw({
    id: "all-intersects-any-unites",
    title: "$all is the intersection and $any the union of what its parts match",
    rules: ["F-2", "F-1"],
    tier: "core",
    cases: withFilters,
    observed: ({ one, other }) => [one, other],
    claims: ({ one, other }) => [
      [{ $all: [one, other] }, ([a = [], b = []]) => intersect(a, b)],
      [{ $any: [one, other] }, ([a = [], b = []]) => unite(a, b)],
      [{ $all: [one], $any: [other] }, ([a = [], b = []]) => intersect(a, b)],
      [{ $any: { $all: [one], $any: [other] } }, ([a = [], b = []]) => unite(a, b)],
    ],
  }),
  defineFilterLaw({
    id: "members-join-their-keys",
    title: "a member of an array joins its keys with and",
    rules: ["F-2"],
    tier: "core",
    cases: () =>
      fc
        .record({ fixture: fixtureArbitrary(), one: leafArbitrary(), other: leafArbitrary() })
        .filter(({ one, other }) => one.path !== other.path),
    observed: ({ one, other }) => [{ $all: [leafFilter(one), leafFilter(other)] }],
    claims: ({ one, other }) => {
      const joined = { ...leafFilter(one), ...leafFilter(other) };
      return sameAsObserved(joined, { $any: [joined] });
    },
  }),
  defineFilterLaw({
    id: "none-is-not-any",
    title: "$none is $not around $any",
    rules: ["F-3"],
    tier: "core",
    cases: withFilters,
    observed: ({ one, other }) => [{ $not: { $any: [one, other] } }],
    claims: ({ one, other }) =>
      sameAsObserved({ $none: [one, other] }, { $none: [other, one, one] }),
  }),
  defineFilterLaw({
    id: "negations-are-the-rest",
    title:
      "a negation, however written, matches what the filter does not, null as the profile says",
    rules: ["F-3", "F-2", "F-30", "F-4"],
    tier: "complete",
    cases: () =>
      fc.record({ fixture: fixtureArbitrary(), leaf: leafArbitrary(), more: filterArbitrary(1) }),
    claims: ({ leaf: { path, predicate }, more }) => [
      [{ $not: { [path]: predicate } }],
      [{ [path]: { $not: predicate } }],
      [{ $all: [{ [path]: predicate }, { $notExists: path }] }],
      [{ $not: [{ [path]: predicate }, more] }],
      [{ $any: [{ $not: { [path]: predicate } }, { $not: more }] }],
    ],
  }),
  defineFilterLaw({
    id: "nothing-to-join",
    title: "$all and $none of nothing hold, $any and $not of nothing do not",
    rules: ["F-2", "F-3"],
    tier: "complete",
    cases: () => fc.record({ fixture: fixtureArbitrary(2), empty: oneOf<Json>([[], {}]) }),
    claims: ({ empty }) => [
      [{ $all: empty }],
      [{ $any: empty }],
      [{ $none: empty }],
      [{ $not: empty }],
    ],
  }),
  defineFilterLaw({
    id: "true-of-a-pivot-finds-it",
    title: "a filter made true of a record finds it",
    rules: ["F-1", "F-8", "F-12", "F-10"],
    tier: "core",
    cases: () =>
      fc
        .record({ fixture: fixtureArbitrary(), pivot: fc.nat(), more: filterArbitrary(1) })
        .filter((given) => recordsOf(given).length > 0)
        .map(({ fixture, pivot, more }) => {
          const records = recordsOf({ fixture });
          return { fixture, more, truths: trueOf(records[pivot % records.length] ?? {}) };
        }),
    observed: ({ truths, more }) => [
      { id: truths[0]?.id ?? "" },
      { $any: [more, { $all: truths }] },
    ],
    claims: ({ truths, more }) => [
      // The record's id is the first condition: nothing else can match.
      [{ $all: truths }, ([own = []]) => own],
      [{ $any: [more, { $all: truths }] }, ([own = [], wider = []]) => unite(wider, own)],
    ],
  }),
];

/** Laws of equality, ranges and existence. */
const COMPARISON: readonly Law[] = [
  defineFilterLaw({
    id: "dotted-is-nested",
    title: "dotted and nested paths mean the same",
    rules: ["F-6", "N-4"],
    tier: "core",
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(),
        city: fc.option(oneOf(NAMES)),
        zip: fc.tuple(oneOf(["$is", "$gt", "$le"]), oneOf(AGES)),
      }),
    observed: ({ city, zip }) => [
      { "place.zip": pair(zip), ...(city === null ? {} : { "place.city": city }) },
    ],
    claims: ({ city, zip }) =>
      sameAsObserved({ place: { zip: pair(zip), ...(city === null ? {} : { city }) } }),
  }),
  defineFilterLaw({
    id: "plain-is-is",
    title: "a plain value means $is, and an $any or $all of one value too",
    rules: ["F-5", "F-8", "F-9"],
    tier: "core",
    cases: withValue,
    observed: ({ path, value }) => [{ [path]: { $is: value } }],
    claims: ({ path, value }) =>
      sameAsObserved(
        { [path]: value },
        { [path]: { $any: [value] } },
        { [path]: { $all: [value] } },
      ),
  }),
  defineFilterLaw({
    id: "is-finds-what-was-written",
    title: "$is finds just the records that hold the value",
    rules: ["F-8", "T-4", "T-2"],
    tier: "core",
    cases: withValue,
    claims: ({ path, value }) => [[{ [path]: { $is: value } }]],
  }),
  defineFilterLaw({
    id: "any-of-values-is-any-of-filters",
    title: "$any of values is $any of filters",
    rules: ["F-9", "F-2"],
    tier: "core",
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(),
        values: fc.array(oneOf(NAMES), { minLength: 1, maxLength: 3 }),
      }),
    observed: ({ values }) => [{ $any: values.map((name) => ({ name })) }],
    claims: ({ values }) =>
      sameAsObserved(
        { name: { $any: values } },
        { name: { $any: values.map((value) => ({ $is: value })) } },
      ),
  }),
  defineFilterLaw({
    id: "is-not-inverts-is",
    title: "$isNot is the negation of $is",
    rules: ["F-8", "F-30"],
    tier: "core",
    cases: withValue,
    observed: ({ path, value }) => [{ $not: { [path]: value } }],
    claims: ({ path, value }) => sameAsObserved({ [path]: { $isNot: value } }),
  }),
  defineFilterLaw({
    id: "ranges-split",
    title: "a range and its other side split what is not null at any value",
    rules: ["F-12"],
    tier: "core",
    cases: withBound,
    observed: ({ path, value }) => [
      { $exists: path },
      { [path]: { $lt: value } },
      { [path]: { $gt: value } },
    ],
    claims: ({ path, value }) => [
      [{ [path]: { $ge: value } }, ([all = [], below = []]) => subtract(all, below)],
      [{ [path]: { $le: value } }, ([all = [], , above = []]) => subtract(all, above)],
    ],
  }),
  defineFilterLaw({
    id: "ge-is-gt-or-is",
    title: "$ge is $gt or $is, $le is $lt or $is",
    rules: ["F-12", "F-8"],
    tier: "core",
    cases: withBound,
    observed: ({ path, value }) => [
      { [path]: { $is: value } },
      { [path]: { $gt: value } },
      { [path]: { $lt: value } },
    ],
    claims: ({ path, value }) => [
      [{ [path]: { $ge: value } }, ([equal = [], above = []]) => unite(above, equal)],
      [{ [path]: { $le: value } }, ([equal = [], , below = []]) => unite(below, equal)],
    ],
  }),
  defineFilterLaw({
    id: "several-bounds-intersect",
    title: "several predicates of one object all have to hold, and a higher bound leaves no more",
    rules: ["F-12", "F-9"],
    tier: "core",
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(),
        low: oneOf(AGES),
        high: oneOf(AGES),
        operator: oneOf(["$gt", "$ge"]),
      }),
    observed: ({ low, high, operator }) => [{ age: { [operator]: low } }, { age: { $lt: high } }],
    claims: ({ low, high, operator }) => [
      [
        { age: { [operator]: low, $lt: high } },
        ([above = [], below = []]) => intersect(above, below),
      ],
    ],
  }),
  defineFilterLaw({
    id: "existence-splits",
    title: "$exists finds what has a value and $notExists the rest",
    rules: ["F-4", "T-14", "T-8", "F-14"],
    tier: "complete",
    cases: () => fc.record({ fixture: fixtureArbitrary(), path: oneOf(PATHS) }),
    claims: ({ path }) => [[{ $exists: path }], [{ $notExists: path }]],
  }),
  defineFilterLaw({
    id: "null-literal-is-existence",
    title: "$is and $isNot with null ask for existence",
    rules: ["F-15", "F-5"],
    tier: "strict",
    cases: () =>
      fc.record({ fixture: fixtureArbitrary(), path: oneOf(["name", "age", "at", "team"]) }),
    claims: ({ path }) => [
      [{ [path]: null }],
      [{ [path]: { $is: null } }],
      [{ [path]: { $isNot: null } }],
      [{ $not: { [path]: null } }],
    ],
  }),
  defineFilterLaw({
    id: "instants-are-equal-across-offsets",
    title: "an instant is the same in every offset",
    rules: ["T-7", "F-8", "F-12"],
    tier: "complete",
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(),
        time: oneOf(TIMES),
        minutes: fc.integer({ min: -1439, max: 1439 }),
        operator: oneOf(["$is", "$gt", "$ge", "$lt", "$le"]),
      }),
    claims: ({ time, minutes, operator }) => [
      [{ at: { [operator]: time } }],
      [{ at: { [operator]: writeInOffset(time, minutes) } }],
    ],
  }),
];

/** Laws of operators, ranges and existence. */
export const FILTER_LAWS: readonly Law[] = [...LOGIC, ...COMPARISON];

/** Conditions that hold of a record because of what it was made of; the first is its id. */
function trueOf({ id, name, age, at, labels }: JsonObject): JsonObject[] {
  const truths: JsonObject[] = [{ id: id ?? "" }];
  if (typeof name === "string") {
    truths.push({ name }, { name: { $contains: name } }, { name: { $startsWith: name } });
    truths.push({ name: { $pattern: "*" } });
  }
  if (typeof age === "number") truths.push({ age: { $gt: age - 1, $lt: age + 1 } }, { age });
  if (typeof at === "string") truths.push({ at: { $ge: at, $le: at } });
  if (Array.isArray(labels)) {
    truths.push({ labels: { $includesAll: { $any: [...LABELS] } } });
    for (const label of labels as string[]) truths.push({ labels: { $includes: label } }); // T-8
  }
  return truths;
}

interface ValueCase extends LawCase {
  readonly path: string;
  readonly value: Json;
}

function valueCase(
  ...columns: readonly (readonly [string, readonly Json[]])[]
): fc.Arbitrary<ValueCase> {
  const fixture = fixtureArbitrary();
  return fc.oneof(
    ...columns.map(([path, values]) =>
      fc.record({ fixture, path: fc.constant(path), value: oneOf(values) }),
    ),
  );
}

/** A column and a value to compare it with. */
function withValue(): fc.Arbitrary<ValueCase> {
  return valueCase(["name", NAMES], ["place.city", NAMES], ["age", AGES], ["place.zip", AGES]);
}

/** A column that has an order, and a bound. */
function withBound(): fc.Arbitrary<ValueCase> {
  return valueCase(["age", AGES], ["place.zip", AGES], ["at", TIMES]);
}

/** The same instant, so many minutes east. */
function writeInOffset(time: string, minutes: number): string {
  const shifted = new Date(Date.parse(time) + minutes * 60_000).toISOString().slice(0, -1);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${shifted}${minutes < 0 ? "-" : "+"}${two(hours)}:${two(rest)}`;
}
