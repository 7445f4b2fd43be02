import { type Chunk, chunkAt, rowAt, vectorAt } from "../../storage/chunk.js";
import type { TableVersion } from "../../storage/table.js";
import type { InstantVector } from "../../storage/vectors.js";
import { checkEvery } from "../../value/check-every.js";
import { compareNumbers } from "../../value/compare.js";
import { randomRank } from "../../value/hash.js";
import { type Compare, pushOnHeap, siftDown } from "../../value/heap.js";
import { sortByKeys } from "../../value/sort-by-keys.js";
import type { Keys, Order, Point, Range } from "../bound/bound-query.js";
import { compareTexts, type KeyShape, keyShapesOf } from "../bound/order.js";
import { lowestBit, wordsFor } from "../filter/kernels.js";
import type { RowVisitor } from "../filter/row-filter.js";
import { createRead, openPath, type TableView } from "../query-run.js";
import { COMPARED_ROWS, MIN_TREND, TEXT_KEY_ROUNDS, TREND_STEPS } from "../thresholds.js";

/** The comparator of rows. The last key is the id, so no two rows are equal (rule S-5). */
export class RowOrder {
  readonly #readers: readonly Reader[];
  readonly #checkTime: (() => void) | undefined;

  constructor(view: TableView, order: Order) {
    this.#checkTime = view.checkTime;
    this.#readers = keyShapesOf(order).map((shape) => createReader(view, shape));
  }

  compare(a: number, b: number): number {
    for (let i = 0; i < this.#readers.length; i++) {
      const reader = this.#readers[i]!;
      const order = compareKeys(reader, a, b);
      if (order !== 0) return reader.descending ? -order : order;
    }
    return 0;
  }

  /** Compares a row with a point: negative if the row is before it. */
  compareToPoint(ordinal: number, { keys, side }: Point): number {
    if (keys === undefined) return 1;
    const compared = this.#compareToKeys(ordinal, keys);
    return compared !== 0 ? compared : -side;
  }

  isInRange(ordinal: number, { after, before }: Range): boolean {
    return (
      (after === undefined || this.compareToPoint(ordinal, after) > 0) &&
      (before === undefined || this.compareToPoint(ordinal, before) < 0)
    );
  }

  keysOf(ordinal: number): Keys {
    return this.#readers.map((reader) => {
      const key = reader.read(ordinal);
      return key === reader.none ? null : key;
    });
  }

  /** Sorts by numeric keys, level by level: several times faster than comparing rows. */
  sort(rows: Int32Array): Int32Array {
    const sorted = rows.slice();
    this.#sortRun(sorted, 0, 0);
    return sorted;
  }

  /** The first key if numeric, negated if descending; otherwise NaN. */
  firstNumber(ordinal: number): number {
    const first = this.#readers[0]!; // as above
    if (first.kind !== "number") return Number.NaN;
    return first.descending ? -first.read(ordinal) : first.read(ordinal);
  }

  /** The first keys of a chunk, not negated, if stored as numbers. */
  firstNumbers(chunk: Chunk): { values: Float64Array; descending: boolean } | undefined {
    const first = this.#readers[0]!; // as above
    const values = first.kind === "number" ? first.valuesOf(chunk) : undefined;
    return values && { values, descending: first.descending };
  }

  /** Whether the later rows of a chunk tend to come first: its first key with a trend decides. */
  startsAtEnd({ count }: Chunk, base: number): boolean {
    const step = (count - 1) / TREND_STEPS;
    for (const reader of this.#readers) {
      let trend = 0;
      for (let row = base, i = 1; i <= TREND_STEPS; i++) {
        const next = base + Math.floor(i * step);
        trend += Math.sign(compareKeys(reader, row, next));
        row = next;
      }
      if (Math.abs(trend) >= MIN_TREND) return reader.descending ? trend < 0 : trend > 0;
    }
    return false;
  }

  /** @param round earlier sorts of the run at this level */
  #sortRun(run: Int32Array, level: number, round: number): void {
    const reader = this.#readers[level];
    if (run.length <= COMPARED_ROWS || reader === undefined || round === TEXT_KEY_ROUNDS) {
      run.sort((a, b) => this.compare(a, b));
      return;
    }
    this.#checkTime?.();
    const keys = readKeys(reader, run, checkEvery(this.#checkTime));
    sortByKeys({ rows: run, keys }, this.#checkTime);
    if (keys[0] === keys[run.length - 1]) {
      this.#sortRun(run, level + 1, 0);
      return;
    }
    for (let start = 0, end = 0; start < run.length; start = end) {
      while (end < run.length && keys[end] === keys[start]) end++;
      if (end - start > 1) this.#sortRun(run.subarray(start, end), level, round + 1);
    }
  }

  #compareToKeys(ordinal: number, keys: Keys): number {
    for (let i = 0; i < this.#readers.length; i++) {
      const reader = this.#readers[i]!;
      const key = keys[i]!; // checked by `isKeys`
      const order =
        reader.kind === "number"
          ? compareNumbers(reader.read(ordinal), (key ?? reader.none) as number) // as above
          : compareTexts(reader.read(ordinal), key as string | null, reader.none); // as above
      if (order !== 0) return reader.descending ? -order : order;
    }
    return 0;
  }
}

