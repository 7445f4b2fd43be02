/** Maximum length of the lookup table; more pairs are hashed. */
const MAX_TABLE: number = 1 << 20;

/** Numbers pairs of whole numbers below 2^26 from 1, in the order of occurrence. */
export class PairCodes {
  readonly outers: number[] = [0];
  readonly codes: number[] = [0];
  /** A code takes this many bits of the position in the table. */
  #bits = 4;
  /** The greatest outer group in the table. */
  #most = -1;
  #table: Int32Array | undefined = new Int32Array(0);
  readonly #map: Map<number, number> = new Map();

  get size(): number {
    return this.outers.length;
  }

  find(outer: number, code: number): number {
    const table = this.#table;
    if (table !== undefined && outer <= this.#most && code >> this.#bits === 0) {
      const group = table[(outer << this.#bits) | code]!;
      if (group !== 0) return group;
    }
    return this.#add(outer, code);
  }

  #add(outer: number, code: number): number {
    if (this.#table !== undefined && !this.#reach(outer, code)) {
      this.#table = undefined;
      for (let group = 1; group < this.size; group++) {
        this.#map.set(keyOfPair(this.outers[group]!, this.codes[group]!), group);
      }
    }
    if (this.#table === undefined) {
      const pairCode = this.#map.get(keyOfPair(outer, code));
      if (pairCode !== undefined) return pairCode;
    }
    this.codes.push(code);
    const group = this.outers.push(outer) - 1;
    if (this.#table === undefined) this.#map.set(keyOfPair(outer, code), group);
    else this.#table[(outer << this.#bits) | code] = group;
    return group;
  }

  /** Grows the table to a pair; false if it would be too large. */
  #reach(outer: number, code: number): boolean {
    let bits = this.#bits;
    while (code >> bits !== 0) bits++;
    this.#most = Math.max(this.#most, outer);
    const needed = (this.#most + 1) * 2 ** bits;
    if (needed > MAX_TABLE) return false;
    if (bits === this.#bits && needed <= this.#table!.length) return true;
    this.#bits = bits;
    this.#table = new Int32Array(Math.min(MAX_TABLE, needed * 2));
    for (let group = 1; group < this.size; group++) {
      this.#table[(this.outers[group]! << bits) | this.codes[group]!] = group;
    }
    return true;
  }
}

function keyOfPair(outer: number, code: number): number {
  return outer * 2 ** 26 + code;
}
