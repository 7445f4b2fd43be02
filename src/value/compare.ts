/**
 * Orders two strings by Unicode code points (rule T-4); a lone surrogate counts as the code point
 * of its own number. Negative, zero or positive.
 */
export function compareStrings(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return x >= 0xd800 && y >= 0xd800 ? compareCodePoints(a, b, i) : x - y;
  }
  return a.length - b.length;
}

/** Orders two numbers that are not NaN; -0 equals 0. Negative, zero or positive. */
export function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/**
 * Decides at the first code unit that differs. UTF-16 would put the surrogates, which encode the
 * highest code points, before U+E000 … U+FFFF.
 */
function compareCodePoints(a: string, b: string, unit: number): number {
  // The unit may be the second of a pair, which begins one unit before: that code point is compared
  // first. Where there is no pair, it is equal in both.
  const before = Math.max(unit - 1, 0);
  return (
    a.codePointAt(before)! - b.codePointAt(before)! || a.codePointAt(unit)! - b.codePointAt(unit)!
  );
}
