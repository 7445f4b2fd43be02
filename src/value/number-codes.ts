/** Whole numbers below this are found in a table, others by hashing. */
const MAX_DIRECT = 2 ** 20;
const MIN_DIRECT = 2 ** 10;
/** A new table has room for all rows, or for this many; then it grows. */
const MAX_CAPACITY = 2 ** 10;

/** Codes of numbers, in open addressing. */
export class NumberCodes {
  readonly #maxDirect: number;
  readonly #capacity: number;
  #direct = new Int32Array(0);
  #keys = new Float64Array(1);
  /** 0 for an empty slot. */
  #codes = new Int32Array(1);
  #used = 0;
  readonly #float = new Float64Array(1);
  readonly #halves = new Uint32Array(this.#float.buffer);

  /** @param rows the number of rows: a table much longer than that is not worth its memory */
  constructor(rows: number) {
    this.#capacity = 2 ** (33 - Math.clz32(Math.min(rows, MAX_CAPACITY)));
    this.#maxDirect = Math.min(MAX_DIRECT, Math.max(MIN_DIRECT, 2 ** (36 - Math.clz32(rows))));
  }

  /** Returns the code of a number, 0 if it has none. */
  codeOf(number: number): number {
    const direct = this.#direct;
    if (number >= 0 && number < direct.length && (number | 0) === number) return direct[number]!;
    return this.#isDirect(number) ? 0 : this.#codes[this.#slotOf(number)]!;
  }

  /** Writes the codes of numbers; `encode` returns that of a number without one. */
  read(
    numbers: Float64Array,
    codes: Int32Array,
    count: number,
    encode: (i: number) => number,
  ): void {
    for (let i = 0; ; i++) {
      i = this.#readKnown(numbers, codes, i, count);
      if (i === count) return;
      codes[i] = encode(i);
    }
  }

  /** Returns the place of the first number without a code, or `count`. */
  #readKnown(numbers: Float64Array, codes: Int32Array, from: number, count: number): number {
    const direct = this.#direct;
    for (let i = from; i < count; i++) {
      const number = numbers[i]!;
      const isThere = number >= 0 && number < direct.length && (number | 0) === number;
      const code = isThere ? direct[number]! : this.codeOf(number);
      if (code === 0) return i;
      codes[i] = code;
    }
    return count;
  }

  /** Sets the code of a number without one. */
  add(number: number, code: number): void {
    if (this.#isDirect(number)) {
      if (number >= this.#direct.length) {
        const grown = new Int32Array(Math.max(MIN_DIRECT, 2 ** (32 - Math.clz32(number))));
        grown.set(this.#direct);
        this.#direct = grown;
      }
      this.#direct[number] = code;
      return;
    }
    this.#used++;
    if (this.#used * 2 > this.#codes.length) this.#grow();
    const slot = this.#slotOf(number);
    this.#keys[slot] = number;
    this.#codes[slot] = code;
  }

  #isDirect(number: number): boolean {
    return number >= 0 && number < this.#maxDirect && (number | 0) === number;
  }

  #grow(): void {
    const [keys, codes] = [this.#keys, this.#codes];
    const capacity = Math.max(this.#capacity, keys.length * 4);
    this.#keys = new Float64Array(capacity);
    this.#codes = new Int32Array(capacity);
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
