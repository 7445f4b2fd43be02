import { PROFILES, type Profile } from "../../profile.js";
import type { ColumnDefinition, ColumnType, Json } from "../../types.js";
import type { JsonObject } from "../oracle/model.js";
import { choose, chooseSkewed, derive, happens, several } from "./choice.js";

/** Initial time of generated cases in milliseconds; a write may advance it by ticks. */
export const CLOCK_START: number = Date.UTC(2024, 0, 1);
export const CLOCK_TICK = 500;

export const RECORD_IDS: readonly string[] = [
  ..."abcdefAB",
  ..."10|9|a b|rec_1|～|\u{1F600}|\u{1F600}a|constructor".split("|"),
];

/** Any four in a row have parts at the start, the end and within. */
const TEXTS = "a|ab|b|aB||a*b|A|Ab|é|aΣ|İ|ba|～|\\?|\u{1F600}|aba".split("|");

/** The values of columns; of links, the ids. */
export type Domains = { readonly [type in ColumnType]?: readonly Json[] };

/** Few values, so ties are common; strings and datetimes share prefixes. */
const DOMAINS: Domains = {
  link: RECORD_IDS,
  bool: [true, false],
  int: [0, 1, 2, -1, 10, -0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
  float: [0, -0, 1, 0.1, -1.5, 10, 1e300, 5e-324, -1e-7],
  string: TEXTS,
  text: [...TEXTS, "a\u{1F600}b", "ab ".repeat(20)],
  email: ["a@b.c", "A@b.c", "a@b.co", "b@a.c", "a'b+c@x.org"],
  datetime: [
    ..."2020-01-01T00:00:00Z|2020-01-01T01:00:00+01:00|2019-12-31t22:30:00.0000009-01:30|2020-01-01T00:00:00.5Z".split(
      "|",
    ),
    ..."2020-01-01T00:00:00.500z|2020-01-01T00:00:00.500001Z|1969-12-31T23:59:59.999999Z|1969-12-31T23:59:59.999Z|0001-01-01T00:00:00Z".split(
      "|",
    ),
    ..."9999-12-31T23:59:59.999999Z|2400-02-29T12:00:00.000001Z|2400-02-29T12:00:00Z|2024-01-01T00:00:00.5Z".split(
      "|",
    ),
  ],
  multiple: [[], ["a"], ["b"], ["a", "b"], ["b", "a"], ["a", "a"], ["", "～", "\u{1F600}"]],
  json: [
    { a: "a" },
    { a: "ab" },
    { a: "Ba" },
    { a: [1, "x", null, { b: 2 }], b: false },
    [1, "a"],
    1,
    "a",
    true,
    [],
    {},
    { a: 1 },
    { a: 2 },
    { a: 10 },
    { a: null },
    { b: null },
    { a: { b: null, constructor: 1 } },
    { b: false, a: [1, "x", null, { b: 2 }] },
    { a: { b: "ab" } },
    { a: ["a", "b"] },
    [[1], 2],
    -1.5,
  ],
  vector: [
    [0, 1],
    [0.5, -1],
  ],
  file: [
    { name: "a.txt", mediaType: "text/plain", base64Content: "aGk=" },
    { name: "b", base64Content: "" },
    { base64Content: "AAEC" },
  ],
  "file[]": [
    [],
    [{ id: "f1", name: "a.txt", mediaType: "text/plain", base64Content: "aGk=" }],
    [
      { id: "f2", base64Content: "" },
      { id: "f1", name: "~", base64Content: "AAEC" },
    ],
  ],
};

export interface WriteProfile extends Pick<Profile, "base" | "metadataColumn"> {
  /** Default those of all types. */
  readonly domains?: Domains;
}

export function makeValue(writing: WriteProfile, column: ColumnDefinition, seed: number): Json {
  const domain = domainOf(writing, column.type);
  switch (column.type) {
    case "link": {
      const id = chooseSkewed(seed, "id", domain);
      // T-9, R-8: an object with the id; other keys are ignored.
      return happens(seed, "as object", 0.15) ? { id, name: "not read", n: 1 } : id;
    }
    case "object":
      return happens(seed, "empty", 0.1) ? {} : makeValues(writing, column.columns ?? [], seed);
    case "json": {
      const value = chooseSkewed(seed, column.name, domain);
      // T-11: xata parses strings as JSON, so a string value is given as its JSON.
      const asText = typeof value === "string" || happens(seed, "as text", 0.5);
      return PROFILES[writing.base].jsonAsText && asText ? JSON.stringify(value) : value;
    }
    default:
      return chooseSkewed(seed, column.name, domain);
  }
}

export function domainOf({ domains = DOMAINS }: WriteProfile, type: ColumnType): readonly Json[] {
  return domains[type] ?? [];
}

function makeValues(
  writing: WriteProfile,
  columns: readonly ColumnDefinition[],
  seed: number,
): JsonObject {
  const values: [string, Json][] = [];
  for (const column of columns) {
    const own = derive(seed, column.name);
    if (happens(own, "missing", 0.2)) continue;
    const value = happens(own, "null", 0.1) ? null : makeValue(writing, column, own);
    values.push([column.name, value]);
  }
  return Object.fromEntries(values);
}

export function makeRecord(
  writing: WriteProfile,
  columns: readonly ColumnDefinition[],
  seed: number,
): JsonObject {
  const record: { [key: string]: Json } = { id: choose(seed, "id", RECORD_IDS) };
  const byName = new Map(columns.map((column) => [column.name, column]));
  for (const [name, value] of Object.entries(makeValues(writing, columns, seed))) {
    const dotted = byName.get(name)?.type === "object" && happens(seed, `dotted ${name}`, 0.2);
    if (!dotted) record[name] = value;
    else for (const [sub, inner] of Object.entries(value ?? {})) record[`${name}.${sub}`] = inner;
  }
  // the metadata column is ignored.
  if (happens(seed, "metadata", 0.05)) record[writing.metadataColumn] = { version: 7 };
  return record;
}

export function makeClockTime(seed: number): string {
  return new Date(CLOCK_START + CLOCK_TICK * (derive(seed, "clock") % 12)).toISOString();
}

export function makeTextOperand(
  operator: string,
  seed: number,
  texts: readonly Json[] = TEXTS,
): string {
  // Letters whose lower case is longer or depends on the context.
  const ignoresCase = operator.startsWith("$i");
  if (ignoresCase && happens(seed, "letter", 0.4)) {
    return choose(seed, "letters", ["i", "I", "İ", "σ", "ς", "Σ", "É"]);
  }
  return operator.endsWith("attern") ? makePattern(seed, texts) : makeSearch(seed, texts);
}

/** Creates a text to search, often a part of one of some texts. */
export function makeSearch(seed: number, texts: readonly Json[] = TEXTS): string {
  if (happens(seed, "of a text", 0.4)) {
    const characters = [...String(choose(seed, "text", texts))];
    const from = derive(seed, "from") % Math.max(1, characters.length);
    const part = characters.slice(from, from + 1 + (derive(seed, "length") % 2)).join("");
    return happens(seed, "case", 0.2) ? swapCase(part) : part;
  }
  return choose(seed, "search", ["a", "", "A", "b", "B", "*", "\\", "i", "～", "\u{1F600}"]);
}

export function swapCase(text: string): string {
  const lower = text.toLowerCase();
  return lower === text ? text.toUpperCase() : lower;
}

function makePattern(seed: number, texts: readonly Json[]): string {
  if (happens(seed, "of a text", 0.6)) {
    const text = String(choose(seed, "text", texts)).replace(/[*?\\]/g, "\\$&");
    const cased = happens(seed, "case", 0.5) ? swapCase(text) : text;
    return choose(seed, "stars", [cased, `*${cased}`, `${cased}*`]);
  }
  const parts = ["*", "?", "a", "B", "\\*", "\\\\", "\\?", "\\a", "\u{1F600}", "İ"];
  return several(seed, "pattern", 0, 4, (part) => choose(part, "part", parts)).join("");
}
