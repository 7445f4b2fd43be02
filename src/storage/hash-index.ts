/** Load factor: short probes at 8 to 16 bytes per entry. */
const MAX_LOAD = 0.5;
const SMALLEST = 16;

/**
 * Open addressing from hashes to candidate ordinals (linear probing, no removal).
 *
 * All versions of a table share and extend one index; callers verify each candidate. When it
 * is full, the inserting version builds a new one from its rows; other versions keep this one.
 */
export class HashIndex {
  /** Ordinal + 1; 0 if free. */
  readonly #slots: Int32Array;
  /** Additional bits of each hash, to skip most non-matching entries. */
  readonly #tags: Uint8Array;
  #used = 0;

  constructor(expected = 0) {
    let length = SMALLEST;
    while (length * MAX_LOAD < expected) length *= 2;
    this.#slots = new Int32Array(length);
    this.#tags = new Uint8Array(length);
  }

  /** Entries that can still be added. */
  get free(): number {
    return this.#slots.length * MAX_LOAD - this.#used;
  }

  /** Returns the position of the next entry of a hash at or after a position, −1 for none. */
  seek(hash: number, from: number = hash): number {
    const slots = this.#slots;
    const tags = this.#tags;
    const mask = slots.length - 1;
    const tag = hash >>> 24;
    for (let i = from & mask; slots[i] !== 0; i = (i + 1) & mask) if (tags[i] === tag) return i;
    return -1;
  }

  ordinalAt(slot: number): number {
    return this.#slots[slot]! - 1;
  }

  add(hash: number, ordinal: number): void {
    const slots = this.#slots;
    const mask = slots.length - 1;
    let i = hash & mask;
    while (slots[i] !== 0) i = (i + 1) & mask;
    slots[i] = ordinal + 1;
    this.#tags[i] = hash >>> 24;
    this.#used++;
  }
}
