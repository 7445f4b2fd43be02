import { ID_SLOT } from "../../schema/columns.js";
import type { Chunk } from "../../storage/chunk.js";
import type { TableVersion } from "../../storage/table.js";
import { compareNumbers, compareStrings } from "../../value/compare.js";
import type { Order, SortKey } from "../bound/order.js";
import { createRandomReader, createReaders, type Reader } from "./key-readers.js";
import { type KeysAt, sortRows, textKeys } from "./sort-rows.js";

/** The values a record is ordered by: numbers and strings, null for none; the id is the last. */
export type Keys = readonly (number | string | null)[];

/**
 * The one comparator of a query: sort, top-k, pages and cursors all go by it. Every record has a
 * place of its own, since its id ends the keys (rule S-5).
 */
export class RowOrder {
  readonly #readers: readonly Reader[];

  constructor(table: TableVersion, order: Order) {
    const readers = order.keys.flatMap((key) => createReaders(table, key));
    if (order.seed !== undefined) readers.push(createRandomReader(table, order.seed));
    const isById = order.keys.some(
      ({ column }) => column.type === "id" && column.hops.length === 0 && column.slot === ID_SLOT,
    );
    this.#readers = isById ? readers : [...readers, ...createReaders(table, ID_KEY)];
  }

  /** Compares two rows. */
  compare(a: number, b: number): number {
    for (const reader of this.#readers) {
      const order =
        reader.kind === "number"
          ? compareNullable(reader.read(a), reader.read(b), reader.descending)
          : compareNullableText(reader.read(a), reader.read(b), reader.descending);
      if (order !== 0) return order;
    }
    return 0;
  }

  /** Compares a row with the place that keys stand for. */
  compareToKeys(ordinal: number, keys: Keys): number {
    for (let i = 0; i < this.#readers.length; i++) {
      const reader = this.#readers[i]!;
      const key = keys[i]!;
      const order =
        reader.kind === "number"
          ? compareNullable(
              reader.read(ordinal),
              key === null ? Number.NaN : (key as number),
              reader.descending,
            ) // isKeys holds
          : compareNullableText(reader.read(ordinal), key as string | null, reader.descending);
      if (order !== 0) return order;
    }
    return 0;
  }

  /** Compares the places of two lists of keys. */
  compareKeys(a: Keys, b: Keys): number {
    for (let i = 0; i < this.#readers.length; i++) {
      const { kind, descending } = this.#readers[i]!;
      const order =
        kind === "number"
          ? compareNullable(
              (a[i] ?? Number.NaN) as number,
              (b[i] ?? Number.NaN) as number,
              descending,
            ) // isKeys holds
          : compareNullableText(a[i] as string | null, b[i] as string | null, descending);
      if (order !== 0) return order;
    }
    return 0;
  }

  /** The keys of a row. */
  keysOf(ordinal: number): Keys {
    return this.#readers.map((reader) => {
      const key = reader.read(ordinal);
      return typeof key === "number" && Number.isNaN(key) ? null : key;
    });
  }

  /** Rows in this order. */
  sort(rows: Int32Array): Int32Array {
    const keysAt: KeysAt = (run, level, from) => {
      const reader = this.#readers[level]!; // `sortRows` keeps within the levels
      const { descending } = reader;
      if (reader.kind === "text") {
        const texts = Array.from(run, (row) => reader.read(row));
        return textKeys(texts, descending, from);
      }
      const read = (row: number): number => (descending ? -reader.read(row) : reader.read(row));
      return { keys: Float64Array.from(run, read), restOf: () => undefined };
    };
    return sortRows(rows, this.#readers.length, keysAt, (a, b) => this.compare(a, b));
  }

  /**
   * A key by which rows can be told to come behind another without comparing them whole: the first,
   * if it is a number, turned so that less comes first. NaN tells nothing.
   */
  firstNumber(ordinal: number): number {
    const first = this.#readers[0]!; // as above
    if (first.kind !== "number") return Number.NaN;
    return first.descending ? -first.read(ordinal) : first.read(ordinal);
  }

  /** The first keys of a chunk's rows, not turned, if they stand there as numbers. */
  firstNumbers(chunk: Chunk): { values: Float64Array; descending: boolean } | undefined {
    const first = this.#readers[0]!; // as above
    const values = first.kind === "number" ? first.valuesOf(chunk) : undefined;
    return values && { values, descending: first.descending };
  }

  /** Whether a value is a list of keys of this order. */
  isKeys(value: unknown): value is Keys {
    return (
      Array.isArray(value) &&
      value.length === this.#readers.length &&
      value.every((key: unknown, i) => {
        const { kind } = this.#readers[i]!;
        return key === null || (kind === "number" ? Number.isFinite(key) : typeof key === "string");
      })
    );
  }
}

const ID_KEY: SortKey = {
  column: {
    hops: [],
    slot: ID_SLOT,
    type: "id",
    path: "id",
    dimension: undefined,
    keys: undefined,
  },
  descending: false,
};

function compareNullable(a: number, b: number, descending: boolean): number {
  const aIsNull = Number.isNaN(a);
  const bIsNull = Number.isNaN(b);
  if (aIsNull || bIsNull) return aIsNull === bIsNull ? 0 : aIsNull ? 1 : -1;
  return descending ? compareNumbers(b, a) : compareNumbers(a, b);
}

function compareNullableText(a: string | null, b: string | null, descending: boolean): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return descending ? compareStrings(b, a) : compareStrings(a, b);
}
