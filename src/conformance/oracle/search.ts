import type { ColumnDefinition, Json } from "../../types.js";
import { isObject, type OracleTable } from "./model.js";
import { valueAt } from "./values.js";

/** A search without filter and boosters. */
export interface OracleSearch {
  readonly query: string;
  readonly fuzziness?: number;
  readonly prefix?: "phrase" | "disabled";
  /** Weights by path, `*` for all other columns; default 1 for all. */
  readonly weights?: Readonly<Record<string, number>>;
}

/** A found record with its score. */
export interface OracleHit {
  readonly id: string;
  readonly score: number;
}

/** Searches a table naively, word by word. Returns hits by descending score, then id. */
export function evaluateSearch(table: OracleTable, search: OracleSearch): OracleHit[] {
  const { query, fuzziness = 1, prefix = "disabled" } = search;
  const asked = wordsOf(query);
  if (asked.length === 0) return [];
  const columns = textPaths(table.columns, "").flatMap((path) => {
    const { weights = { "*": 1 } } = search;
    const weight = weights[path] ?? weights["*"];
    return weight === undefined ? [] : [{ weight, texts: readColumn(table, path) }];
  });
  const weigh: Weigh[] =
    prefix === "phrase"
      ? [(items) => countPhrase(items, asked)]
      : [...new Set(asked)].map((word) => (items) => weighWord(items, word, fuzziness));
  const scores = new Map<string, number>();
  for (const { weight, texts } of columns) {
    const sums = new Map<string, number>();
    for (const weighItems of weigh) {
      for (const [id, score] of scoreColumn(texts, weight, weighItems)) {
        sums.set(id, score + (sums.get(id) ?? 0));
      }
    }
    for (const [id, sum] of sums) scores.set(id, Math.max(sum, scores.get(id) ?? 0));
  }
  return Array.from(scores, ([id, score]) => ({ id, score })).sort(
    (a, b) => b.score - a.score || (a.id < b.id ? -1 : 1),
  );
}

/** The frequency f of rule Q-5. */
type Weigh = (items: readonly (readonly string[])[]) => number;

/** Words by record and item, without null records. */
type ColumnTexts = ReadonlyMap<string, readonly (readonly string[])[]>;

function scoreColumn(texts: ColumnTexts, weight: number, weigh: Weigh): [string, number][] {
  const frequencies = Array.from(texts, ([id, items]) => ({
    id,
    frequency: weigh(items),
    length: items.flat().length,
  }));
  const matching = frequencies.filter(({ frequency }) => frequency > 0);
  const records = frequencies.length;
  const mean = frequencies.reduce((sum, { length }) => sum + length, 0) / records;
  const rarity = Math.log(1 + (records - matching.length + 0.5) / (matching.length + 0.5));
  return matching.map(({ id, frequency, length }) => [
    id,
    (weight * rarity * 2.2 * frequency) / (frequency + 0.3 + (0.9 * length) / mean),
  ]);
}

function weighWord(items: readonly (readonly string[])[], word: string, fuzziness: number): number {
  const length = [...word].length;
  let sum = 0;
  for (const other of items.flat()) {
    const distance =
      word === other ? 0 : length < 3 ? Number.POSITIVE_INFINITY : distanceOf(word, other);
    if (distance <= fuzziness) sum += 1 - distance / length;
  }
  return sum;
}

function countPhrase(items: readonly (readonly string[])[], phrase: readonly string[]): number {
  let count = 0;
  for (const words of items) {
    for (let start = 0; start + phrase.length <= words.length; start++) {
      const holds = phrase.every((word, index) => {
        const other = words[start + index]!; // within the item
        return index === phrase.length - 1 ? other.startsWith(word) : other === word;
      });
      if (holds) count++;
    }
  }
  return count;
}

const LETTER = String.raw`[\p{L}\p{M}\p{N}]`;
const SINGLE = String.raw`[\p{Script=Han}\p{Script=Hiragana}]`;
const WORD = new RegExp(`[${LETTER}&&${SINGLE}]|[${LETTER}--${SINGLE}]+`, "gv");

/** Folded words of a text. */
export function wordsOf(text: string): string[] {
  const words = text.match(WORD) ?? [];
  return words.map(fold).filter((word) => word !== "");
}

function fold(word: string): string {
  const bare = word.normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
  return bare.toLowerCase().toUpperCase().normalize("NFKC");
}

/** Optimal string alignment of code points. */
export function distanceOf(one: string, other: string): number {
  const a = [...one];
  const b = [...other];
  const table = a.map(() => b.map(() => 0));
  const at = (i: number, j: number): number =>
    i < 0 ? j + 1 : j < 0 ? i + 1 : (table[i]?.[j] ?? 0);
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i] === b[j] ? 0 : 1);
      let least = Math.min(replaced, at(i - 1, j) + 1, at(i, j - 1) + 1);
      const isSwap = i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j];
      if (isSwap) least = Math.min(least, at(i - 2, j - 2) + 1);
      table[i]![j] = least;
    }
  }
  return at(a.length - 1, b.length - 1);
}

export function matchesOf(text: string, asked: readonly string[], fuzziness: number): string[] {
  const holds = (word: string): boolean =>
    asked.some(
      (each) =>
        each === word ||
        ([...each].length >= 3 && distanceOf(each, word) <= Math.max(0, fuzziness)),
    );
  return wordsOf(text).filter(holds);
}

/** Paths of text columns. */
function textPaths(columns: readonly ColumnDefinition[], prefix: string): string[] {
  return columns.flatMap(({ name, type, columns: inner = [] }) => {
    if (type === "object") return textPaths(inner, `${prefix}${name}.`);
    return ["string", "text", "email", "multiple", "json"].includes(type) ? [prefix + name] : [];
  });
}

function readColumn(table: OracleTable, path: string): ColumnTexts {
  const texts = new Map<string, string[][]>();
  for (const { id, columns } of table.records) {
    const value = valueAt(columns, path);
    if (value !== null) texts.set(id, itemsOf(value).map(wordsOf));
  }
  return texts;
}

/** Each text and number in a value. */
export function itemsOf(value: Json): string[] {
  if (typeof value === "string" || typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(itemsOf);
  return isObject(value) ? Object.values(value).flatMap(itemsOf) : [];
}

/** Similarity of vectors (V-2), without extreme numbers. */
export function similarityOf(
  name = "cosineSimilarity",
  a: readonly number[],
  b: readonly number[],
): number {
  const pairs = a.map((x, i) => [x, b[i] ?? 0] as const);
  const sum = (of: (x: number, y: number) => number): number =>
    pairs.reduce((total, [x, y]) => total + of(x, y), 0);
  if (name === "l1") return 1 / (1 + sum((x, y) => Math.abs(x - y)));
  if (name === "l2") return 1 / (1 + sum((x, y) => (x - y) ** 2));
  const lengths = Math.sqrt(sum((x) => x * x)) * Math.sqrt(sum((_, y) => y * y));
  return lengths === 0 ? 1 : 1 + sum((x, y) => x * y) / lengths;
}
