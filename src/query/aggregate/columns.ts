import type { StoredValue } from "../../schema/columns.js";
import { type Dictionary, NULL_CODE } from "../../storage/vectors.js";
import type { Json } from "../../types.js";
import type { Instant } from "../../value/datetime.js";
import { canonicalJson } from "../../value/json.js";
import { NumberCodes } from "../../value/number-codes.js";
import { grown, NO_FLOATS, NO_INTS } from "../../value/sums.js";
import type { ColumnRef } from "../bound/bound-query.js";
import { createRead, type TableView } from "../query-run.js";
import { type Piece, rowOf } from "./pieces.js";

export type PresentValue = Exclude<StoredValue, null>;

/** Codes of a column: those of its values, or of their intervals. 0 is null; some may be of no row. */
export interface ColumnCodes {
  /** One more than the greatest code so far. */
  readonly size: number;
  read(piece: Piece): Int32Array;
  valueOf(code: number): PresentValue | null;
}

/** Reads any column at a position of a piece: also behind links, and inside of values. */
export function createValueReader(
  view: TableView,
  ref: ColumnRef,
): (piece: Piece, position: number) => PresentValue | null {
  const read = createRead(view, ref);
  return (piece, position) => read(piece.base + rowOf(piece, position));
}

/** Whether a column's vectors are those of the view's chunks. */
function isPlain({ hops, keys }: ColumnRef): boolean {
  return hops.length === 0 && keys === undefined;
}

/** Reads numbers, and times in milliseconds, of a piece; NaN is null. */
export class NumberReader {
  readonly #slot: number | undefined;
  readonly #readAny: ReturnType<typeof createValueReader>;
  #scratch = NO_FLOATS;
  #last: Piece | undefined;
  #numbers: Float64Array = this.#scratch;

  constructor(view: TableView, ref: ColumnRef) {
    this.#slot = isPlain(ref) ? ref.slot : undefined;
    this.#readAny = createValueReader(view, ref);
  }

  /** Valid until the next piece is read. */
  read(piece: Piece): Float64Array {
    if (piece !== this.#last) this.#numbers = this.#read(piece).subarray(0, piece.count);
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
    const scratch = grown(this.#scratch, count);
    this.#scratch = scratch;
    if (floats === undefined) this.#readEach(piece, scratch);
    else for (let i = 0; i < count; i++) scratch[i] = floats[rows![i]!]!;
    return scratch;
  }

  #readEach(piece: Piece, scratch: Float64Array): void {
    for (let i = 0; i < piece.count; i++) {
      const value = this.#readAny(piece, i);
      scratch[i] = Number((value as Partial<Instant> | null)?.ms ?? value ?? Number.NaN);
    }
  }
}

/** A dictionary is used if its codes are at most this many, or as many as the rows. */
const MAX_SPARSE = 4096;
/** Chunks read for the greatest whole number. */
const SAMPLES = 16;

/** Numbers the distinct values of a column. */
export class CodeReader implements ColumnCodes {
  /** Codes below are those of the dictionary, or whole numbers and one; undefined before the first piece. */
  #direct: number | undefined;
  /** The values of the other codes. */
  readonly #values: PresentValue[] = [];
  readonly #view: TableView;
  readonly #ref: ColumnRef;
  readonly #dictionary: Dictionary | undefined;
  readonly #readAny: ReturnType<typeof createValueReader>;
  readonly #readNumbers: NumberReader;
  readonly #codesByKey: Map<string | boolean, number> = new Map();
  /** Codes of numbers, and of times in milliseconds. */
  #numbers: NumberCodes | undefined;
  #scratch = NO_INTS;
  #last: Piece | undefined;

  constructor(view: TableView, ref: ColumnRef, readNumbers: NumberReader) {
    const { dictionaries, size } = view.table;
    const dictionary = isPlain(ref) ? dictionaries.get(ref.slot) : undefined;
    this.#view = view;
    this.#ref = ref;
    this.#dictionary =
      dictionary !== undefined && dictionary.size <= Math.max(MAX_SPARSE, size)
        ? dictionary
        : undefined;
    this.#readAny = createValueReader(view, ref);
    this.#readNumbers = readNumbers;
  }

