import { coerceValue } from "../../schema/coerce.js";
import type { LeafColumn, StoredValue } from "../../schema/columns.js";
import { isCoded, TRAITS } from "../../schema/traits.js";
import { DAY_MS, daysFromCivil, daysInMonth, type Instant } from "../../value/datetime.js";
import { addToHash, KnownTexts } from "./known-texts.js";
import { LeftValues } from "./left-values.js";

const QUOTE = 0x22;
const COMMA = 0x2c;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const OPEN = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE = 0x5d;
const N = 0x6e;
const T = 0x54;
const Z = 0x5a;
const BEGINNING: Uint8Array = new TextEncoder().encode('["r",');
const NULL: Uint8Array = new TextEncoder().encode("null");
/** A whole number of so many digits is exact, and so is a quotient of two that are. */
const MAX_DIGITS = 15;
const POWERS: readonly number[] = Array.from({ length: MAX_DIGITS + 1 }, (_, n) => 10 ** n);
/** A longer line is mostly text, which JSON reads faster. */
const MAX_LENGTH = 2 ** 12;
/** More than any two digits, and than any year. */
const NO_PAIR = 10_000;

interface Column {
  readonly leaf: LeafColumn;
  readonly stored: string;
  readonly known: KnownTexts;
}

/** In place of a value that is among those of {@link RecordScanner.readLeft}. */
export const LEFT: unique symbol = Symbol("left");

/** A value of a record, its version or one of its times. */
export type Scanned = StoredValue | typeof LEFT;

/**
 * Reads the lines of records in the form that exports have, byte by byte, without what JSON would
 * make of them: numbers, times and texts that are known. All else, ids among it, is left as JSON,
 * for many lines together.
 */
export class RecordScanner {
  readonly #columns: readonly Column[];
  /** Of each record its version, its two times and its values. */
  readonly #cells: Scanned[] = [];
  #cellCount = 0;
  /** What is left, and where each record begins in it. */
  readonly #left = new LeftValues();
  readonly #begins: number[] = [];
  readonly #decoder: TextDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  /** The line at hand. */
  #bytes: Uint8Array = BEGINNING;
  #at = 0;
  #end = 0;

