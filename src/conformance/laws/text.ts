import fc from "fast-check";
import type { Json } from "../../types.js";
import type { Fixture } from "../target/target.js";
import { claim, claimSame } from "./asking.js";
import { LABELS, oneOf } from "./cases.js";
import { defineLaw, type Law, type LawCase } from "./law.js";

const LETTERS: readonly string[] = ["a", "b", "*", "?", "\\", "é", "\u{1F600}", "\n"];

interface TextCase extends LawCase {
  readonly texts: readonly (string | undefined)[];
  readonly text: string;
}

/** A table of texts over few letters, and one more text. */
function withTexts(): fc.Arbitrary<TextCase> {
  const text = fc.array(oneOf(LETTERS), { maxLength: 3 }).map((letters) => letters.join(""));
  const texts = fc.array(fc.option(text, { nil: undefined }), { maxLength: 5 });
  return fc
    .record({ texts, text, pick: fc.nat(), own: fc.boolean() })
    .map(({ texts: given, text: other, pick, own }) => {
      const present = given.filter((each) => each !== undefined);
      const chosen = own ? present[pick % Math.max(1, present.length)] : undefined;
      return { texts: given, text: chosen ?? other, fixture: textFixture(given) };
    });
}

function textFixture(texts: readonly (string | undefined)[]): Fixture {
  const records = texts.map((name, i) => ({
    id: `p${i + 1}`,
    ...(name === undefined ? {} : { name }),
  }));
  return { tables: [{ name: "people", columns: [{ name: "name", type: "string" }], records }] };
}

function idsWhere({ texts }: TextCase, test: (text: string) => boolean): string[] {
  return texts.flatMap((text, i) => (text !== undefined && test(text) ? [`p${i + 1}`] : []));
}

function escapePattern(text: string): string {
  return text.replace(/[*?\\]/g, "\\$&");
}

/** Laws of text operators and patterns. */
export const TEXT_LAWS: readonly Law[] = [
  defineLaw({
    id: "text-operators",
    title: "$contains, $startsWith and $endsWith look for exact text",
    rules: ["F-10"],
    tier: "core",
    cases: withTexts,
    async check(scene, given) {
      const { text } = given;
      const inside = idsWhere(given, (each) => each.includes(text));
      await claim(scene, { name: { $contains: text } }, inside, "$contains finds a part");
      const starting = idsWhere(given, (each) => each.startsWith(text));
      await claim(
        scene,
        { name: { $startsWith: text } },
        starting,
        "$startsWith finds a beginning",
      );
      const ending = idsWhere(given, (each) => each.endsWith(text));
      await claim(scene, { name: { $endsWith: text } }, ending, "$endsWith finds an end");
    },
  }),
  defineLaw({
    id: "text-operators-are-patterns",
    title: "text operators are patterns with stars",
    rules: ["F-11", "F-10"],
    tier: "core",
    cases: withTexts,
    async check(scene, { text }) {
      const plain = escapePattern(text);
      const why = "a text operator is a pattern";
      const same = (name: Json, pattern: string): Promise<void> =>
        claimSame(scene, why, { name }, { name: { $pattern: pattern } });
      await same({ $contains: text }, `*${plain}*`);
      await same({ $startsWith: text }, `${plain}*`);
      await same({ $endsWith: text }, `*${plain}`);
      await same({ $is: text }, plain);
    },
  }),
  defineLaw({
    id: "escapes-make-plain",
    title: "a pattern with every character escaped matches that text alone",
    rules: ["F-11"],
    tier: "core",
    cases: withTexts,
    async check(scene, given) {
      const ids = idsWhere(given, (each) => each === given.text);
      const plain = escapePattern(given.text);
      await claim(scene, { name: { $pattern: plain } }, ids, "escaped characters are plain");
    },
  }),
  defineLaw({
    id: "question-marks-count",
    title: "question marks match as many characters, each a code point",
    rules: ["F-11", "T-4"],
    tier: "complete",
    cases: withTexts,
    async check(scene, given) {
      const length = [...given.text].length;
      const ids = idsWhere(given, (each) => [...each].length === length);
      const why = "a question mark is one code point";
      await claim(scene, { name: { $pattern: "?".repeat(length) } }, ids, why);
      const longer = idsWhere(given, (each) => [...each].length >= length);
      await claim(scene, { name: { $pattern: `${"?".repeat(length)}*` } }, longer, why);
    },
  }),
  defineLaw({
    id: "one-letter-may-be-anything",
    title: "a question mark in the place of a character still matches",
    rules: ["F-11"],
    tier: "complete",
    cases: () => fc.tuple(withTexts(), fc.nat()).map(([given, at]) => ({ ...given, at })),
    async check(scene, given) {
      const points = [...given.text];
      if (points.length === 0) return;
      const at = given.at % points.length;
      const alike = (each: string): boolean => {
        const others = [...each];
        return (
          others.length === points.length &&
          others.every((point, i) => i === at || point === points[i])
        );
      };
      const pattern = points.map((point, i) => (i === at ? "?" : escapePattern(point))).join("");
      const why = "a question mark is any one character";
      await claim(scene, { name: { $pattern: pattern } }, idsWhere(given, alike), why);
    },
  }),
  defineLaw({
    id: "case-is-folded-alike",
    title: "$iContains and $iPattern ignore case",
    rules: ["F-10", "F-11"],
    tier: "strict",
    cases: () => {
      const text = fc
        .array(oneOf(["a", "A", "b", "B", "É"]), { maxLength: 2 })
        .map((all) => all.join(""));
      return fc
        .record({ texts: fc.array(text, { maxLength: 4 }), text })
        .map((given) => ({ ...given, fixture: textFixture(given.texts) }));
    },
    async check(scene, given) {
      const lower = given.text.toLowerCase();
      const inside = idsWhere(given, (each) => each.toLowerCase().includes(lower));
      await claim(scene, { name: { $iContains: given.text } }, inside, "$iContains ignores case");
      const same = idsWhere(given, (each) => each.toLowerCase() === lower);
      await claim(scene, { name: { $iPattern: given.text } }, same, "$iPattern ignores case");
    },
  }),
];

