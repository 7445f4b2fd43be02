const SURROGATE = /[\ud800-\udfff]/;
const SHORT = 32;
const MAX_EMAIL_LENGTH = 254;
/** The expression that the service documents. */
const EMAIL =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/;

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

/** Whether text is an e-mail address (T-6). */
export function isEmail(text: unknown): text is string {
  return typeof text === "string" && text.length <= MAX_EMAIL_LENGTH && EMAIL.test(text);
}
