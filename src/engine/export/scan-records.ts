import type { LeafColumn, StoredValue } from "../../schema/columns.js";
import { DAY_MS, daysFromCivil, daysInMonth } from "../../value/datetime.js";
import { LeftValues } from "./left-values.js";
import { Cells, LEFT, NULL, ScannedColumn } from "./scanned-values.js";

const QUOTE = 0x22;
const COMMA = 0x2c;
const HYPHEN = 0x2d;
const DOT = 0x2e;
const ZERO = 0x30;
const COLON = 0x3a;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const T = 0x54;
const Z = 0x5a;
/** What a line begins with before its comma, and null, as words of four bytes. */
const BEGINNING = wordOf('["r"');
const NULL_WORD = wordOf("null");
/** A whole number of so many digits is exact, and so is a quotient of two that are. */
const MAX_DIGITS = 15;
const POWERS: readonly number[] = Array.from({ length: MAX_DIGITS + 1 }, (_, n) => 10 ** n);
/** A longer line is mostly text, which JSON reads faster. */
const MAX_LENGTH = 2 ** 12;
/** More than any two digits, and than any year. */
const NO_PAIR = 10_000;
/** Where a value would end that has another form. */
const NOWHERE = -1;

/**
 * Reads the lines of records in the form that exports have, byte by byte, without what JSON would
 * make of them: numbers, times and texts that are known. All else, ids among it, is left as JSON,
 * of each column for many lines together.
 */
export class RecordScanner {
  readonly columns: readonly ScannedColumn[];
  readonly versions: Cells = new Cells();
  readonly created: Cells = new Cells();
  /** Null where it is the time of creation. */
  readonly updated: Cells = new Cells();
  readonly #ids = new LeftValues();
  #count = 0;
  /** The line at hand, and where it ends. */
  #bytes: Uint8Array = new Uint8Array();
  #view: DataView = new DataView(this.#bytes.buffer);
  #end = 0;

  constructor(leaves: readonly LeafColumn[]) {
    this.columns = leaves.map((leaf) => new ScannedColumn(leaf));
  }

  /** The records that were scanned. */
  get count(): number {
    return this.#count;
  }

  /**
   * Makes what was left as JSON, and gives the ids after one more value; throws where a value is none
   * of its column.
   */
  read(readValue: (column: LeafColumn, given: unknown) => StoredValue): readonly unknown[] {
    for (const column of this.columns) column.read(readValue);
    return this.#ids.read();
  }

  /** Forgets the records. */
  clear(): void {
    this.#count = 0;
  }

  /**
   * Whether a line has the form. Of one that has not, some values may have been added to the columns:
   * read and forget the records before it, then go on.
   *
   * @param end where its checksum begins, with the comma
   */
  scan(bytes: Uint8Array, view: DataView, start: number, end: number): boolean {
    if (end - start > MAX_LENGTH || view.getInt32(start, true) !== BEGINNING) return false;
    this.#bytes = bytes;
    this.#view = view;
    this.#end = end;
    const row = this.#count;
    if (row === 0) this.#begin();
    const { versions, created, updated, columns } = this;
    versions.reserve(row);
    created.reserve(row);
    updated.reserve(row);
    // The line has a comma at its end too.
    let at = start + 4;
    if (bytes[at] !== COMMA) return false;
    at = this.#ids.add(bytes, view, at + 1, end);
    if (at < 0 || at === end) return false;
    at = this.#readNumber(versions, row, at + 1, false);
    if (at < 0 || bytes[at] !== COMMA || versions.numbers[row]! < 0) return false;
    at = this.#readInstant(created, row, at + 1);
    if (at < 0 || bytes[at] !== COMMA) return false;
    at = this.#isNull(at + 1)
      ? this.#readNull(updated, row, at + 1)
      : this.#readInstant(updated, row, at + 1);
    for (let i = 0; i < columns.length; i++) {
      if (at < 0 || at >= end || bytes[at] !== COMMA) return false;
      at = this.#readValue(columns[i]!, row, at + 1);
    }
    if (at !== end) return false;
    this.#count++;
    return true;
  }

