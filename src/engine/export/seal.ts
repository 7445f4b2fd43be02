import { formatSixes, SIXES } from "../../value/hash.js";

/** Characters of a checksum. */
export const CHECKSUM_LENGTH = 8;

const CODES: Uint8Array = new TextEncoder().encode(SIXES);
/** For a comparison. */
const expected: Uint8Array = new Uint8Array(CHECKSUM_LENGTH);

/**
 * A running checksum over the lines of a text in UTF-8: the one of each line covers all lines up to
 * it, so that a line changed, left out, put in or moved is noticed there. Any one changed byte
 * always is; other damage goes unseen once in 2^44.
 */
export class LineChecksum {
  // For a given word each step is a bijection of a lane, and one-to-one in the word: once a changed
  // word has made the first lane another it stays so, and all of its bits are given out.
  #first: number = 0x811c9dc5 | 0;
  #second: number = 0x2545f491 | 0;

  /** Takes in the next line, without its end. */
  add(view: DataView, start: number, end: number): void {
    let first = this.#first;
    let second = this.#second;
    let at = start;
    for (; at + 4 <= end; at += 4) {
      const word = view.getInt32(at, true);
      first = Math.imul(first ^ word, 0x9e3779b1);
      first ^= first >>> 15;
      second = Math.imul(second ^ word, 0x85ebca6b);
      second ^= second >>> 13;
    }
    // Its last bytes, and its length: otherwise two lines could be parted at another place.
    for (let word = end - start; ; word = view.getUint8(at++)) {
      first = Math.imul(first ^ word, 0x9e3779b1);
      first ^= first >>> 15;
      second = Math.imul(second ^ word, 0x85ebca6b);
      second ^= second >>> 13;
      if (at === end) break;
    }
    this.#first = first;
    this.#second = second;
  }

  /** Puts the checksum up to there into bytes, as eight characters of `A-Za-z0-9-_`. */
  write(bytes: Uint8Array, at: number): void {
    const first = this.#first;
    const second = this.#second >>> 16;
    bytes[at] = CODES[first >>> 26]!;
    bytes[at + 1] = CODES[(first >>> 20) & 63]!;
    bytes[at + 2] = CODES[(first >>> 14) & 63]!;
    bytes[at + 3] = CODES[(first >>> 8) & 63]!;
    bytes[at + 4] = CODES[(first >>> 2) & 63]!;
    bytes[at + 5] = CODES[((first & 3) << 4) | (second >>> 12)]!;
    bytes[at + 6] = CODES[(second >>> 6) & 63]!;
    bytes[at + 7] = CODES[second & 63]!;
  }

  /** Whether that is what is there. */
  isAt(bytes: Uint8Array, at: number): boolean {
    this.write(expected, 0);
    for (let i = 0; i < CHECKSUM_LENGTH; i++) if (expected[i] !== bytes[at + i]) return false;
    return true;
  }
}

/** The same over the UTF-16 of the text, as exports had it up to version 3, and logs in version 1. */
export class OldLineChecksum {
  #first: number = 0x811c9dc5 | 0;
  #second: number = 0x2545f491 | 0;

  /** Takes in the next line, without its end, and gives the checksum up to there. */
  add(line: string): string {
    let first = this.#first;
    let second = this.#second;
    for (let i = 0; i < line.length; i++) {
      const unit = line.charCodeAt(i);
      first = Math.imul(first ^ unit, 0x01000193);
      second = Math.imul(second ^ unit, 0x85ebca6b);
      second ^= second >>> 15;
    }
    this.#first = Math.imul(first ^ 0x10000, 0x01000193);
    this.#second = Math.imul(second ^ line.length, 0x85ebca6b);
    return formatSixes(first, second >>> 16);
  }
}
