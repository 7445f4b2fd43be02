import { ExactSum } from "./exact-sum.js";

/** Half the distance from 1 to the next number: the unit roundoff. */
const UNIT = 2 ** -53;
/** Splits a number into halves whose products are exact (T. J. Dekker, 1971). */
const SPLITTER = 2 ** 27 + 1;
/** Below, products of halves may underflow. */
const MIN_QUOTIENT = 2 ** -900;

// Shared, as each array costs 0.1 µs.
export const NO_FLOATS: Float64Array = /* @__PURE__ */ new Float64Array(0);
export const NO_INTS: Int32Array = /* @__PURE__ */ new Int32Array(0);

export type SumKind = "sum" | "average";

/**
 * Sums by group, in two numbers each (T. Ogita, S. M. Rump, S. Oishi, Accurate Sum and Dot Product, 2005): the
 * rounding errors of the high part are exact, and the low part sums them.
 */
export class Sums {
  // By group. Results take the places of the parts.
  #highs = NO_FLOATS;
  #lows = NO_FLOATS;
  #nulls = NO_INTS;
  #groups = 0;
  /** The smallest size of a term other than 0, in any group. */
  #least = Number.POSITIVE_INFINITY;
  /** The sum of the sizes of all rounding errors, in any group. */
  #errors = 0;
  /** Exact sums of the groups whose rounding the two numbers do not decide. */
  readonly #exact: Map<number, ExactSum> = new Map();

  /**
   * Adds numbers, once more if a result was undecided.
   * @param of the groups of the numbers; undefined for group 0
   */
  add(numbers: Float64Array, of: Int32Array | undefined, groups: number): void {
    if (this.#exact.size > 0) {
      for (let i = 0; i < numbers.length; i++) {
        const x = numbers[i]!;
        if (!Number.isNaN(x)) this.#exact.get(of?.[i] ?? 0)?.add(x);
      }
      return;
    }
    this.#groups = groups;
    this.#highs = grown(this.#highs, groups);
    this.#lows = grown(this.#lows, groups);
    this.#nulls = grown(this.#nulls, groups);
    if (of === undefined) this.#addToOne(numbers);
    else this.#addToGroups(numbers, of, this.#addWhole(numbers, of));
  }

  /** Adds to high parts until an addition has an error; returns the number of terms. Memory is what takes time. */
  #addWhole(numbers: Float64Array, of: Int32Array): number {
    if (this.#errors !== 0) return 0;
    const highs = this.#highs;
    let least = this.#least;
    let i = 0;
    for (; i < numbers.length; i++) {
      const x = numbers[i]!;
      const high = highs[of[i]!]!;
      const sum = high + x;
      const part = sum - high;
      if (high - (sum - part) + (x - part) !== 0) break; // or NaN
      highs[of[i]!] = sum;
      if (Math.abs(x) < least && x !== 0) least = Math.abs(x);
    }
    this.#least = least;
    return i;
  }

  #addToGroups(numbers: Float64Array, of: Int32Array, from: number): void {
    const highs = this.#highs;
    const lows = this.#lows;
    const nulls = this.#nulls;
    let least = this.#least;
    let errors = this.#errors;
    for (let i = from; i < numbers.length; i++) {
      const x = numbers[i]!;
      const group = of[i]!;
      if (Number.isNaN(x)) {
        nulls[group]!++;
        continue;
      }
      const high = highs[group]!;
      const sum = high + x;
      const part = sum - high;
      const error = high - (sum - part) + (x - part);
      highs[group] = sum;
      lows[group]! += error;
      errors += Math.abs(error);
      if (Math.abs(x) < least && x !== 0) least = Math.abs(x);
    }
    this.#least = least;
    this.#errors = errors;
  }

  /** Keeps the sum in local variables: the next addition would wait for an array. */
  #addToOne(numbers: Float64Array): void {
    let least = this.#least;
    let errors = this.#errors;
    let high = this.#highs[0]!;
    let low = this.#lows[0]!;
    let nulls = 0;
    for (let i = 0; i < numbers.length; i++) {
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
    this.#highs[0] = high;
    this.#lows[0] = low;
    this.#nulls[0]! += nulls;
    this.#least = least;
    this.#errors = errors;
  }

  /**
   * Rounds sums or averages once; false if all numbers must be added once more.
   * @param countOf the number of rows of a group, null or not
   */
  round(kinds: ReadonlySet<SumKind>, countOf: (group: number) => number): boolean {
    const [isSum, isAverage] = [kinds.has("sum"), kinds.has("average")];
    if (this.#exact.size > 0) {
      for (const [group, exact] of this.#exact) {
        this.#highs[group] = exact.divide();
        this.#lows[group] = exact.divide(countOf(group) - this.#nulls[group]!);
      }
      return true;
    }
    for (let group = 0; group < this.#groups; group++) {
      const [high, low] = [this.#highs[group]!, this.#lows[group]!];
      const terms = countOf(group) - this.#nulls[group]!;
      // All errors are multiples of the last digit of the smallest term. While their sum has at most 53
      // such digits, the low part is exact; else each addition to it adds a relative error of a unit.
      const bound = this.#errors <= this.#least ? 0 : 2 * terms * UNIT * this.#errors;
      const sum = !isSum || terms === 0 ? Number.NaN : roundSum(high, low, bound);
      const average =
        !isAverage || terms === 0 ? Number.NaN : roundQuotient(high, low, bound, terms);
      if (sum === undefined || average === undefined) this.#exact.set(group, new ExactSum());
      this.#highs[group] = sum ?? Number.NaN;
      if (isAverage) this.#lows[group] = average ?? Number.NaN;
    }
    return this.#exact.size === 0;
  }

  /** Returns a result; NaN for no terms, not finite for overflow. */
  resultOf(kind: SumKind, group: number): number {
    return (kind === "sum" ? this.#highs : this.#lows)[group] ?? Number.NaN;
  }
}

/** Returns an array of at least this length, with the same numbers first. */
export function grown<A extends Float64Array | Int32Array | Uint16Array>(
  array: A,
  length: number,
  fill = 0,
): A {
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
