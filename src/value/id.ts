import { createRandom } from "./hash.js";

const DIGITS = "0123456789abcdefghijklmnopqrstuv";
/** Numbers of ids: a second of the clock has 2^21, a millisecond 2^11. */
const PER_SECOND = 2 ** 21;
const PER_MILLISECOND = 2 ** 11;
/** The last time in an id; later ids continue to ascend. */
const MAX_MS = (2 ** 32 - 2 ** 10) * 1000;
const MAX_ID_CODE_POINTS = 255;

/** The first number of ids at a time, in milliseconds. */
export function firstIdAt(ms: number): number {
  const at = Math.min(Math.max(Math.floor(ms), 0), MAX_MS);
  return Math.floor(at / 1000) * PER_SECOND + (at % 1000) * PER_MILLISECOND;
}

/**
 * A generated id (rule R-3): `rec_` and an `xid` in base32hex, of 32 bits of seconds, 3 zero bits,
 * the tail of 8 digits, 21 bits of a counter and 4 zero bits.
 *
 * @param number seconds · 2^21 + counter
 */
export function formatRecordId(number: number, tail: string): string {
  const seconds = Math.floor(number / PER_SECOND);
  const counter = number & (PER_SECOND - 1);
  // Creates a flat string: a concatenated one would be flattened when hashed.
  return String.fromCharCode(
    0x72, // rec_
    0x65,
    0x63,
    0x5f,
    DIGITS.charCodeAt(seconds >>> 27),
    DIGITS.charCodeAt((seconds >>> 22) & 31),
    DIGITS.charCodeAt((seconds >>> 17) & 31),
    DIGITS.charCodeAt((seconds >>> 12) & 31),
    DIGITS.charCodeAt((seconds >>> 7) & 31),
    DIGITS.charCodeAt((seconds >>> 2) & 31),
    DIGITS.charCodeAt((seconds & 3) << 3),
    tail.charCodeAt(0),
    tail.charCodeAt(1),
    tail.charCodeAt(2),
    tail.charCodeAt(3),
    tail.charCodeAt(4),
    tail.charCodeAt(5),
    tail.charCodeAt(6),
    tail.charCodeAt(7),
    DIGITS.charCodeAt(counter >> 16),
    DIGITS.charCodeAt((counter >> 11) & 31),
    DIGITS.charCodeAt((counter >> 6) & 31),
    DIGITS.charCodeAt((counter >> 1) & 31),
    DIGITS.charCodeAt((counter & 1) << 4),
  );
}

/** Returns characters `0-9a-v`, derived from the seed. */
export function idTail(seed: number, length: number): string {
  const random = createRandom(seed);
  let tail = "";
  while (tail.length < length) tail += DIGITS[random() >>> 27]!;
  return tail;
}

/** Whether text is a valid id: 1–255 code points, no controls or lone surrogates. */
export function isRecordId(text: unknown): text is string {
  if (typeof text !== "string" || text === "" || text.length > 2 * MAX_ID_CODE_POINTS) return false;
  let seconds = 0;
  let surrogates = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || (unit >= 0x7f && unit <= 0x9f)) return false;
    if ((unit & 0xf800) === 0xd800) {
      surrogates++;
      // A low surrogate is the second unit of a code point.
      if (unit >= 0xdc00) seconds++;
    }
  }
  return text.length - seconds <= MAX_ID_CODE_POINTS && (surrogates === 0 || text.isWellFormed());
}

/** Returns the id of a record, its first member (P-10); its name depends on the profile. */
export function idOf(record: object): string {
  return Object.values(record)[0] as string; // every record has an id
}
