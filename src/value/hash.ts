/** Near 2^32 divided by the golden ratio. */
const FACTOR = 0x9e3779b1;
/** Random per process, against hash flooding; Node takes 4 ms to load `crypto` for it. */
const HASH_SEED: number = Math.floor(Math.random() * 0x100000000);

/** A 32-bit hash of code units. It differs between processes: no result may depend on it. */
export function hashString(text: string, seed: number = HASH_SEED): number {
  const length = text.length;
  const factor = FACTOR ^ ((seed & 0xffff) << 8);
  let hash = length ^ seed;
  // Two units per step halve the chain of multiplications. The factor depends on the seed, so
  // collisions differ between processes.
  for (let i = 1; i < length; i += 2) {
    const pair = text.charCodeAt(i - 1) ^ Math.imul(text.charCodeAt(i), factor);
    hash = Math.imul(hash ^ pair, 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  if (length & 1) hash = Math.imul(hash ^ text.charCodeAt(length - 1), 0x85ebca6b);
  return mix(hash);
}

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

const SIXES = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Encodes 48 bits as eight characters: 32 of `first`, 16 of `second`. */
function formatSixes(first: number, second: number): string {
  let text = "";
  for (let shift = 26; shift > 0; shift -= 6) text += SIXES[(first >>> shift) & 63]!;
  text += SIXES[((first & 3) << 4) | (second >>> 12)]!;
  return text + SIXES[(second >>> 6) & 63]! + SIXES[second & 63]!;
}

/** A checksum of eight characters: detects any one changed character, misses one in 2^44 others. */
export function checksum(text: string): string {
  // Each step of the first lane is bijective, also in the unit, so a changed unit is detected.
  let first = 0x811c9dc5 | 0;
  let second = 0x2545f491 | 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    first = Math.imul(first ^ unit, 0x01000193);
    second = Math.imul(second ^ unit, 0x85ebca6b);
    second ^= second >>> 15;
  }
  // Four bits of the length detect one added or removed character.
  return formatSixes(mix(first), ((mix(second) >>> 20) << 4) | (text.length & 15));
}

/** A pseudo-random 32-bit generator (sfc32), deterministic by seed. Not for secrets. */
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

/** A bijection in which every input bit changes every output bit. */
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
