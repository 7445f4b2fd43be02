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

/** Laws of text operators, patterns, lists and links. */
const TEXT_LISTS_LINKS: readonly Law[] = [
  defineFilterLaw({
    id: "text-operators",
    title: "$contains, $startsWith and $endsWith look for exact text",
    rules: ["F-10"],
    tier: "core",
    cases: () => withTexts(),
    claims: ({ text }) => [
      [{ name: { $contains: text } }],
      [{ name: { $startsWith: text } }],
      [{ name: { $endsWith: text } }],
    ],
  }),
  defineFilterLaw({
    id: "text-operators-are-patterns",
    title: "text operators are patterns with stars, and every character can be escaped",
    rules: ["F-11", "F-10"],
    tier: "core",
    cases: () => withTexts(),
    claims: ({ text }) => {
      const plain = escapePattern(text);
      const patterns = [plain, `*${plain}*`, `${plain}*`, `*${plain}`];
      return patterns.map((pattern) => [{ name: { $pattern: pattern } }] as const);
    },
  }),
  defineFilterLaw({
    id: "question-marks-count",
    title: "a question mark matches any one character, a code point",
    rules: ["F-11", "T-4"],
    tier: "complete",
    cases: () => fc.tuple(withTexts(), fc.nat()).map(([given, at]) => ({ ...given, at })),
    claims: ({ text, at }) => {
      const points = [...text];
      const holes = "?".repeat(points.length);
      const gap = points.map((point, i) => (i === at % points.length ? "?" : escapePattern(point)));
      const patterns = [holes, `${holes}*`, gap.join("")];
      return patterns.map((pattern) => [{ name: { $pattern: pattern } }] as const);
    },
  }),
  defineFilterLaw({
    id: "case-is-folded-alike",
    title: "$iContains and $iPattern ignore case",
    rules: ["F-10", "F-11"],
    tier: "strict",
    cases: () => withTexts(["a", "A", "b", "B", "É", "é"]),
    claims: ({ text }) => [
      [{ name: { $iContains: text } }],
      [{ name: { $iPattern: text } }],
      [{ name: { $iPattern: `*${text}?` } }],
    ],
  }),
  defineFilterLaw({
    id: "items-are-asked-each",
    title: "$includesAny wants one item to match, $includesAll every, $includesNone no one",
    rules: ["F-13", "F-14", "F-30"],
    tier: "complete",
    cases: withLists,
    claims: ({ item }) => [
      [{ labels: { $includes: item } }],
      [{ labels: { $includesAny: item } }],
      [{ labels: { $includesAll: item } }],
      [{ labels: { $includesNone: item } }],
      [{ $not: { labels: { $includesAny: { $not: item } } } }],
    ],
  }),
  defineFilterLaw({
    id: "through-a-link-is-by-ids",
    title: "a filter through a link is one of the linked record, which a broken link has not",
    rules: ["F-6", "N-4", "T-9", "F-4"],
    tier: "complete",
    cases: () =>
      fc.record({ fixture: fixtureArbitrary(), leaf: teamLeaf(), id: oneOf(["t1", "t2", "gone"]) }),
    claims: ({ leaf: { path, predicate }, id }) => [
      [{ team: id }],
      [{ "team.id": id }],
      [{ $exists: `team.${path}` }],
      [{ $notExists: `team.${path}` }],
      [{ [`team.${path}`]: predicate }],
      [{ team: { [path]: predicate } }],
      [{ team: { $any: [{ [path]: predicate }] } }],
    ],
  }),
];

/** Laws about which records a filter matches. */
export const FILTER_LAWS: readonly Law[] = [...LOGIC, ...COMPARISON, ...TEXT_LISTS_LINKS];

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

const LETTERS = ["a", "b", "*", "?", "\\", "é", "\u{1F600}", "\n"];

/** A table of texts over few letters, and one more text. */
function withTexts(letters: readonly string[] = LETTERS): fc.Arbitrary<LawCase & { text: string }> {
  const text = fc.array(oneOf(letters), { maxLength: 3 }).map((some) => some.join(""));
  const texts = fc.array(fc.option(text, { nil: undefined }), { maxLength: 5 });
  return fc
    .record({ texts, text, pick: fc.nat(), own: fc.boolean() })
    .map(({ texts: given, text: other, pick, own }) => {
      const present = given.filter((each) => each !== undefined);
      const chosen = own ? present[pick % Math.max(1, present.length)] : undefined;
      return { text: chosen ?? other, fixture: oneColumn("name", "string", given) };
    });
}

/** A table of lists, some of them empty or null, and something to ask of their items. */
function withLists(): fc.Arbitrary<LawCase & { item: Json }> {
  const list = fc.array(oneOf(LABELS), { maxLength: 2 });
  const operators = oneOf(["$contains", "$startsWith", "$endsWith", "$is"]);
  const item = fc.oneof(oneOf<Json>(LABELS), fc.tuple(operators, oneOf(["a", "b"])).map(pair));
  return fc
    .record({ lists: fc.array(fc.option(list, { nil: undefined }), { maxLength: 5 }), item })
    .map(({ lists, item: asked }) => ({
      item: asked,
      fixture: oneColumn("labels", "multiple", lists),
    }));
}

/** A table `people` of one column. */
function oneColumn(
  name: string,
  type: "string" | "multiple",
  values: readonly (Json | undefined)[],
): LawCase["fixture"] {
  const records = values.map((value, i) => ({
    id: `p${i + 1}`,
    ...(value === undefined ? {} : { [name]: value }),
  }));
  return { tables: [{ name: "people", columns: [{ name, type }], records }] };
}

/** A condition on a team. */
function teamLeaf() {
  return leafArbitrary()
    .filter(({ path }) => path === "name" || path === "age")
    .map(({ path, predicate }) => ({ path: path === "age" ? "size" : path, predicate }));
}

function pair([key, value]: readonly [string, Json]): JsonObject {
  return { [key]: value };
}

function escapePattern(text: string): string {
  return text.replace(/[*?\\]/g, "\\$&");
}

/** The same instant, so many minutes east. */
function writeInOffset(time: string, minutes: number): string {
  const shifted = new Date(Date.parse(time) + minutes * 60_000).toISOString().slice(0, -1);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${shifted}${minutes < 0 ? "-" : "+"}${two(hours)}:${two(rest)}`;
}
