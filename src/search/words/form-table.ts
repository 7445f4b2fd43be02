import { hashString } from "../../value/hash.js";

/** Random per process, against hash flooding. */
const SEED: number = hashString("");
const MAX_LENGTH = 64;
/** Capacity in forms and in code units; when exceeded, the cache is emptied. */
const MAX_FORMS = 1 << 18;
const MAX_UNITS = 1 << 22;
const SMALLEST = 64;

/** Caches numbers by substring without allocating it. Open addressing with linear probing. */
export class FormTable {
  #count = 0;
  /** Index + 1 of the form, 0 if free; load factor at most ½. */
  #slots: Int32Array = new Int32Array(2 * SMALLEST);
  /** The code units of all forms, concatenated, and their offsets. */
  #units: Uint16Array = new Uint16Array(8 * SMALLEST);
  #starts: Int32Array = new Int32Array(SMALLEST + 1);
  #hashes: Int32Array = new Int32Array(SMALLEST);
  #numbers: Int32Array = new Int32Array(SMALLEST);

  get(text: string, start: number, end: number): number | undefined {
    const hash = hashOf(text, start, end);
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]! - 1;
      if (this.#hashes[number] === hash && this.#isAt(number, text, start, end))
        return this.#numbers[number]!;
    }
    return undefined;
  }

  add(text: string, start: number, end: number, number: number): void {
    const length = end - start;
    if (length > MAX_LENGTH) return;
    this.#reserve(length);
    const place = this.#count++;
    let to = this.#starts[place]!;
    for (let at = start; at < end; at++) this.#units[to++] = text.charCodeAt(at);
    this.#starts[place + 1] = to;
    this.#hashes[place] = hashOf(text, start, end);
    this.#numbers[place] = number;
    this.#insert(place);
  }

  #isAt(number: number, text: string, start: number, end: number): boolean {
    const units = this.#units;
    let from = this.#starts[number]!;
    if (this.#starts[number + 1]! - from !== end - start) return false;
    for (let at = start; at < end; at++) if (units[from++] !== text.charCodeAt(at)) return false;
    return true;
  }

  #insert(number: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.#hashes[number]! & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = number + 1;
  }

  #reserve(length: number): void {
    const used = this.#starts[this.#count]!;
    if (this.#count === MAX_FORMS || used + length > MAX_UNITS) {
      this.#slots.fill(0);
      this.#count = 0;
    } else if (used + length > this.#units.length) {
      this.#units = copiedInto(this.#units, new Uint16Array(2 * this.#units.length));
    }
    if (this.#count < this.#numbers.length) return;
    const capacity = 2 * this.#count;
    this.#starts = copiedInto(this.#starts, new Int32Array(capacity + 1));
    this.#hashes = copiedInto(this.#hashes, new Int32Array(capacity));
    this.#numbers = copiedInto(this.#numbers, new Int32Array(capacity));
    this.#slots = new Int32Array(2 * capacity);
    for (let number = 0; number < this.#count; number++) this.#insert(number);
  }
}

function hashOf(text: string, start: number, end: number): number {
  let hash = SEED;
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  return hash;
}

export function copiedInto<T extends Int32Array | Uint16Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
