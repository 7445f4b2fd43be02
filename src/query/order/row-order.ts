import type { Chunk } from "../../storage/chunk.js";
import { compareNumbers } from "../../value/compare.js";
import { keyShapesOf, type Order } from "../bound/order.js";
import { compareTexts, type Keys, NULL_NUMBER, type Point, type Range } from "../bound/point.js";
import { checkRows, type Source } from "../source.js";
import { createReader, type Reader } from "./key-readers.js";
import { type KeysAt, sortRows, textKeys } from "./sort-rows.js";

/** The comparator of rows. The last key is the id, so no two rows are equal (rule S-5). */
export class RowOrder {
  readonly #readers: readonly Reader[];
  readonly #checkTime: (() => void) | undefined;

  constructor(source: Source, order: Order) {
    this.#checkTime = source.checkTime;
    this.#readers = keyShapesOf(order).map((shape) => createReader(source, shape));
  }

  compare(a: number, b: number): number {
    for (const reader of this.#readers) {
      const order =
        reader.kind === "number"
          ? compareNumbers(reader.read(a), reader.read(b))
          : compareTexts(reader.read(a), reader.read(b));
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
      return key === NULL_NUMBER ? null : key;
    });
  }

  sort(rows: Int32Array): Int32Array {
    const levels = this.#readers.length;
    const checkTime = this.#checkTime;
    const keysAt: KeysAt = (run, level) => {
      checkTime?.();
      return readKeys(this.#readers[level]!, run, checkRows({ checkTime })); // `sortRows` passes existing levels only
    };
    return sortRows(rows, { levels, keysAt, compare: (a, b) => this.compare(a, b), checkTime });
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

  #compareToKeys(ordinal: number, keys: Keys): number {
    for (let i = 0; i < this.#readers.length; i++) {
      const reader = this.#readers[i]!;
      const key = keys[i]!; // checked by `isKeys`
      const order =
        reader.kind === "number"
          ? compareNumbers(reader.read(ordinal), (key ?? NULL_NUMBER) as number) // as above
          : compareTexts(reader.read(ordinal), key as string | null); // as above
      if (order !== 0) return reader.descending ? -order : order;
    }
    return 0;
  }
}

function readKeys(reader: Reader, run: Int32Array, check: () => void): Float64Array {
  const { descending } = reader;
  if (reader.kind === "text") {
    return textKeys(
      Array.from(run, (row) => {
        check();
        return reader.read(row);
      }),
      descending,
      check,
    );
  }
  return Float64Array.from(run, (row) => (descending ? -reader.read(row) : reader.read(row)));
}
