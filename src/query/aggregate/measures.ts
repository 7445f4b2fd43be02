import { compareStrings } from "../../value/compare.js";
import { compareInstants, type Instant } from "../../value/datetime.js";
import { ExactSum } from "../../value/exact-sum.js";
import { type ColumnCodes, NO_CODE, type PresentValue } from "./column-codes.js";

export interface Grouping {
  readonly of: Int32Array;
  readonly count: number;
}

/** Counts rows by group; if codes are given, only rows with a value. */
export function countRowsOf({ of, count }: Grouping, codes?: Int32Array): number[] {
  const counts = new Array<number>(count).fill(0);
  for (let i = 0; i < of.length; i++) if (codes?.[i] !== NO_CODE) counts[of[i]!]!++;
  return counts;
}

export function countDistinct({ of, count }: Grouping, { codes, values }: ColumnCodes): number[] {
  const counts = new Array<number>(count).fill(0);
  const seen = new Set<number>();
  for (let i = 0; i < of.length; i++) {
    if (codes[i] === NO_CODE) continue;
    const pair = of[i]! * values.length + codes[i]!;
    if (seen.has(pair)) continue;
    seen.add(pair);
    counts[of[i]!]!++;
  }
  return counts;
}

/** Sums by group, rounded once, so row order doesn't matter; null for no value or overflow. */
export function sumNumbers(grouping: Grouping, numbers: Float64Array): (number | null)[] {
  return sumWhole(grouping, numbers) ?? sumExactly(grouping, numbers);
}

export function averageNumbers(grouping: Grouping, numbers: Float64Array): (number | null)[] {
  const counts = new Float64Array(grouping.count);
  for (let i = 0; i < numbers.length; i++) {
    if (!Number.isNaN(numbers[i]!)) counts[grouping.of[i]!]!++;
  }
  const whole = sumWhole(grouping, numbers);
  if (whole === undefined) return sumExactly(grouping, numbers, counts);
  return whole.map((sum, group) => (sum === null ? null : sum / counts[group]!));
}

export function extremeNumbers(
  { of, count }: Grouping,
  numbers: Float64Array,
  which: "min" | "max",
): (number | null)[] {
  const sign = which === "min" ? 1 : -1;
  const extremes = new Float64Array(count).fill(Number.NaN);
  for (let i = 0; i < of.length; i++) {
    const number = numbers[i]!;
    const known = extremes[of[i]!]!;
    if (!Number.isNaN(number) && !(sign * known <= sign * number)) extremes[of[i]!] = number;
  }
  return Array.from(extremes, nullForNaN);
}

/** Like {@link extremeNumbers}, for any comparable type. */
export function extremeValues(
  { of, count }: Grouping,
  { codes, values }: ColumnCodes,
  which: "min" | "max",
): (PresentValue | null)[] {
  const sign = which === "min" ? 1 : -1;
  const best = new Int32Array(count).fill(NO_CODE);
  for (let i = 0; i < of.length; i++) {
    const code = codes[i]!;
    if (code === NO_CODE) continue;
    const known = best[of[i]!]!;
    if (known === NO_CODE || sign * comparePresent(values[code]!, values[known]!) < 0) {
      best[of[i]!] = code;
    }
  }
  return Array.from(best, (code) => (code === NO_CODE ? null : values[code]!));
}

/** Percentiles by group (rule X-6); null without values. */
export function percentilesOf(
  { of, count }: Grouping,
  numbers: Float64Array,
  percentiles: readonly number[],
): (number | null)[][] {
  const members: number[][] = Array.from({ length: count }, () => []);
  for (let i = 0; i < of.length; i++) {
    if (!Number.isNaN(numbers[i]!)) members[of[i]!]!.push(numbers[i]!);
  }
  return members.map((group) => {
    const sorted = Float64Array.from(group).sort();
    return percentiles.map((percentile) => interpolate(sorted, percentile));
  });
}

export function comparePresent(a: PresentValue, b: PresentValue): number {
  if (typeof a === "string") return compareStrings(a, b as string); // of the same column
  if (typeof a === "object") return compareInstants(a as Instant, b as Instant);
  return Number(a) - Number(b);
}

/** Each number stands for the middle of its share: the first of four is at 12.5 %, not 0 %. */
function interpolate(sorted: Float64Array, percentile: number): number | null {
  const last = sorted.length - 1;
  if (last < 0) return null;
  const place = Math.min(Math.max((percentile * sorted.length) / 100 - 0.5, 0), last);
  const share = place - Math.floor(place);
  const below = sorted[Math.floor(place)]!;
  const above = sorted[Math.ceil(place)]!;
  const between = below + (above - below) * share;
  // The difference may overflow.
  return Number.isFinite(between) ? between : below * (1 - share) + above * share;
}

/** Sums of integers, exact while safe; otherwise undefined. */
function sumWhole({ of, count }: Grouping, numbers: Float64Array): (number | null)[] | undefined {
  const sums = new Float64Array(count).fill(Number.NaN);
  for (let i = 0; i < of.length; i++) {
    const number = numbers[i]!;
    if (Number.isNaN(number)) continue;
    const known = sums[of[i]!]!;
    const sum = Number.isNaN(known) ? number : known + number;
    if (!Number.isSafeInteger(number) || !Number.isSafeInteger(sum)) return undefined;
    sums[of[i]!] = sum;
  }
  return Array.from(sums, nullForNaN);
}

/** Divides each group's exact sum by its divisor. */
function sumExactly(
  { of, count }: Grouping,
  numbers: Float64Array,
  divisors?: Float64Array,
): (number | null)[] {
  const sums: (ExactSum | undefined)[] = new Array(count).fill(undefined);
  for (let i = 0; i < of.length; i++) {
    if (Number.isNaN(numbers[i]!)) continue;
    const sum = sums[of[i]!] ?? new ExactSum();
    sums[of[i]!] = sum;
    sum.add(numbers[i]!);
  }
  return sums.map((sum, group) => {
    const value = sum?.divide(divisors?.[group] ?? 1);
    return value === undefined || !Number.isFinite(value) ? null : value;
  });
}

function nullForNaN(number: number): number | null {
  return Number.isNaN(number) ? null : number;
}
