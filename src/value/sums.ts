import { ExactSum } from "./exact-sum.js";

/** Half the distance from 1 to the next number: the unit roundoff. */
const UNIT = 2 ** -53;
/** Splits a number into halves whose products are exact (T. J. Dekker, 1971). */
const SPLITTER = 2 ** 27 + 1;
/** Below, products of halves may underflow. */
const MIN_QUOTIENT = 2 ** -900;

/**
 * Sums by group, in two numbers each (T. Ogita, S. M. Rump, S. Oishi, Accurate Sum and Dot Product, 2005): the
 * rounding errors of the high part are exact, and the low part sums them.
 */
export class Sums {
  /** The high and the low part of each group. */
  #parts = new Float64Array(0);
  /** By group. */
  #nulls = new Int32Array(0);
  #groups = 0;
  /** The smallest size of a term other than 0, in any group. */
  #least = Number.POSITIVE_INFINITY;
  /** The sum of the sizes of all rounding errors, in any group. */
  #errors = 0;
  /** Exact sums of the groups whose rounding the two numbers do not decide. */
  readonly #exact: Map<number, ExactSum> = new Map();
  #isExact = false;

  /**
   * Adds numbers, once more if a result was undecided.
   * @param of the groups of the numbers; undefined for group 0
   */
  add(numbers: Float64Array, count: number, of: Int32Array | undefined, groups: number): void {
    if (this.#exact.size > 0) {
      this.#addExactly(numbers, count, of);
      return;
    }
    this.#groups = groups;
    this.#parts = grown(this.#parts, groups * 2);
    this.#nulls = grown(this.#nulls, groups);
    if (of === undefined) this.#addToOne(numbers, count);
    else this.#addToGroups(numbers, count, of);
  }

  #addToGroups(numbers: Float64Array, count: number, of: Int32Array): void {
    const parts = this.#parts;
    const nulls = this.#nulls;
    let least = this.#least;
    let errors = this.#errors;
    for (let i = 0; i < count; i++) {
      const x = numbers[i]!;
      if (Number.isNaN(x)) {
        nulls[of[i]!]!++;
        continue;
      }
      const at = of[i]! << 1;
      const high = parts[at]!;
      const sum = high + x;
      const part = sum - high;
      const error = high - (sum - part) + (x - part);
      parts[at] = sum;
      parts[at + 1]! += error;
      errors += Math.abs(error);
      if (Math.abs(x) < least && x !== 0) least = Math.abs(x);
    }
    this.#least = least;
    this.#errors = errors;
  }

  /** Keeps the sum in local variables: the next addition would wait for an array. */
  #addToOne(numbers: Float64Array, count: number): void {
    let least = this.#least;
    let errors = this.#errors;
    let high = this.#parts[0]!;
    let low = this.#parts[1]!;
    let nulls = 0;
    for (let i = 0; i < count; i++) {
      const x = numbers[i]!;
      if (Number.isNaN(x)) {
        nulls++;
        continue;
      }
      const sum = high + x;
      const part = sum - high;
      const error = high - (sum - part) + (x - part);
      high = sum;
      low += error;
      errors += Math.abs(error);
      if (Math.abs(x) < least && x !== 0) least = Math.abs(x);
    }
    this.#parts[0] = high;
    this.#parts[1] = low;
    this.#nulls[0]! += nulls;
    this.#least = least;
    this.#errors = errors;
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
   * @param countOf the number of rows of a group, null or not
   */
  round(isAverage: boolean, countOf: (group: number) => number): Float64Array | undefined {
    const results = new Float64Array(this.#groups);
    for (let group = 0; group < results.length; group++) {
      const terms = countOf(group) - this.#nulls[group]!;
      const exact = this.#isExact ? this.#exact.get(group) : undefined;
      const rounded = exact?.divide(isAverage ? terms : 1) ?? this.#round(group, terms, isAverage);
      if (rounded === undefined) this.#exact.set(group, new ExactSum());
      results[group] = rounded ?? Number.NaN;
    }
    return this.#isExact || this.#exact.size === 0 ? results : undefined;
  }

  /** Undefined if the error of the two numbers may change the rounded result. */
  #round(group: number, terms: number, isAverage: boolean): number | undefined {
    if (terms === 0) return Number.NaN;
    const high = this.#parts[group * 2]!;
    const low = this.#parts[group * 2 + 1]!;
    const errors = this.#errors;
    // All errors are multiples of the last digit of the smallest term. While their sum has at most 53
    // such digits, the low part is exact; else each addition to it adds a relative error of a unit.
    const bound = errors <= this.#least ? 0 : 2 * terms * UNIT * errors;
    return isAverage ? roundQuotient(high, low, bound, terms) : roundSum(high, low, bound);
  }
}

/** Returns an array of at least this length, with the same numbers first. */
export function grown<A extends Float64Array | Int32Array>(array: A, length: number, fill = 0): A {
  if (length <= array.length) return array;
  const type = array.constructor as new (length: number) => A; // that of a typed array
  const longer = new type(array.length === 0 ? length : 2 * length);
  longer.set(array);
  if (fill !== 0) longer.fill(fill, array.length);
  return longer;
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
