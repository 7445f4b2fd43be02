import { CHUNK_ROWS } from "../../storage/chunk.js";
import type { ListVector } from "../../storage/vector.js";
import type { CodeVector, TextVector } from "../../storage/vectors.js";
import type { FindIn } from "../../value/find-text.js";
import {
  MAX_CODE_POSTINGS,
  MAX_ITEM_POSTINGS,
  MAX_JOINED_CHARACTERS,
  MIN_JOINED_ROWS,
  SPARSE_ROWS,
  USES_OF_FILLING,
  USES_OF_FULL,
} from "../thresholds.js";
import { JoinedText } from "./joined-text.js";
import { type CodeQuestion, countBits, countOnes, lowestBit, wordsFor } from "./kernels.js";

/** A cache of a vector, valid for its row count: writes drop it, appends change the count. */
interface VectorCache {
  readonly count: number;
  uses: number;
  /** Null if the vector has too many values. */
  postings: Postings | null | undefined;
  joined: JoinedText | undefined;
  prefixes: Int32Array | undefined;
}

/** Returns a vector's cache; undefined before enough uses. */
function cacheOf(
  vector: ListVector | CodeVector | TextVector,
  count: number,
  usesOfFull: number = USES_OF_FULL,
): VectorCache | undefined {
  let cache = vector.cache as VectorCache | undefined; // set only here
  if (cache?.count !== count) {
    cache = { count, uses: 0, postings: undefined, joined: undefined, prefixes: undefined };
    vector.cache = cache;
  }
  return cache.uses++ < (count === CHUNK_ROWS ? usesOfFull : USES_OF_FILLING) ? undefined : cache;
}

interface Postings {
  readonly codes: readonly number[];
  readonly bits: Uint32Array;
}

/** Narrows to rows with a wanted code by cached bitmaps; false without a cache. */
export function keepByPostings(
  bits: Uint32Array,
  vector: ListVector | CodeVector,
  count: number,
  { answers, wanted, inside }: CodeQuestion,
): boolean {
  const cache = cacheOf(vector, count);
  if (cache === undefined) return false;
  if (cache.postings === undefined) cache.postings = buildPostings(vector, count);
  const { postings } = cache;
  if (postings === null) return false;
  const words = wordsFor(count);
  const turn = inside ? 0 : -1;
  const starts: number[] = [];
  for (let i = 0; i < postings.codes.length; i++) {
    if (answers[postings.codes[i]!] === wanted) starts.push(i * words);
  }
  for (let word = 0; word < words; word++) {
    let found = 0;
    for (let i = 0; i < starts.length; i++) found |= postings.bits[starts[i]! + word]!;
    bits[word]! &= found ^ turn;
  }
  return true;
}

function buildPostings(vector: ListVector | CodeVector, count: number): Postings | null {
  const maximum = vector.kind === "list" ? MAX_ITEM_POSTINGS : MAX_CODE_POSTINGS;
  const placeByCode = new Map<number, number>();
  const words = wordsFor(count);
  let bits = new Uint32Array(8 * words);
  const add = (code: number, row: number): boolean => {
    let offset = placeByCode.get(code);
    if (offset === undefined) {
      offset = placeByCode.size;
      if (offset === maximum) return false;
      placeByCode.set(code, offset);
      if ((offset + 1) * words > bits.length) {
        const grown = new Uint32Array(bits.length * 2);
        grown.set(bits);
        bits = grown;
      }
    }
    bits[offset * words + (row >>> 5)]! |= 1 << (row & 31);
    return true;
  };
  for (let row = 0; row < count; row++) {
    if (vector.kind === "code") {
      if (!add(vector.codes[row]!, row)) return null;
      continue;
    }
    const start = vector.starts[row]!;
    for (let i = start, end = start + vector.lengths[row]!; i < end; i++) {
      if (!add(vector.items[i]!, row)) return null;
    }
  }
  return { codes: [...placeByCode.keys()], bits: bits.slice(0, placeByCode.size * words) };
}

