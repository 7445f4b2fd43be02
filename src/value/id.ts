import { createRandom } from "./hash.js";

const DIGITS = "0123456789abcdefghijklmnopqrstuv";
const TAIL_LENGTH = 10;
const MAX_ID_CODE_POINTS = 255;
const CODES: Uint8Array = Uint8Array.from(DIGITS, (digit) => digit.charCodeAt(0));

/** A generated id (rule R-3): `rec_`, ten base-32 digits of the counter, and the tail. */
export function formatRecordId(counter: number, tail: string): string {
  const high = Math.floor(counter / 0x2000000);
  const low = counter & 0x1ffffff;
  // Creates a flat string: a concatenated one would be flattened when hashed.
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

/** Returns ten characters `0-9a-v`, derived from the seed. */
export function idTail(seed: number): string {
  const random = createRandom(seed);
  let tail = "";
  while (tail.length < TAIL_LENGTH) tail += DIGITS[random() >>> 27]!;
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
