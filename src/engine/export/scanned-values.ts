import type { LeafColumn, StoredValue } from "../../schema/columns.js";
import { isCoded, TRAITS } from "../../schema/traits.js";
import { type Dictionary, MAX_TEXT_CODES, NULL_CODE } from "../../storage/dictionary.js";
import type { Vector } from "../../storage/vector.js";
import type { Instant } from "../../value/datetime.js";
import { KnownTexts } from "./known-texts.js";
import { LeftValues } from "./left-values.js";

const SMALLEST = 64;

/** In place of the number of a row: null, and a value that is among those that were left as JSON. */
export const NULL: number = Number.NaN;
export const LEFT: number = Infinity;

/** A number for each row, and of times the microseconds beyond their milliseconds. */
export class Cells {
  numbers: Float64Array = new Float64Array(SMALLEST);
  /** Absent as long as every row's are 0. */
  #micros: Uint16Array | undefined;

  get hasMicros(): boolean {
    return this.#micros !== undefined;
  }

  /** Makes room for a row. */
  reserve(row: number): void {
    if (row >= this.numbers.length) this.#grow(row * 2);
  }

  setInstant(row: number, ms: number, micros: number): void {
    this.numbers[row] = ms;
    if (micros !== 0) this.#micros ??= new Uint16Array(this.numbers.length);
    if (this.#micros !== undefined) this.#micros[row] = micros;
  }

  instantAt(row: number): Instant {
    return { ms: this.numbers[row]!, micros: this.#micros === undefined ? 0 : this.#micros[row]! };
  }

  #grow(room: number): void {
    const { numbers } = this;
    this.numbers = new Float64Array(room);
    this.numbers.set(numbers);
    if (this.#micros === undefined) return;
    const micros = this.#micros;
    this.#micros = new Uint16Array(room);
    this.#micros.set(micros);
  }
}

/** The values of one column in the records that were scanned. */
export class ScannedColumn {
  readonly leaf: LeafColumn;
  readonly stored: string;
  /** Numbers and times as they are; of a text that is known the number, of a list how many members. */
  readonly cells: Cells = new Cells();
  /** The numbers of the members of all lists. */
  readonly members: number[] = [];
  readonly left: LeftValues = new LeftValues();
  #known: KnownTexts | undefined;
  #texts: readonly string[] = [];
  /** After one more value. */
  #leftValues: unknown[] = [];
  /** Those that were taken over. */
  #membersTaken = 0;
  #leftTaken = 1;
  /** The codes of known texts in a dictionary. */
  #dictionary: Dictionary | undefined;
  #codes: number[] = [];

  constructor(leaf: LeafColumn) {
    this.leaf = leaf;
    this.stored = TRAITS[leaf.type].stored;
  }

  /** For a column of texts or of lists of them. */
  get known(): KnownTexts {
    this.#known ??= new KnownTexts(isCoded(this.leaf.type));
    return this.#known;
  }

  /** Reads what was left as JSON; throws where it is none, or no value of the column. */
  read(readValue: (column: LeafColumn, given: unknown) => StoredValue): void {
    const { leaf } = this;
    if (this.#known !== undefined) {
      this.#texts = this.#known.read((text) => {
        if (this.stored !== "list") readValue(leaf, text);
      });
    }
    const values = this.left.read();
    for (let i = 1; i < values.length; i++) values[i] = readValue(leaf, values[i]);
    this.#leftValues = values;
    this.rewind();
  }

  /** Begins with the first row again. */
  rewind(): void {
    this.#membersTaken = 0;
    this.#leftTaken = 1;
  }

  /** Forgets the rows. */
  clear(): void {
    this.members.length = 0;
    this.left.clear();
  }

  /** The value of the next row. */
  take(row: number): StoredValue {
    const number = this.cells.numbers[row]!;
    if (number === LEFT) return this.#leftValues[this.#leftTaken++] as StoredValue; // as it was read
    if (Number.isNaN(number)) return null;
    switch (this.stored) {
      case "number":
        return number;
      case "instant":
        return this.cells.instantAt(row);
      case "list": {
        const from = this.#membersTaken;
        this.#membersTaken += number;
        const members = this.members.slice(from, this.#membersTaken);
        return members.map((member) => this.#texts[member]!);
      }
      default:
        return this.#texts[number]!;
    }
  }

  /** Puts the values of the next rows into a vector; false where it has to be given each. */
  put(vector: Vector | undefined, to: number, row: number, count: number): boolean {
    const { numbers, hasMicros } = this.cells;
    const end = row + count;
    const shift = to - row;
    switch (vector?.kind) {
      case "number":
        for (let from = row; from < end; from++) {
          const number = numbers[from]!;
          if (number === LEFT) vector.set(from + shift, this.take(from));
          else vector.values[from + shift] = number;
        }
        return true;
      case "instant":
        for (let from = row; from < end; from++) {
          const ms = numbers[from]!;
          if (ms === LEFT || hasMicros || vector.micros !== undefined)
            vector.set(from + shift, this.take(from));
          else vector.ms[from + shift] = ms;
        }
        return true;
      case "text":
        for (let from = row; from < end; from++) {
          vector.texts[from + shift] = this.take(from) as string | null; // of a column of texts
        }
        return true;
      case "code": {
        const { dictionary } = vector;
        if (!isCoded(this.leaf.type) && dictionary.size + count > MAX_TEXT_CODES) return false;
        this.#open(dictionary);
        for (let from = row; from < end; from++) {
          const number = numbers[from]!;
          if (number >= 0 && number < LEFT) vector.setCode(from + shift, this.#codeOf(number));
          else vector.set(from + shift, this.take(from));
        }
        return true;
      }
      case "list":
        this.#open(vector.dictionary);
        for (let from = row; from < end; from++) {
          const number = numbers[from]!;
          if (number >= 0 && number < LEFT) {
            vector.begin(from + shift);
            for (let i = 0; i < number; i++) {
              vector.push(from + shift, this.#codeOf(this.members[this.#membersTaken++]!));
            }
          } else vector.set(from + shift, this.take(from));
        }
        return true;
      default:
        return false;
    }
  }

  #open(dictionary: Dictionary): void {
    if (dictionary === this.#dictionary) return;
    this.#dictionary = dictionary;
    this.#codes = [];
  }

  #codeOf(text: number): number {
    const codes = this.#codes;
    while (codes.length <= text) codes.push(NULL_CODE);
    const known = codes[text]!;
    if (known !== NULL_CODE) return known;
    const code = this.#dictionary!.encode(this.#texts[text]!); // it was opened
    codes[text] = code;
    return code;
  }
}
