import { CHECKED_UNITS } from "./find-text.js";
import { type MemoryBudget, reserve } from "./memory.js";

/** A compiled `$pattern` (rule F-11). */
export interface Pattern {
  /** Code points, {@link ANY} for `?`. */
  readonly sequence: readonly number[];
  /** Bit n is set for a `*` after n code points. */
  readonly stars: Int32Array;
  /** The longest literal part: texts without it cannot match. */
  readonly piece: string;
  /** Bitmaps of the positions that a code point matches, created on demand. */
  readonly places: Int32Array[];
  readonly memory: MemoryBudget;
  /** False for a pattern with a lone surrogate, which no stored text matches (rule T-4). */
  readonly wellFormed: boolean;
}

const ANY = -1;
/** Maximum length, in code units, for which `includes` is fast in the worst case. */
const MAX_PIECE = 32;
/** Memory of a cached bitmap beside its words. */
const BITMAP_BYTES = 128;
/** Words between time limit checks. */
const CHECKED_WORDS = 1 << 22;

/** Whether a pattern ends with a `\` that escapes nothing (rule F-11). */
export function endsInEscape(pattern: string): boolean {
  let end = pattern.length;
  while (pattern[end - 1] === "\\") end--;
  return (pattern.length - end) % 2 === 1;
}

/** Compiles a pattern that does not end in an escape. */
export function compilePattern(
  pattern: string,
  memory: MemoryBudget,
  checkTime?: () => void,
): Pattern {
  const sequence: number[] = [];
  let piece = "";
  let last = "";
  const starred: number[] = [];
  let nextCheck = 0;
  for (let at = 0; at < pattern.length; at++) {
    if (at >= nextCheck) {
      checkTime?.();
      nextCheck += CHECKED_UNITS;
    }
    const char = pattern[at];
    if (char === "*") starred.push(sequence.length);
    else if (char === "?") sequence.push(ANY);
    if (char === "*" || char === "?") last = "";
    else {
      if (char === "\\") at++;
      const codePoint = pattern.codePointAt(at)!; // not the end
      if (codePoint > 0xffff) at++;
      sequence.push(codePoint);
      if (last.length < MAX_PIECE) last += String.fromCodePoint(codePoint);
      if (last.length > piece.length) piece = last;
    }
  }
  const stars = new Int32Array((sequence.length >>> 5) + 1);
  for (const bit of starred) setBit(stars, bit);
  return {
    sequence,
    stars,
    piece,
    places: [],
    memory,
    wellFormed: pattern.isWellFormed(),
  };
}

/**
 * Bit-parallel match in at most pattern × text / 32 steps (R. Baeza-Yates and G. Gonnet, A New
 * Approach to Text Searching, 1992); checks the time limit in long ones. The text is well-formed.
 */
export function matchPattern(pattern: Pattern, text: string, checkTime?: () => void): boolean {
  const { sequence, stars, piece, wellFormed } = pattern;
  if (text.length < sequence.length || !wellFormed || !text.includes(piece)) return false;
  const state = new Int32Array(stars.length);
  state[0] = 1;
  let used = 1; // words that may be nonzero
  let work = 0;
  for (let at = 0; at < text.length; at++) {
    const codePoint = text.codePointAt(at)!;
    if (codePoint > 0xffff) at++;
    const places = pattern.places[codePoint] ?? findPlaces(pattern, codePoint, checkTime);
    let carry = 0;
    for (let word = 0; word < used; word++) {
      const matched = state[word]! & places[word]!;
      state[word] = (matched << 1) | carry | (state[word]! & stars[word]!);
      carry = matched >>> 31;
    }
    if (carry !== 0 && used < state.length) state[used++] = carry;
    while (used > 0 && state[used - 1] === 0) used--;
    if (used === 0) return false;
    work += used;
    if (work > CHECKED_WORDS) {
      checkTime?.();
      work = 0;
    }
  }
  return hasBit(state, sequence.length);
}

function findPlaces(pattern: Pattern, codePoint: number, checkTime?: () => void): Int32Array {
  const { sequence, stars, places, memory } = pattern;
  checkTime?.();
  const bits = new Int32Array(stars.length);
  for (let bit = 0; bit < sequence.length; bit++) {
    if (sequence[bit] === codePoint || sequence[bit] === ANY) setBit(bits, bit);
  }
  const bytes = bits.byteLength + BITMAP_BYTES;
  if (!reserve(memory, bytes)) {
    memory.left += Object.keys(places).length * bytes;
    places.length = 0;
    if (!reserve(memory, bytes)) return bits;
  }
  places[codePoint] = bits;
  return bits;
}

function setBit(bits: Int32Array, bit: number): void {
  bits[bit >>> 5]! |= 1 << (bit & 31);
}

function hasBit(bits: Int32Array, bit: number): boolean {
  return ((bits[bit >>> 5]! >>> (bit & 31)) & 1) === 1;
}