export const PREFIX_LENGTH = 4;
/** The greatest key: for null, and for texts with an early character beyond U+00FE. */
const NO_KEY = 0x7fffffff;
/** Maps unsigned keys to signed ones in the same order: V8 compares those fastest. */
const SIGN = 0x80000000;

export interface KeyRange {
  readonly low: number;
  readonly high: number;
  /** Whether every key in the range matches. */
  readonly isExact: boolean;
}

/** Narrows by cached prefix keys; false without a cache. `accept` decides ambiguous rows. */
export function narrowByPrefix(
  bits: Uint32Array,
  vector: TextVector,
  count: number,
  { low, high, isExact }: KeyRange,
  accept: (row: number) => boolean,
): boolean {
  const cache = cacheOf(vector, count);
  if (cache === undefined) return false;
  cache.prefixes ??= makePrefixKeys(vector.texts, count);
  const keys = cache.prefixes;
  for (let word = 0, words = wordsFor(count); word < words; word++) {
    const candidates = bits[word]!;
    if (candidates === 0) continue;
    const base = word << 5;
    let within = 0;
    let unknown = 0;
    if (countOnes(candidates) <= SPARSE_ROWS) {
      for (let rest = candidates; rest !== 0; rest &= rest - 1) {
        const shift = lowestBit(rest);
        const key = keys[base + shift]!;
        within |= (Number(key >= low) & Number(key <= high)) << shift;
        unknown |= Number(key === NO_KEY) << shift;
      }
    } else {
      for (let shift = 0; shift < 32; shift++) {
        const key = keys[base + shift]!;
        within |= (Number(key >= low) & Number(key <= high)) << shift;
        unknown |= Number(key === NO_KEY) << shift;
      }
    }
    let set = (within | unknown) & candidates;
    for (let rest = isExact ? unknown & set : set; rest !== 0; rest &= rest - 1) {
      const shift = lowestBit(rest);
      if (!accept(base + shift)) set &= ~(1 << shift);
    }
    bits[word] = set;
  }
  return true;
}

function makePrefixKeys(texts: readonly (string | null)[], count: number): Int32Array {
  const keys = new Int32Array(32 * wordsFor(count)); // padded to whole words
  for (let row = 0; row < count; row++) keys[row] = prefixKey(texts[row]!);
  return keys;
}

/** Packs the first characters, a byte each: keys sort like their texts. */
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

/** Returns the key range of a prefix; undefined if keys cannot decide. */
export function prefixRange(prefix: string): Omit<KeyRange, "isExact"> | undefined {
  let low = 0;
  let high = 0;
  for (let i = 0; i < PREFIX_LENGTH; i++) {
    const unit = i < prefix.length ? prefix.charCodeAt(i) : undefined;
    if (unit !== undefined && (unit === 0 || unit > 0xfe)) return undefined;
    low = (low << 8) | (unit ?? 0);
    high = (high << 8) | (unit ?? 0xfe);
  }
  return prefix === "" ? undefined : { low: low ^ SIGN, high: high ^ SIGN };
}

/** Narrows to texts that contain (or lack) another by one search; false if not worth it. */
export function keepContaining(
  bits: Uint32Array,
  vector: TextVector,
  count: number,
  search: FindIn,
  inside: boolean,
): boolean {
  const cache = cacheOf(vector, count, 0); // built on first use: it pays for the first search
  if (cache === undefined) return false;
  if (cache.joined === undefined) {
    if (countBits(bits, wordsFor(count)) < MIN_JOINED_ROWS) return false;
    const texts = vector.texts.slice(0, count);
    const length = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
    if (length > MAX_JOINED_CHARACTERS) return false;
    cache.joined = new JoinedText(texts);
  }
  cache.joined.narrow(bits, search, inside);
  return true;
}
