import { coercePlain } from "../schema/coerce.js";
import type { LeafColumn, StoredValue } from "../schema/columns.js";
import { isCoded } from "../schema/traits.js";
import { type Instant, parseInstantInto } from "../value/datetime.js";

/** An owner of data that it may change in place; ownership can pass to an heir. */
export class Mark {
  heir: Mark | undefined = undefined;
}

export function isSameMark(a: Mark | undefined, b: Mark | undefined): boolean {
  return a !== undefined && b !== undefined && (a.heir ?? a) === (b.heir ?? b);
}

export abstract class VectorFace {
  owner: Mark | undefined = undefined;
  /** Caches of queries; dropped when a row changes. */
  cache: unknown = undefined;
  /** Caches of searches, keyed by the vector; copies keep them. */
  kept: unknown = undefined;
  abstract get(row: number): StoredValue;
  abstract set(row: number, value: StoredValue): void;
  /** Sets a given value, without temporary objects; returns false if it needs to be read first. */
  take(row: number, column: LeafColumn, value: unknown): boolean {
    const stored = coercePlain(column, value);
    if (stored === undefined) return false;
    this.set(row, stored);
    return true;
  }
  /** Returns a copy of `count` rows with a capacity. */
  abstract copy(count: number, capacity: number): VectorFace;
}

/** Returns an array of nulls without holes, which would slow down reads. */
export function nulls(length: number): null[] {
  const array: null[] = [];
  for (let i = 0; i < length; i++) array.push(null);
  return array;
}

export function copyValues<T>(
  values: readonly (T | null)[],
  count: number,
  capacity: number,
): (T | null)[] {
  const copy = values.slice(0, count);
  while (copy.length < capacity) copy.push(null);
  return copy;
}

/** Codes, in the narrowest array that fits the dictionary. */
export type Codes = Uint8Array | Uint16Array | Int32Array;

/** Array types by bytes per element. */
export const MAX_CODE: Readonly<Record<number, number>> = { 1: 0xff, 2: 0xffff, 4: 0x7fffffff };

export function createCodes(capacity: number, highest: number): Codes {
  return highest <= 0xff
    ? new Uint8Array(capacity)
    : highest <= 0xffff
      ? new Uint16Array(capacity)
      : new Int32Array(capacity);
}

/** Copies codes to an array wide enough for `highest`. */
export function copyCodes(source: Codes, count: number, capacity: number, highest: number): Codes {
  const width = Math.max(highest, MAX_CODE[source.BYTES_PER_ELEMENT]!);
  const copy = createCodes(capacity, width);
  copy.set(source.subarray(0, count));
  return copy;
}

export const NULL_CODE = 0;

/** Maximum size; further values are stored without a dictionary. */
export const MAX_TEXT_CODES = 4096;

/** A column's distinct strings by code, from 1. Append-only, so all versions share it. */
export class Dictionary {
  readonly values: string[] = [""];
  readonly #codes: Map<string, number> = new Map();

  get size(): number {
    return this.values.length;
  }

  /** {@link NULL_CODE} if unknown. */
  find(text: string): number {
    return this.#codes.get(text) ?? NULL_CODE;
  }

  encode(text: string): number {
    const existing = this.#codes.get(text);
    if (existing !== undefined) return existing;
    const code = this.values.push(text) - 1;
    this.#codes.set(text, code);
    return code;
  }
}

/** `int` and `float`: NaN is null. */
export class NumberVector extends VectorFace {
  readonly kind = "number";
  readonly values: Float64Array;

  constructor(
    capacity: number,
    values: Float64Array = new Float64Array(capacity).fill(Number.NaN),
  ) {
    super();
    this.values = values;
  }

  get(row: number): number | null {
    const value = this.values[row]!;
    return Number.isNaN(value) ? null : value;
  }

  set(row: number, value: StoredValue): void {
    this.values[row] = value === null ? Number.NaN : (value as number); // coerced to a number
  }

  copy(count: number, capacity: number): NumberVector {
    return new NumberVector(capacity, copyFloats(this.values, count, capacity));
  }
}

const TAKEN_INSTANT = { ms: 0, micros: 0 };

/** `datetime`: milliseconds, NaN for null; microseconds only if needed. */
export class InstantVector extends VectorFace {
  readonly kind = "instant";
  readonly ms: Float64Array;
  micros: Uint16Array | undefined;

  constructor(
    capacity: number,
    ms: Float64Array = new Float64Array(capacity).fill(Number.NaN),
    micros?: Uint16Array,
  ) {
    super();
    this.ms = ms;
    this.micros = micros;
  }

  get(row: number): Instant | null {
    const ms = this.ms[row]!;
    return Number.isNaN(ms)
      ? null
      : { ms, micros: this.micros === undefined ? 0 : this.micros[row]! };
  }

  set(row: number, value: StoredValue): void {
    const instant = value as Instant | null; // coerced to an instant
    this.ms[row] = instant === null ? Number.NaN : instant.ms;
    const micros = instant === null ? 0 : instant.micros;
    if (micros !== 0) this.micros ??= new Uint16Array(this.ms.length);
    if (this.micros !== undefined) this.micros[row] = micros;
  }

  override take(row: number, _column: LeafColumn, value: unknown): boolean {
    if (typeof value !== "string" || !parseInstantInto(TAKEN_INSTANT, value)) return false;
    this.set(row, TAKEN_INSTANT);
    return true;
  }

  copy(count: number, capacity: number): InstantVector {
    let micros: Uint16Array | undefined;
    if (this.micros !== undefined) {
      micros = new Uint16Array(capacity);
      micros.set(this.micros.subarray(0, count));
    }
    return new InstantVector(capacity, copyFloats(this.ms, count, capacity), micros);
  }
}

export const FALSE_BYTE = 0;
export const TRUE_BYTE = 1;
export const NULL_BYTE = 2;

export class BoolVector extends VectorFace {
  readonly kind = "bool";
  readonly bytes: Uint8Array;

  constructor(capacity: number, bytes: Uint8Array = new Uint8Array(capacity).fill(NULL_BYTE)) {
    super();
    this.bytes = bytes;
  }

  get(row: number): boolean | null {
    const byte = this.bytes[row];
    return byte === NULL_BYTE ? null : byte === TRUE_BYTE;
  }

  set(row: number, value: StoredValue): void {
    this.bytes[row] = value === null ? NULL_BYTE : value === true ? TRUE_BYTE : FALSE_BYTE;
  }

  copy(count: number, capacity: number): BoolVector {
    const bytes = new Uint8Array(capacity).fill(NULL_BYTE, count);
    bytes.set(this.bytes.subarray(0, count));
    return new BoolVector(capacity, bytes);
  }
}

function copyFloats(source: Float64Array, count: number, capacity: number): Float64Array {
  if (capacity === source.length) return source.slice();
  const copy = new Float64Array(capacity).fill(Number.NaN, count);
  copy.set(source.subarray(0, count));
  return copy;
}

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

  override take(row: number, column: LeafColumn, value: unknown): boolean {
    if (typeof value !== "string") return false;
    const existing = this.dictionary.find(value);
    if (existing === NULL_CODE) {
      const isFull = !isCoded(column.type) && this.dictionary.size >= MAX_TEXT_CODES;
      return !isFull && super.take(row, column, value);
    }
    this.setCode(row, existing);
    return true;
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
