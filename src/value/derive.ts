import { sha256 } from "./sha256.js";

const ENCODER = new TextEncoder();
/** Bytes below this limit map uniformly to base 36. */
const EVEN_36 = 252;

/** Derives a 32-byte key for one purpose; it reveals neither the key nor other derived ones. */
export function deriveKey(key: number | string, use: string): Uint8Array {
  return sha256(ENCODER.encode(`twinbase\n${key}\n${use}`));
}

export function readUint48(bytes: Uint8Array, at: number): number {
  let number = 0;
  for (let i = at; i < at + 6; i++) number = number * 256 + bytes[i]!;
  return number;
}

/** Draws uniform digits `0-9a-z` from random bytes. */
export function drawBase36(nextBytes: () => Uint8Array, length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of nextBytes()) {
      if (byte < EVEN_36 && text.length < length) text += (byte % 36).toString(36);
    }
  }
  return text;
}
