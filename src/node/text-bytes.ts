import { Buffer, isAscii } from "node:buffer";

const SIZE = 65_536;
/** A text may be so long: each of its code units takes up to three bytes. */
const MAX_LENGTH: number = Math.floor(SIZE / 3);
/** Beyond so many characters that are no ASCII, V8 encodes a text faster than is done here. */
const MAX_FOUND = 32;
/** Characters that Latin-1 lacks; looked for in no time in a text that V8 has as Latin-1. */
const BEYOND_LATIN1 = /[\u0100-\uffff]/;

/**
 * The bytes of one text after the other, in the same memory. Most answers are ASCII, or have a few
 * letters with accents: V8 copies such a text in a twentieth of the time that it takes to encode it,
 * and those letters are then made room for.
 */
export class TextBytes {
  #bytes: Buffer = Buffer.allocUnsafeSlow(SIZE);
  #words: Int32Array = new Int32Array(this.#bytes.buffer);
  readonly #found: Int32Array = new Int32Array(MAX_FOUND);

  /** A text in UTF-8, until the next one; undefined for a text that is too long. */
  encode(text: string): Buffer | undefined {
    if (text.length > MAX_LENGTH) return undefined;
    if (BEYOND_LATIN1.test(text)) return this.#encodeAny(text);
    const length = this.#bytes.write(text, 0, "latin1");
    const copied = this.#bytes.subarray(0, length);
    if (isAscii(copied)) return copied;
    const count = this.#find(length);
    return count > MAX_FOUND ? this.#encodeAny(text) : this.#makeRoom(length, count);
  }

  /** Takes other memory from now on: what was given last is still in use. */
  leave(): void {
    this.#bytes = Buffer.allocUnsafeSlow(SIZE);
    this.#words = new Int32Array(this.#bytes.buffer);
  }

  #encodeAny(text: string): Buffer {
    return this.#bytes.subarray(0, this.#bytes.write(text, 0, "utf8"));
  }

  /** Finds the bytes that are no ASCII, sixteen at a time; how many, or more than are kept. */
  #find(length: number): number {
    const bytes = this.#bytes;
    const words = this.#words;
    let count = 0;
    for (let i = 0; i * 4 < length; i += 4) {
      const any = words[i]! | words[i + 1]! | words[i + 2]! | words[i + 3]!;
      if ((any & 0x80808080) === 0) continue;
      const end = Math.min(length, i * 4 + 16);
      for (let at = i * 4; at < end; at++) {
        if (bytes[at]! < 0x80) continue;
        if (count === MAX_FOUND) return count + 1;
        this.#found[count++] = at;
      }
    }
    return count;
  }

  /** Makes two bytes of each that was found, from the last one to the first. */
  #makeRoom(length: number, count: number): Buffer {
    const bytes = this.#bytes;
    let end = length;
    for (let before = count - 1; before >= 0; before--) {
      const at = this.#found[before]!;
      const code = bytes[at]!;
      bytes.copyWithin(at + before + 2, at + 1, end);
      bytes[at + before] = 0xc0 | (code >> 6);
      bytes[at + before + 1] = 0x80 | (code & 0x3f);
      end = at;
    }
    return bytes.subarray(0, length + count);
  }
}
