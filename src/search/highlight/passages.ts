import { countCodePoints } from "../../value/text.js";
import type { MarkedWords } from "./mark-words.js";

/** Maximum code points of a passage, unless one word is longer. */
const MAX_LENGTH = 200;
const LEAD = 60;

const ENCODED: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Returns at most `most` passages with matches in `<em>`, cut between words. */
export function passagesOf(
  text: string,
  words: MarkedWords,
  most: number,
  encodeHTML: boolean,
): string[] {
  const { starts, ends, marks } = words;
  const encode = (from: number, to: number): string =>
    encodeHTML
      ? text.slice(from, to).replaceAll(/[&<>"']/g, (character) => ENCODED[character]!)
      : text.slice(from, to);
  const passages: string[] = [];
  let from = 0;
  for (let next = marks.indexOf(true); next >= 0 && passages.length < most; ) {
    const passage = cutPassage(text, words, next, from);
    let tagged = "";
    let at = passage.start;
    for (; next < starts.length && ends[next]! <= passage.end; next++) {
      if (!marks[next]) continue;
      tagged += `${encode(at, starts[next]!)}<em>${encode(starts[next]!, ends[next]!)}</em>`;
      at = ends[next]!;
    }
    passages.push(tagged + encode(at, passage.end));
    from = passage.end;
    next = marks.indexOf(true, next);
  }
  return passages;
}

interface Piece {
  readonly start: number;
  readonly end: number;
}

function cutPassage(
  text: string,
  { starts, ends }: MarkedWords,
  word: number,
  from: number,
): Piece {
  if (from === 0 && fits(text, 0, text.length, MAX_LENGTH)) return { start: 0, end: text.length };
  let first = word;
  while (first > 0 && starts[first - 1]! >= from) {
    const isNear = fits(text, starts[first - 1]!, starts[word]!, LEAD);
    if (!isNear || !fits(text, starts[first - 1]!, ends[word]!, MAX_LENGTH)) break;
    first--;
  }
  const isFirst = first === 0 && fits(text, 0, ends[word]!, MAX_LENGTH);
  const start = isFirst ? 0 : starts[first]!;
  let last = word;
  while (last + 1 < ends.length && fits(text, start, ends[last + 1]!, MAX_LENGTH)) last++;
  return { start, end: lengthen(text, start, ends[last]!, starts[last + 1] ?? text.length) };
}

/** Extends a passage by the punctuation after its last word, if it fits. */
function lengthen(text: string, start: number, end: number, most: number): number {
  if (fits(text, start, most, MAX_LENGTH)) return end + text.slice(end, most).trimEnd().length;
  let to = end;
  for (
    let capacity = MAX_LENGTH - countCodePoints(text.slice(start, end));
    capacity > 0 && to < most;
    capacity--
  ) {
    to += text.codePointAt(to)! > 0xffff ? 2 : 1;
  }
  return end + text.slice(end, to).trimEnd().length;
}

function fits(text: string, from: number, to: number, most: number): boolean {
  const units = to - from;
  return units <= most || (units <= 2 * most && countCodePoints(text.slice(from, to)) <= most);
}
