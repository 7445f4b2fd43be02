import { CHUNK_ROWS } from "../../storage/chunk.js";
import type { TableVersion } from "../../storage/table.js";

/** A reusable bitmap of a chunk's rows, 32 per word; bits past the last row are never set. */
export function createBits({ chunks }: TableVersion): Uint32Array {
  return new Uint32Array(wordsFor(chunks.length > 1 ? CHUNK_ROWS : (chunks[0]?.count ?? 0)));
}

export function wordsFor(count: number): number {
  return (count + 31) >>> 5;
}

/** Sets exactly the bits of `from … to`. */
export function setRange(bits: Uint32Array, from: number, to: number): void {
  bits.fill(0);
  if (from >= to) return;
  const first = from >>> 5;
  const last = (to - 1) >>> 5;
  bits.fill(0xffffffff, first, last + 1);
  bits[first]! &= -1 << (from & 31);
  bits[last]! &= -1 >>> (31 - ((to - 1) & 31));
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
