import type { TableVersion } from "../storage/table.js";
import type { Highlight } from "../typed/search.js";
import type { Json } from "../types.js";
import { textsIn } from "../value/json.js";
import { countCodePoints } from "../value/text.js";
import type { BoundTarget } from "./bind/bind-table.js";
import { foldWord, WordReader } from "./words/words.js";

const MAX_PASSAGES = 3;

/** Returns the matching passages of a row by column; `find` limits them to `most`. */
export function highlightRow(
  version: TableVersion,
  targets: readonly BoundTarget[],
  row: number,
  find: (text: string, most: number) => string[],
): Highlight {
  const highlight: Highlight = {};
  for (const { slot, path } of targets) {
    const value = version.get(row, slot);
    if (value === null) continue;
    const passages: string[] = [];
    // Searchable columns hold JSON: a text, a list of texts, or any value.
    for (const text of textsIn(value as Json)) {
      if (passages.length === MAX_PASSAGES) break;
      passages.push(...find(text, MAX_PASSAGES - passages.length));
    }
    if (passages.length > 0) put(highlight, path.split("."), passages);
  }
  return highlight;
}

function put(
  highlight: Highlight,
  [name = "", ...rest]: readonly string[],
  passages: string[],
): void {
  if (rest.length === 0) {
    highlight[name] = passages;
    return;
  }
  const inner = Object.hasOwn(highlight, name) ? highlight[name] : {};
  if (inner === undefined || Array.isArray(inner)) return; // a column is text or an object
  highlight[name] = inner;
  put(inner, rest, passages);
}

interface MarkedWords {
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly marks: readonly boolean[];
}

export type MarkWords = (text: string) => MarkedWords;

const MAX_REMEMBERED = 1 << 12;

export function markAmong(matching: ReadonlySet<string>): MarkWords {
  const answers = new Map<string, boolean>();
  return (text) => {
    const marks: boolean[] = [];
    const places = readWords(text, (form) => {
      let answer = answers.get(form);
      if (answer === undefined) {
        answer = matching.has(foldWord(form));
        if (answers.size < MAX_REMEMBERED) answers.set(form, answer);
      }
      marks.push(answer);
      return true;
    });
    return { marks, ...places };
  };
}

/** Marks all words of every occurrence of a phrase. */
export function markPhrase(phrase: readonly string[]): MarkWords {
  return (text) => {
    const words: string[] = [];
    const places = readWords(text, (form) => {
      const word = foldWord(form);
      if (word !== "") words.push(word);
      return word !== "";
    });
    const marks = words.map(() => false);
    for (let at = 0; at + phrase.length <= words.length; at++) {
      if (isPhraseAt(words, at, phrase)) marks.fill(true, at, at + phrase.length);
    }
    return { marks, ...places };
  };
}

function isPhraseAt(words: readonly string[], at: number, phrase: readonly string[]): boolean {
  const last = phrase.length - 1;
  for (let i = 0; i < last; i++) if (words[at + i] !== phrase[i]) return false;
  return words[at + last]!.startsWith(phrase[last]!);
}

/** Returns the offsets of a text's words; a word that `take` rejects counts as a separator. */
function readWords(
  text: string,
  take: (form: string) => boolean,
): { readonly starts: number[]; readonly ends: number[] } {
  const reader = new WordReader();
  const starts: number[] = [];
  const ends: number[] = [];
  reader.open(text);
  while (reader.next()) {
    if (!take(text.slice(reader.start, reader.end))) continue;
    starts.push(reader.start);
    ends.push(reader.end);
  }
  return { starts, ends };
}

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
