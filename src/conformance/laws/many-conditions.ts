import type { ColumnDefinition, Json } from "../../types.js";
import { choose, derive, happens, several } from "../arbitraries/choice.js";
import type { JsonObject } from "./cases.js";
import type { Scene } from "./scene.js";

/** What a condition says of a record; null where it compares with null (rule F-30). */
type Truth = boolean | null;

/** A filter, and what it says of a record. */
export interface Condition {
  readonly filter: JsonObject;
  readonly test: (record: JsonObject) => Truth;
}

/** Records enough to be stored in more than one part, whatever a service makes of it. */
export const COUNT = 4300;
/** Their columns. */
export const COLUMNS: readonly ColumnDefinition[] = [
  { name: "n", type: "int" },
  { name: "f", type: "float" },
  { name: "on", type: "bool" },
  { name: "at", type: "datetime" },
  { name: "kind", type: "string" },
  { name: "body", type: "text" },
  { name: "labels", type: "multiple" },
  { name: "up", type: "link", link: { table: "rows" } },
];
const WORDS =
  "ant bee cat dog elk fox gnu hen ibis jay kite lynx antelope beetle ¿que? naïve".split(" ");
const KINDS = WORDS.slice(0, 7);
const LABELS = WORDS.slice(3, 15);

/** So many conditions, some of them joined or negated. */
export function conditionsOf({ traits }: Scene, seed: number, size: number): Condition[] {
  const isSql = traits.profile.nullComparison === "sql";
  return several(seed, "conditions", size, size, (each) => makeCondition(each, isSql));
}

/** Each form of a condition on a column, three of each. */
export function leavesOf({ traits }: Scene, seed: number): Condition[] {
  const isSql = traits.profile.nullComparison === "sql";
  return ["first", "second", "third"].flatMap((label) => {
    const own = derive(seed, label);
    return formsOfLeaf(own).map((_, form) => makeLeaf(own, isSql, form));
  });
}

/** One of the records, most of its columns given. */
export function makeRecord(seed: number, i: number): JsonObject {
  const at = derive(seed, `record ${i}`);
  const isThere = (name: string): boolean => !happens(at, `no ${name}`, 0.1);
  const labels = several(at, "labels", 0, 3, (each) => choose(each, "label", LABELS));
  const body = several(at, "body", 0, 9, (each) => choose(each, "word", WORDS)).join(" ");
  return {
    id: `r${i}`,
    ...(isThere("n") ? { n: (derive(at, "n") % 9000) - 4500 } : {}),
    ...(isThere("f") ? { f: (derive(at, "f") % 64) / 8 } : {}),
    ...(isThere("on") ? { on: happens(at, "on", 0.3) } : {}),
    ...(isThere("at")
      ? { at: new Date((derive(at, "at") % 1000) * 86_400_000).toISOString().replace(".000", "") }
      : {}),
    ...(isThere("kind") ? { kind: choose(at, "kind", KINDS) } : {}),
    ...(isThere("body") ? { body: happens(at, "own", 0.5) ? `${body} ${i}` : body } : {}),
    ...(isThere("labels") ? { labels } : {}),
    ...(isThere("up") ? { up: `r${derive(at, "up") % (COUNT + 50)}` } : {}),
  };
}

/** A condition on a column, or some of them joined or negated. */
function makeCondition(seed: number, isSql: boolean): Condition {
  const leaf = (label: string): Condition => makeLeaf(derive(seed, label), isSql);
  const form = derive(seed, "form") % 6;
  if (form === 3) {
    const parts = [leaf("a"), leaf("b")];
    const test = (record: JsonObject): Truth => all(parts.map((part) => part.test(record)));
    return { filter: { $all: parts.map(({ filter }) => filter) }, test };
  }
  if (form === 4) {
    const parts = [leaf("a"), leaf("b"), leaf("c")];
    const test = (record: JsonObject): Truth =>
      negate(all(parts.map((part) => negate(part.test(record), true))), true);
    return { filter: { $any: parts.map(({ filter }) => filter) }, test };
  }
  const { filter, test } = leaf("a");
  if (form !== 5) return { filter, test };
  return { filter: { $not: filter }, test: (record) => negate(test(record), isSql) };
}

function all(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(null) ? null : true;
}

function negate(truth: Truth, isSql: boolean): Truth {
  if (truth === null) return isSql ? null : true;
  return !truth;
}

