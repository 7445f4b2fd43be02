/** Larger terms are summed separately: fewer than 2^53 smaller ones cannot overflow. */
const HUGE = 2 ** 960;

/** A sum rounded once, in any order (J. R. Shewchuk, Adaptive Precision Floating-Point, 1997). */
export class ExactSum {
  /** Non-overlapping parts, the smallest first. */
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

  /** Returns sum / divisor, rounded once; infinite on overflow. */
  divide(divisor = 1): number {
    const parts = this.#parts;
    if (this.#huge.length > 0) return roundRatio([...this.#huge, ...parts], divisor);
    if (parts.length <= 1) return (parts[0] ?? 0) / divisor;
    return divisor === 1 ? roundParts(parts) : roundRatio(parts, divisor);
  }
}

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
  // Halfway between two numbers, the lower parts decide.
  if (i >= 0 && Math.sign(low) === Math.sign(parts[i]!)) {
    const y = low * 2;
    const x = high + y;
    if (y === x - high) high = x;
  }
  return high;
}

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
  // At least 60 bits of the quotient, and a sticky bit.
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

function lengthOf(number: bigint): number {
  return number.toString(16).length * 4;
}
