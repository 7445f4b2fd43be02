import { PairCodes } from "../../value/pair-codes.js";
import { grown, NO_INTS } from "../../value/sums.js";
import type { ColumnCodes, NumberReader, PresentValue } from "./columns.js";
import type { Piece } from "./pieces.js";
import type { Interval } from "./time-buckets.js";

/**
 * Numbers the groups of rows: all rows, or groups split by codes. If null has groups, group 0 of a
 * single column is that of null; otherwise group 0 has the rows to skip.
 */
export class Grouping {
  /** Groups of a piece's rows; undefined for a single group, 0. */
  of: Int32Array | undefined;
  readonly outer: Grouping | undefined;
  readonly #codes: ColumnCodes | undefined;
  readonly #hasNulls: boolean;
  /** Undefined if codes are groups, because there is a single outer group. */
  readonly #pairs: PairCodes | undefined;
  #counts = NO_INTS;
  #scratch = NO_INTS;

  constructor(outer?: Grouping, codes?: ColumnCodes, hasNulls = true) {
    this.outer = outer;
    this.#codes = codes;
    this.#hasNulls = hasNulls;
    this.#pairs = outer?.outer === undefined ? undefined : new PairCodes();
  }

  /** One more than the greatest group so far. */
  get size(): number {
    return this.#pairs?.size ?? this.#codes?.size ?? 1;
  }

  read(piece: Piece): void {
    const codes = this.#codes?.read(piece);
    const outers = this.outer?.of;
    const pairs = this.#pairs;
    if (codes === undefined || outers === undefined || pairs === undefined) {
      this.of = codes;
      return;
    }
    this.#scratch = grown(this.#scratch, piece.count);
    const groups = this.#scratch;
    for (let i = 0; i < piece.count; i++) {
      const outer = outers[i]!;
      const code = codes[i]!;
      const isIn = this.#hasNulls || (outer !== 0 && code !== 0);
      groups[i] = isIn ? pairs.find(outer, code) : 0;
    }
    this.of = groups;
  }

  /** Counts the rows that were read. */
  count({ count }: Piece): void {
    this.#counts = grown(this.#counts, this.size);
    const counts = this.#counts;
    const groups = this.of;
    if (groups === undefined) counts[0]! += count;
    else for (let i = 0; i < count; i++) counts[groups[i]!]!++;
  }

  countOf(group: number): number {
    return this.#counts[group] ?? 0;
  }

  /** The groups with rows; that of all rows in any case. */
  groups(): Int32Array {
    const counts = this.#counts;
    if (this.outer === undefined) return new Int32Array(1);
    const groups = new Int32Array(counts.length);
    let found = 0;
    const hasZero = this.#pairs === undefined && this.#hasNulls;
    for (let group = hasZero ? 0 : 1; group < counts.length; group++) {
      if (counts[group] !== 0) groups[found++] = group;
    }
    return groups.subarray(0, found);
  }

  outerOf(group: number): number {
    return this.#pairs?.outers[group] ?? 0;
  }

  /** Returns the value of a group's code; null for null. */
  keyOf(group: number): PresentValue | null {
    return this.#codes?.valueOf(this.#pairs?.codes[group] ?? group) ?? null;
  }
}

/** Most parts of intervals whose codes are in a table. */
const MAX_WINDOW = 2 ** 19;

/** Numbers the intervals of numbers or times. */
export class IntervalCodes implements ColumnCodes {
  readonly #numbers: NumberReader;
  readonly #interval: Interval;
  readonly #isTime: boolean;
  /** By code. */
  readonly #starts: number[] = [Number.NaN];
  readonly #codesByStart: Map<number, number> = new Map();
  /** Codes by the parts of intervals that the rows are in, from the first part of the window. */
  #window = NO_INTS;
  #first = Number.NaN;
  #scratch = NO_INTS;

  constructor(numbers: NumberReader, interval: Interval, isTime: boolean) {
    this.#numbers = numbers;
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
    this.#scratch = grown(this.#scratch, numbers.length);
    const codes = this.#scratch;
    for (let i = 0; i < numbers.length; i++) {
      i = this.#readKnown(numbers, codes, i);
      if (i < numbers.length) codes[i] = this.#encode(numbers[i]!);
    }
    return codes;
  }

  /** Returns the place of the first number without a code, or the length. */
  #readKnown(numbers: Float64Array, codes: Int32Array, from: number): number {
    const { shift, length } = this.#interval;
    const window = this.#window;
    const first = this.#first;
    for (let i = from; i < numbers.length; i++) {
      const bucket = Math.floor((numbers[i]! + shift) / length) - first;
      const code = bucket >= 0 && bucket < window.length ? window[bucket]! : 0;
      if (code === 0) return i;
      codes[i] = code;
    }
    return numbers.length;
  }

  #encode(number: number): number {
    if (Number.isNaN(number)) return 0;
    const { shift, length, startOf } = this.#interval;
    const start = startOf(number);
    let code = this.#codesByStart.get(start);
    if (code === undefined) {
      code = this.#starts.push(start) - 1;
      this.#codesByStart.set(start, code);
    }
    const part = Math.floor((number + shift) / length);
    // Otherwise each number is an interval of its own.
    if (Number.isFinite(part * length - shift)) {
      this.#widenTo(part);
      this.#window[part - this.#first] = code; // ignored outside
    }
    return code;
  }

  #widenTo(part: number): void {
    const { length } = this.#window;
    if (length === 0) this.#first = part;
    const first = Math.min(this.#first, part);
    const span = Math.max(this.#first + length, part + 1) - first;
    if (span === length || span > MAX_WINDOW) return;
    const wider = new Int32Array(3 * span);
    wider.set(this.#window, this.#first - first + span);
    this.#first = first - span;
    this.#window = wider;
  }
}
