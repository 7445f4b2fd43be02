import { hasByte } from "./bytes.js";

const COMMA = 0x2c;
const QUOTE = 0x22;
const ZERO = 0x30;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** `[0` is before the values, and a `]` comes after them. */
const BEGINNING: readonly number[] = [OPEN_LIST, ZERO];
const SMALLEST = 256;
const ROOM = 8;

/** Room is made for a first value: most columns have none, and a small table is to take no time. */
const NONE = new Uint8Array();
const NO_VIEW = new DataView(NONE.buffer);
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Values of JSON in UTF-8, gathered to be read together. */
export class LeftValues {
  #bytes: Uint8Array = NONE;
  #view: DataView = NO_VIEW;
  #length = BEGINNING.length;

  /** Forgets the values. */
  clear(): void {
    this.#length = BEGINNING.length;
  }

  /**
   * Adds the value that begins at a place; gives where it ends, or −1 if it can be none.
   *
   * @param view of the bytes, in which the end of the line comes after `end`
   */
  add(bytes: Uint8Array, view: DataView, start: number, end: number): number {
    this.#reserve(end - start);
    const own = this.#bytes;
    let to = this.#length;
    let at = start;
    let depth = 0;
    own[to++] = COMMA;
    for (; at < end; at++) {
      const byte = bytes[at]!;
      if (depth === 0 && byte === COMMA) break;
      own[to++] = byte;
      if (byte === QUOTE) {
        at++;
        // Most are without escapes. There is a quote after the end too, before the checksum.
        for (; ; at += 4, to += 4) {
          const word = view.getInt32(at, true);
          if (hasByte(word, QUOTE) || hasByte(word, BACKSLASH)) break;
          this.#view.setInt32(to, word, true);
        }
        for (; at < end && bytes[at] !== QUOTE; at++) {
          own[to++] = bytes[at]!;
          if (bytes[at] === BACKSLASH) own[to++] = bytes[++at]!;
        }
        own[to++] = QUOTE;
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) depth++;
      else if ((byte === CLOSE_LIST || byte === CLOSE_OBJECT) && --depth < 0) return -1;
    }
    this.#length = to;
    return at > start && at <= end && depth === 0 ? at : -1;
  }

  /** The values, after one more; throws where they are no JSON. */
  read(): unknown[] {
    if (this.#length === BEGINNING.length) return [0];
    const bytes = this.#bytes;
    bytes.set(BEGINNING);
    bytes[this.#length] = CLOSE_LIST;
    return JSON.parse(decoder.decode(bytes.subarray(0, this.#length + 1))) as unknown[]; // in brackets
  }

  /** Makes room for a value that takes so many bytes. */
  #reserve(count: number): void {
    const needed = this.#length + count + ROOM;
    if (needed <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.max(SMALLEST, this.#bytes.length * 2, needed));
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}