/** A condition on a column, of a given form or of any, now and then negated. */
function makeLeaf(seed: number, isSql: boolean, form?: number): Condition {
  const forms = formsOfLeaf(seed);
  const plain = (forms[form ?? -1] ?? choose(seed, "leaf", forms))();
  if (!happens(seed, `negated ${form}`, 0.25) || "$exists" in plain.filter) return plain;
  if ("$notExists" in plain.filter) return plain;
  const [[path = "", predicate = null] = []] = Object.entries(plain.filter);
  return {
    filter: { [path]: { $not: predicate } },
    test: (record) => negate(plain.test(record), isSql),
  };
}

function formsOfLeaf(seed: number): readonly (() => Condition)[] {
  const word = choose(seed, "word", WORDS);
  const number = derive(seed, "number");
  const text = `${choose(seed, "first", WORDS)} ${word}`;
  return [
    () => onText({ $contains: word }, (body) => body.includes(word)),
    () => onText({ $contains: text }, (body) => body.includes(text)),
    () => onText({ $contains: word.slice(1, 3) }, (body) => body.includes(word.slice(1, 3))),
    () => onText({ $startsWith: word }, (body) => body.startsWith(word)),
    () =>
      onText({ $endsWith: ` ${number % COUNT}` }, (body) => body.endsWith(` ${number % COUNT}`)),
    () => onText({ $iContains: word.toUpperCase() }, (body) => body.includes(word)),
    () =>
      onText({ $pattern: `*${word.slice(0, 1)}?${word.slice(2, 3)}*` }, (body) =>
        matchesGap(body, word),
      ),
    () =>
      on(
        "kind",
        { $is: choose(seed, "kind", KINDS) },
        (kind) => kind === choose(seed, "kind", KINDS),
      ),
    () => {
      const some = KINDS.filter((kind) => happens(seed, kind, 0.5));
      return on("kind", { $any: some }, (kind) => some.includes(String(kind)));
    },
    () => on("n", { $gt: (number % 9000) - 4500 }, (n) => Number(n) > (number % 9000) - 4500),
    () =>
      on(
        "n",
        { $ge: -number % 4000, $lt: number % 4000 },
        (n) => Number(n) >= -(number % 4000) && Number(n) < number % 4000,
      ),
    () => on("f", { $le: (number % 64) / 8 }, (f) => Number(f) <= (number % 64) / 8),
    () => on("f", { $is: (number % 64) / 8 }, (f) => f === (number % 64) / 8),
    () => on("on", happens(seed, "on", 0.5), (is) => is === happens(seed, "on", 0.5)),
    () => {
      const day = new Date((number % 1000) * 86_400_000).toISOString().replace(".000", "");
      return on("at", { $lt: day }, (at) => String(at) < day);
    },
    () => ({ filter: { $exists: "body" }, test: ({ body }) => body !== undefined }),
    () => ({ filter: { $notExists: "n" }, test: ({ n }) => n === undefined }),
    () =>
      onItems({ $includes: choose(seed, "label", LABELS) }, (items) =>
        items.includes(choose(seed, "label", LABELS)),
      ),
    () =>
      onItems(
        { $includesNone: [word, ...LABELS.slice(0, 2)] },
        (items) => ![word, ...LABELS.slice(0, 2)].some((each) => items.includes(each)),
      ),
    () =>
      onItems({ $includesAll: { $contains: "e" } }, (items) =>
        items.every((each) => each.includes("e")),
      ),
    () => on("up", `r${number % COUNT}`, (up) => up === `r${number % COUNT}`),
  ];
}

function on(path: string, predicate: Json, test: (value: Json) => boolean): Condition {
  return {
    filter: { [path]: predicate },
    test: ({ [path]: value }) => (value === undefined ? null : test(value)),
  };
}

function onText(predicate: Json, test: (text: string) => boolean): Condition {
  return on("body", predicate, (text) => test(String(text)));
}

/** A null list has no items (rule F-14). */
function onItems(predicate: Json, test: (items: readonly string[]) => boolean): Condition {
  return {
    filter: { labels: predicate },
    test: ({ labels = [] }) => test(labels as readonly string[]), // as `multiple` holds
  };
}

function matchesGap(text: string, word: string): boolean {
  const letters = [...text];
  const [first = "", , third] = word;
  return letters.some(
    (letter, i) => letter === first && i + 2 < letters.length && letters[i + 2] === third,
  );
}
