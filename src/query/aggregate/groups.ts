import { NumberCodes } from "../../value/number-codes.js";
import { PairCodes } from "../../value/pair-codes.js";
import type { Codes, NumberReader, PresentValue } from "./columns.js";
import { type Piece, roomFor } from "./pieces.js";
import type { Interval } from "./time-buckets.js";

/** Numbers the groups of rows. */
export interface Grouping {
  /** Groups of a piece's rows; undefined for a single group, 0. */
  of: Int32Array | undefined;
  /** One more than the greatest group so far. */
  readonly size: number;
  readonly outer: Grouping | undefined;
  read(piece: Piece): void;
  /** The groups with rows. */
  groups(): readonly number[];
  outerOf(group: number): number;
  keyOf(group: number): PresentValue | null;
}

/** All rows, even if there are none. */
export function oneGroup(): Grouping {
  const none = (): never => {
    throw new Error("a single group has no key");
  };
  return {
    of: undefined,
    size: 1,
    outer: undefined,
    read() {},
    groups: () => [0],
    outerOf: none,
    keyOf: none,
  };
}

/**
 * Splits groups by codes. If null has groups, group 0 of a single column is that of null; otherwise
 * group 0 has the rows to skip.
 */
export class SplitGroups implements Grouping {
  of: Int32Array | undefined;
  readonly outer: Grouping;
  readonly #codes: Codes;
  readonly #hasNulls: boolean;
  /** Undefined if codes are groups, because there is a single outer group. */
  readonly #pairs: PairCodes | undefined;
  #scratch = new Int32Array(0);

  constructor(outer: Grouping, codes: Codes, hasNulls: boolean) {
    this.outer = outer;
    this.#codes = codes;
    this.#hasNulls = hasNulls;
    this.#pairs = outer.outer === undefined ? undefined : new PairCodes();
  }

  get size(): number {
    return this.#pairs?.size ?? this.#codes.size;
  }

  read(piece: Piece): void {
    const codes = this.#codes.read(piece);
    const pairs = this.#pairs;
    if (pairs === undefined) {
      this.of = codes;
      return;
    }
    const outers = this.outer.of!; // of several groups
    this.#scratch = roomFor(this.#scratch, piece.chunk, Int32Array);
    const groups = this.#scratch;
    for (let i = 0; i < piece.count; i++) {
      const outer = outers[i]!;
      const code = codes[i]!;
      const isIn = this.#hasNulls || (outer !== 0 && code !== 0);
      groups[i] = isIn ? pairs.find(outer, code) : 0;
    }
    this.of = groups;
  }

  groups(): number[] {
    const isNullThere = this.#pairs === undefined && this.#hasNulls && this.#codes.hasNull;
    const groups: number[] = [];
    for (let group = isNullThere ? 0 : 1; group < this.size; group++) groups.push(group);
    return groups;
  }

  outerOf(group: number): number {
    return this.#pairs?.outers[group] ?? 0;
  }

  keyOf(group: number): PresentValue | null {
    return this.#codes.valueOf(this.#pairs?.codes[group] ?? group);
  }
}

/** Numbers the intervals of numbers or times. */
export class IntervalCodes implements Codes {
  hasNull = false;
  readonly #numbers: NumberReader;
  readonly #interval: Interval;
  readonly #isTime: boolean;
  /** By code. */
  readonly #starts: number[] = [Number.NaN];
  readonly #codesByStart: Map<number, number> = new Map();
  /** Codes by the parts of intervals that the rows are in. */
  readonly #codesByPart: NumberCodes;
  #parts = new Float64Array(0);
  #scratch = new Int32Array(0);

  constructor(numbers: NumberReader, interval: Interval, isTime: boolean, rows: number) {
    this.#numbers = numbers;
    this.#codesByPart = new NumberCodes(rows);
    this.#interval = interval;
    this.#isTime = isTime;
  }

  get size(): number {
    return this.#starts.length;
  }

  valueOf(code: number): PresentValue | null {
    const start = this.#starts[code]!;
    return this.#isTime ? { ms: start, micros: 0 } : start;
  }

  read(piece: Piece): Int32Array {
    const numbers = this.#numbers.read(piece);
    const { count } = piece;
    const { shift, length } = this.#interval;
    const parts = roomFor(this.#parts, piece.chunk, Float64Array);
    const codes = roomFor(this.#scratch, piece.chunk, Int32Array);
    this.#parts = parts;
    this.#scratch = codes;
    for (let i = 0; i < count; i++) parts[i] = Math.floor((numbers[i]! + shift) / length);
    this.#codesByPart.read(parts, codes, count, (i) => this.#encode(numbers[i]!, parts[i]!));
    return codes;
  }

  #encode(number: number, part: number): number {
    if (Number.isNaN(number)) return 0;
    const { shift, length, startOf } = this.#interval;
    const start = startOf(number);
    let code = this.#codesByStart.get(start);
    if (code === undefined) {
      code = this.#starts.push(start) - 1;
      this.#codesByStart.set(start, code);
    }
    // Otherwise each number is an interval of its own.
    if (Number.isFinite(part * length - shift)) this.#codesByPart.add(part, code);
    return code;
  }
}
