import type { Json } from "../../types.js";
import type { JsonObject } from "./model.js";
import { valueAt } from "./values.js";

/** Groups records by columns: their number; the number, extremes and mean of a column's values. */
export function measureGroups(
  records: readonly JsonObject[],
  columns: readonly string[],
  measured: string,
): Json[][] {
  const groups = new Map<string, JsonObject[]>();
  for (const record of records) {
    const key = JSON.stringify(columns.map((path) => valueAt(record, path)));
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  return [...groups].map(([key, members]) => {
    const values = members.map((record) => valueAt(record, measured));
    const numbers = values.flatMap((value) => (value === null ? [] : [Number(value)]));
    const { length } = numbers;
    const measures =
      length === 0
        ? [null, null, null]
        : [Math.min(...numbers), Math.max(...numbers), divideExactly(numbers, BigInt(length))];
    return [...(JSON.parse(key) as Json[]), members.length, length, ...measures];
  });
}

/** Counts the non-null values of a column. */
export function countValues(records: readonly JsonObject[], path: string): Map<Json, number> {
  const counts = new Map<Json, number>();
  for (const record of records) {
    const value = valueAt(record, path);
    if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return counts;
}

/** A percentile of sorted numbers: index p·n/100 − ½, clamped. */
export function percentileOf(sorted: readonly number[], p: number): number {
  const last = sorted.length - 1;
  const place = Math.min(last, Math.max(0, (p * sorted.length) / 100 - 0.5));
  const low = Math.floor(place);
  const [below = 0, above = below] = [sorted[low], sorted[Math.min(last, low + 1)]];
  return below + (above - below) * (place - low);
}

const SCALE = 1074;

/** The exact sum divided and rounded once, half to even. */
export function divideExactly(numbers: readonly number[], divisor: bigint): number {
  const sum = numbers.reduce((total, number) => total + scaled(number), 0n);
  const sign = sum < 0n ? -1 : 1;
  const magnitude = sum < 0n ? -sum : sum;
  // 64 additional bits; the last one is sticky.
  const wide = (magnitude << 64n) / divisor;
  const follows = (magnitude << 64n) % divisor === 0n ? 0n : 1n;
  return sign * roundScaled((wide << 1n) | follows, SCALE + 65);
}

/** A number times 2^1074, an integer. */
function scaled(number: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const whole = exponent === 0 ? fraction : (fraction | (1n << 52n)) << BigInt(exponent - 1);
  return number < 0 ? -whole : whole;
}

function roundScaled(n: bigint, scale: number): number {
  const length = n.toString(2).length;
  // 53 bits, fewer for subnormal numbers.
  const drop = Math.max(length - 53, scale - SCALE);
  if (drop <= 0) return Number(n) * 2 ** -scale;
  const kept = n >> BigInt(drop);
  const rest = n & ((1n << BigInt(drop)) - 1n);
  const half = 1n << BigInt(drop - 1);
  const up = rest > half || (rest === half && (kept & 1n) === 1n);
  let value = Number(up ? kept + 1n : kept);
  // In two steps: a power of two below 2^-1022 would be rounded.
  for (let power = drop - scale; power !== 0; ) {
    const step = Math.max(-1000, Math.min(1000, power));
    value *= 2 ** step;
    power -= step;
  }
  return value;
}
