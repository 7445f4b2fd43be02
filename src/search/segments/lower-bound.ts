import type { MatchingWords } from "../words/matching-words.js";
import type { Segment } from "./segment.js";

/** Visits the words that a segment contains, with their index in both. */
export function forEachMatch(
  { ids }: Segment,
  words: MatchingWords,
  visit: (place: number, index: number) => void,
): void {
  const isShorter = ids.length < words.ids.length;
  const [few, many] = isShorter ? [ids, words.ids] : [words.ids, ids];
  let low = 0;
  for (let at = 0; at < few.length && low < many.length; at++) {
    low = lowerBound(many, few[at]!, low);
    if (many[low] !== few[at]) continue;
    if (isShorter) visit(at, low);
    else visit(low, at);
  }
}

export function lowerBound(numbers: Int32Array, least: number, from = 0): number {
  let low = from;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (numbers[middle]! < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
