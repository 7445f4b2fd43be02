const MIN_CAPACITY = 2 ** 6;
const MAX_FIRST_CAPACITY = 2 ** 11;

/** Codes of numbers, in open addressing. */
export class NumberCodes {
  #keys: Float64Array;
  /** 0 for an empty slot. */
  #codes: Int32Array;
  #used = 0;
  readonly #float = new Float64Array(1);
  readonly #halves = new Uint32Array(this.#float.buffer);

  /** @param most the numbers to expect at most */
  constructor(most = 0) {
    let capacity = MIN_CAPACITY;
    while (capacity < MAX_FIRST_CAPACITY && capacity < 2 * most) capacity *= 2;
    this.#keys = new Float64Array(capacity);
    this.#codes = new Int32Array(capacity);
  }

  /** Returns the code of a number; a number without one gets `next`. */
  find(number: number, next: number): number {
    const slot = this.#slotOf(number);
    const numberCode = this.#codes[slot]!;
    if (numberCode !== 0) return numberCode;
    this.#keys[slot] = number;
    this.#codes[slot] = next;
    if (++this.#used * 2 > this.#codes.length) this.#grow();
    return next;
  }

  #grow(): void {
    const [keys, codes] = [this.#keys, this.#codes];
    this.#keys = new Float64Array(keys.length * 4);
    this.#codes = new Int32Array(keys.length * 4);
    for (let i = 0; i < keys.length; i++) {
      if (codes[i] === 0) continue;
      const slot = this.#slotOf(keys[i]!);
      this.#keys[slot] = keys[i]!;
      this.#codes[slot] = codes[i]!;
    }
  }

  /** The slot of a number, or the empty one for it. */
  #slotOf(number: number): number {
    const [keys, codes] = [this.#keys, this.#codes];
    const mask = keys.length - 1;
    let bits = number | 0;
    if (bits !== number) {
      this.#float[0] = number;
      bits = this.#halves[0]! ^ Math.imul(this.#halves[1]!, 0x9e3779b1);
    }
    const mixed = Math.imul(bits, 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    while (codes[slot] !== 0 && keys[slot] !== number) slot = (slot + 1) & mask;
    return slot;
  }
}
