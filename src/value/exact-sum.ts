/**
 * A sum of numbers that is rounded once, at the end: the order in which they come does not show
 * (J. R. Shewchuk, Adaptive Precision Floating-Point Arithmetic, 1997).
 */
export class ExactSum {
  /** Parts that do not overlap, the least first; their sum is the sum. */
  readonly #parts: number[] = [];

  add(term: number): void {
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

  /** The sum, correctly rounded; not finite once it has left the range of numbers. */
  get value(): number {
    const parts = this.#parts;
    let i = parts.length - 1;
    if (i < 0) return 0;
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
}
