const FLOAT = new Float64Array(1);
const BITS = new BigUint64Array(FLOAT.buffer);
/** The least positive number is two to the power of this. */
const LEAST = -1074;

/** A sum rounded once, in any order: a whole number of the least positive number. */
export class ExactSum {
  #sum = 0n;

  add(term: number): void {
    FLOAT[0] = Math.abs(term);
    const exponent = BITS[0]! >> 52n;
    const fraction = BITS[0]! & 0xfffffffffffffn;
    const size = exponent === 0n ? fraction : (fraction | (1n << 52n)) << (exponent - 1n);
    this.#sum += term < 0 ? -size : size;
  }

  /** Returns sum / divisor, rounded once; infinite on overflow. */
  divide(divisor = 1): number {
    const size = this.#sum < 0n ? -this.#sum : this.#sum;
    const by = BigInt(divisor);
    // At least 60 bits of the quotient, and a sticky bit.
    const shift = Math.max(0, 64 + lengthOf(by) - lengthOf(size));
    const whole = (size << BigInt(shift)) / by;
    const extra = Math.max(0, lengthOf(whole) - 64);
    const kept = whole >> BigInt(extra);
    const isExact = (kept << BigInt(extra)) * by === size << BigInt(shift);
    const exponent = LEAST - shift + extra;
    const rounded = Number(isExact ? kept : kept | 1n);
    const result = rounded * 2 ** Math.max(exponent, -1000) * 2 ** Math.min(exponent + 1000, 0);
    return this.#sum < 0n ? -result : result;
  }
}

function lengthOf(number: bigint): number {
  return number.toString(16).length * 4;
}