/** A bounded heap of the first rows in an order; the root is the last of them. */
export class TopRows implements RowVisitor {
  readonly #limit: number;
  readonly #order: RowOrder;
  readonly #sign: 1 | -1;
  readonly #isWanted: ((row: number) => boolean) | undefined;
  readonly #rows: number[] = [];
  readonly #compare: Compare<number> = (a, b) => this.#sign * this.#order.compare(a, b);
  /** First key of the root; NaN while no row can be rejected. */
  #worst: number = Number.NaN;

  /**
   * @param limit of rows; `backward` collects the last ones, the last one first
   * @param isWanted called only for rows whose keys qualify
   */
  constructor(
    { limit, backward }: { readonly limit: number; readonly backward: boolean },
    order: RowOrder,
    isWanted?: (row: number) => boolean,
  ) {
    this.#limit = limit;
    this.#order = order;
    this.#sign = backward ? -1 : 1;
    this.#isWanted = isWanted;
  }

  /** Adds a row if it is among the first; otherwise returns false. */
  row(row: number): boolean {
    const rows = this.#rows;
    const isFull = rows.length === this.#limit;
    if (isFull) {
      if (this.#limit === 0) return false;
      // NaN (equal infinities, not numeric) requires comparing all keys.
      if (this.#sign * (this.#order.firstNumber(row) - this.#worst) > 0) return false;
      if (this.#compare(row, rows[0]!) >= 0) return false;
    }
    if (this.#isWanted !== undefined && !this.#isWanted(row)) return true;
    if (isFull) siftDown(rows, 0, row, this.#compare);
    else pushOnHeap(rows, row, this.#compare);
    if (rows.length === this.#limit) this.#remember();
    return true;
  }

  /** Like {@link row}, but compares the first key inline, which rejects most rows. */
  chunk(chunk: Chunk, base: number, bits: Uint32Array): boolean {
    const first = this.#order.firstNumbers(chunk);
    const sign = first?.descending ? -this.#sign : this.#sign;
    const words = wordsFor(chunk.count);
    const step = this.#startsAtEnd(chunk, base) ? -1 : 1;
    for (let word = step > 0 ? 0 : words - 1; word >= 0 && word < words; word += step) {
      for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
        const row = (word << 5) + lowestBit(rest);
        if (first !== undefined && sign * first.values[row]! > this.#sign * this.#worst) continue;
        this.row(base + row);
      }
    }
    return true;
  }

  toSorted(): number[] {
    return this.#rows.slice().sort(this.#compare);
  }

  /** Rows that come first are visited first, so that the heap rejects the others. */
  #startsAtEnd(chunk: Chunk, base: number): boolean {
    const isFull = this.#rows.length === this.#limit;
    const isRejected = (row: number): boolean =>
      isFull && this.#sign * (this.#order.firstNumber(row) - this.#worst) > 0;
    if (isRejected(base) && isRejected(base + chunk.count - 1)) return false;
    return this.#order.startsAtEnd(chunk, base) === this.#sign > 0;
  }

  #remember(): void {
    this.#worst = this.#order.firstNumber(this.#rows[0]!);
  }
}

function compareKeys(reader: Reader, a: number, b: number): number {
  return reader.kind === "number"
    ? compareNumbers(reader.read(a), reader.read(b))
    : compareTexts(reader.read(a), reader.read(b), reader.none);
}

function readKeys(reader: Reader, run: Int32Array, check: () => void): Float64Array {
  if (reader.kind === "text") return textKeys(reader, run, check);
  const sign = reader.descending ? -1 : 1;
  const keys = new Float64Array(run.length);
  for (let i = 0; i < run.length; i++) keys[i] = sign * reader.read(run[i]!);
  return keys;
}

/** Reads one key; `none` or null for null. */
type Reader = NumberReader | TextReader;

interface NumberReader {
  readonly kind: "number";
  readonly read: (ordinal: number) => number;
  /** The chunk's stored keys, with NaN for null, if they need no conversion. */
  readonly valuesOf: (chunk: Chunk) => Float64Array | undefined;
  readonly descending: boolean;
  readonly none: number;
}

interface TextReader {
  readonly kind: "text";
  readonly read: (ordinal: number) => string | null;
  readonly descending: boolean;
  readonly none: number;
}

function createReader(view: TableView, { kind, descending, none, value }: KeyShape): Reader {
  const { table } = view;
  if (value.part === "random") {
    // Rule S-4: a function of the seed and the record.
    const read = (ordinal: number): number => randomRank(value.seed, table.idAt(ordinal));
    return { kind: "number", descending, none, read, valuesOf: hasNoValues };
  }
  const { part, column } = value;
  const { hops, slot, type, keys } = column;
  if (kind === "text") {
    const isPlain = hops.length === 0 && keys === undefined;
    const read = isPlain
      ? (ordinal: number): string | null => readText(table, ordinal, slot)
      : (createRead(view, column) as (ordinal: number) => string | null); // by the column's type
    return { kind, descending, none, read };
  }
  if (type === "bool" || keys !== undefined) {
    const readAny = createRead(view, column);
    const read = (ordinal: number): number => Number(readAny(ordinal) ?? none);
    return { kind, descending, none, read, valuesOf: hasNoValues };
  }
  const path = openPath(view, hops);
  const target = (path?.end ?? view).table;
  const isMicros = part === "micros";
  const readOwn = isMicros
    ? (ordinal: number): number => {
        const vector = vectorAt(target.chunks, ordinal, slot) as InstantVector | undefined; // an instant column
        return vector?.micros?.[rowAt(ordinal)] ?? 0;
      }
    : (ordinal: number): number => {
        const number =
          numbersOf(chunkAt(target.chunks, ordinal), slot)?.[rowAt(ordinal)] ?? Number.NaN;
        return Number.isNaN(number) ? none : number;
      };
  if (path === undefined) {
    const valuesOf = (chunk: Chunk): Float64Array | undefined => numbersOf(chunk, slot);
    const key = { kind, descending, none, read: readOwn };
    return { ...key, valuesOf: isMicros ? hasNoValues : valuesOf };
  }
  const absent = isMicros ? 0 : none;
  const read = (ordinal: number): number => {
    const linked = path.rowOf(ordinal);
    return linked < 0 ? absent : readOwn(linked);
  };
  return { kind, descending, none, read, valuesOf: hasNoValues };
}

const hasNoValues = (): undefined => undefined;

function numbersOf(chunk: Chunk, slot: number): Float64Array | undefined {
  const vector = chunk.vectors[slot];
  if (vector?.kind === "number") return vector.values;
  return vector?.kind === "instant" ? vector.ms : undefined;
}

function readText(table: TableVersion, ordinal: number, slot: number): string | null {
  const vector = vectorAt(table.chunks, ordinal, slot);
  const row = rowAt(ordinal);
  if (vector?.kind === "text") return vector.texts[row] ?? null;
  return vector?.kind === "code" ? vector.get(row) : null;
}

/** Numeric keys of the text after the common prefix: 7 ASCII or 3 other characters. */
function textKeys(reader: TextReader, run: Int32Array, check: () => void): Float64Array {
  const { descending, none } = reader;
  const texts: (string | null)[] = [];
  for (let i = 0; i < run.length; i++) {
    check();
    texts.push(reader.read(run[i]!));
  }
  const prefix = commonPrefix(texts);
  const isAscii = texts.every((text) => text === null || hasAscii(text, prefix, 7));
  // 0 marks the end of a text, so characters are shifted by 1.
  const [length, radix] = isAscii ? [7, 0x81] : [3, 0x10001];
  const keys = new Float64Array(run.length);
  for (const [at, text] of texts.entries()) {
    check();
    let key = text === null ? none : 0;
    for (let i = prefix; text !== null && i < prefix + length; i++) {
      key = key * radix + (i < text.length ? codePointRank(text.charCodeAt(i)) + 1 : 0);
    }
    keys[at] = descending ? -key : key;
  }
  return keys;
}

/** Ranks surrogates above other code units, to match code point order. */
function codePointRank(unit: number): number {
  return unit < 0xd800 ? unit : unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

function commonPrefix(texts: readonly (string | null)[]): number {
  const first = texts.find((text) => text !== null) ?? "";
  let { length } = first;
  for (const text of texts) {
    if (text === null) continue;
    let same = 0;
    while (same < length && text.charCodeAt(same) === first.charCodeAt(same)) same++;
    length = same;
  }
  return length;
}

function hasAscii(text: string, from: number, count: number): boolean {
  const end = Math.min(text.length, from + count);
  for (let i = from; i < end; i++) if (text.charCodeAt(i) > 0x7f) return false;
  return true;
}
