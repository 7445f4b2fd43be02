const MAX_LENGTH = 64;
/** Limit of compared pairs of characters, for very many candidates. */
const MAX_PAIRS = 100_000;

/** Returns the first nearest candidate within a third of the word's length, ignoring case. */
export function findNearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > MAX_LENGTH) return undefined;
  const lowered = word.toLowerCase();
  let limit = word.length < 2 ? 0 : Math.max(1, Math.floor(word.length / 3));
  let nearest: string | undefined;
  let left = MAX_PAIRS;
  for (const candidate of candidates) {
    if (--left < 0) break;
    if (Math.abs(candidate.length - word.length) > limit) continue;
    left -= word.length * candidate.length;
    const distance = editDistance(lowered, candidate.toLowerCase(), limit);
    if (distance > limit) continue;
    nearest = candidate;
    limit = distance - 1; // the next must be nearer
  }
  return nearest;
}

/** Returns a "did you mean" hint, or "". */
export function suggest(
  word: string,
  known: Iterable<string>,
  meant: string | undefined = translate(word, known) ?? findNearest(word, known),
): string {
  return meant === undefined ? "" : `; did you mean ${meant}?`;
}

/** Terms of other libraries: the known term, and a replacement. */
const FOREIGN_WORDS: ReadonlyMap<string, readonly [known: string, write: string]> = new Map([
  ["where", ["filter", "filter"]],
  ["orderBy", ["sort", "sort"]],
  ["sortBy", ["sort", "sort"]],
  ["sortedBy", ["sort", "sort"]],
  ["include", ["columns", 'columns: ["link.*"]']],
  ["select", ["columns", "columns"]],
  ["limit", ["page", "page: { size }"]],
  ["take", ["page", "page: { size }"]],
  ["skip", ["page", "page: { offset }"]],
  ["offset", ["page", "page: { offset }"]],
  ["number", ["int", "int or float"]],
  ["integer", ["int", "int"]],
  ["boolean", ["bool", "bool"]],
  ["text[]", ["multiple", "multiple"]],
  ["string[]", ["multiple", "multiple"]],
  ["timestamp", ["datetime", "datetime"]],
  ["date", ["datetime", "datetime"]],
]);

function translate(word: string, known: Iterable<string>): string | undefined {
  const foreign = FOREIGN_WORDS.get(word);
  if (foreign === undefined) return undefined;
  for (const each of known) if (each === foreign[0]) return foreign[1];
  return undefined;
}

const FEW = 5;

/** Like {@link suggest}; without a suggestion, lists the names if there are few. */
export function suggestAmong(word: string, known: ReadonlyMap<string, unknown>): string {
  return suggest(word, known.keys()) || listFew(known);
}

/** Lists all names if there are few. */
export function listFew(known: ReadonlyMap<string, unknown>): string {
  const { size } = known;
  return size > 0 && size <= FEW ? `; there is ${[...known.keys()].join(", ")}` : "";
}

/** Optimal string alignment distance of strings, or lists of code points; beyond `limit`, any larger number. */
export function editDistance<T extends string | readonly number[]>(
  a: T,
  b: T,
  limit: number,
): number {
  let twoAbove: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let min = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (same ? 0 : 1));
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, twoAbove[j - 2]! + 1);
      row.push(cost);
      min = Math.min(min, cost);
    }
    // Later rows are not lower: a swap skips one row for one edit; minima grow by at most one.
    if (min > limit) return min;
    twoAbove = above;
    above = row;
  }
  return above[b.length]!;
}
