import fc from "fast-check";
import type { Json } from "../../types.js";
import { fixtureArbitrary, LABELS, leafArbitrary, oneOf, pair } from "./cases.js";
import { defineFilterLaw } from "./filter-law.js";
import type { Law, LawCase } from "./law.js";

/** Laws of text operators, patterns, lists and links. */
export const TEXT_LAWS: readonly Law[] = [
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

function escapePattern(text: string): string {
  return text.replace(/[*?\\]/g, "\\$&");
}
