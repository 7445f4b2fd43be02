import fc from "fast-check";
import type { Json } from "../../types.js";
import { claim, claimSame, find } from "./asking.js";
import {
  AGES,
  fixtureArbitrary,
  idsOf,
  intersect,
  type JsonObject,
  NAMES,
  oneOf,
  recordsOf,
  subtract,
  TIMES,
  unite,
  valueAt,
} from "./cases.js";
import { defineLaw, type Law } from "./law.js";

/** Laws of equality, ranges and existence. */
export const COMPARISON_LAWS: readonly Law[] = [
  defineLaw({
    id: "dotted-is-nested",
    title: "dotted and nested paths mean the same",
    rules: ["F-6", "N-4"],
    tier: "core",
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(),
        city: oneOf(NAMES),
        zip: fc.tuple(oneOf(["$is", "$gt", "$le"]), oneOf(AGES)),
      }),
    async check(scene, { city, zip: [operator, bound] }) {
      const zip = { [operator]: bound };
      const why = "dotted and nested mean the same";
      await claimSame(scene, why, { "place.zip": zip }, { place: { zip } });
      await claimSame(
        scene,
        why,
        { "place.zip": zip, "place.city": city },
        { place: { zip, city } },
      );
    },
  }),
  defineLaw({
    id: "plain-is-is",
    title: "a plain value means $is, and an $any of one value too",
    rules: ["F-5", "F-8", "F-9"],
    tier: "core",
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(),
        entry: fc.oneof(
          fc.tuple(oneOf(["name", "place.city"]), oneOf<Json>(NAMES)),
          fc.tuple(oneOf(["age", "place.zip"]), oneOf<Json>(AGES)),
          fc.tuple(fc.constant("at"), oneOf<Json>(TIMES)),
        ),
      }),
    check: (scene, { entry: [path, value] }) =>
      claimSame(
        scene,
        "a plain value means $is",
        { [path]: { $is: value } },
        { [path]: value },
        { [path]: { $any: [value] } },
        { [path]: { $all: [value] } },
      ),
  }),
  defineLaw({
    id: "is-finds-what-was-written",
    title: "$is finds just the records that hold the value",
    rules: ["F-8", "T-4", "T-2"],
    tier: "core",
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(),
        entry: fc.oneof(
          fc.tuple(oneOf(["name", "place.city"]), oneOf<Json>(NAMES)),
          fc.tuple(oneOf(["age", "place.zip"]), oneOf<Json>(AGES)),
        ),
      }),
    check: (scene, given) => {
      const [path, value] = given.entry;
      const holders = recordsOf(given).filter((record) => valueAt(record, path) === value);
      const ids = holders.map(({ id }) => String(id));
      return claim(scene, { [path]: { $is: value } }, ids, "$is finds what was written");
    },
  }),
  defineLaw({
    id: "any-of-values-is-any-of-filters",
    title: "$any of values is $any of filters",
    rules: ["F-9", "F-2"],
    tier: "core",
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(),
        values: fc.array(oneOf(NAMES), { minLength: 1, maxLength: 3 }),
      }),
    check: (scene, { values }) =>
      claimSame(
        scene,
        "$any of values is $any of filters",
        { $any: values.map((name) => ({ name })) },
        { name: { $any: values } },
        { name: { $any: values.map((value) => ({ $is: value })) } },
      ),
  }),
  defineLaw({
    id: "is-not-inverts-is",
    title: "$isNot is the negation of $is",
    rules: ["F-8", "F-30"],
    tier: "core",
    cases: () => fc.record({ fixture: fixtureArbitrary(), value: oneOf(NAMES) }),
    check: (scene, { value }) =>
      claimSame(
        scene,
        "$isNot negates $is",
        { $not: { name: value } },
        { name: { $isNot: value } },
      ),
  }),
  defineLaw({
    id: "ranges-split",
    title: "a range and its other side split what is not null at any value",
    rules: ["F-12"],
    tier: "core",
    cases: withBound,
    async check(scene, { path, bound }) {
      const present = await find(scene, { $exists: path });
      const below = await find(scene, { [path]: { $lt: bound } });
      const why = "$lt and $ge split what is not null";
      await claim(scene, { [path]: { $ge: bound } }, subtract(present, below), why);
      const above = await find(scene, { [path]: { $gt: bound } });
      await claim(scene, { [path]: { $le: bound } }, subtract(present, above), why);
    },
  }),
  defineLaw({
    id: "ge-is-gt-or-is",
    title: "$ge is $gt or $is, $le is $lt or $is",
    rules: ["F-12", "F-8"],
    tier: "core",
    cases: withBound,
    async check(scene, { path, bound }) {
      const equal = await find(scene, { [path]: { $is: bound } });
      const above = await find(scene, { [path]: { $gt: bound } });
      await claim(scene, { [path]: { $ge: bound } }, unite(above, equal), "$ge is $gt or $is");
      const below = await find(scene, { [path]: { $lt: bound } });
      await claim(scene, { [path]: { $le: bound } }, unite(below, equal), "$le is $lt or $is");
    },
  }),
  defineLaw({
    id: "bounds-are-monotone",
    title: "a higher bound leaves fewer above it",
    rules: ["F-12"],
    tier: "core",
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(),
        low: oneOf([-1, 0, 1]),
        step: oneOf([0, 1, 2]),
        operator: oneOf(["$gt", "$ge"]),
      }),
    async check(scene, { low, step, operator }) {
      const wide = await find(scene, { age: { [operator]: low } });
      const narrow = await find(scene, { age: { [operator]: low + step } });
      scene.expect({ ids: { unordered: intersect(narrow, wide) } }, "bounds are monotone");
    },
  }),
  defineLaw({
    id: "several-bounds-intersect",
    title: "several predicates of one object all have to hold",
    rules: ["F-12", "F-9"],
    tier: "core",
    cases: () => fc.record({ fixture: fixtureArbitrary(), low: oneOf(AGES), high: oneOf(AGES) }),
    async check(scene, { low, high }) {
      const above = await find(scene, { age: { $ge: low } });
      const below = await find(scene, { age: { $lt: high } });
      const why = "predicates of one object are joined with and";
      await claim(scene, { age: { $ge: low, $lt: high } }, intersect(above, below), why);
    },
  }),
  defineLaw({
    id: "existence-splits",
    title: "$exists finds what has a value and $notExists the rest",
    rules: ["F-4", "T-14"],
    tier: "complete",
    cases: () =>
      fc.record({
        fixture: fixtureArbitrary(),
        path: oneOf(["name", "age", "at", "labels", "team", "place.zip", "place.city", "place"]),
      }),
    async check(scene, given) {
      const present = recordsOf(given).filter((record) => hasValue(valueAt(record, given.path)));
      const ids = present.map(({ id }) => String(id));
      await claim(scene, { $exists: given.path }, ids, "$exists finds what is not null");
      const absent = subtract(idsOf(given), ids);
      await claim(scene, { $notExists: given.path }, absent, "$notExists is the inverse");
    },
  }),
  defineLaw({
    id: "null-literal-is-existence",
    title: "$is and $isNot with null ask for existence",
    rules: ["F-15", "F-5"],
    tier: "strict",
    cases: () =>
      fc.record({ fixture: fixtureArbitrary(), path: oneOf(["name", "age", "at", "team"]) }),
    async check(scene, { path }) {
      const why = "null as a literal asks for null";
      const nothing = { $notExists: path };
      await claimSame(scene, why, nothing, { [path]: null }, { [path]: { $is: null } });
      await claimSame(
        scene,
        why,
        { $exists: path },
        { [path]: { $isNot: null } },
        { $not: { [path]: null } },
      );
    },
  }),
  defineLaw({
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
    check: (scene, { time, minutes, operator }) =>
      claimSame(
        scene,
        "an instant is the same in every offset",
        { at: { [operator]: time } },
        { at: { [operator]: writeInOffset(time, minutes) } },
      ),
  }),
];

function withBound(): fc.Arbitrary<{
  fixture: Parameters<typeof recordsOf>[0]["fixture"];
  path: string;
  bound: Json;
}> {
  return fc.oneof(
    fc.record({
      fixture: fixtureArbitrary(),
      path: oneOf(["age", "place.zip"]),
      bound: oneOf<Json>(AGES),
    }),
    fc.record({ fixture: fixtureArbitrary(), path: fc.constant("at"), bound: oneOf<Json>(TIMES) }),
  );
}

/** T-14: an object without any value is null itself. */
function hasValue(value: Json): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value !== null;
  return Object.values(value as JsonObject).some(hasValue);
}

/** The same instant, so many minutes east. */
function writeInOffset(time: string, minutes: number): string {
  const shifted = new Date(Date.parse(time) + minutes * 60_000).toISOString().slice(0, -1);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${shifted}${minutes < 0 ? "-" : "+"}${two(hours)}:${two(rest)}`;
}
