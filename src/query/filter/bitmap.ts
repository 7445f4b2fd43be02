import { CHUNK_WORDS } from "../../storage/chunk.js";

/**
 * Bitmaps over the rows of a chunk: bit 0 of the first word is row 0, 32 rows a word. Bits beyond
 * the chunk's last row are never set, so nobody has to clear them.
 */

/** Creates a bitmap over a chunk without a bit set. */
export function createBits(): Uint32Array {
  return new Uint32Array(CHUNK_WORDS);
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

/** Whether the bit of a row is set. */
export function hasBit(bits: Uint32Array, row: number): boolean {
  return (bits[row >>> 5]! & (1 << (row & 31))) !== 0;
}

/**
 * The position in a word of its lowest set bit. A loop over the set bits is
 * `for (let rest = word; rest !== 0; rest &= rest - 1)`, which clears that bit each time: kernels
 * write it out, since what they do for a row takes less time than a call.
 *
 * @param word not 0
 */
export function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** Visits the rows whose bits are set, ascending; for visitors that do more than a kernel does. */
export function eachSetBit(bits: Uint32Array, words: number, visit: (row: number) => void): void {
  for (let word = 0; word < words; word++) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) visit((word << 5) + lowestBit(rest));
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
