import { CHUNK_ROWS, CHUNK_WORDS } from "../storage/chunk.js";
import type { ListVector } from "../storage/list-vector.js";
import type { CodeVector, TextVector } from "../storage/text-vectors.js";
import { countBits, countOnes, withBits } from "./kernels.js";

/**
 * What is computed once from a full chunk's vector and kept with it. A vector that changes is
 * another, or drops its cache, so none can be stale; chunks that still fill have none.
 */

/** Values of more kinds in one chunk are not given bitmaps of their own: of a list's items. */
const MAX_ITEM_POSTINGS = 128;
/** The same for a column that has one value a row, whose codes are read faster than items. */
const MAX_CODE_POSTINGS = 16;
/** Rows of a chunk, fewer of which are searched one by one. */
const FEW_ROWS = 384;
/** Stands between the texts of a chunk when they are searched as one. */
const SEPARATOR = "\u0000";

/** For each code in a chunk's column, a bitmap of the rows that have it. */
class Postings {
  readonly codes: readonly number[];
  readonly bits: Uint32Array;

  constructor(codes: readonly number[], bits: Uint32Array) {
    this.codes = codes;
    this.bits = bits;
  }
}

/** Marks a vector that was used once: what is used twice is worth a cache. */
const USED_ONCE = Symbol("used once");
const NOT_WORTH_IT = Symbol("not worth it");

/**
 * Of the rows that are set keeps those with a value, or an item of their list, whose code has the
 * given answer, or the others, by bitmaps kept with the vector; false while there are none.
 */
export function keepByPostings(
  bits: Uint32Array,
  vector: ListVector | CodeVector,
  count: number,
  answers: Uint8Array,
  wanted: 0 | 1,
  inside: boolean,
): boolean {
  if (count !== CHUNK_ROWS || vector.cache === NOT_WORTH_IT) return false;
  if (vector.cache === undefined) {
    vector.cache = USED_ONCE;
    return false;
  }
  if (vector.cache === USED_ONCE) vector.cache = buildPostings(vector) ?? NOT_WORTH_IT;
  const { cache } = vector;
  if (!(cache instanceof Postings)) return false;
  withBits((found) => {
    found.fill(0);
    for (let i = 0; i < cache.codes.length; i++) {
      if (answers[cache.codes[i]!] !== wanted) continue;
      const from = i * CHUNK_WORDS;
      for (let word = 0; word < CHUNK_WORDS; word++) found[word]! |= cache.bits[from + word]!;
    }
    keep(bits, found, inside);
  });
  return true;
}

function buildPostings(vector: ListVector | CodeVector): Postings | undefined {
  const maximum = vector.kind === "list" ? MAX_ITEM_POSTINGS : MAX_CODE_POSTINGS;
  const placeByCode = new Map<number, number>();
  let bits = new Uint32Array(8 * CHUNK_WORDS);
  const add = (code: number, row: number): boolean => {
    let place = placeByCode.get(code);
    if (place === undefined) {
      place = placeByCode.size;
      if (place === maximum) return false;
      placeByCode.set(code, place);
      if ((place + 1) * CHUNK_WORDS > bits.length) {
        const grown = new Uint32Array(bits.length * 2);
        grown.set(bits);
        bits = grown;
      }
    }
    bits[place * CHUNK_WORDS + (row >>> 5)]! |= 1 << (row & 31);
    return true;
  };
  for (let row = 0; row < CHUNK_ROWS; row++) {
    if (vector.kind === "code") {
      if (!add(vector.codes[row]!, row)) return undefined;
      continue;
    }
    const start = vector.starts[row]!;
    for (let i = start, end = start + vector.lengths[row]!; i < end; i++) {
      if (!add(vector.items[i]!, row)) return undefined;
    }
  }
  return new Postings([...placeByCode.keys()], bits.slice(0, placeByCode.size * CHUNK_WORDS));
}

/** What is kept with a chunk's texts. */
class TextCache {
  joined: JoinedText | undefined = undefined;
  prefixes: PrefixKeys | undefined = undefined;
  wantsPrefixes = 0;
}

function cacheOf(vector: TextVector): TextCache {
  if (vector.cache instanceof TextCache) return vector.cache;
  const cache = new TextCache();
  vector.cache = cache;
  return cache;
}

/** Characters that a prefix key holds. */
export const PREFIX_LENGTH = 4;
/** The key of a text that is null, or has a character beyond U+00FE among its first: the greatest. */
const NO_KEY = 0x7fffffff;
/** What makes of 32 bits a signed number of the same order, which is compared soonest. */
const SIGN = 0x80000000;

/** Rows, of 32, up to which looking at the ones that are set beats going through all. */
const SPARSE = 6;

/**
 * Narrows to the rows whose first characters lie between two keys; false while no keys are kept.
 * Reading a text costs a miss of the memory's caches; its key does not.
 *
 * @param accept asked for the rows whose key cannot tell, and where `isExact` is not set, for all
 *   that are left: the keys then only say which rows cannot match
 */
