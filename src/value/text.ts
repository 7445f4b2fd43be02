const SURROGATE = /[\ud800-\udfff]/;
const SHORT = 32;
const EMAIL_CODE_POINTS = 254;
const AT = 0x40;
const DOT = 0x2e;
const NOT_IN_LABEL = /[\s\p{Cc}]/u;

/** Whether a value is a string without lone surrogates (rule T-4). */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value.isWellFormed();
}

/** Counts code points; a lone surrogate counts as one. */
export function countCodePoints(text: string): number {
  const length = text.length;
  // On Latin-1 strings the test is instant.
  if (length > SHORT && !SURROGATE.test(text)) return length;
  let count = length;
  for (let i = 1; i < length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800) {
      count--;
    }
  }
  return count;
}

export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    // A surrogate pair, of two units, takes four bytes.
    if (unit > 0x7f) bytes += unit > 0x7ff && (unit & 0xf800) !== 0xd800 ? 2 : 1;
  }
  return bytes;
}

/** Lower-cases each code point unless the result is longer (rule F-10). */
export function foldCase(text: string): string {
  // `toLowerCase` maps Σ by its position in the word, and İ to two characters.
  const folded = text.includes("\u03a3") ? text.replaceAll("\u03a3", "\u03c3") : text;
  return folded.includes("\u0130")
    ? folded
        .split("\u0130")
        .map((part) => part.toLowerCase())
        .join("\u0130")
    : folded.toLowerCase();
}

/** Whether text is an address (T-6): at most 254 code points, text, one `@`, dotted labels. */
export function isEmail(text: string): boolean {
  const at = text.indexOf("@");
  if (at < 1 || text.length > 2 * EMAIL_CODE_POINTS || !isDomain(text, at + 1)) return false;
  const short = text.length <= EMAIL_CODE_POINTS || countCodePoints(text) <= EMAIL_CODE_POINTS;
  return short && text.isWellFormed();
}

function isDomain(text: string, from: number): boolean {
  let labelStart = from;
  let ascii = true;
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === AT || unit <= 0x20 || unit === 0x7f) return false;
    if (unit > 0x7f) ascii = false;
    if (unit === DOT) {
      if (i === labelStart) return false;
      labelStart = i + 1;
    }
  }
  return labelStart < text.length && (ascii || !NOT_IN_LABEL.test(text.slice(from)));
}
