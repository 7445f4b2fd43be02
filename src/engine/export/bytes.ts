const ONES = 0x01010101;
const HIGHEST_BITS = 0x80808080 | 0;

/**
 * Which of the four bytes of a word are a byte: the lowest bit that is set is the highest one of the
 * first of them, 0 where there is none.
 */
export function findByte(word: number, byte: number): number {
  // That byte is 0 then: less 1 it has its highest bit, which it had not.
  const difference = word ^ Math.imul(byte, ONES);
  return (difference - ONES) & ~difference & HIGHEST_BITS;
}

/** Whether a byte is among the four of a word. */
export function hasByte(word: number, byte: number): boolean {
  return findByte(word, byte) !== 0;
}