  get size(): number {
    return (this.#direct ?? 1) + this.#values.length;
  }

  valueOf(code: number): PresentValue | null {
    if (code === NULL_CODE) return null;
    if (code >= this.#direct!) return this.#values[code - this.#direct!]!;
    return this.#dictionary === undefined ? code - 1 : this.#dictionary.values[code]!;
  }

  read(piece: Piece): Int32Array {
    if (piece === this.#last) return this.#scratch;
    this.#last = piece;
    this.#direct ??= this.#dictionary?.size ?? this.#limitOf(piece);
    this.#scratch = grown(this.#scratch, piece.count);
    const vector = isPlain(this.#ref) ? piece.chunk.vectors[this.#ref.slot] : undefined;
    if (vector?.kind === "code" && vector.dictionary === this.#dictionary) {
      const { rows, count } = piece;
      if (rows === undefined) this.#scratch.set(vector.codes.subarray(0, count));
      else for (let i = 0; i < count; i++) this.#scratch[i] = vector.codes[rows[i]!]!;
    } else if (
      vector?.kind === "number" ||
      (vector?.kind === "instant" && vector.micros === undefined)
    ) {
      this.#encodeFloats(this.#readNumbers.read(piece), this.#direct);
    } else if (vector?.kind === "text") {
      for (let i = 0; i < piece.count; i++) {
        const text = vector.texts[rowOf(piece, i)]!;
        this.#scratch[i] = text === null ? NULL_CODE : this.#encodeText(text);
      }
    } else {
      for (let i = 0; i < piece.count; i++) {
        const value = this.#readAny(piece, i);
        this.#scratch[i] = value === null ? NULL_CODE : this.#encode(value);
      }
    }
    return this.#scratch;
  }

  /** Returns one more than the whole numbers to use as codes, if a large part of the rows is read. */
  #limitOf({ chunk, rows, count }: Piece): number {
    const { chunks, size } = this.#view.table;
    if (!isPlain(this.#ref) || (rows !== undefined && count * 4 < chunk.count)) return 1;
    let most = -1;
    for (let at = 0; at < chunks.length; at += Math.ceil(chunks.length / SAMPLES)) {
      const vector = chunks[at]!.vectors[this.#ref.slot];
      if (vector?.kind !== "number") continue;
      for (let i = 0; i < chunks[at]!.count; i++) {
        const number = vector.values[i]!;
        if (number > most && number * 4 <= size && Number.isInteger(number)) most = number;
      }
    }
    return 2 ** (32 - Math.clz32(most + 1));
  }

  #encodeFloats(floats: Float64Array, direct: number): void {
    const codes = this.#scratch;
    for (let i = 0; i < floats.length; i++) {
      const number = floats[i]!;
      const whole = number | 0;
      const isDirect = whole === number && whole >= 0 && whole < direct - 1;
      codes[i] = isDirect ? whole + 1 : this.#encodeNumber(number);
    }
  }

  #encode(value: PresentValue): number {
    const { type } = this.#ref;
    if (type === "json" || Array.isArray(value))
      return this.#take(canonicalJson(value as Json), value);
    if (typeof value === "number") return this.#encodeNumber(value);
    if (typeof value === "string") return this.#encodeText(value);
    if (typeof value !== "object") return this.#take(value, value);
    const { ms, micros } = value as Instant; // the only remaining type
    return micros === 0 ? this.#encodeNumber(ms) : this.#take(`${ms}.${micros}`, value);
  }

  #encodeText(text: string): number {
    return this.#dictionary?.find(text) || this.#take(text, text);
  }

  /** Returns the code of a number that is not its own, 0 for NaN. */
  #encodeNumber(number: number): number {
    if (Number.isNaN(number)) return NULL_CODE;
    this.#numbers ??= new NumberCodes(this.#view.table.size);
    const next = this.size;
    const code = this.#numbers.find(number, next);
    const isTime = this.#ref.type === "datetime";
    if (code === next) this.#values.push(isTime ? { ms: number, micros: 0 } : number);
    return code;
  }

  #take(key: string | boolean, value: PresentValue): number {
    const cached = this.#codesByKey.get(key);
    if (cached !== undefined) return cached;
    const code = this.size;
    this.#values.push(value);
    this.#codesByKey.set(key, code);
    return code;
  }
}
