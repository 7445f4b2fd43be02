/** Stands between the texts that are joined. */
const SEPARATOR = "\u0000";
/** V8 looks for up to so many characters by `memchr` on the first, which is soonest where it is rare. */
const PIECE_LENGTH = 6;
/** Places in the needle that a piece may start at. */
const MAX_STARTS = 8;
/** Characters of the first haystack that are looked at to choose the piece. */
const SAMPLE_LENGTH = 500;
/** What a place with the whole piece costs, in places that have its first character only. */
const FOUND_COST = 4;
/** A piece may cost one for so many characters; beyond that V8's own search for the whole is faster. */
const COSTLY = 12;
/** Characters of a haystack for each time that a piece may stand in it. */
const CREDIT = 128;

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

/** The first text from `row` on that does not end ahead of a place there is (exponential search). */
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
 * A text that is searched for in many. V8 stops wherever the first character stands, so it is asked
 * for the piece of the needle that begins with a rare one, as long as that piece stays rare.
 */
export class Needle {
  readonly #text: string;
  #piece: string | undefined = undefined;
  /** Characters of the text ahead of the piece. */
  #before = 0;
  #credit = 0;

  private constructor(text: string) {
    this.#text = text;
  }

  /** Undefined for what joined texts could hold and no single one does, and for the empty text. */
  static of(text: string): Needle | undefined {
    return text === "" || text.includes(SEPARATOR) ? undefined : new Needle(text);
  }

  /** The first place from `from` on at which the needle stands; -1 where there is none. */
  indexIn(haystack: string, from: number): number {
    if (from === 0) this.#credit += haystack.length / CREDIT;
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

  /** The piece that is soonest looked for; the whole where each would be found too often. */
  #choosePiece(haystack: string): string {
    const length = Math.min(haystack.length, SAMPLE_LENGTH);
    let chosen = this.#text;
    let least = length / COSTLY;
    for (let start = 0; start < Math.min(MAX_STARTS, this.#text.length - 1); start++) {
      const piece = this.#text.slice(start, start + PIECE_LENGTH);
      const first = piece.charCodeAt(0);
      let cost = 0;
      for (let at = 0; at < length && cost < least; at++) {
        if (haystack.charCodeAt(at) !== first) continue;
        cost += haystack.startsWith(piece, at) ? FOUND_COST : 1;
      }
      if (cost >= least) continue;
      least = cost;
      chosen = piece;
      this.#before = start;
    }
    return chosen;
  }
}