  constructor(leaves: readonly LeafColumn[]) {
    this.#columns = leaves.map((leaf) => ({
      leaf,
      stored: TRAITS[leaf.type].stored,
      known: new KnownTexts(isCoded(leaf.type)),
    }));
  }

  /** The records that were scanned. */
  get count(): number {
    return this.#begins.length;
  }

  /** Of all records one after the other. */
  get cells(): readonly Scanned[] {
    return this.#cells;
  }

  /** What is left of a record, or of all, after one more value; undefined where it is no JSON. */
  readLeft(record?: number): readonly unknown[] | undefined {
    if (record === undefined) return this.#left.read();
    return this.#left.read(this.#begins[record], this.#begins[record + 1]);
  }

  /** Forgets the records. */
  clear(): void {
    this.#begins.length = 0;
    this.#cellCount = 0;
    this.#left.cut();
  }

  /** Whether a line has the form; `end` is where its checksum begins, with the comma. */
  scan(bytes: Uint8Array, start: number, end: number): boolean {
    if (end - start > MAX_LENGTH) return false;
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    const cellCount = this.#cellCount;
    const left = this.#left;
    const begin = left.length;
    left.reserve(end - start);
    if (this.#takes(BEGINNING) && this.#readParts()) {
      this.#begins.push(begin);
      return true;
    }
    this.#cellCount = cellCount;
    left.cut(begin);
    return false;
  }

  #readParts(): boolean {
    if (!this.#leave() || !this.#next()) return false;
    const version = this.#readNumber(false) ?? -1;
    if (version < 0 || !this.#put(version)) return false;
    if (!this.#next() || !this.#put(this.#readTime()) || !this.#next()) return false;
    if (!this.#put(this.#takes(NULL) ? null : this.#readTime())) return false;
    for (const column of this.#columns) {
      if (!this.#next() || !this.#put(this.#readValue(column))) return false;
    }
    return this.#at === this.#end;
  }

  /** Whether another value follows. */
  #next(): boolean {
    return this.#at < this.#end && this.#bytes[this.#at++] === COMMA;
  }

  #put(cell: Scanned | undefined): boolean {
    if (cell === undefined) return false;
    this.#cells[this.#cellCount++] = cell;
    return true;
  }

  #readTime(): Scanned | undefined {
    const begin = this.#at;
    return this.#ended(this.#readInstant(), begin);
  }

  /** The value of a column; undefined where the line has another form. */
  #readValue({ leaf, stored, known }: Column): Scanned | undefined {
    const begin = this.#at;
    if (this.#bytes[begin] === N && this.#takes(NULL)) return null;
    switch (stored) {
      case "number":
        return this.#ended(this.#readNumber(leaf.type === "float"), begin);
      case "instant":
        return this.#readTime();
      case "text":
      case "code":
        return this.#ended(known.isOpen ? this.#readText(leaf, known) : undefined, begin);
      case "list":
        return this.#ended(known.isOpen ? this.#readList(known) : undefined, begin);
      default:
        return this.#ended(undefined, begin);
    }
  }

  /** A value that ends where it was read to; else it is left. */
  #ended(value: StoredValue | undefined, begin: number): Scanned | undefined {
    const isEnded = this.#at === this.#end || this.#bytes[this.#at] === COMMA;
    if (value !== undefined && isEnded) return value;
    this.#at = begin;
    return this.#leave() ? LEFT : undefined;
  }

  #readNumber(isFloat: boolean): number | undefined {
    const bytes = this.#bytes;
    const isNegative = bytes[this.#at] === HYPHEN;
    const first = isNegative ? this.#at + 1 : this.#at;
    let at = first;
    let number = 0;
    for (; isDigit(bytes[at]!); at++) number = number * 10 + bytes[at]! - ZERO;
    let digits = at - first;
    if (digits === 0 || (digits > 1 && bytes[first] === ZERO)) return undefined;
    let decimals = 0;
    if (isFloat && bytes[at] === DOT) {
      const point = at++;
      for (; isDigit(bytes[at]!); at++) number = number * 10 + bytes[at]! - ZERO;
      decimals = at - point - 1;
      digits += decimals;
      if (decimals === 0) return undefined;
    }
    if (digits > MAX_DIGITS) return undefined;
    this.#at = at;
    if (decimals > 0) number /= POWERS[decimals]!;
    return isNegative ? 0 - number : number;
  }

  #readInstant(): Instant | undefined {
    const bytes = this.#bytes;
    const at = this.#at + 1;
    const year = readPair(bytes, at) * 100 + readPair(bytes, at + 2);
    const month = readPair(bytes, at + 5);
    const day = readPair(bytes, at + 8);
    const hour = readPair(bytes, at + 11);
    const minute = readPair(bytes, at + 14);
    const second = readPair(bytes, at + 17);
    const isGood =
      bytes[at - 1] === QUOTE &&
      bytes[at + 4] === HYPHEN &&
      bytes[at + 7] === HYPHEN &&
      bytes[at + 10] === T &&
      bytes[at + 13] === COLON &&
      bytes[at + 16] === COLON &&
      year >= 1 &&
      year <= 9999 &&
      month >= 1 &&
      month <= 12 &&
      day >= 1 &&
      (day <= 28 || day <= daysInMonth(year, month)) &&
      hour <= 23 &&
      minute <= 59 &&
      second <= 59;
    if (!isGood) return undefined;
    let end = at + 19;
    let fraction = 0;
    if (bytes[end] === DOT) {
      end++;
      let weight = 100_000;
      for (; isDigit(bytes[end]!); end++) {
        fraction += (bytes[end]! - ZERO) * weight;
        weight /= 10;
      }
      if (weight === 100_000 || weight < 0.1) return undefined;
    }
    if (bytes[end] !== Z || bytes[end + 1] !== QUOTE) return undefined;
    this.#at = end + 2;
    const milli = (fraction / 1000) | 0;
    const seconds = (hour * 60 + minute) * 60 + second;
    const ms = daysFromCivil(year, month, day) * DAY_MS + seconds * 1000 + milli;
    return { ms, micros: fraction - milli * 1000 };
  }

  #readText(leaf: LeafColumn | undefined, known: KnownTexts): string | undefined {
    const bytes = this.#bytes;
    const start = this.#at + 1;
    if (bytes[this.#at] !== QUOTE) return undefined;
    let hash = 0;
    let at = start;
    // There is a quote after the end of the line too, before its checksum.
    for (; bytes[at] !== QUOTE; at++) {
      const byte = bytes[at]!;
      if (byte < 0x20 || byte > 0x7e || byte === BACKSLASH) return undefined;
      hash = addToHash(hash, byte);
    }
    if (at > this.#end) return undefined;
    this.#at = at + 1;
    const text = known.find(bytes, start, at, hash);
    if (text !== undefined) return text;
    const made = this.#decoder.decode(bytes.subarray(start, at));
    if (leaf !== undefined && coerceValue(leaf, made, false) === undefined) return undefined;
    known.add(made, hash);
    return made;
  }

  #readList(known: KnownTexts): readonly string[] | undefined {
    const bytes = this.#bytes;
    if (bytes[this.#at++] !== OPEN) return undefined;
    const members: string[] = [];
    while (bytes[this.#at] !== CLOSE) {
      if (members.length > 0 && bytes[this.#at++] !== COMMA) return undefined;
      const member = this.#readText(undefined, known);
      if (member === undefined) return undefined;
      members.push(member);
    }
    this.#at++;
    return members;
  }

  /** Leaves a value as it is; whether it can be one. */
  #leave(): boolean {
    const at = this.#left.add(this.#bytes, this.#at, this.#end);
    this.#at = at;
    return at >= 0;
  }

  /** Whether these bytes follow, and they are passed. */
  #takes(expected: Uint8Array): boolean {
    for (let i = 0; i < expected.length; i++) {
      if (this.#bytes[this.#at + i] !== expected[i]) return false;
    }
    this.#at += expected.length;
    return true;
  }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9;
}

/** Two decimal digits; far more if there are none. */
function readPair(bytes: Uint8Array, at: number): number {
  const tens = bytes[at]!;
  const ones = bytes[at + 1]!;
  return isDigit(tens) && isDigit(ones) ? (tens - ZERO) * 10 + ones - ZERO : NO_PAIR;
}
