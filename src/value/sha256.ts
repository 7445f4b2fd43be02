/** Fractional bits of roots of primes (FIPS 180-4). */
function fractions(count: number, root: number): Int32Array {
  const words = new Int32Array(count);
  for (let found = 0, n = 2; found < count; n++) {
    let divisor = 2;
    while (divisor * divisor <= n && n % divisor !== 0) divisor++;
    if (divisor * divisor > n) words[found++] = (n ** (1 / root) % 1) * 2 ** 32;
  }
  return words;
}

const ROUNDS: Int32Array = /* @__PURE__ */ fractions(64, 3);
const START: Int32Array = /* @__PURE__ */ fractions(8, 2);
const BLOCK = 64;

/** SHA-256; synchronous, unlike the platform's. */
export function sha256(bytes: Uint8Array): Uint8Array {
  const state = START.slice();
  const schedule = new Int32Array(64);
  const whole = bytes.length - (bytes.length % BLOCK);
  const source = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < whole; at += BLOCK) mixBlock(state, schedule, source, at);
  const rest = bytes.subarray(whole);
  const last = new Uint8Array(rest.length < BLOCK - 8 ? BLOCK : 2 * BLOCK);
  last.set(rest);
  last[rest.length] = 0x80;
  const view = new DataView(last.buffer);
  view.setUint32(last.length - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(last.length - 4, bytes.length << 3);
  for (let at = 0; at < last.length; at += BLOCK) mixBlock(state, schedule, view, at);
  const hash = new Uint8Array(32);
  const words = new DataView(hash.buffer);
  for (let i = 0; i < 8; i++) words.setInt32(4 * i, state[i]!);
  return hash;
}

/** HMAC (RFC 2104), for keys of at most 64 bytes. */
export function hmac(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const hashAfter = (pad: number, content: Uint8Array): Uint8Array => {
    const padded = new Uint8Array(BLOCK + content.length).fill(pad, 0, BLOCK);
    for (let i = 0; i < key.length; i++) padded[i]! ^= key[i]!;
    padded.set(content, BLOCK);
    return sha256(padded);
  };
  return hashAfter(0x5c, hashAfter(0x36, bytes));
}

function mixBlock(state: Int32Array, schedule: Int32Array, source: DataView, at: number): void {
  for (let i = 0; i < 16; i++) schedule[i] = source.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i++) {
    const w15 = schedule[i - 15]!;
    const w2 = schedule[i - 2]!;
    const s0 = ((w15 >>> 7) | (w15 << 25)) ^ ((w15 >>> 18) | (w15 << 14)) ^ (w15 >>> 3);
    const s1 = ((w2 >>> 17) | (w2 << 15)) ^ ((w2 >>> 19) | (w2 << 13)) ^ (w2 >>> 10);
    schedule[i] = (schedule[i - 16]! + s0 + schedule[i - 7]! + s1) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let i = 0; i < 64; i++) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i]! + schedule[i]!) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}
