import { unreachable } from "../../errors.js";
import { CHUNK_MASK, CHUNK_SHIFT, type Chunk } from "../../storage/chunk.js";
import type { TableVersion } from "../../storage/table.js";
import { randomRank } from "../../value/hash.js";
import type { SortKey } from "../bound/order.js";
import { createFollow } from "../fetch/links.js";

/** One key as it is read from rows: NaN or null for null, which comes last either way (S-3). */
export type Reader =
  | {
      readonly kind: "number";
      readonly read: (ordinal: number) => number;
      /** The keys of a chunk's rows, where they stand as they are read. */
      readonly valuesOf: (chunk: Chunk) => Float64Array | undefined;
      readonly descending: boolean;
    }
  | {
      readonly kind: "text";
      readonly read: (ordinal: number) => string | null;
      readonly descending: boolean;
    };

/** Reads a sort key from rows; a datetime is two numbers. */
export function createReaders(table: TableVersion, { column, descending }: SortKey): Reader[] {
  const { hops, slot, type } = column;
  const source = hops.at(-1)?.target ?? table;
  const follow = createFollow(table, hops);
  const number = (
    read: (ordinal: number) => number,
    { none = Number.NaN, stands = false } = {},
  ): Reader => ({
    kind: "number",
    descending,
    read: follow === undefined ? read : (ordinal) => readThrough(follow(ordinal), read, none),
    valuesOf: stands && follow === undefined ? (chunk) => numbersOf(chunk, slot) : hasNoValues,
  });
  switch (type) {
    case "int":
    case "float":
      return [number((ordinal) => readNumber(source, ordinal, slot), { stands: true })];
    case "bool":
      return [number((ordinal) => readBool(source, ordinal, slot))];
    case "datetime":
      return [
        number((ordinal) => readMs(source, ordinal, slot), { stands: true }),
        number((ordinal) => readMicros(source, ordinal, slot), { none: 0 }),
      ];
    case "id":
    case "link":
    case "string":
    case "text":
    case "email": {
      const read = (ordinal: number): string | null => readText(source, ordinal, slot);
      return [
        {
          kind: "text",
          descending,
          read: follow === undefined ? read : (ordinal) => readThrough(follow(ordinal), read, null),
        },
      ];
    }
    case "multiple":
    case "json":
    case "vector":
    case "file":
    case "file[]":
    case "item":
      throw new TypeError(`a column of type ${type} has no order`);
    default:
      return unreachable(type);
  }
}

/** The random order: a function of the seed and the record (rule S-4). */
export function createRandomReader(table: TableVersion, seed: number): Reader {
  return {
    kind: "number",
    descending: false,
    read: (ordinal) => randomRank(seed, table.idAt(ordinal)),
    valuesOf: hasNoValues,
  };
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

function readNumber(table: TableVersion, ordinal: number, slot: number): number {
  const vector = table.chunks[ordinal >>> CHUNK_SHIFT]!.vectors[slot];
  return vector?.kind === "number" ? vector.values[ordinal & CHUNK_MASK]! : Number.NaN;
}

function readBool(table: TableVersion, ordinal: number, slot: number): number {
  const value = table.get(ordinal, slot);
  return value === null ? Number.NaN : value === true ? 1 : 0;
}

function readMs(table: TableVersion, ordinal: number, slot: number): number {
  const vector = table.chunks[ordinal >>> CHUNK_SHIFT]!.vectors[slot];
  return vector?.kind === "instant" ? vector.ms[ordinal & CHUNK_MASK]! : Number.NaN;
}

function readMicros(table: TableVersion, ordinal: number, slot: number): number {
  const vector = table.chunks[ordinal >>> CHUNK_SHIFT]!.vectors[slot];
  return vector?.kind === "instant" ? (vector.micros?.[ordinal & CHUNK_MASK] ?? 0) : 0;
}

function readText(table: TableVersion, ordinal: number, slot: number): string | null {
  const vector = table.chunks[ordinal >>> CHUNK_SHIFT]!.vectors[slot];
  const row = ordinal & CHUNK_MASK;
  if (vector?.kind === "text") return vector.texts[row] ?? null;
  return vector?.kind === "code" ? vector.get(row) : null;
}
