import { ExactSum } from "./exact-sum.js";

/** Half the distance from 1 to the next number: the unit roundoff. */
const UNIT = 2 ** -53;
/** Splits a number into halves whose products are exact (T. J. Dekker, 1971). */
const SPLITTER = 2 ** 27 + 1;
/** Below, products of halves may underflow. */
const MIN_QUOTIENT = 2 ** -900;
/** Members of a group's sum: high and low part, the sum of the low parts' sizes, number of terms. */
const [HIGH, LOW, SIZE, COUNT, MEMBERS] = [0, 1, 2, 3, 4];

/**
 * Sums or averages by group, in two numbers each (T. Ogita, S. M. Rump, S. Oishi, Accurate Sum and Dot Product,
 * 2005): the rounding errors of the high part are exact, and the low part sums them.
 */
export class Sums {
  #state = new Float64Array(MEMBERS);
  /** The smallest size of a term other than 0, in any group. */
  #least = Number.POSITIVE_INFINITY;
  /** Exact sums of the groups whose rounding the two numbers do not decide. */
  #exact: Map<number, ExactSum> | undefined;
  readonly #isAverage: boolean;

  constructor(isAverage: boolean) {
    this.#isAverage = isAverage;
  }

  /** @param of the groups of the numbers; undefined for group 0 */
  add(numbers: Float64Array, count: number, of: Int32Array | undefined, groups: number): void {
    if (this.#exact !== undefined) this.#addExactly(this.#exact, numbers, count, of);
    else if (of === undefined) this.#addAll(numbers, count);
    else this.#addByGroup(numbers, count, of, groups);
  }

  #addAll(numbers: Float64Array, count: number): void {
    const state = this.#state;
    let [high, low, size, terms] = [state[HIGH]!, state[LOW]!, state[SIZE]!, state[COUNT]!];
    let least = this.#least;
    for (let i = 0; i < count; i++) {
      const x = numbers[i]!;
      if (Number.isNaN(x)) continue;
      const sum = high + x;
      const part = sum - high;
      const error = high - (sum - part) + (x - part);
      high = sum;
      low += error;
      size += Math.abs(error);
      terms++;
      if (x !== 0 && Math.abs(x) < least) least = Math.abs(x);
    }
    this.#least = least;
    state[HIGH] = high;
    state[LOW] = low;
    state[SIZE] = size;
    state[COUNT] = terms;
  }

  #addByGroup(numbers: Float64Array, count: number, of: Int32Array, groups: number): void {
    if (groups * MEMBERS > this.#state.length) {
      const grown = new Float64Array((groups + (groups >>> 1)) * MEMBERS);
      grown.set(this.#state);
      this.#state = grown;
    }
    const state = this.#state;
    let least = this.#least;
    for (let i = 0; i < count; i++) {
      const x = numbers[i]!;
      if (Number.isNaN(x)) continue;
      const at = of[i]! << 2;
      const high = state[at]!;
      const sum = high + x;
      const part = sum - high;
      const error = high - (sum - part) + (x - part);
      state[at] = sum;
      state[at + 1]! += error;
      state[at + 2]! += Math.abs(error);
      state[at + 3]!++;
      if (x !== 0 && Math.abs(x) < least) least = Math.abs(x);
    }
    this.#least = least;
  }

  #addExactly(
    exact: Map<number, ExactSum>,
    numbers: Float64Array,
    count: number,
    of: Int32Array | undefined,
  ): void {
    for (let i = 0; i < count; i++) {
      const x = numbers[i]!;
      if (!Number.isNaN(x)) exact.get(of?.[i] ?? 0)?.add(x);
    }
  }

  /** Whether all results are decided. If not, all numbers must be added once more. */
  isDecided(): boolean {
    const exact = new Map<number, ExactSum>();
    for (let group = 0; group * MEMBERS < this.#state.length; group++) {
      if (this.#round(group) === undefined) exact.set(group, new ExactSum());
    }
    if (exact.size > 0) this.#exact = exact;
    return exact.size === 0;
  }

  /** Returns the results by group, rounded once; NaN for no terms, not finite for overflow. */
  finish(): Float64Array {
    return Float64Array.from({ length: this.#state.length / MEMBERS }, (_, group) => {
      const terms = this.#state[group * MEMBERS + COUNT]!;
      if (terms === 0) return Number.NaN;
      const exact = this.#exact?.get(group)?.divide(this.#isAverage ? terms : 1);
      return exact ?? this.#round(group) ?? Number.NaN;
    });
  }

  /** Undefined if the error of the two numbers may change the rounded result. */
  #round(group: number): number | undefined {
    const at = group * MEMBERS;
    const terms = this.#state[at + COUNT]!;
    if (terms === 0) return 0;
    const high = this.#state[at + HIGH]!;
    const low = this.#state[at + LOW]!;
    const size = this.#state[at + SIZE]!;
    // All errors are multiples of the last digit of the smallest term. While their sum has at most 53
    // such digits, the low part is exact; else each addition to it adds a relative error of a unit.
    const bound = size <= this.#least ? 0 : 2 * terms * UNIT * size;
    if (!this.#isAverage) return roundSum(high, low, bound);
    return roundQuotient(high, low, bound, terms);
  }
}

/** Rounds high + low ± bound; undefined if both ends differ. */
function roundSum(high: number, low: number, bound: number): number | undefined {
  const slack = bound === 0 ? 0 : bound + 4 * UNIT * Math.abs(low);
  const least = high + (low - slack);
  return least === high + (low + slack) ? least : undefined;
}

/** Rounds (high + low ± bound) / divisor; undefined if both ends differ. */
function roundQuotient(
  high: number,
  low: number,
  bound: number,
  divisor: number,
): number | undefined {
  const quotient = high / divisor;
  if (Number.isInteger(Math.log2(divisor)) && Math.abs(quotient) >= MIN_QUOTIENT) {
    return roundSum(quotient, low / divisor, bound / divisor); // both divisions are exact
  }
  if (high !== 0 && Math.abs(quotient) < MIN_QUOTIENT) return undefined;
  // The remainder of the division: high − quotient × divisor, exact by halves.
  const product = quotient * divisor;
  const [quotientHigh, quotientLow] = split(quotient);
  const [divisorHigh, divisorLow] = split(divisor);
  const error =
    quotientHigh * divisorHigh -
    product +
    quotientHigh * divisorLow +
    quotientLow * divisorHigh +
    quotientLow * divisorLow;
  const rest = (high - product - error + low) / divisor;
  const slack = bound / divisor + 8 * UNIT * Math.abs(rest) + 8 * UNIT * UNIT * Math.abs(quotient);
  const least = quotient + (rest - slack);
  return least === quotient + (rest + slack) ? least : undefined;
}

function split(number: number): [high: number, low: number] {
  const shifted = SPLITTER * number;
  const high = shifted - (shifted - number);
  return [high, number - high];
}
