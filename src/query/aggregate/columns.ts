import type { StoredValue } from "../../schema/columns.js";
import { rowAt, vectorAt } from "../../storage/chunk.js";
import { type Dictionary, NULL_CODE } from "../../storage/vectors.js";
import type { Json } from "../../types.js";
import type { Instant } from "../../value/datetime.js";
import { canonicalJson } from "../../value/json.js";
import { NumberCodes } from "../../value/number-codes.js";
import type { ColumnRef } from "../bound/column-ref.js";
import { followKeys } from "../filter/value-test.js";
import { createFollow, type Source, sourceAfter } from "../source.js";
import { type Piece, roomFor, rowOf } from "./pieces.js";

export type PresentValue = Exclude<StoredValue, null>;

/** Codes of a column: those of its values, or of their intervals. 0 is null. */
export interface Codes {
  readonly size: number;
  readonly hasNull: boolean;
  read(piece: Piece): Int32Array;
  valueOf(code: number): PresentValue | null;
}

/** Reads any column at a position of a piece: also behind links, and inside of values. */
export function createValueReader(
  source: Source,
  { hops, slot, keys }: ColumnRef,
): (piece: Piece, position: number) => PresentValue | null {
  const { chunks } = sourceAfter(source, hops).table;
  const follow = createFollow(source, hops);
  return (piece, position) => {
    const own = piece.base + rowOf(piece, position);
    const ordinal = follow === undefined ? own : follow(own);
    if (ordinal < 0) return null;
    const stored = vectorAt(chunks, ordinal, slot)?.get(rowAt(ordinal)) ?? null;
    return keys === undefined ? stored : followKeys(stored, keys);
  };
}

/** Whether a column's vectors are those of the source's chunks. */
function isPlain({ hops, keys }: ColumnRef): boolean {
  return hops.length === 0 && keys === undefined;
}

/** Reads numbers, and times in milliseconds, of a piece; NaN is null. */
export class NumberReader {
  readonly #slot: number | undefined;
  readonly #readAny: ReturnType<typeof createValueReader>;
  #scratch = new Float64Array(0);
  #last: Piece | undefined;
  #numbers: Float64Array = this.#scratch;

  constructor(source: Source, ref: ColumnRef) {
    this.#slot = isPlain(ref) ? ref.slot : undefined;
    this.#readAny = createValueReader(source, ref);
  }

  /** Valid until the next piece is read. */
  read(piece: Piece): Float64Array {
    if (piece !== this.#last) this.#numbers = this.#read(piece);
    this.#last = piece;
    return this.#numbers;
  }

  #read(piece: Piece): Float64Array {
    const { chunk, rows, count } = piece;
    const vector = this.#slot === undefined ? undefined : chunk.vectors[this.#slot];
    const floats =
      vector?.kind === "number"
        ? vector.values
        : vector?.kind === "instant"
          ? vector.ms
          : undefined;
    if (floats !== undefined && rows === undefined) return floats;
    const scratch = roomFor(this.#scratch, chunk, Float64Array);
    this.#scratch = scratch;
    if (floats === undefined) this.#readEach(piece, scratch);
    else for (let i = 0; i < count; i++) scratch[i] = floats[rows![i]!]!;
    return scratch;
  }

  #readEach(piece: Piece, scratch: Float64Array): void {
    for (let i = 0; i < piece.count; i++) {
      const value = this.#readAny(piece, i);
      const isTime = typeof value === "object" && value !== null;
      scratch[i] = Number((isTime ? (value as Instant).ms : value) ?? Number.NaN);
    }
  }
}

/** Numbers the distinct values of a column from 1; 0 is null. */
export class CodeReader implements Codes {
  /** By code. */
  readonly #values: (PresentValue | undefined)[] = [undefined];
  /** Whether any value read so far is null. */
  hasNull = false;
  readonly #ref: ColumnRef;
  readonly #readAny: ReturnType<typeof createValueReader>;
  readonly #readNumbers: NumberReader;
  readonly #codesByKey: Map<string | number | boolean, number> = new Map();
  /** Codes by those of the column's dictionary. */
  #translation: Int32Array | undefined;
  /** Codes of numbers, and of times in milliseconds. */
  readonly #numbers: NumberCodes;
  #scratch = new Int32Array(0);
  #last: Piece | undefined;

