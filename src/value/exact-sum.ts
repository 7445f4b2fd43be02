/** Terms from this size on are kept apart: the sum of fewer than 2^53 smaller ones is finite. */
const HUGE = 2 ** 960;

/**
 * A sum of numbers that is rounded once, at the end: their order makes no difference
 * (J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic, 1997).
 */
export class ExactSum {
  /** Parts that do not overlap, the least first; their sum is the sum. */
  readonly #parts: number[] = [];
  readonly #huge: number[] = [];

  add(term: number): void {
    if (Math.abs(term) >= HUGE) {
      this.#huge.push(term);
      return;
    }
    const parts = this.#parts;
    let x = term;
    let kept = 0;
    for (let i = 0; i < parts.length; i++) {
      let y = parts[i]!;
      if (Math.abs(x) < Math.abs(y)) [x, y] = [y, x];
      const high = x + y;
      const low = y - (high - x);
      if (low !== 0) parts[kept++] = low;
      x = high;
    }
    parts[kept++] = x;
    parts.length = kept;
  }

  /** The sum divided by a whole number, rounded once; not finite where it is beyond all numbers. */
  divide(divisor = 1): number {
    const parts = this.#parts;
    if (this.#huge.length > 0) return roundRatio([...this.#huge, ...parts], divisor);
    if (parts.length <= 1) return (parts[0] ?? 0) / divisor;
    return divisor === 1 ? roundParts(parts) : roundRatio(parts, divisor);
  }
}

/** The sum of parts that do not overlap, the least first. */
function roundParts(parts: readonly number[]): number {
  let i = parts.length - 1;
  let high = parts[i--]!;
  let low = 0;
  while (i >= 0) {
    const x = high;
    const y = parts[i--]!;
    high = x + y;
    low = y - (high - x);
    if (low !== 0) break;
  }
  // Half way between two numbers, the parts below decide which of them is nearer.
  if (i >= 0 && Math.sign(low) === Math.sign(parts[i]!)) {
    const y = low * 2;
    const x = high + y;
    if (y === x - high) high = x;
  }
  return high;
}

/** The sum of numbers divided by a whole number, rounded once: whole numbers of any length. */
function roundRatio(terms: readonly number[], divisor: number): number {
  const float = new Float64Array(1);
  const floatBits = new BigUint64Array(float.buffer);
  const split = terms.map((term) => {
    float[0] = term;
    const exponent = Number((floatBits[0]! >> 52n) & 0x7ffn);
    const digits = (floatBits[0]! & 0xfffffffffffffn) | (exponent > 0 ? 1n << 52n : 0n);
    return { digits: term < 0 ? -digits : digits, exponent: Math.max(exponent, 1) - 1075 };
  });
  const least = split.reduce((so, { exponent }) => Math.min(so, exponent), 1024);
  const sum = split.reduce(
    (so, { digits, exponent }) => so + (digits << BigInt(exponent - least)),
    0n,
  );
  const size = sum < 0n ? -sum : sum;
  const by = BigInt(divisor);
  // At least 60 binary digits of the quotient; what lies below them counts as one more digit.
  const shift = Math.max(0, 64 + lengthOf(by) - lengthOf(size));
  const whole = (size << BigInt(shift)) / by;
  const extra = Math.max(0, lengthOf(whole) - 64);
  const kept = whole >> BigInt(extra);
  const isExact = (kept << BigInt(extra)) * by === size << BigInt(shift);
  const exponent = least - shift + extra;
  const rounded = Number(isExact ? kept : kept | 1n);
  const result = rounded * 2 ** Math.max(exponent, -1000) * 2 ** Math.min(exponent + 1000, 0);
  return sum < 0n ? -result : result;
}

/** Binary digits of a number, at most three more. */
function lengthOf(number: bigint): number {
  return number.toString(16).length * 4;
}
