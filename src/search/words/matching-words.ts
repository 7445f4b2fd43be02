import { gallop } from "../../value/lower-bound.js";
import { editDistance } from "../../value/nearest.js";
import { DistanceTable } from "./distance.js";
import { type Lexicon, NO_WORD } from "./lexicon.js";

export interface MatchingWords {
  readonly ids: Int32Array;
  /** The length of the query's word minus the distance. */
  readonly weights: Int32Array;
}

/** Shorter words match exactly only. */
const MIN_FUZZY_LENGTH = 3;

export function findMatchingWords(
  lexicon: Lexicon,
  word: string,
  fuzziness: number,
): MatchingWords {
  const points = codePointsOf(word);
  const found: { id: number; weight: number }[] = [];
  if (fuzziness === 0 || points.length < MIN_FUZZY_LENGTH) {
    const id = lexicon.find(word);
    if (id !== NO_WORD) found.push({ id, weight: points.length });
  } else {
    walkWords(lexicon, points, fuzziness, (id, distance) => {
      found.push({ id, weight: points.length - distance });
    });
  }
  return inOrder(found);
}

export function findWordsWithPrefix(lexicon: Lexicon, prefix: string): MatchingWords {
  const { words } = lexicon;
  const { sorted, waiting } = lexicon.order();
  const found: { id: number; weight: number }[] = [];
  let at = gallop(0, sorted.length, (index) => words[sorted[index]!]! >= prefix);
  for (; at < sorted.length && words[sorted[at]!]!.startsWith(prefix); at++) {
    found.push({ id: sorted[at]!, weight: 1 });
  }
  for (let id = words.length - waiting; id < words.length; id++) {
    if (words[id]!.startsWith(prefix)) found.push({ id, weight: 1 });
  }
  return inOrder(found);
}

export function codePointsOf(word: string): number[] {
  return Array.from(word, (character) => character.codePointAt(0)!);
}

function inOrder(found: { readonly id: number; readonly weight: number }[]): MatchingWords {
  found.sort((a, b) => a.id - b.id);
  return {
    ids: Int32Array.from(found, ({ id }) => id),
    weights: Int32Array.from(found, ({ weight }) => weight),
  };
}

/** Walks the sorted words as a trie: a prefix that is too far off skips its whole range. */
function walkWords(
  lexicon: Lexicon,
  points: readonly number[],
  most: number,
  visit: (id: number, distance: number) => void,
): void {
  const { words } = lexicon;
  const { sorted, waiting } = lexicon.order();
  const table = new DistanceTable(points, most);
  const wordAt = (place: number): string => words[sorted[place]!]!;
  const seek = (low: number, high: number, offset: number, least: number): number =>
    gallop(low, high, (at) => rank(wordAt(at).codePointAt(offset)!) >= least);

  /** @param offset code units of the common prefix, which has `depth` code points */
  const walk = (low: number, high: number, offset: number, depth: number): void => {
    let at = low;
    if (at < high && wordAt(at).length === offset) {
      const distance = table.distanceAt(depth);
      if (distance <= most) visit(sorted[at]!, distance);
      at++;
    }
    const enter = (from: number, to: number, point: number): void => {
      if (table.push(depth, point) <= most)
        walk(from, to, offset + (point > 0xffff ? 2 : 1), depth + 1);
    };
    const next = table.onlyNext(depth);
    if (next === undefined) {
      while (at < high) {
        const point = wordAt(at).codePointAt(offset)!;
        const to = seek(at, high, offset, rank(point) + 1);
        enter(at, to, point);
        at = to;
      }
      return;
    }
    for (const [index, point] of next.entries()) {
      if (next.indexOf(point) < index) continue;
      const from = seek(at, high, offset, rank(point));
      if (from === high || wordAt(from).codePointAt(offset) !== point) continue;
      enter(from, seek(from, high, offset, rank(point) + 1), point);
    }
  };
  walk(0, sorted.length, 0, 0);
  for (let id = words.length - waiting; id < words.length; id++) {
    const distance = editDistance(points, codePointsOf(words[id]!), most);
    if (distance <= most) visit(id, distance);
  }
}

/** Orders code points like UTF-16 code units: U+E000 … U+FFFF come after the surrogates. */
function rank(point: number): number {
  return point >= 0xe000 && point <= 0xffff ? point + 0x110000 : point;
}
