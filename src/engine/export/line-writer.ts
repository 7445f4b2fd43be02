import { DAY_MS, formatDay, formatInstant } from "../../value/datetime.js";
import { LineChecksum } from "./seal.js";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const MINUS = 0x2d;
const ZERO = 0x30;
/** A number takes at most so many. */
const MAX_NUMBER_BYTES = 25;
/** An instant of whole seconds, with its quotes. */
const INSTANT_BYTES = 22;
/** `,"checksum"]` and the end of the line, to be filled in. */
const SEAL: Uint8Array = new TextEncoder().encode(',"--------"]\n');

/** What a writer holds from the first; once it is far more it is given up when it is taken. */
const ROOM = 2 ** 17;
const MAX_KEPT_ROOM = 2 ** 21;

/** Writes the lines of an export, each with its checksum, as UTF-8. */
export class LineWriter {
  readonly #checksum: LineChecksum = new LineChecksum();
  readonly #encoder: TextEncoder = new TextEncoder();
  #bytes: Uint8Array = new Uint8Array(ROOM);
  #view: DataView = new DataView(this.#bytes.buffer);
  #length = 0;
  /** Where the line at hand begins. */
  #start = 0;
  #lines = 0;

  /** The bytes that were written and not taken yet. */
  get length(): number {
    return this.#length;
  }

  /** The lines that were ended, all in all. */
  get lines(): number {
    return this.#lines;
  }

  /** Writes a whole line. */
  add(line: readonly unknown[]): void {
    this.writeText(JSON.stringify(line).slice(0, -1));
    this.endLine();
  }

  /** Ends a line, of which all but the bracket that closes it was written. */
  endLine(): void {
    this.#checksum.add(this.#view, this.#start, this.#length);
    const at = this.#length;
    this.writeBytes(SEAL);
    this.#checksum.write(this.#bytes, at + 2);
    this.#start = this.#length;
    this.#lines++;
  }

  /** Takes what whole lines were written; it holds until the next is written. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    this.#start = 0;
    if (this.#bytes.length > MAX_KEPT_ROOM) this.#move(ROOM);
    return taken;
  }

  writeComma(): void {
    this.#reserve(1)[this.#length++] = COMMA;
  }

  /** Writes a string as JSON. */
  writeString(text: string): void {
    const { length } = text;
    const bytes = this.#reserve(length + 2);
    let at = this.#length;
    bytes[at++] = QUOTE;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 0x20 || unit > 0x7f || unit === QUOTE || unit === BACKSLASH) {
        this.writeText(JSON.stringify(text));
        return;
      }
      bytes[at++] = unit;
    }
    bytes[at++] = QUOTE;
    this.#length = at;
  }

  /** Writes a number as JSON. */
  writeNumber(number: number): void {
    const bytes = this.#reserve(MAX_NUMBER_BYTES);
    let rest = Math.abs(number);
    let at = this.#length;
    if (rest !== (rest | 0)) {
      const text = `${number}`;
      for (let i = 0; i < text.length; i++) bytes[at++] = text.charCodeAt(i);
      this.#length = at;
      return;
    }
    if (number < 0) bytes[at++] = MINUS;
    for (let tens = 10; tens <= rest; tens *= 10) at++;
    this.#length = at + 1;
    for (; rest > 9; at--) {
      const next = (rest / 10) | 0;
      bytes[at] = ZERO + rest - next * 10;
      rest = next;
    }
    bytes[at] = ZERO + rest;
  }

  /** Writes an instant as JSON. */
  writeInstant(ms: number, micros: number): void {
    const day = Math.floor(ms / DAY_MS);
    const inDay = ms - day * DAY_MS;
    const seconds = (inDay / 1000) | 0;
    if (inDay !== seconds * 1000 || micros !== 0) {
      this.writeString(formatInstant(ms, micros));
      return;
    }
    const text = formatDay(day);
    const bytes = this.#reserve(INSTANT_BYTES);
    const at = this.#length;
    bytes[at] = QUOTE;
    for (let i = 0; i < 11; i++) bytes[at + 1 + i] = text.charCodeAt(i);
    const minutes = (seconds / 60) | 0;
    const hours = (minutes / 60) | 0;
    putPair(bytes, at + 12, hours);
    bytes[at + 14] = COLON;
    putPair(bytes, at + 15, minutes - hours * 60);
    bytes[at + 17] = COLON;
    putPair(bytes, at + 18, seconds - minutes * 60);
    bytes[at + 20] = 0x5a; // Z
    bytes[at + 21] = QUOTE;
    this.#length = at + INSTANT_BYTES;
  }

  writeBytes(given: Uint8Array): void {
    const bytes = this.#reserve(given.length);
    const at = this.#length;
    for (let i = 0; i < given.length; i++) bytes[at + i] = given[i]!;
    this.#length = at + given.length;
  }

  /** Writes a text as it is. */
  writeText(text: string): void {
    let rest = text;
    while (rest !== "") {
      const bytes = this.#reserve(rest.length + 3); // a unit takes up to three, and is not parted
      const { read, written } = this.#encoder.encodeInto(rest, bytes.subarray(this.#length));
      this.#length += written;
      rest = rest.slice(read);
    }
  }

  /** Makes room for so many bytes. */
  #reserve(count: number): Uint8Array {
    const needed = this.#length + count;
    if (needed > this.#bytes.length) this.#move(Math.max(needed, this.#bytes.length * 2));
    return this.#bytes;
  }

  #move(room: number): void {
    const bytes = new Uint8Array(room);
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
  }
}

function putPair(bytes: Uint8Array, at: number, number: number): void {
  const tens = (number / 10) | 0;
  bytes[at] = ZERO + tens;
  bytes[at + 1] = ZERO + number - tens * 10;
}