interface ListCase extends LawCase {
  readonly lists: readonly (readonly string[] | undefined)[];
  readonly item: Json;
}

/** A table of lists, some of them empty or null, and something to ask of their items. */
function withLists(): fc.Arbitrary<ListCase> {
  const list = fc.array(oneOf(LABELS), { maxLength: 2 });
  const lists = fc.array(fc.option(list, { nil: undefined }), { maxLength: 5 });
  const item = fc.oneof(
    oneOf<Json>(LABELS),
    fc
      .tuple(oneOf(["$contains", "$startsWith", "$endsWith", "$is"]), oneOf(["a", "b"]))
      .map(([operator, text]): Json => ({ [operator]: text })),
  );
  return fc.record({ lists, item }).map((given) => ({
    ...given,
    fixture: {
      tables: [
        {
          name: "people",
          columns: [{ name: "labels", type: "multiple" }],
          records: given.lists.map((labels, i) => ({
            id: `p${i + 1}`,
            ...(labels === undefined ? {} : { labels }),
          })),
        },
      ],
    },
  }));
}

function accepts(item: Json, text: string): boolean {
  if (typeof item === "string") return text === item;
  const [operator, operand] = Object.entries(item as { readonly [key: string]: string })[0] ?? [];
  const wanted = operand ?? "";
  if (operator === "$contains") return text.includes(wanted);
  if (operator === "$startsWith") return text.startsWith(wanted);
  return operator === "$endsWith" ? text.endsWith(wanted) : text === wanted;
}

/** Laws of questions about the items of lists. */
export const LIST_LAWS: readonly Law[] = [
  defineLaw({
    id: "items-are-asked-each",
    title: "$includesAny wants one item to match, $includesAll every, $includesNone no one",
    rules: ["F-13", "F-14"],
    tier: "complete",
    cases: withLists,
    async check(scene, { lists, item }) {
      const where = (test: (labels: readonly string[]) => boolean): string[] =>
        lists.flatMap((labels, i) => (test(labels ?? []) ? [`p${i + 1}`] : []));
      const any = where((labels) => labels.some((label) => accepts(item, label)));
      await claim(scene, { labels: { $includesAny: item } }, any, "$includesAny wants one item");
      const all = where((labels) => labels.every((label) => accepts(item, label)));
      await claim(scene, { labels: { $includesAll: item } }, all, "$includesAll wants every item");
      const none = where((labels) => !labels.some((label) => accepts(item, label)));
      await claim(scene, { labels: { $includesNone: item } }, none, "$includesNone wants no item");
    },
  }),
  defineLaw({
    id: "items-dualities",
    title: "$includesNone negates $includesAny, $includesAll negates it of the negation",
    rules: ["F-13", "F-14", "F-30"],
    tier: "complete",
    cases: withLists,
    async check(scene, { item }) {
      const any = { labels: { $includesAny: item } };
      const why = "the questions about items are duals";
      await claimSame(scene, why, any, { labels: { $includes: item } });
      await claimSame(scene, why, { $not: any }, { labels: { $includesNone: item } });
      const another = { labels: { $includesAny: { $not: item } } };
      await claimSame(scene, why, { $not: another }, { labels: { $includesAll: item } });
    },
  }),
  defineLaw({
    id: "lists-exist-when-empty",
    title: "an empty list is not null",
    rules: ["T-8", "F-4", "F-14"],
    tier: "complete",
    cases: withLists,
    async check(scene, { lists }) {
      const present = lists.flatMap((labels, i) => (labels === undefined ? [] : [`p${i + 1}`]));
      await claim(scene, { $exists: "labels" }, present, "an empty list is not null");
    },
  }),
];
