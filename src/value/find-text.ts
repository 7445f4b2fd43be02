/** Returns the position of a text at or after `from`, or −1. */
export type FindIn = (haystack: string, from: number) => number;

/** Maximum length, in code units, for which `indexOf` is fast in the worst case. */
export const MAX_PLAIN_LENGTH = 64;

/** Code units that are searched between two checks of the time limit. */
export const CHECKED_UNITS: number = 1 << 20;

export function createSearch(text: string, checkTime?: () => void): FindIn {
  return text.length <= MAX_PLAIN_LENGTH
    ? (haystack, from) => haystack.indexOf(text, from)
    : createLongSearch(text, checkTime);
}

/**
 * D. E. Knuth, J. H. Morris and V. R. Pratt, Fast Pattern Matching in Strings, 1977. Its table is made
 * for each text, which is at least as long, instead of kept.
 */
function createLongSearch(text: string, checkTime?: () => void): FindIn {
  const { length } = text;
  return (haystack, from) => {
    if (haystack.length - from < length) return -1;
    // The failure function: the longest border of each prefix.
    const borders = new Int32Array(length);
    for (let at = 1, border = 0; at < length; at++) {
      if (at % CHECKED_UNITS === 0) checkTime?.();
      const unit = text.charCodeAt(at);
      while (border > 0 && text.charCodeAt(border) !== unit) border = borders[border - 1]!;
      if (text.charCodeAt(border) === unit) border++;
      borders[at] = border;
    }
    let matched = 0;
    for (let at = from; at < haystack.length; at++) {
      const unit = haystack.charCodeAt(at);
      while (matched > 0 && text.charCodeAt(matched) !== unit) matched = borders[matched - 1]!;
      if (text.charCodeAt(matched) === unit) matched++;
      if (matched === length) return at - length + 1;
      if ((at + 1) % CHECKED_UNITS === 0) checkTime?.();
    }
    return -1;
  };
}
