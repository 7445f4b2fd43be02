import { createRandom } from "./hash.js";

const DIGITS = "0123456789abcdefghijklmnopqrstuv";
const TAIL_LENGTH = 10;
const MAX_ID_CODE_POINTS = 255;
/** The character code of each base 32 digit. */
const CODES: Uint8Array = Uint8Array.from(DIGITS, (digit) => digit.charCodeAt(0));

/**
 * A generated record id (rule R-3): `rec_`, the counter as 10 digits of base 32, and the tail. Ids
 * of one tail sort as their counters.
 *
 * @param counter a whole number from 0 to 2^50 − 1
 * @param tail 10 characters `0-9a-v`, see {@link idTail}
 */
export function formatRecordId(counter: number, tail: string): string {
  const high = Math.floor(counter / 0x2000000);
  const low = counter & 0x1ffffff;
  // One flat string: joining parts would leave a tree of them, to be copied when it is hashed.
  return String.fromCharCode(
    0x72, // rec_
    0x65,
    0x63,
    0x5f,
    CODES[(high >> 20) & 31]!,
    CODES[(high >> 15) & 31]!,
    CODES[(high >> 10) & 31]!,
    CODES[(high >> 5) & 31]!,
    CODES[high & 31]!,
    CODES[low >> 20]!,
    CODES[(low >> 15) & 31]!,
    CODES[(low >> 10) & 31]!,
    CODES[(low >> 5) & 31]!,
    CODES[low & 31]!,
    tail.charCodeAt(0),
    tail.charCodeAt(1),
    tail.charCodeAt(2),
    tail.charCodeAt(3),
    tail.charCodeAt(4),
    tail.charCodeAt(5),
    tail.charCodeAt(6),
    tail.charCodeAt(7),
    tail.charCodeAt(8),
    tail.charCodeAt(9),
  );
}

/** Ten characters `0-9a-v` that are a function of the seed, to tell engines' ids apart. */
export function idTail(seed: number): string {
  const random = createRandom(seed);
  let tail = "";
  while (tail.length < TAIL_LENGTH) tail += DIGITS[random() >>> 27]!;
  return tail;
}

/**
 * Whether a value can be the id of a record (rule R-3): 1–255 code points, no control character, no
 * lone surrogate.
 */
export function isRecordId(text: unknown): text is string {
  if (typeof text !== "string" || text === "" || text.length > 2 * MAX_ID_CODE_POINTS) return false;
  let seconds = 0;
  let surrogates = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x20 || (unit >= 0x7f && unit <= 0x9f)) return false;
    if ((unit & 0xf800) === 0xd800) {
      surrogates++;
      // In well-formed text each low surrogate is the second unit of one code point.
      if (unit >= 0xdc00) seconds++;
    }
  }
  return text.length - seconds <= MAX_ID_CODE_POINTS && (surrogates === 0 || text.isWellFormed());
}