  #begin(): void {
    this.#ids.clear();
    for (const column of this.columns) column.clear();
  }

  /** Reads the value of a column, and gives where it ends. */
  #readValue(column: ScannedColumn, row: number, at: number): number {
    const { cells } = column;
    cells.reserve(row);
    const end = this.#readForm(column, cells, row, at);
    if (end >= 0 && end <= this.#end && this.#bytes[end] === COMMA) return end;
    cells.numbers[row] = LEFT;
    return column.left.add(this.#bytes, this.#view, at, this.#end);
  }

  #readForm(column: ScannedColumn, cells: Cells, row: number, at: number): number {
    if (this.#isNull(at)) return this.#readNull(cells, row, at);
    switch (column.stored) {
      case "number":
        return this.#readNumber(cells, row, at, column.leaf.type === "float");
      case "instant":
        return this.#readInstant(cells, row, at);
      case "text":
      case "code":
        return this.#readText(column, row, at);
      case "list":
        return this.#readList(column, row, at);
      default:
        return NOWHERE;
    }
  }

  #isNull(at: number): boolean {
    return this.#view.getInt32(at, true) === NULL_WORD;
  }

  #readNull(cells: Cells, row: number, at: number): number {
    cells.numbers[row] = NULL;
    return at + 4;
  }

  #readNumber({ numbers }: Cells, row: number, start: number, isFloat: boolean): number {
    const bytes = this.#bytes;
    const isNegative = bytes[start] === HYPHEN;
    const first = isNegative ? start + 1 : start;
    let at = first;
    let number = 0;
    for (; isDigit(bytes[at]!); at++) number = number * 10 + bytes[at]! - ZERO;
    let digits = at - first;
    if (digits === 0 || (digits > 1 && bytes[first] === ZERO)) return NOWHERE;
    let decimals = 0;
    if (isFloat && bytes[at] === DOT) {
      const point = at++;
      for (; isDigit(bytes[at]!); at++) number = number * 10 + bytes[at]! - ZERO;
      decimals = at - point - 1;
      digits += decimals;
      if (decimals === 0) return NOWHERE;
    }
    if (digits > MAX_DIGITS) return NOWHERE;
    if (decimals > 0) number /= POWERS[decimals]!;
    numbers[row] = isNegative ? 0 - number : number;
    return at;
  }

  #readInstant(cells: Cells, row: number, start: number): number {
    const bytes = this.#bytes;
    const at = start + 1;
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
    if (!isGood) return NOWHERE;
    let end = at + 19;
    let fraction = 0;
    if (bytes[end] === DOT) {
      end++;
      let weight = 100_000;
      for (; isDigit(bytes[end]!); end++) {
        fraction += (bytes[end]! - ZERO) * weight;
        weight /= 10;
      }
      if (weight === 100_000 || weight < 0.1) return NOWHERE;
    }
    if (bytes[end] !== Z || bytes[end + 1] !== QUOTE) return NOWHERE;
    const milli = (fraction / 1000) | 0;
    const seconds = (hour * 60 + minute) * 60 + second;
    const ms = daysFromCivil(year, month, day) * DAY_MS + seconds * 1000 + milli;
    cells.setInstant(row, ms, fraction - milli * 1000);
    return end + 2;
  }

  #readText({ known, cells }: ScannedColumn, row: number, at: number): number {
    if (!known.isOpen || this.#bytes[at] !== QUOTE) return NOWHERE;
    const text = known.find(this.#bytes, this.#view, at + 1, this.#end);
    if (text < 0) return NOWHERE;
    cells.numbers[row] = text;
    return known.end;
  }

  #readList({ known, cells, members }: ScannedColumn, row: number, start: number): number {
    const bytes = this.#bytes;
    const { length } = members;
    if (bytes[start] !== OPEN) return NOWHERE;
    let at = start + 1;
    while (bytes[at] !== CLOSE) {
      if (members.length > length && bytes[at++] !== COMMA) return this.#cut(members, length);
      const isText = known.isOpen && bytes[at] === QUOTE;
      const text = isText ? known.find(bytes, this.#view, at + 1, this.#end) : -1;
      if (text < 0) return this.#cut(members, length);
      members.push(text);
      at = known.end;
    }
    if (bytes[at + 1] !== COMMA) return this.#cut(members, length);
    cells.numbers[row] = members.length - length;
    return at + 1;
  }

  /** Forgets the members of a list that is left as JSON. */
  #cut(members: number[], length: number): number {
    members.length = length;
    return NOWHERE;
  }
}

/** Four characters as the word that their bytes are. */
function wordOf(text: string): number {
  return new DataView(new TextEncoder().encode(text).buffer).getInt32(0, true);
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
