import { createSearch, type FindIn, MAX_PLAIN_LENGTH } from "../../value/find-text.js";
import { gallop } from "../../value/lower-bound.js";

const SEPARATOR = "\u0000";
/** The most frequent characters of names and prose. */
const BY_FREQUENCY = " eaionrtlsudhm";

/** A chunk's texts, joined, with their end offsets. */
export class JoinedText {
  readonly #text: string;
  readonly #ends: Uint32Array;

  constructor(texts: readonly (string | null)[]) {
    this.#text = texts.join(SEPARATOR); // `join` writes null as ""
    this.#ends = new Uint32Array(texts.length);
    let end = -1;
    for (let row = 0; row < texts.length; row++) {
      end += 1 + (texts[row]?.length ?? 0);
      this.#ends[row] = end;
    }
  }

  narrow(bits: Uint32Array, indexIn: FindIn, inside: boolean): void {
    const text = this.#text;
    const ends = this.#ends;
    const turn = inside ? 0 : -1;
    let word = 0;
    let found = 0;
    const finishWords = (end: number): void => {
      for (; word < end; word++) {
        bits[word]! &= found ^ turn;
        found = 0;
      }
    };
    let row = 0;
    for (let at = indexIn(text, 0); at >= 0; at = indexIn(text, ends[row]! + 1)) {
      row = gallop(row, ends.length - 1, (each) => ends[each]! >= at);
      finishWords(row >>> 5);
      found |= 1 << (row & 31);
    }
    finishWords(bits.length);
  }
}

/** Whether a text can be searched in joined texts. */
export function isSearchable(text: string): boolean {
  return text !== "" && !text.includes(SEPARATOR);
}

/**
 * Compiles a search in joined texts. `indexOf` stops at each occurrence of the first character, so a
 * short text is searched by its rarest character.
 */
export function createJoinedSearch(text: string, checkTime?: () => void): FindIn {
  if (text.length > MAX_PLAIN_LENGTH) return createSearch(text, checkTime);
  const start = rarestIn(text);
  const tail = text.slice(start);
  return (haystack, from) => {
    let at = haystack.indexOf(tail, from + start);
    while (at >= 0 && !haystack.startsWith(text, at - start)) at = haystack.indexOf(tail, at + 1);
    return at < 0 ? at : at - start;
  };
}

/** The index of the first of the rarest characters. */
function rarestIn(text: string): number {
  const ranks = text.split("").map((unit) => BY_FREQUENCY.indexOf(unit) >>> 0); // −1 is the highest
  return ranks.indexOf(Math.max(...ranks));
}