export function narrowByPrefix(
  bits: Uint32Array,
  vector: TextVector,
  count: number,
  [low, high]: readonly [low: number, high: number],
  isExact: boolean,
  accept: (row: number) => boolean,
): boolean {
  if (count !== CHUNK_ROWS) return false;
  const cache = cacheOf(vector);
  if (cache.prefixes === undefined) {
    cache.wantsPrefixes++;
    if (cache.wantsPrefixes < 2) return false;
    cache.prefixes = new PrefixKeys(vector.texts);
  }
  const { keys, areAllKnown } = cache.prefixes;
  for (let word = 0; word < CHUNK_WORDS; word++) {
    const candidates = bits[word]!;
    if (candidates === 0) continue;
    const base = word << 5;
    let within = 0;
    let unknown = 0;
    if (countOnes(candidates) <= SPARSE) {
      for (let rest = candidates; rest !== 0; rest &= rest - 1) {
        const bit = rest & -rest;
        const key = keys[base + 31 - Math.clz32(bit)]!;
        if (key >= low && key <= high) within |= bit;
        if (key === NO_KEY) unknown |= bit;
      }
    } else {
      for (let shift = 0; shift < 32; shift++) {
        const key = keys[base + shift]!;
        within |= (Number(key >= low) & Number(key <= high)) << shift;
      }
      for (let shift = areAllKnown ? 32 : 0; shift < 32; shift++) {
        unknown |= Number(keys[base + shift] === NO_KEY) << shift;
      }
    }
    let set = (within | unknown) & candidates;
    for (let rest = isExact ? unknown & set : set; rest !== 0; rest &= rest - 1) {
      const bit = rest & -rest;
      if (!accept(base + 31 - Math.clz32(bit))) set &= ~bit;
    }
    bits[word] = set;
  }
  return true;
}

/** The first characters of each text of a chunk. */
class PrefixKeys {
  readonly keys: Int32Array;
  readonly areAllKnown: boolean;

  constructor(texts: readonly (string | null)[]) {
    this.keys = Int32Array.from(texts, prefixKey);
    this.areAllKnown = !this.keys.includes(NO_KEY);
  }
}

/** The first characters of a text, a byte each, so that keys order as texts do. */
function prefixKey(text: string | null): number {
  if (text === null) return NO_KEY;
  let key = 0;
  for (let i = 0; i < PREFIX_LENGTH; i++) {
    const unit = i < text.length ? text.charCodeAt(i) : 0;
    if (unit > 0xfe) return NO_KEY;
    key = (key << 8) | unit;
  }
  return key ^ SIGN;
}

/** The least and the greatest key of a text that begins so; undefined where keys cannot tell. */
export function prefixRange(prefix: string): readonly [low: number, high: number] | undefined {
  let low = 0;
  let high = 0;
  for (let i = 0; i < PREFIX_LENGTH; i++) {
    const unit = i < prefix.length ? prefix.charCodeAt(i) : undefined;
    if (unit !== undefined && (unit === 0 || unit > 0xfe)) return undefined;
    low = (low << 8) | (unit ?? 0);
    high = (high << 8) | (unit ?? 0xfe);
  }
  return prefix === "" ? undefined : [low ^ SIGN, high ^ SIGN];
}

/** The texts of a chunk as one, and where each ends. */
class JoinedText {
  readonly text: string;
  readonly ends: Uint32Array;

  constructor(texts: readonly (string | null)[]) {
    this.text = texts.join(SEPARATOR); // null joins as nothing
    this.ends = new Uint32Array(texts.length);
    let end = -1;
    for (let row = 0; row < texts.length; row++) {
      end += 1 + (texts[row]?.length ?? 0);
      this.ends[row] = end;
    }
  }
}

/**
 * Of the rows that are set keeps those whose text contains another, or the others, by the chunk's
 * texts joined to one: a search over all of them at once takes a tenth of a call for each. False
 * where that does not pay, or the joined text could hold what no single one does.
 */
export function keepContaining(
  bits: Uint32Array,
  vector: TextVector,
  count: number,
  operand: string,
  inside: boolean,
): boolean {
  if (count !== CHUNK_ROWS || operand === "" || operand.includes(SEPARATOR)) return false;
  const cache = cacheOf(vector);
  if (cache.joined === undefined) {
    if (countBits(bits, CHUNK_WORDS) < FEW_ROWS) return false;
    cache.joined = new JoinedText(vector.texts);
  }
  const { text, ends } = cache.joined;
  withBits((found) => {
    found.fill(0);
    let row = 0;
    for (let at = text.indexOf(operand); at >= 0; at = text.indexOf(operand, ends[row]! + 1)) {
      row = seekEnd(ends, row, at);
      found[row >>> 5]! |= 1 << (row & 31);
    }
    keep(bits, found, inside);
  });
  return true;
}

/** The first text from `row` on that does not end ahead of a place there is (exponential search). */
function seekEnd(ends: Uint32Array, row: number, at: number): number {
  let low = row;
  let step = 1;
  while (low + step <= ends.length && ends[low + step - 1]! < at) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, ends.length) - 1;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ends[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Of the rows that are set keeps those of another bitmap, or the rest. */
function keep(bits: Uint32Array, other: Uint32Array, inside: boolean): void {
  const turn = inside ? 0 : -1;
  for (let word = 0; word < bits.length; word++) bits[word]! &= other[word]! ^ turn;
}
