/** Share of slots that may be taken: probes stay short at 8 to 16 bytes an entry. */
const MAX_LOAD = 0.5;
const SMALLEST = 16;

/**
 * An open-addressing index from a hash to ordinals (linear probing, entries are never removed).
 *
 * It holds candidates: who asks verifies each against the value it looks for. That is what lets
 * all versions of a table share one index and add to it. An entry made for another version, or
 * for a row since changed or deleted, fails the verification and costs a probe. When the index is
 * full, the version that adds builds another from its own rows; the others keep this one.
 */
export class HashIndex {
  /** Ordinal + 1 of each entry; 0 where free. */
  readonly #slots: Int32Array;
  /** Eight bits of each entry's hash beyond those of its position: most other hashes differ there. */
  readonly #tags: Uint8Array;
  #used = 0;

  /** @param expected how many entries it has room for */
  constructor(expected = 0) {
    let length = SMALLEST;
    while (length * MAX_LOAD < expected) length *= 2;
    this.#slots = new Int32Array(length);
    this.#tags = new Uint8Array(length);
  }

  /** How many entries can still be added. */
  get room(): number {
    return this.#slots.length * MAX_LOAD - this.#used;
  }

  /**
   * Walks the entries under a hash, without a closure for each look: the position of the next one
   * at or after a position, −1 where there is none.
   */
  seek(hash: number, from: number = hash): number {
    const slots = this.#slots;
    const tags = this.#tags;
    const mask = slots.length - 1;
    const tag = hash >>> 24;
    for (let i = from & mask; slots[i] !== 0; i = (i + 1) & mask) if (tags[i] === tag) return i;
    return -1;
  }

  /** The ordinal entered at a position that `seek` has found. */
  ordinalAt(place: number): number {
    return this.#slots[place]! - 1;
  }

  /** Enters an ordinal under a hash. There must be room. */
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
