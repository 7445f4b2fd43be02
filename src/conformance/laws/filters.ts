import fc from "fast-check";
import type { Json } from "../../types.js";
import {
  AGES,
  filterArbitrary,
  LABELS,
  leafArbitrary,
  leafFilter,
  NAMES,
  oneOf,
  pair,
  TIMES,
} from "../arbitraries/people.js";
import { equivalence, filterLaw, onLists, onPeople, onTexts } from "./filter-law.js";
import type { Law } from "./law.js";

const VALUE = fc.oneof(
  fc.tuple(oneOf(["name", "place.city"]), oneOf<Json>(NAMES)),
  fc.tuple(oneOf(["age", "place.zip"]), oneOf<Json>(AGES)),
);
const LEAF = fc.oneof(leafArbitrary(["age", "place.zip"]).map(leafFilter), VALUE.map(pair));
const PATHS = ["name", "age", "at", "labels", "team", "place.zip", "place.city", "place"];

export const FILTER_LAWS: readonly Law[] = [
  equivalence([
    "double-negation",
    "a double negation equals the filter",
    ["F-3", "F-30"],
    "core",
    onPeople(filterArbitrary().map((filter) => [filter, { $not: { $not: filter } }])),
  ]),
  equivalence([
    "none-is-not-any",
    "$none equals $not of $any, $isNot equals $not of $is",
    ["F-3", "F-8", "F-30"],
    "core",
    onPeople(
      fc.oneof(
        fc
          .tuple(filterArbitrary(1), filterArbitrary(1))
          .map(([a, b]) => [{ $not: { $any: [a, b] } }, { $none: [a, b] }, { $none: [b, a, a] }]),
        VALUE.map(([path, value]) => [{ $not: { [path]: value } }, { [path]: { $isNot: value } }]),
      ),
    ),
  ]),
  filterLaw([
    "joined-conditions",
    "$all and the keys of an object are a conjunction, $any a disjunction",
    ["F-1", "F-2"],
    "core",
    onPeople(
      fc
        .tuple(LEAF, LEAF)
        .map(([a, b]) => [
          { $all: [a, b] },
          { $any: [a, b] },
          { $all: [a], $any: [b] },
          { $any: { $all: [a], $any: [b] } },
          { $any: [{ ...a, ...b }] },
          { ...a, ...b },
        ]),
    ),
  ]),
  filterLaw([
    "plain-is-is",
    "a plain value means $is, and so does an $any or $all of it",
    ["F-5", "F-8", "F-9", "T-2", "T-4"],
    "core",
    onPeople(
      VALUE.map(([path, value]) => [
        { [path]: value },
        { [path]: { $is: value } },
        { [path]: { $any: [value] } },
        { [path]: { $all: [value] } },
      ]),
    ),
  ]),
  filterLaw([
    "any-of-values",
    "$any of values matches each of them",
    ["F-9", "F-2"],
    "core",
    onPeople(
      fc
        .array(oneOf(NAMES), { minLength: 1, maxLength: 3 })
        .map((names) => [
          { name: { $any: names } },
          { name: { $any: names.map((name) => ({ $is: name })) } },
          { $any: names.map((name) => ({ name })) },
        ]),
    ),
  ]),
  filterLaw([
    "dotted-is-nested",
    "dotted and nested paths mean the same",
    ["F-6", "N-4"],
    "core",
    onPeople(
      fc
        .tuple(oneOf(NAMES), fc.tuple(oneOf(["$is", "$gt", "$le"]), oneOf(AGES)).map(pair))
        .map(([city, zip]) => [
          { "place.city": city },
          { place: { zip } },
          { place: { zip, city } },
          { "place.zip": zip, place: { city } },
        ]),
    ),
  ]),
  filterLaw([
    "ranges-split",
    "a range and its complement split the non-null values; several bounds all hold",
    ["F-12", "F-8", "F-9"],
    "core",
    onPeople(
      fc
        .tuple(oneOf(["age", "place.zip"]), oneOf(AGES), oneOf(AGES))
        .map(([path, low, high]) =>
          [
            { $lt: low },
            { $ge: low },
            { $gt: low },
            { $le: low },
            { $ge: low, $lt: high },
            { $gt: low, $le: high },
          ].map((bounds) => ({ [path]: bounds })),
        ),
    ),
  ]),
  filterLaw([
    "text-operators",
    "$contains, $startsWith, $endsWith and patterns match exact text, escapes included",
    ["F-10", "F-11"],
    "core",
    onTexts((text) => {
      const plain = escapePattern(text);
      const patterns = [plain, `*${plain}*`, `${plain}*`, `*${plain}`];
      return [
        { name: { $contains: text } },
        { name: { $startsWith: text } },
        { name: { $endsWith: text } },
        ...patterns.map((pattern) => ({ name: { $pattern: pattern } })),
      ];
    }),
  ]),
  filterLaw([
    "negations-are-the-rest",
    "a negation matches the complement of its filter, null by profile",
    ["F-3", "F-2", "F-30", "F-4"],
    "complete",
    onPeople(
      fc
        .tuple(leafArbitrary(), filterArbitrary(1))
        .map(([{ path, predicate }, more]) => [
          { $not: { [path]: predicate } },
          { [path]: { $not: predicate } },
          { $all: [{ [path]: predicate }, { $notExists: path }] },
          { $not: [{ [path]: predicate }, more] },
          { $any: [{ $not: { [path]: predicate } }, { $not: more }] },
        ]),
    ),
  ]),
  filterLaw([
    "nothing-to-join",
    "empty $all and $none match all records, empty $any and $not none",
    ["F-2", "F-3"],
    "complete",
    onPeople(fc.constant([{ $all: [] }, { $any: [] }, { $none: [] }, { $not: [] }]), 2),
  ]),
  filterLaw([
    "existence-splits",
    "$exists matches non-null values, $notExists null",
    ["F-4", "T-14", "T-8", "F-14"],
    "complete",
    onPeople(oneOf(PATHS).map((path) => [{ $exists: path }, { $notExists: path }])),
  ]),
  filterLaw([
    "null-literal-is-existence",
    "$is and $isNot with null test existence",
    ["F-15", "F-5"],
    "strict",
    onPeople(
      oneOf(["name", "age", "at", "team"]).map((path) => [
        { [path]: null },
        { [path]: { $is: null } },
        { [path]: { $isNot: null } },
        { $not: { [path]: null } },
      ]),
    ),
  ]),
  filterLaw([
    "instants-are-equal-across-offsets",
    "an instant is the same in every offset",
    ["T-7", "F-8", "F-12"],
    "complete",
    onPeople(
      fc
        .tuple(
          oneOf(["$is", "$gt", "$ge", "$lt", "$le"]),
          oneOf(TIMES),
          fc.integer({ min: -1439, max: 1439 }),
        )
        .map(([operator, time, minutes]) => [
          { at: { [operator]: time } },
          { at: { [operator]: writeInOffset(time, minutes) } },
        ]),
    ),
  ]),
  filterLaw([
    "question-marks-count",
    "a question mark matches any one character, a code point",
    ["F-11", "T-4"],
    "complete",
    onTexts((text) => {
      const points = [...text];
      const holes = "?".repeat(points.length);
      const gaps = points.map((_, at) =>
        points.map((point, i) => (i === at ? "?" : escapePattern(point))).join(""),
      );
      return [holes, `${holes}*`, ...gaps].map((pattern) => ({ name: { $pattern: pattern } }));
    }),
  ]),
  filterLaw([
    "case-is-folded-alike",
    "$iContains and $iPattern ignore case",
    ["F-10", "F-11"],
    "strict",
    onTexts(
      (text) => [
        { name: { $iContains: text } },
        { name: { $iPattern: text } },
        { name: { $iPattern: `*${text}?` } },
      ],
      ["a", "A", "b", "B", "É", "é"],
    ),
  ]),
  filterLaw([
    "items-are-asked-each",
    "$includesAny needs one matching item, $includesAll only such, $includesNone none",
    ["F-13", "F-14", "F-30"],
    "complete",
    onLists(
      fc
        .oneof(
          oneOf<Json>(LABELS),
          fc
            .tuple(oneOf(["$contains", "$startsWith", "$endsWith", "$is"]), oneOf(["a", "b"]))
            .map(pair),
        )
        .map((item) => [
          { labels: { $includes: item } },
          { labels: { $includesAny: item } },
          { labels: { $includesAll: item } },
          { labels: { $includesNone: item } },
          { $not: { labels: { $includesAny: { $not: item } } } },
        ]),
    ),
  ]),
  filterLaw([
    "through-a-link-is-by-ids",
    "a filter through a link tests the linked record; a broken link has none",
    ["F-6", "N-4", "T-9", "F-4"],
    "complete",
    onPeople(
      fc.tuple(leafArbitrary(["name", "age"]), oneOf(["t1", "t2", "gone"])).map(([leaf, id]) => {
        const path = leaf.path === "age" ? "size" : leaf.path;
        return [
          { team: id },
          { "team.id": id },
          { $exists: `team.${path}` },
          { $notExists: `team.${path}` },
          { [`team.${path}`]: leaf.predicate },
          { team: { [path]: leaf.predicate } },
          { team: { $any: [{ [path]: leaf.predicate }] } },
        ];
      }),
    ),
  ]),
];

function escapePattern(text: string): string {
  return text.replace(/[*?\\]/g, "\\$&");
}

/** The same instant with an offset in minutes. */
function writeInOffset(time: string, minutes: number): string {
  const shifted = new Date(Date.parse(time) + minutes * 60_000).toISOString().slice(0, -1);
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${shifted}${minutes < 0 ? "-" : "+"}${two(hours)}:${two(rest)}`;
}
