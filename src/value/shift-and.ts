/** Words of a bitmap up to which there is room for one for each code point. */
const FEW_WORDS = 64;

/** In a sequence that is searched for: matches any code point. */
export const ANY = -1;

/** Where the first match of a sequence from `from` on ends; -1 where there is none. */
export type FindEnd = (text: string, from: number) => number;

/**
 * A search for a sequence of code points, some of them {@link ANY}, in time of at most text ×
 * sequence / 32: a bit for each beginning of the sequence that the text so far ends with
 * (R. Baeza-Yates and G. Gonnet, A New Approach to Text Searching, 1992).
 */
export function createShiftAnd(sequence: readonly number[]): FindEnd {
  const words = (sequence.length + 31) >>> 5;
  const wild = new Int32Array(words);
  const placesOf = new Map<number, number[]>();
  for (const [place, codePoint] of sequence.entries()) {
    if (codePoint === ANY) setBit(wild, place);
    else if (placesOf.has(codePoint)) placesOf.get(codePoint)!.push(place);
    else placesOf.set(codePoint, [place]);
  }
  // Of a long sequence only what has many places gets a bitmap: there are few of those.
  const bitmapOf = new Map<number, Int32Array>();
  for (const [codePoint, places] of placesOf) {
    if (words > FEW_WORDS && places.length <= words) continue;
    const bitmap = wild.slice();
    for (const place of places) setBit(bitmap, place);
    bitmapOf.set(codePoint, bitmap);
  }
  const last = sequence.length - 1;
  return (text, from) => {
    const state = new Int32Array(words);
    let used = 0; // words that may have a bit
    for (let at = from; at < text.length; ) {
      const codePoint = text.codePointAt(at)!;
      at += codePoint > 0xffff ? 2 : 1;
      const bitmap = bitmapOf.get(codePoint);
      const places = bitmap === undefined ? (placesOf.get(codePoint) ?? NONE) : NONE;
      const matched = places.filter((place) => place === 0 || hasBit(state, place - 1));
      advance(state, bitmap ?? wild, used);
      for (const place of matched) setBit(state, place);
      used = Math.min(words, used + 1);
      while (used > 0 && state[used - 1] === 0) used--;
      if (hasBit(state, last)) return at;
    }
    return -1;
  };
}

const NONE: readonly number[] = [];

/** One code point on: each beginning is longer by one, or is none any more. */
function advance(state: Int32Array, allowed: Int32Array, used: number): void {
  let carry = 1;
  for (let word = 0; word < state.length && word <= used; word++) {
    const before = state[word]!;
    state[word] = ((before << 1) | carry) & allowed[word]!;
    carry = before >>> 31;
  }
}

function setBit(bits: Int32Array, place: number): void {
  bits[place >>> 5]! |= 1 << (place & 31);
}

function hasBit(bits: Int32Array, place: number): boolean {
  return ((bits[place >>> 5]! >>> (place & 31)) & 1) === 1;
}
