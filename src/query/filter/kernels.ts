import type { ListVector } from "../../storage/list-vector.js";
import { SPARSE_ROWS } from "../thresholds.js";
import { countOnes, lowestBit } from "./bitmap.js";

/**
 * The loops over a chunk's vectors. A kernel narrows a bitmap: of the rows that are set on entry it
 * leaves those that match.
 */

/** A closed interval of numbers, and what of it is wanted. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  /** Whether the numbers inside match, or those outside. */
  readonly inside: boolean;
  /** Whether null, which is NaN, matches. */
  readonly nulls: boolean;
}

/** Leaves the rows whose number lies in an interval, or outside. */
export function narrowToInterval(
  bits: Uint32Array,
  words: number,
  values: Float64Array,
  { low, high, inside, nulls }: Interval,
): void {
  const keep = inside ? 0 : -1;
  for (let word = 0; word < words; word++) {
    const candidates = bits[word]!;
    if (candidates === 0) continue;
    const base = word << 5;
    let set = 0;
    // Numbers instead of branches: whether a row matches cannot be predicted, and a wrongly
    // predicted branch costs more than the loop.
    if (countOnes(candidates) <= SPARSE_ROWS) {
      for (let rest = candidates; rest !== 0; rest &= rest - 1) {
        const shift = lowestBit(rest);
        const value = values[base + shift]!;
        set |= (Number(value >= low) & Number(value <= high)) << shift;
      }
    } else {
      const end = Math.min(32, values.length - base);
      for (let shift = 0; shift < end; shift++) {
        const value = values[base + shift]!;
        set |= (Number(value >= low) & Number(value <= high)) << shift;
      }
    }
    set = (set ^ keep) & candidates;
    // NaN counts as outside so far: that is wrong where null and the rows outside differ.
    if (nulls === inside) set = replaceNulls(set, candidates, values, base, nulls);
    bits[word] = set;
  }
}

/** Makes the null rows among the candidates match, or not. */
function replaceNulls(
  set: number,
  candidates: number,
  values: Float64Array,
  base: number,
  nulls: boolean,
): number {
  let replaced = set;
  for (let rest = candidates; rest !== 0; rest &= rest - 1) {
    const shift = lowestBit(rest);
    const value = values[base + shift]!;
    if (Number.isNaN(value)) replaced = nulls ? replaced | (1 << shift) : replaced & ~(1 << shift);
  }
  return replaced;
}

/** Leaves the rows whose code or byte has the answer 1 in a table. */
export function narrowByCode(
  bits: Uint32Array,
  words: number,
  codes: Uint8Array | Uint16Array | Int32Array,
  answers: Uint8Array,
): void {
  for (let word = 0; word < words; word++) {
    const candidates = bits[word]!;
    if (candidates === 0) continue;
    const base = word << 5;
    let set = 0;
    if (countOnes(candidates) <= SPARSE_ROWS) {
      for (let rest = candidates; rest !== 0; rest &= rest - 1) {
        const shift = lowestBit(rest);
        set |= answers[codes[base + shift]!]! << shift;
      }
      bits[word] = set;
    } else {
      // After the last row there are codes of rows to come; their bits are masked away.
      const end = Math.min(32, codes.length - base);
      for (let shift = 0; shift < end; shift++) set |= answers[codes[base + shift]!]! << shift;
      bits[word] = set & candidates;
    }
  }
}

/** A text, and which texts are wanted. */
export interface TextEquality {
  readonly wanted: string;
  /** Whether equal texts match, or those that differ. */
  readonly inside: boolean;
  /** Whether null matches. */
  readonly nulls: boolean;
}

/** Leaves the rows whose text is equal to one, or differs from it. */
export function narrowToText(
  bits: Uint32Array,
  words: number,
  texts: readonly (string | null)[],
  { wanted, inside, nulls }: TextEquality,
): void {
  for (let word = 0; word < words; word++) {
    let set = bits[word]!;
    const base = word << 5;
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const shift = lowestBit(rest);
      const text = texts[base + shift]!;
      if (text === null ? !nulls : (text === wanted) !== inside) set &= ~(1 << shift);
    }
    bits[word] = set;
  }
}

/** Leaves the rows that a function accepts. */
export function narrowBy(bits: Uint32Array, words: number, accept: (row: number) => boolean): void {
  for (let word = 0; word < words; word++) {
    let set = bits[word]!;
    const base = word << 5;
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const shift = lowestBit(rest);
      if (!accept(base + shift)) set &= ~(1 << shift);
    }
    bits[word] = set;
  }
}

/** Which codes are wanted in a list, or as a value. */
export interface CodeQuestion {
  /** By code. */
  readonly answers: Uint8Array;
  /** The answer of the codes that are looked for. */
  readonly wanted: 0 | 1;
  /** Whether rows that have such a code match, or those that have none. */
  readonly inside: boolean;
}

/** Leaves the rows of a list column that have an item with the wanted answer, or have none. */
export function narrowByItems(
  bits: Uint32Array,
  words: number,
  { starts, lengths, items }: ListVector,
  { answers, wanted, inside }: CodeQuestion,
): void {
  for (let word = 0; word < words; word++) {
    let set = bits[word]!;
    const base = word << 5;
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const shift = lowestBit(rest);
      const row = base + shift;
      let found = false;
      for (let i = starts[row]!, last = i + lengths[row]!; i < last; i++) {
        if (answers[items[i]!] === wanted) {
          found = true;
          break;
        }
      }
      if (found !== inside) set &= ~(1 << shift);
    }
    bits[word] = set;
  }
}
