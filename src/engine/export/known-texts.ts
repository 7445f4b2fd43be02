import { findByte } from "./bytes.js";
import { LeftValues } from "./left-values.js";

/** Texts that are kept for a column at most, and how long they are. */
const MAX_TEXTS = 4096;
const MAX_LENGTH = 64;
/** A text has one of so many places, from that of its hash on. */
const PLACES = 8;
const SMALLEST = 64;
/** A column is given up at so many texts where fewer than eight in nine values were known. */
const TRIAL = 512;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The texts that were found in a column so far, by the ASCII they are, each under a number from 0 up:
 * those that repeat are made once.
 */
export class KnownTexts {
  /** Whether it is known that values repeat. */
  readonly #isKept: boolean;
  /** The texts that were made, and JSON of those that come after them. */
  #texts: string[] = [];
  readonly #fresh = new LeftValues();
  /** Of each text, in words: where it begins in the pool. And how many bytes it has. */
  readonly #starts: number[] = [];
  readonly #lengths: number[] = [];
  #pool: Int32Array = new Int32Array(SMALLEST);
  #used = 0;
  /** One more than the number of a text at each place that its hash leads to; 0 where there is none. */
  #places: Int32Array = new Int32Array(SMALLEST);
  #asked = 0;
  #isOpen = true;
  #end = 0;

  constructor(isKept: boolean) {
    this.#isKept = isKept;
  }

  /** Whether it is of use to ask. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Where the text ends that was found last, with its quote. */
  get end(): number {
    return this.#end;
  }

  /**
   * The number of the text that begins at a place, after its quote, and is known from now on; −1 where
   * it cannot be.
   *
   * @param end of the line: a quote comes after it too
   */
  find(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    let hash = 0;
    let at = start;
    let word = view.getInt32(at, true);
    let quotes = findByte(word, QUOTE);
    for (; quotes === 0; quotes = findByte(word, QUOTE)) {
      hash = addToHash(hash, word);
      at += 4;
      word = view.getInt32(at, true);
    }
    const rest = countBefore(quotes);
    const last = word & ~(-1 << (rest * 8));
    hash = addToHash(hash, last);
    const length = at + rest - start;
    this.#end = start + length + 1;
    if (length > MAX_LENGTH || this.#end > end) return -1;
    this.#asked++;
    const places = this.#places;
    const mask = places.length - 1;
    for (let i = 0; i < PLACES; i++) {
      const place = (hash + i) & mask;
      const number = places[place]! - 1;
      if (number < 0) return this.#add(bytes, view, start, length, place);
      if (this.#lengths[number] === length && this.#isAt(number, view, start, last)) return number;
    }
    return -1;
  }

  /** The texts by their numbers, once those that were found are made; throws where one is no good. */
  read(check: (text: string) => void): readonly string[] {
    const made = this.#fresh.read();
    this.#fresh.clear();
    for (let i = 1; i < made.length; i++) {
      const text = made[i] as string; // as it was between quotes
      check(text);
      this.#texts.push(text);
    }
    return this.#texts;
  }

  #isAt(number: number, view: DataView, start: number, last: number): boolean {
    const pool = this.#pool;
    let at = this.#starts[number]!;
    const end = at + (this.#lengths[number]! >>> 2);
    for (let from = start; at < end; at++, from += 4) {
      if (pool[at] !== view.getInt32(from, true)) return false;
    }
    return pool[at] === last;
  }

  #add(bytes: Uint8Array, view: DataView, start: number, length: number, place: number): number {
    for (let at = start; at < start + length; at++) {
      const byte = bytes[at]!;
      if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return -1;
    }
    this.#fresh.add(bytes, view, start - 1, start + length + 1);
    const number = this.#starts.length;
    this.#starts.push(this.#used);
    this.#lengths.push(length);
    if (this.#used + MAX_LENGTH > this.#pool.length) {
      const pool = new Int32Array(this.#pool.length * 2);
      pool.set(this.#pool);
      this.#pool = pool;
    }
    const words = length >>> 2;
    for (let i = 0; i < words; i++) this.#pool[this.#used++] = view.getInt32(start + i * 4, true);
    const rest = length & 3;
    const last = view.getInt32(start + length - rest, true);
    this.#pool[this.#used++] = last & ~(-1 << (rest * 8));
    this.#places[place] = number + 1;
    const count = number + 1;
    if (count * 2 >= this.#places.length) this.#grow();
    const isUseless = !this.#isKept && count === TRIAL && this.#asked < TRIAL * 9;
    if (isUseless || count === MAX_TEXTS) this.#isOpen = false;
    return number;
  }

  #grow(): void {
    const places = new Int32Array(this.#places.length * 2);
    const mask = places.length - 1;
    for (const [number, start] of this.#starts.entries()) {
      let hash = 0;
      const end = start + (this.#lengths[number]! >>> 2);
      for (let at = start; at <= end; at++) hash = addToHash(hash, this.#pool[at]!);
      let i = 0;
      while (i < PLACES && places[(hash + i) & mask] !== 0) i++;
      if (i < PLACES) places[(hash + i) & mask] = number + 1;
    }
    this.#places = places;
  }
}

/** One more word of a text. */
function addToHash(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
}

/** How many bytes come before the first one that {@link findByte} has found. */
function countBefore(found: number): number {
  return (31 - Math.clz32(found & -found)) >>> 3;
}
