const MIN_CAPACITY = 2 ** 6;

/** Codes of numbers, in open addressing. */
export class NumberCodes {
  #keys = new Float64Array(MIN_CAPACITY);
  /** 0 for an empty slot. */
  #codes = new Int32Array(MIN_CAPACITY);
  #used = 0;
  readonly #float = new Float64Array(1);
  readonly #halves = new Uint32Array(this.#float.buffer);

  /** Returns the code of a number, 0 if it has none. */
  codeOf(number: number): number {
    return this.#codes[this.#slotOf(number)]!;
  }

  /** Sets the code of a number without one. */
  add(number: number, code: number): void {
    this.#used++;
    if (this.#used * 2 > this.#codes.length) this.#grow();
    const slot = this.#slotOf(number);
    this.#keys[slot] = number;
    this.#codes[slot] = code;
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
    this.#float[0] = number;
    const mixed = Math.imul(this.#halves[0]! ^ Math.imul(this.#halves[1]!, 0x9e3779b1), 0x85ebca6b);
    let slot = (mixed ^ (mixed >>> 15)) & mask;
    while (codes[slot] !== 0 && keys[slot] !== number) slot = (slot + 1) & mask;
    return slot;
  }
}
