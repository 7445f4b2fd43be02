import type { StoredValue } from "../schema/columns.js";
import { type Codes, copyCodes, createCodes, MAX_CODE } from "./codes.js";
import { type Dictionary, NULL_CODE } from "./dictionary.js";
import { copyValues, nulls, VectorFace } from "./vector-face.js";

export class TextVector extends VectorFace {
  readonly kind = "text";
  readonly texts: (string | null)[];

  constructor(capacity: number, texts: (string | null)[] = nulls(capacity)) {
    super();
    this.texts = texts;
  }

  get(row: number): string | null {
    return this.texts[row]!;
  }

  set(row: number, value: StoredValue): void {
    this.texts[row] = value as string | null; // coerced to a string
  }

  copy(count: number, capacity: number): TextVector {
    return new TextVector(capacity, copyValues(this.texts, count, capacity));
  }
}

/** Dictionary codes: repeated strings, and `link` ids. */
export class CodeVector extends VectorFace {
  readonly kind = "code";
  codes: Codes;
  readonly dictionary: Dictionary;

  constructor(
    capacity: number,
    dictionary: Dictionary,
    codes: Codes = createCodes(capacity, dictionary.size),
  ) {
    super();
    this.dictionary = dictionary;
    this.codes = codes;
  }

  get(row: number): string | null {
    const code = this.codes[row]!;
    return code === NULL_CODE ? null : this.dictionary.values[code]!;
  }

  set(row: number, value: StoredValue): void {
    this.setCode(row, value === null ? NULL_CODE : this.dictionary.encode(value as string));
  }

  setCode(row: number, code: number): void {
    if (code > MAX_CODE[this.codes.BYTES_PER_ELEMENT]!) {
      this.codes = copyCodes(this.codes, this.codes.length, this.codes.length, code);
    }
    this.codes[row] = code;
  }

  copy(count: number, capacity: number): CodeVector {
    return new CodeVector(capacity, this.dictionary, copyCodes(this.codes, count, capacity, 0));
  }
}
