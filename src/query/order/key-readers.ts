import { type Chunk, chunkAt, rowAt, vectorAt } from "../../storage/chunk.js";
import type { TableVersion } from "../../storage/table.js";
import type { InstantVector } from "../../storage/vectors.js";
import { randomRank } from "../../value/hash.js";
import type { KeyShape } from "../bound/order.js";
import { NULL_NUMBER } from "../bound/point.js";
import { followKeys } from "../filter/value-test.js";
import { createFollow } from "../follow.js";
import { type Source, sourceAfter } from "../source.js";

/** Reads one key; `NULL_NUMBER` or null for null. */
export type Reader = NumberReader | TextReader;

interface NumberReader {
  readonly kind: "number";
  readonly read: (ordinal: number) => number;
  /** The chunk's stored keys, with NaN for null, if they need no conversion. */
  readonly valuesOf: (chunk: Chunk) => Float64Array | undefined;
  readonly descending: boolean;
}

interface TextReader {
  readonly kind: "text";
  readonly read: (ordinal: number) => string | null;
  readonly descending: boolean;
}

export function createReader(source: Source, { kind, descending, value }: KeyShape): Reader {
  if (value.part === "random") {
    const { table } = source;
    // Rule S-4: a function of the seed and the record.
    const read = (ordinal: number): number => randomRank(value.seed, table.idAt(ordinal));
    return { kind: "number", descending, read, valuesOf: hasNoValues };
  }
  if (value.part === "isNull") {
    const { read: readOf } = createReader(source, value.of);
    const read = (ordinal: number): number => {
      const key = readOf(ordinal);
      return key === null || key === NULL_NUMBER ? 1 : 0;
    };
    return { kind: "number", descending, read, valuesOf: hasNoValues };
  }
  const { hops, slot, type, keys } = value.column;
  const { table } = sourceAfter(source, hops);
  const follow = createFollow(source, hops);
  if (kind === "text") {
    const read = (ordinal: number): string | null =>
      keys === undefined
        ? readText(table, ordinal, slot)
        : (followKeys(table.get(ordinal, slot), keys) as string | null); // by the column's type
    if (follow === undefined) return { kind, descending, read };
    return { kind, descending, read: (ordinal) => readThrough(follow(ordinal), read, null) };
  }
  const { part } = value;
  const read =
    part === "micros"
      ? (ordinal: number): number => {
          const vector = vectorAt(table.chunks, ordinal, slot) as InstantVector | undefined; // an instant column
          return vector?.micros?.[rowAt(ordinal)] ?? 0;
        }
      : type === "bool" || keys !== undefined
        ? (ordinal: number): number => {
            const value = table.get(ordinal, slot);
            return Number((keys === undefined ? value : followKeys(value, keys)) ?? NULL_NUMBER);
          }
        : (ordinal: number): number => {
            const values = numbersOf(chunkAt(table.chunks, ordinal), slot);
            const value = values === undefined ? Number.NaN : values[rowAt(ordinal)]!;
            return Number.isNaN(value) ? NULL_NUMBER : value;
          };
  if (follow !== undefined) {
    const none = part === "micros" ? 0 : NULL_NUMBER;
    const readLinked = (ordinal: number): number => readThrough(follow(ordinal), read, none);
    return { kind, descending, read: readLinked, valuesOf: hasNoValues };
  }
  // Other vectors hold no numbers.
  const valuesOf = part === "micros" ? hasNoValues : (chunk: Chunk) => numbersOf(chunk, slot);
  return { kind, descending, read, valuesOf };
}

function readThrough<T>(ordinal: number, read: (ordinal: number) => T, none: T): T {
  return ordinal < 0 ? none : read(ordinal);
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
