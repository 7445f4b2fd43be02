import type { ColumnDefinition, Json } from "../../types.js";
import type { JsonObject } from "../oracle/model.js";
import type { OracleWrite } from "../oracle/write.js";
import { choose, derive, happens, several } from "./choice.js";

/** More records than one internal partition of any service. */
export const COUNT = 4300;
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
/** U+FE73 precedes U+10330 by code point and follows it by code unit. */
const KINDS = [...WORDS.slice(0, 7), "ant\u0001", "ant\ufe73", "ant\u{10330}"];
const LABELS = WORDS.slice(3, 15);

export function makeRow(seed: number, i: number): JsonObject {
  const at = derive(seed, `record ${i}`);
  const texts = several(at, "body", 0, 9, (each) => choose(each, "word", WORDS)).join(" ");
  const values: { readonly [column: string]: () => Json } = {
    n: () => (derive(at, "n") % 9000) - 4500,
    f: () => (derive(at, "f") % 64) / 8,
    on: () => happens(at, "on", 0.3),
    at: () => makeDay(derive(at, "at")),
    kind: () => choose(at, "kind", KINDS),
    body: () => (happens(at, "own", 0.5) ? `${texts} ${i}` : texts),
    labels: () => several(at, "labels", 0, 3, (each) => choose(each, "label", LABELS)),
    up: () => idOf("r", derive(at, "up") % (COUNT + 50)),
  };
  const given = Object.entries(values).filter(([name]) => !happens(at, `no ${name}`, 0.1));
  return { id: idOf("r", i), ...Object.fromEntries(given.map(([name, make]) => [name, make()])) };
}

function makeDay(seed: number): string {
  return new Date((seed % 1000) * 86_400_000).toISOString().replace(".000", "");
}

export function filtersOf(seed: number, size: number): JsonObject[] {
  return several(seed, "conditions", size, size, makeCondition);
}

/** Three of each form of condition on a column. */
export function leavesOf(seed: number): JsonObject[] {
  return ["first", "second", "third"].flatMap((label) => {
    const own = derive(seed, label);
    return formsOfLeaf(own).map((plain, form) => negateSome(own, plain, form));
  });
}

function makeCondition(seed: number): JsonObject {
  const leaf = (label: string): JsonObject => {
    const own = derive(seed, label);
    return negateSome(own, choose(own, "leaf", formsOfLeaf(own)));
  };
  const form = derive(seed, "form") % 6;
  if (form === 3) return { $all: [leaf("a"), leaf("b")] };
  if (form === 4) return { $any: [leaf("a"), leaf("b"), leaf("c")] };
  return form === 5 ? { $not: leaf("a") } : leaf("a");
}

/** A condition, sometimes negated under its path. */
function negateSome(seed: number, plain: JsonObject, form?: number): JsonObject {
  if (!happens(seed, `negated ${form}`, 0.25)) return plain;
  const [[path = "", predicate = null] = []] = Object.entries(plain);
  return path.startsWith("$") ? plain : { [path]: { $not: predicate } };
}

function formsOfLeaf(seed: number): readonly JsonObject[] {
  const word = choose(seed, "word", WORDS);
  const label = choose(seed, "label", LABELS);
  const number = derive(seed, "number");
  return [
    { body: { $contains: word } },
    { body: { $contains: `${choose(seed, "first", WORDS)} ${word}` } },
    { body: { $contains: word.slice(1, 3) } },
    { body: { $startsWith: word } },
    { body: { $endsWith: ` ${number % COUNT}` } },
    { body: { $iContains: word.toUpperCase() } },
    { body: { $pattern: `*${word.slice(0, 1)}?${word.slice(2, 3)}*` } },
    { kind: { $is: choose(seed, "kind", KINDS) } },
    { kind: { $any: KINDS.filter((kind) => happens(seed, kind, 0.5)) } },
    { n: { $gt: (number % 9000) - 4500 } },
    { n: { $ge: -number % 4000, $lt: number % 4000 } },
    { f: { $le: (number % 64) / 8 } },
    { f: { $is: (number % 64) / 8 } },
    { on: happens(seed, "on", 0.5) },
    { at: { $lt: makeDay(number) } },
    { $exists: "body" },
    { $notExists: "n" },
    { labels: { $includes: label } },
    { labels: { $includesNone: [word, ...LABELS.slice(0, 2)] } },
    { labels: { $includesAll: { $contains: "e" } } },
    { up: idOf("r", number % COUNT) },
  ];
}

/** Ids in the order of their numbers. */
export function idOf(letter: string, i: number): string {
  return letter + String(i).padStart(4, "0");
}

interface Changes {
  readonly table: string;
  /** The number of records, with the ids `r0000` and so on. */
  readonly count: number;
  readonly writes: number;
  readonly seed: number;
}

/** Deletions, changes and insertions. */
export function makeChanges(
  { table, count, writes, seed }: Changes,
  make: (i: number) => JsonObject,
): OracleWrite[] {
  const gone = new Set<string>();
  return Array.from({ length: writes }, (_, i): OracleWrite => {
    const id = idOf("r", derive(seed, `changed ${i}`) % count);
    const { id: _id, ...record } = make(i);
    if (i % 3 === 2 || gone.has(id)) {
      return { kind: "insert", table, records: [{ ...record, id: `s${i}` }] };
    }
    if (i % 3 === 1) return { kind: "update", table, id, record };
    gone.add(id);
    return { kind: "delete", table, id };
  });
}
