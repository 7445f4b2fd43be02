/** The first place from `from` on at which a text begins in another; -1 where there is none. */
export type FindIn = (haystack: string, from: number) => number;

/** Up to so many code units, `indexOf` is never much slower than it usually is. */
const MAX_PLAIN_LENGTH = 64;

/** A search for a text, in time that grows with needle and haystack added, whatever they hold. */
export function createSearch(text: string): FindIn {
  return text.length <= MAX_PLAIN_LENGTH
    ? (haystack, from) => haystack.indexOf(text, from)
    : createLongSearch(text);
}

/** Searches for a long text (D. E. Knuth, J. H. Morris and V. R. Pratt, Fast Pattern Matching, 1977). */
function createLongSearch(text: string): FindIn {
  const { length } = text;
  // By how many units match: the longest beginning of the text that these also end with.
  const borders = new Int32Array(length);
  for (let at = 1, border = 0; at < length; at++) {
    const unit = text.charCodeAt(at);
    while (border > 0 && text.charCodeAt(border) !== unit) border = borders[border - 1]!;
    if (text.charCodeAt(border) === unit) border++;
    borders[at] = border;
  }
  return (haystack, from) => {
    let matched = 0;
    for (let at = from; at < haystack.length; at++) {
      const unit = haystack.charCodeAt(at);
      while (matched > 0 && text.charCodeAt(matched) !== unit) matched = borders[matched - 1]!;
      if (text.charCodeAt(matched) === unit) matched++;
      if (matched === length) return at - length + 1;
    }
    return -1;
  };
}
