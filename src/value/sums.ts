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
 * Sums by group, in two numbers each (T. Ogita, S. M. Rump, S. Oishi, Accurate Sum and Dot Product, 2005): the
 * rounding errors of the high part are exact, and the low part sums them. All state is in arrays: V8 boxes
 * local numbers of a loop that it compiles while the loop runs.
 */
export class Sums {
  #state = new Float64Array(0);
  #groups = 0;
  /** The smallest size of a term other than 0, in any group. */
  readonly #least = new Float64Array(1).fill(Number.POSITIVE_INFINITY);
  /** Exact sums of the groups whose rounding the two numbers do not decide. */
  readonly #exact: Map<number, ExactSum> = new Map();
  #isExact = false;

  /**
   * Adds numbers, once more if a result was undecided.
   * @param of the groups of the numbers; undefined for group 0
   */
  add(numbers: Float64Array, count: number, of: Int32Array | undefined, groups: number): void {
    if (this.#exact.size > 0) this.#addExactly(numbers, count, of);
    else this.#add(numbers, count, of, groups);
  }

  #add(numbers: Float64Array, count: number, of: Int32Array | undefined, groups: number): void {
    this.#groups = groups;
    const state = growFloats(this.#state, groups * MEMBERS);
    this.#state = state;
    const least = this.#least;
    for (let i = 0; i < count; i++) {
      const x = numbers[i]!;
      if (Number.isNaN(x)) continue;
      const at = of === undefined ? 0 : of[i]! << 2;
      const high = state[at]!;
      const sum = high + x;
      const part = sum - high;
      const error = high - (sum - part) + (x - part);
      state[at] = sum;
      state[at + 1]! += error;
      state[at + 2]! += Math.abs(error);
      state[at + 3]!++;
      if (x !== 0 && Math.abs(x) < least[0]!) least[0] = Math.abs(x);
    }
  }

  #addExactly(numbers: Float64Array, count: number, of: Int32Array | undefined): void {
    this.#isExact = true;
    for (let i = 0; i < count; i++) {
      const x = numbers[i]!;
      if (!Number.isNaN(x)) this.#exact.get(of?.[i] ?? 0)?.add(x);
    }
  }

  /**
   * Returns the sums or averages by group, rounded once; NaN for no terms, not finite for overflow. Undefined
   * if all numbers must be added once more.
   */
  round(isAverage: boolean): Float64Array | undefined {
    const results = new Float64Array(this.#groups);
    for (let group = 0; group < results.length; group++) {
      const terms = this.#state[group * MEMBERS + COUNT]!;
      const exact = this.#isExact ? this.#exact.get(group) : undefined;
      const rounded = exact?.divide(isAverage ? terms : 1) ?? this.#round(group, isAverage);
      if (rounded === undefined) this.#exact.set(group, new ExactSum());
      results[group] = rounded ?? Number.NaN;
    }
    return this.#isExact || this.#exact.size === 0 ? results : undefined;
  }

  /** Undefined if the error of the two numbers may change the rounded result. */
  #round(group: number, isAverage: boolean): number | undefined {
    const at = group * MEMBERS;
    const terms = this.#state[at + COUNT]!;
    if (terms === 0) return Number.NaN;
    const high = this.#state[at + HIGH]!;
    const low = this.#state[at + LOW]!;
    const size = this.#state[at + SIZE]!;
    // All errors are multiples of the last digit of the smallest term. While their sum has at most 53
    // such digits, the low part is exact; else each addition to it adds a relative error of a unit.
    const bound = size <= this.#least[0]! ? 0 : 2 * terms * UNIT * size;
    return isAverage ? roundQuotient(high, low, bound, terms) : roundSum(high, low, bound);
  }
}

/** Returns an array of at least this length, with the same numbers first. */
export function growFloats(
  array: Float64Array<ArrayBuffer>,
  length: number,
  fill = 0,
): Float64Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const grown = new Float64Array(array.length === 0 ? length : 2 * length);
  grown.set(array);
  if (fill !== 0) grown.fill(fill, array.length);
  return grown;
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
