import { sha256 } from "./sha256.js";

const BASE_36 = "0123456789abcdefghijklmnopqrstuvwxyz";
const ENCODER = new TextEncoder();
/** Bytes below it are spread evenly over the digits of base 36. */
const EVEN_36 = 252;

/**
 * Derives 32 bytes for one use of a key. They reveal neither the key nor what another use gives.
 *
 * @param use any text, different for each use
 */
export function derive(key: number | string, use: string): Uint8Array {
  return sha256(ENCODER.encode(`twinbase\n${key}\n${use}`));
}

/** The whole number below 2^48 that six bytes make. */
export function readNumber(bytes: Uint8Array, at: number): number {
  let number = 0;
  for (let i = at; i < at + 6; i++) number = number * 256 + bytes[i]!;
  return number;
}

/**
 * Digits `0-9a-z`, each as likely as any other.
 *
 * @param nextBytes returns more random bytes
 */
export function drawBase36(nextBytes: () => Uint8Array, length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of nextBytes()) {
      if (byte < EVEN_36 && text.length < length) text += BASE_36[byte % 36]!;
    }
  }
  return text;
}
