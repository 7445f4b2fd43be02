/** The first place from `from` on at which a text begins in another; -1 where there is none. */
export type FindIn = (haystack: string, from: number) => number;

/** Up to so many code units, `indexOf` is never much slower than it usually is. */
const MAX_PLAIN_LENGTH = 64;
/** Shifts are kept by the low byte of a code unit. */
const LOW_BYTE = 255;

/**
 * A search for a long text in time that grows with needle and haystack added, whatever they hold
 * (M. Crochemore and D. Perrin, Two-Way String-Matching, 1991); undefined for a short text, which
 * `indexOf` finds faster.
 */
export function createLongSearch(text: string): FindIn | undefined {
  const length = text.length;
  if (length <= MAX_PLAIN_LENGTH) return undefined;
  const needle = new Uint16Array(length);
  for (let i = 0; i < length; i++) needle[i] = text.charCodeAt(i);
  const { middle, period } = factorize(needle);
  const isPeriodic = text.startsWith(text.slice(0, middle), period);
  // Where the halves share no period, a mismatch in the left one allows a longer step.
  const step = isPeriodic ? period : Math.max(middle, length - middle) + 1;
  const shifts = shiftsByLastUnit(needle);
  return (haystack, from) => {
    let at = from;
    // Units of the needle that are known to match, from its beginning on.
    let known = 0;
    while (at + length <= haystack.length) {
      const shift = shifts[haystack.charCodeAt(at + length - 1) & LOW_BYTE]!;
      if (shift > 0) {
        at += known > 0 && shift < step ? length - step : shift;
        known = 0;
        continue;
      }
      let i = Math.max(middle, known);
      while (i < length && needle[i] === haystack.charCodeAt(at + i)) i++;
      if (i < length) {
        at += i - middle + 1;
        known = 0;
        continue;
      }
      i = middle - 1;
      while (i >= known && needle[i] === haystack.charCodeAt(at + i)) i--;
      if (i < known) return at;
      at += step;
      known = isPeriodic ? length - step : 0;
    }
    return -1;
  };
}

/** How far the needle moves so that a unit under its last one could match, by the unit's low byte. */
function shiftsByLastUnit(needle: Uint16Array): Int32Array {
  const shifts = new Int32Array(LOW_BYTE + 1).fill(needle.length);
  for (let i = 0; i < needle.length; i++) shifts[needle[i]! & LOW_BYTE] = needle.length - 1 - i;
  return shifts;
}

/** A critical factorization: where the right half begins, and the period of that half. */
function factorize(needle: Uint16Array): { middle: number; period: number } {
  const ascending = maximalSuffix(needle, 1);
  const descending = maximalSuffix(needle, -1);
  return ascending.middle > descending.middle ? ascending : descending;
}

/** The greatest suffix, by the order of units or by its reverse, and its period. */
function maximalSuffix(needle: Uint16Array, sign: number): { middle: number; period: number } {
  let middle = 0;
  let candidate = 1;
  let offset = 0;
  let period = 1;
  while (candidate + offset < needle.length) {
    const difference = sign * (needle[candidate + offset]! - needle[middle + offset]!);
    if (difference < 0) {
      candidate += offset + 1;
      offset = 0;
      period = candidate - middle;
    } else if (difference === 0) {
      offset++;
      if (offset === period) {
        candidate += period;
        offset = 0;
      }
    } else {
      middle = candidate;
      candidate = middle + 1;
      offset = 0;
      period = 1;
    }
  }
  return { middle, period };
}
