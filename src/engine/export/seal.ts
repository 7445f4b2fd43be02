import { formatSixes } from "../../value/hash.js";

/** Characters of a checksum. */
export const CHECKSUM_LENGTH = 8;

/**
 * A running checksum over the lines of a text: the one of each line covers all lines up to it,
 * so that a line changed, left out, put in or moved is noticed there. Any one changed character
 * always is; other damage goes unseen once in 2^44.
 */
export class LineChecksum {
  // Each step is a bijection of the first lane for a given unit, and one-to-one in the unit: once
  // a changed unit has made the lane another it stays so, and all of its bits are given out.
  #first: number = 0x811c9dc5 | 0;
  #second: number = 0x2545f491 | 0;

  /** Takes in the next line, without its end, and gives the checksum up to there. */
  add(line: string, length: number = line.length): string {
    let first = this.#first;
    let second = this.#second;
    for (let i = 0; i < length; i++) {
      const unit = line.charCodeAt(i);
      first = Math.imul(first ^ unit, 0x01000193);
      second = Math.imul(second ^ unit, 0x85ebca6b);
      second ^= second >>> 15;
    }
    // The end of a line counts too: otherwise two lines could be parted at another place.
    this.#first = Math.imul(first ^ 0x10000, 0x01000193);
    this.#second = Math.imul(second ^ length, 0x85ebca6b);
    return formatSixes(first, second >>> 16);
  }
}