  constructor(source: Source, ref: ColumnRef, readNumbers: NumberReader) {
    this.#ref = ref;
    this.#readAny = createValueReader(source, ref);
    this.#readNumbers = readNumbers;
    this.#numbers = new NumberCodes(source.table.size);
  }

  /** One more than the greatest code. */
  get size(): number {
    return this.#values.length;
  }

  valueOf(code: number): PresentValue | null {
    return this.#values[code] ?? null;
  }

  read(piece: Piece): Int32Array {
    if (piece !== this.#last) this.#read(piece);
    this.#last = piece;
    return this.#scratch;
  }

  #read(piece: Piece): void {
    this.#scratch = roomFor(this.#scratch, piece.chunk, Int32Array);
    const vector = isPlain(this.#ref) ? piece.chunk.vectors[this.#ref.slot] : undefined;
    if (vector?.kind === "code") {
      this.#translate(vector.codes, vector.dictionary, piece);
    } else if (vector?.kind === "text") {
      this.#encodeTexts(vector.texts, piece);
    } else if (
      vector?.kind === "number" ||
      (vector?.kind === "instant" && vector.micros === undefined)
    ) {
      this.#encodeFloats(this.#readNumbers.read(piece), piece.count);
    } else this.#readEach(piece);
  }

  #null(): number {
    this.hasNull = true;
    return NULL_CODE;
  }

  #translate(
    from: Uint8Array | Uint16Array | Int32Array,
    dictionary: Dictionary,
    { rows, count }: Piece,
  ): void {
    const codes = this.#scratch;
    this.#translation ??= new Int32Array(dictionary.size);
    const translation = this.#translation;
    for (let i = 0; i < count; i++) {
      const code = from[rows === undefined ? i : rows[i]!]!;
      codes[i] = translation[code]! || this.#encodeCode(dictionary, code);
    }
  }

  #encodeTexts(texts: readonly (string | null)[], { rows, count }: Piece): void {
    for (let i = 0; i < count; i++) {
      const text = texts[rows === undefined ? i : rows[i]!]!;
      this.#scratch[i] = text === null ? this.#null() : this.#take(text, text);
    }
  }

  #encodeFloats(floats: Float64Array, count: number): void {
    this.#numbers.read(floats, this.#scratch, count, (i) => this.#encodeNumber(floats[i]!));
  }

  #readEach(piece: Piece): void {
    for (let i = 0; i < piece.count; i++) {
      const value = this.#readAny(piece, i);
      this.#scratch[i] = value === null ? this.#null() : this.#encode(value);
    }
  }

  #encodeCode(dictionary: Dictionary, code: number): number {
    if (code === NULL_CODE) return this.#null();
    const text = dictionary.values[code]!;
    const encoded = this.#take(text, text);
    this.#translation![code] = encoded; // set by the caller
    return encoded;
  }

  #encode(value: PresentValue): number {
    const { type } = this.#ref;
    if (type === "json" || Array.isArray(value))
      return this.#take(canonicalJson(value as Json), value);
    if (typeof value === "number") return this.#numbers.codeOf(value) || this.#encodeNumber(value);
    if (typeof value !== "object") return this.#take(value, value);
    const { ms, micros } = value as Instant; // the only remaining type
    if (micros !== 0) return this.#take(`${ms}.${micros}`, value);
    return this.#numbers.codeOf(ms) || this.#encodeNumber(ms);
  }

  #encodeNumber(number: number): number {
    if (Number.isNaN(number)) return this.#null();
    const isTime = this.#ref.type === "datetime";
    const code = this.#values.push(isTime ? { ms: number, micros: 0 } : number) - 1;
    this.#numbers.add(number, code);
    return code;
  }

  #take(key: string | boolean, value: PresentValue): number {
    const known = this.#codesByKey.get(key);
    if (known !== undefined) return known;
    const code = this.#values.push(value) - 1;
    this.#codesByKey.set(key, code);
    return code;
  }
}
