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
const ROOM = 8;

/** Values of JSON in UTF-8, gathered to be read together. */
export class LeftValues {
  readonly #decoder: TextDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #bytes: Uint8Array = Uint8Array.from(BEGINNING);
  #length = BEGINNING.length;

  /** Where the next value will be. */
  get length(): number {
    return this.#length;
  }

  /** Makes room for values that take so many bytes, with a comma for each. */
  reserve(count: number): void {
    const needed = this.#length + count + ROOM;
    if (needed <= this.#bytes.length) return;
    const bytes = new Uint8Array(Math.max(this.#bytes.length * 2, needed));
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
  }

  /** Forgets what was added since there were so many bytes; all without them. */
  cut(length: number = BEGINNING.length): void {
    this.#length = length;
  }

  /** Adds the value that begins at a place; gives where it ends, or −1 if it can be none. */
  add(bytes: Uint8Array, start: number, end: number): number {
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
        for (at++; at < end && bytes[at] !== QUOTE; at++) {
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

  /** The values from one place to another, after one more; undefined where they are no JSON. */
  read(from: number = BEGINNING.length, to: number = this.#length): readonly unknown[] | undefined {
    const bytes = this.#bytes.slice(from - BEGINNING.length, to + 1);
    bytes.set(BEGINNING);
    bytes[bytes.length - 1] = CLOSE_LIST;
    try {
      return JSON.parse(this.#decoder.decode(bytes)) as readonly unknown[]; // in brackets
    } catch {
      return undefined;
    }
  }
}
