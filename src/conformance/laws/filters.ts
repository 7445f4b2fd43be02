import fc from "fast-check";
import type { Json } from "../../types.js";
import {
  AGES,
  filterArbitrary,
  leafArbitrary,
  leafFilter,
  NAMES,
  oneOf,
  pair,
} from "../arbitraries/people.js";
import { equivalence, filterLaw, onPeople, onTexts } from "./filter-law.js";
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
    "existence-splits",
    "$exists matches non-null values, $notExists null",
    ["F-4", "T-14", "T-8", "F-14"],
    "complete",
    onPeople(oneOf(PATHS).map((path) => [{ $exists: path }, { $notExists: path }])),
  ]),
];

function escapePattern(text: string): string {
  return text.replace(/[*?\\]/g, "\\$&");
}
