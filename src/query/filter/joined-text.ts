import { createLongSearch, type FindIn } from "../../value/find-text.js";
import {
  COSTLY_PIECE,
  MAX_PIECE_STARTS,
  PIECE_CREDIT,
  PIECE_FOUND_COST,
  PIECE_LENGTH,
  PIECE_SAMPLE,
} from "../thresholds.js";

/** Separates the texts that are joined. */
const SEPARATOR = "\u0000";

/** The texts of a chunk as one, and where each ends. */
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

  /** Sets the bits of the texts that contain the needle. */
  find(needle: Needle, bits: Uint32Array): void {
    const text = this.#text;
    const ends = this.#ends;
    let row = 0;
    for (let at = needle.indexIn(text, 0); at >= 0; at = needle.indexIn(text, ends[row]! + 1)) {
      row = seekEnd(ends, row, at);
      bits[row >>> 5]! |= 1 << (row & 31);
    }
  }
}

/** The first text from `row` on that does not end before a position (exponential search). */
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

/**
 * A text that is searched for in many. V8 stops at each match of the first character, so it is asked
 * for the piece of the needle that begins with a rare one, as long as that piece stays rare.
 */
export class Needle {
  readonly #text: string;
  readonly #findLong: FindIn | undefined;
  #piece: string | undefined = undefined;
  /** Characters of the text before the piece. */
  #before = 0;
  #credit = 0;

  private constructor(text: string) {
    this.#text = text;
    this.#findLong = createLongSearch(text);
  }

  /** Undefined for what joined texts could hold and no single one does, and for the empty text. */
  static of(text: string): Needle | undefined {
    return text === "" || text.includes(SEPARATOR) ? undefined : new Needle(text);
  }

  /** The position from `from` on at which the needle begins; -1 where there is none. */
  indexIn(haystack: string, from: number): number {
    if (this.#findLong !== undefined) return this.#findLong(haystack, from);
    if (from === 0) this.#credit += haystack.length / PIECE_CREDIT;
    this.#piece ??= this.#choosePiece(haystack);
    const text = this.#text;
    let start = from;
    while (this.#piece !== text) {
      const at = haystack.indexOf(this.#piece, start + this.#before);
      if (at < 0) return at;
      start = at - this.#before;
      if (this.#credit-- < 0) this.#piece = text;
      else if (haystack.startsWith(text, start)) return start;
      else start++;
    }
    return haystack.indexOf(text, start);
  }

  /** The piece that is found fastest; the whole where each would be found too often. */
  #choosePiece(haystack: string): string {
    const length = Math.min(haystack.length, PIECE_SAMPLE);
    let chosen = this.#text;
    let least = length / COSTLY_PIECE;
    for (let start = 0; start < Math.min(MAX_PIECE_STARTS, this.#text.length - 1); start++) {
      const piece = this.#text.slice(start, start + PIECE_LENGTH);
      const first = piece.charCodeAt(0);
      let cost = 0;
      for (let at = 0; at < length && cost < least; at++) {
        if (haystack.charCodeAt(at) !== first) continue;
        cost += haystack.startsWith(piece, at) ? PIECE_FOUND_COST : 1;
      }
      if (cost >= least) continue;
      least = cost;
      chosen = piece;
      this.#before = start;
    }
    return chosen;
  }
}
