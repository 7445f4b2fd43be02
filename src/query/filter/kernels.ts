import { CHUNK_WORDS } from "../../storage/chunk.js";
import type { ListVector } from "../../storage/list-vector.js";

/**
 * The loops over a chunk's vectors. `bits` holds a bit for each row, 32 a word. A kernel narrows
 * it: of the rows that are set on entry it leaves those that match. Rows behind the chunk's last
 * are never set, so nobody has to trim them away.
 */

/** Rows, of 32, up to which testing the ones that are set beats going through all. */
const SPARSE = 6;

const spare: Uint32Array[] = [];

/**
 * A bitmap over a chunk for the time of a call, with any bits set. Making one takes longer than
 * most that is done with it on a small table.
 */
export function withBits<T>(use: (bits: Uint32Array) => T): T {
  const bits = spare.pop() ?? new Uint32Array(CHUNK_WORDS);
  const result = use(bits);
  spare.push(bits);
  return result;
}

/** How many words hold a bit for each of so many rows. */
export function wordsFor(count: number): number {
  return (count + 31) >>> 5;
}

/** Sets the bits of `from … to`, clears the others. */
export function setRange(bits: Uint32Array, from: number, to: number): void {
  bits.fill(0);
  if (from >= to) return;
  const first = from >>> 5;
  const last = (to - 1) >>> 5;
  bits.fill(0xffffffff, first, last + 1);
  bits[first]! &= -1 << (from & 31);
  bits[last]! &= -1 >>> (31 - ((to - 1) & 31));
}

/** Rows whose number lies in a closed interval, or outside; NaN, which is null, as `nulls` says. */
export function narrowToInterval(
  bits: Uint32Array,
  words: number,
  values: Float64Array,
  low: number,
  high: number,
  inside: boolean,
  nulls: boolean,
): void {
  const keep = inside ? 0 : -1;
  for (let word = 0; word < words; word++) {
    const candidates = bits[word]!;
    if (candidates === 0) continue;
    const base = word << 5;
    let set = 0;
    if (countOnes(candidates) <= SPARSE) {
      for (let rest = candidates; rest !== 0; rest &= rest - 1) {
        const bit = rest & -rest;
        const value = values[base + 31 - Math.clz32(bit)]!;
        if (value >= low && value <= high) set |= bit;
      }
    } else {
      // Numbers instead of branches: whether a row matches cannot be foretold, and a branch taken
      // wrongly costs more than the loop.
      const end = Math.min(32, values.length - base);
      for (let shift = 0; shift < end; shift++) {
        const value = values[base + shift]!;
        set |= (Number(value >= low) & Number(value <= high)) << shift;
      }
    }
    set = (set ^ keep) & candidates;
    // Rows outside the interval are those, and null; which it is matters where they part.
    if (nulls === inside) set = settleNulls(set, candidates, values, base, nulls);
    bits[word] = set;
  }
}

/** Makes the null rows among the candidates match, or not. */
function settleNulls(
  set: number,
  candidates: number,
  values: Float64Array,
  base: number,
  nulls: boolean,
): number {
  let settled = set;
  for (let rest = candidates; rest !== 0; rest &= rest - 1) {
    const bit = rest & -rest;
    const value = values[base + 31 - Math.clz32(bit)]!;
    if (Number.isNaN(value)) settled = nulls ? settled | bit : settled & ~bit;
  }
  return settled;
}

/** Rows whose code or byte has the answer 1 in a table. */
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
    if (countOnes(candidates) <= SPARSE) {
      for (let rest = candidates; rest !== 0; rest &= rest - 1) {
        const shift = 31 - Math.clz32(rest & -rest);
        set |= answers[codes[base + shift]!]! << shift;
      }
      bits[word] = set;
    } else {
      // Behind the last row stand codes of rows to come; their bits are masked away.
      const end = Math.min(32, codes.length - base);
      for (let shift = 0; shift < end; shift++) set |= answers[codes[base + shift]!]! << shift;
      bits[word] = set & candidates;
    }
  }
}

/** Rows whose text is a certain one, or another; null as `nulls` says. */
export function narrowToText(
  bits: Uint32Array,
  words: number,
  texts: readonly (string | null)[],
  wanted: string,
  inside: boolean,
  nulls: boolean,
): void {
  for (let word = 0; word < words; word++) {
    let set = bits[word]!;
    const base = word << 5;
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      const text = texts[base + 31 - Math.clz32(bit)]!;
      if (text === null ? !nulls : (text === wanted) !== inside) set &= ~bit;
    }
    bits[word] = set;
  }
}

/** Rows that a function accepts. */
export function narrowBy(bits: Uint32Array, words: number, accept: (row: number) => boolean): void {
  for (let word = 0; word < words; word++) {
    let set = bits[word]!;
    const base = word << 5;
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      if (!accept(base + 31 - Math.clz32(bit))) set &= ~bit;
    }
    bits[word] = set;
  }
}

/** Rows of a list column with an item, or with nothing but items, that have the answer 1. */
export function narrowByItems(
  bits: Uint32Array,
  words: number,
  { starts, lengths, items }: ListVector,
  answers: Uint8Array,
  some: boolean,
  negated: boolean,
): void {
  // "Every" is "not some that has not".
  const wanted = some ? 1 : 0;
  const outcome = some !== negated;
  for (let word = 0; word < words; word++) {
    let set = bits[word]!;
    const base = word << 5;
    for (let rest = set; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      const row = base + 31 - Math.clz32(bit);
      let found = false;
      for (let i = starts[row]!, last = i + lengths[row]!; i < last; i++) {
        if (answers[items[i]!] === wanted) {
          found = true;
          break;
        }
      }
      if (found !== outcome) set &= ~bit;
    }
    bits[word] = set;
  }
}

/** Adds the bits of another. */
export function unite(bits: Uint32Array, other: Uint32Array, words: number): void {
  for (let word = 0; word < words; word++) bits[word]! |= other[word]!;
}

/** Takes away the bits of another. */
export function subtract(bits: Uint32Array, other: Uint32Array, words: number): void {
  for (let word = 0; word < words; word++) bits[word]! &= ~other[word]!;
}

/** How many bits are set. */
export function countBits(bits: Uint32Array, words: number): number {
  let total = 0;
  for (let word = 0; word < words; word++) total += countOnes(bits[word]!);
  return total;
}

/** Whether no bit is set. */
export function isEmpty(bits: Uint32Array, words: number): boolean {
  for (let word = 0; word < words; word++) if (bits[word] !== 0) return false;
  return true;
}

/** The number of ones in 32 bits (H. S. Warren, Hacker's Delight, 5-1). */
export function countOnes(bits: number): number {
  let x = bits - ((bits >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
