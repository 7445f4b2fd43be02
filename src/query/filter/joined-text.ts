import { createSearch, type FindIn } from "../../value/find-text.js";

const SEPARATOR = "\u0000";

/** A chunk's texts joined, and their ends. */
export class JoinedText {
  readonly #text: string;
  readonly #ends: Uint32Array;

  constructor(texts: readonly (string | null)[]) {
    this.#text = texts.join(SEPARATOR); // null joins as nothing
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
      row = seekEnd(ends, row, at);
      finishWords(row >>> 5);
      found |= 1 << (row & 31);
    }
    finishWords(bits.length);
  }
}

/** Exponential search for the text at a position. */
function seekEnd(ends: Uint32Array, row: number, at: number): number {
  let low = row;
  let step = 1;
  while (low + step <= ends.length && ends[low + step - 1]! < at) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, ends.length) - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ends[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A search in joined texts; undefined for the empty text and those with separators. */
export function createJoinedSearch(text: string): FindIn | undefined {
  return text === "" || text.includes(SEPARATOR) ? undefined : createSearch(text);
}
