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
    const extra = Math.max(0, lengthOf(size) - lengthOf(by) - 64); // at least 60 bits remain
    const unit = by << BigInt(extra);
    const whole = size / unit;
    const rest = (size % unit) * 2n;
    // Below 2^53, where numbers have no fraction, half to even; else one more bit is sticky.
    const isUp = rest > unit || (rest === unit && whole % 2n === 1n);
    const rounded =
      whole < 2n ** 53n
        ? Number(isUp ? whole + 1n : whole)
        : Number(whole * 2n + (rest === 0n ? 0n : 1n)) / 2;
    const result = rounded * 2 ** (LEAST + extra);
    return this.#sum < 0n ? -result : result;
  }
}

function lengthOf(number: bigint): number {
  return number.toString(16).length * 4;
}
