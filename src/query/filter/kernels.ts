import { CHUNK_ROWS, type Chunk } from "../../storage/chunk.js";
import type { TableVersion } from "../../storage/table.js";
import { type ListVector, NULL_LENGTH, type Vector } from "../../storage/vector.js";
import { type Codes, NULL_BYTE, NULL_CODE } from "../../storage/vectors.js";
import { MIN_SEARCHED_ROWS, SPARSE_ROWS } from "../thresholds.js";

/** A reusable bitmap of a chunk's rows, 32 per word; bits past the last row are never set. */
export function createBits({ chunks }: TableVersion): Uint32Array {
  return new Uint32Array(wordsFor(chunks.length > 1 ? CHUNK_ROWS : (chunks[0]?.count ?? 0)));
}

export function wordsFor(count: number): number {
  return (count + 31) >>> 5;
}

export function setRange(bits: Uint32Array, from: number, to: number): void {
  bits.fill(0);
  if (from >= to) return;
  const first = from >>> 5;
  const last = (to - 1) >>> 5;
  bits.fill(0xffffffff, first, last + 1);
  bits[first]! &= -1 << (from & 31);
  bits[last]! &= -1 >>> (31 - ((to - 1) & 31));
}

/** Sets exactly the bits of the live rows of `from … to`. */
export function setLiveRows(
  bits: Uint32Array,
  { count, deleted }: Chunk,
  from = 0,
  to: number = count,
): void {
  setRange(bits, from, to);
  if (deleted !== undefined) subtract(bits, deleted, wordsFor(count));
}

export function hasBit(bits: Uint32Array, row: number): boolean {
  return (bits[row >>> 5]! & (1 << (row & 31))) !== 0;
}

/** The position of the lowest set bit of a nonzero word; kernels inline the loop over bits. */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** Visits set bits, ascending. */
export function eachSetBit(bits: Uint32Array, words: number, visit: (row: number) => void): void {
  for (let word = 0; word < words; word++) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) visit((word << 5) + lowestBit(rest));
  }
}

/** Writes the positions of set bits, ascending. */
export function listBits(bits: Uint32Array, words: number, rows: Uint16Array): void {
  let found = 0;
  for (let word = 0; word < words; word++) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
      rows[found++] = (word << 5) + lowestBit(rest);
    }
  }
}

export function assign(bits: Uint32Array, other: Uint32Array, words: number): void {
  for (let word = 0; word < words; word++) bits[word] = other[word]!;
}

export function subtract(bits: Uint32Array, other: Uint32Array, words: number): void {
  for (let word = 0; word < words; word++) bits[word]! &= ~other[word]!;
}

export function countBits(bits: Uint32Array, words: number): number {
  let total = 0;
  for (let word = 0; word < words; word++) total += countOnes(bits[word]!);
  return total;
}

export function isEmpty(bits: Uint32Array, words: number): boolean {
  for (let word = 0; word < words; word++) if (bits[word] !== 0) return false;
  return true;
}

/** H. S. Warren, Hacker's Delight, 5-1. */
export function countOnes(bits: number): number {
  let x = bits - ((bits >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** Loops over vectors: each narrows a bitmap to the rows that match. */

export interface IntervalTest {
  readonly low: number;
  readonly high: number;
  readonly inside: boolean;
  readonly nulls: boolean;
}

export function narrowToInterval(
  bits: Uint32Array,
  words: number,
  values: Float64Array,
  { low, high, inside, nulls }: IntervalTest,
): void {
  const keep = inside ? 0 : -1;
  for (let word = 0; word < words; word++) {
    const candidates = bits[word]!;
    if (candidates === 0) continue;
    const base = word << 5;
    let set = 0;
    if (countOnes(candidates) <= SPARSE_ROWS) {
      for (let rest = candidates; rest !== 0; rest &= rest - 1) {
        const shift = lowestBit(rest);
        const value = values[base + shift]!;
        // Branch-free: a mispredicted branch costs more than the loop.
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
    if (nulls === inside) {
      for (let shift = 0; shift < 32; shift++) {
        if (Number.isNaN(values[base + shift])) set ^= candidates & (1 << shift); // so far outside
      }
    }
    bits[word] = set;
  }
}

/** Narrows to one code by searching for it; false if that is not worth it, because it is frequent. */
export function narrowToCode(
  bits: Uint32Array,
  words: number,
  codes: Codes,
  code: number,
): boolean {
  if (countBits(bits, words) < MIN_SEARCHED_ROWS) return false;
  let left = words >>> 2;
  let row = codes.indexOf(code);
  for (let word = 0; word < words; word++) {
    let set = 0;
    // No word has the index of −1.
    for (; row >>> 5 === word; row = codes.indexOf(code, row + 1)) {
      if (left-- === 0) return false;
      set |= 1 << (row & 31);
    }
    bits[word]! &= set;
  }
  return true;
}

export function narrowByCode(
  bits: Uint32Array,
  words: number,
  codes: Codes,
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
      // Codes past the last row are masked.
      const end = Math.min(32, codes.length - base);
      for (let shift = 0; shift < end; shift++) set |= answers[codes[base + shift]!]! << shift;
      bits[word] = set & candidates;
    }
  }
}

export interface TextEquality {
  readonly wanted: string;
  readonly inside: boolean;
  readonly nulls: boolean;
}

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

export interface CodeQuestion {
  readonly answers: Uint8Array;
  readonly wanted: 0 | 1;
  readonly inside: boolean;
}

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

export function narrowToNull(
  vector: Vector,
  count: number,
  bits: Uint32Array,
  isNull: boolean,
): void {
  const words = wordsFor(count);
  const keep = (isNullAt: (row: number) => boolean): void =>
    narrowBy(bits, words, (row) => isNullAt(row) === isNull);
  switch (vector.kind) {
    case "number":
    case "instant": {
      const values = vector.kind === "number" ? vector.values : vector.ms;
      // An empty interval: only `nulls` decides.
      const none = { low: Infinity, high: -Infinity, inside: isNull, nulls: isNull };
      narrowToInterval(bits, words, values, none);
      break;
    }
    case "bool":
      keep((row) => vector.bytes[row] === NULL_BYTE);
      break;
    case "code":
      keep((row) => vector.codes[row] === NULL_CODE);
      break;
    case "text":
      keep((row) => vector.texts[row] === null);
      break;
    case "list":
      keep((row) => vector.lengths[row] === NULL_LENGTH);
      break;
    case "value":
      keep((row) => vector.values[row] === null);
  }
}
