/** Near the golden ratio of 2^32, whatever its sixteen bits in the middle: these spread texts best. */
const FACTOR = 0x9e3779b1;
/** Another in every process: who does not know it cannot choose texts of equal hashes. */
const HASH_SEED: number = crypto.getRandomValues(new Int32Array(1))[0]!;

/**
 * A hash of the text's code units: a well mixed 32-bit signed integer. It differs from process to
 * process, so nothing that is seen outside may depend on it.
 */
export function hashString(text: string, seed: number = HASH_SEED): number {
  const length = text.length;
  const factor = FACTOR ^ ((seed & 0xffff) << 8);
  let hash = length ^ seed;
  // Two units a step: half the multiplications that wait for the one before. The second is spread
  // over the word first, for its low bits are what a step mixes best, and by a factor with bits of the seed,
  // or pairs that are equal afterwards would be so in every process.
  for (let i = 1; i < length; i += 2) {
    const pair = text.charCodeAt(i - 1) ^ Math.imul(text.charCodeAt(i), factor);
    hash = Math.imul(hash ^ pair, 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  if (length & 1) hash = Math.imul(hash ^ text.charCodeAt(length - 1), 0x85ebca6b);
  return mix(hash);
}

/**
 * The rank of a record in the random order of a seed (rule S-4): a whole number below 2^53 that is
 * a function of the two.
 *
 * @param seed a whole number below 2^53
 */
export function randomRank(seed: number, id: string): number {
  const length = id.length;
  let high = mix(lowWord(seed) ^ 0x2545f491) ^ mix(highWord(seed) ^ 0x6c62272e);
  let low = mix(high ^ length);
  for (let i = 0; i < length; i++) {
    const unit = id.charCodeAt(i);
    high = Math.imul(high ^ unit, 0xc2b2ae35);
    high ^= high >>> 15;
    low = Math.imul(low ^ unit, 0x85ebca6b);
    low ^= low >>> 13;
  }
  high = mix(high ^ mix(low));
  low = mix(low ^ high);
  return (high >>> 11) * 0x100000000 + (low >>> 0);
}

/** The character for each value of six bits. */
const SIXES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** 48 bits as eight characters of `A-Za-z0-9-_`: 32 of one number, then 16 of another. */
export function formatSixes(first: number, second: number): string {
  let text = "";
  for (let shift = 26; shift > 0; shift -= 6) text += SIXES[(first >>> shift) & 63]!;
  text += SIXES[((first & 3) << 4) | (second >>> 12)]!;
  return text + SIXES[(second >>> 6) & 63]! + SIXES[second & 63]!;
}

/**
 * Eight characters of `A-Za-z0-9-_` that guard a text against damage. Changing, adding or removing
 * any one character always changes them; other damage goes unseen once in 2^44.
 */
export function checksum(text: string): string {
  // Each step is a bijection of the first lane for a given unit, and one-to-one in the unit: two
  // lanes that a changed unit has made different stay so. All 32 bits of it are given out.
  let first = 0x811c9dc5 | 0;
  let second = 0x2545f491 | 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second ^ unit, 0x85ebca6b);
    second ^= second >>> 15;
  }
  // Four bits of the length always show that a single character was added or removed.
  return formatSixes(mix(first), ((mix(second) >>> 20) << 4) | (text.length & 15));
}

/**
 * A generator of pseudo-random unsigned 32-bit integers (sfc32), the same sequence for the same
 * seed. Not for secrets.
 *
 * @param seed a whole number below 2^53
 */
export function createRandom(seed: number): () => number {
  let a = mix(lowWord(seed) ^ 0x2545f491);
  let b = mix(highWord(seed) ^ a);
  let c = 0x6c62272e;
  let counter = 1;
  const next = (): number => {
    const result = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + result) | 0;
    return result >>> 0;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}

/** A bijection of 32-bit integers in which every bit of the input changes every bit of the output. */
function mix(word: number): number {
  let h = word ^ (word >>> 16);
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return h ^ (h >>> 16);
}

function lowWord(seed: number): number {
  return seed | 0;
}

function highWord(seed: number): number {
  return Math.floor(seed / 0x100000000) | 0;
}
