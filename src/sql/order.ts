import type { ColumnRef } from "../query/bound/column-ref.js";
import { isOwnId, type Order } from "../query/bound/order.js";
import type { Keys } from "../query/bound/point.js";
import { UPDATED_AT_SLOT } from "../schema/columns.js";
import type { Instant } from "../value/datetime.js";
import { MAX_INSTANT_MS, MIN_INSTANT_MS } from "../value/datetime.js";
import { type Writing, writeColumn } from "./predicate.js";
import type { StatementWriter } from "./statement.js";
import { castType, decodeValue, encodeValue, type SqlText, type ValueType } from "./values.js";

/** One expression that rows are ordered by; null comes last, ascending and descending (S-3). */
export interface SqlKey {
  readonly expression: string;
  readonly type: ValueType;
  readonly descending: boolean;
  readonly nullable: boolean;
}

/** What an order compares, one after the other; the id comes last unless it is there (S-5). */
export function writeKeys(writing: Writing, { keys, seed }: Order): SqlKey[] {
  const written: SqlKey[] = keys.map(({ column, descending }) => ({
    expression: writeColumn(writing, column),
    type: column.type,
    descending,
    nullable: !isAlwaysThere(column),
  }));
  const id = `${writing.from.aliasOf([])}.id`;
  if (seed !== undefined) {
    // The random order is a function of the seed and the record (rule S-4); of the hash so many
    // bits as a number of JSON holds.
    const hash = `hashtextextended(${id}, ${writing.writer.bind(String(seed), "bigint")})`;
    written.push({
      expression: `(${hash} >> 11)`,
      type: "int",
      descending: false,
      nullable: false,
    });
  }
  if (keys.some(isOwnId)) return written;
  return [...written, { expression: id, type: "id", descending: false, nullable: false }];
}

/** Whether it is the id or the metadata of the query's own table: every record has those. */
function isAlwaysThere({ hops, slot }: ColumnRef): boolean {
  return hops.length === 0 && slot <= UPDATED_AT_SLOT;
}

/** The values that a point has for the keys of an order: an instant is two numbers there. */
export function bindPoint(
  writer: StatementWriter,
  keys: readonly SqlKey[],
  point: Keys,
): (string | undefined)[] {
  let at = 0;
  return keys.map(({ type }) => {
    const value = point[at++] ?? null;
    const micros = type === "datetime" ? point[at++] : undefined;
    if (value === null) return undefined;
    switch (type) {
      case "datetime":
        return writer.bind(encodeValue(type, toInstant(value, micros)), castType(type));
      case "bool":
        return writer.bind(String(value === 1), castType(type));
      case "int":
        // A cursor that somebody made up may hold any number.
        return writer.bind(
          String(value),
          Number.isSafeInteger(value) ? "bigint" : castType("float"),
        );
      default:
        return writer.bind(encodeValue(type, value), castType(type));
    }
  });
}

/** An instant near to what a cursor holds: one that somebody made up may hold any number. */
function toInstant(ms: string | number, micros: string | number | null | undefined): Instant {
  const whole = Math.floor(Math.min(Math.max(Number(ms), MIN_INSTANT_MS), MAX_INSTANT_MS));
  const rest = Math.floor(Math.min(Math.max(Number(micros ?? 0), 0), 999));
  return { ms: whole, micros: rest };
}

/** The keys of a row, as cursors hold them. */
export function readKeys(keys: readonly SqlKey[], values: readonly SqlText[]): Keys {
  return keys.flatMap(({ type }, index): Keys => {
    const value = decodeValue(type, values[index] ?? null);
    if (type === "datetime") {
      const instant = value as Instant | null; // as every datetime
      return [instant?.ms ?? null, instant?.micros ?? 0];
    }
    if (type === "bool") return [value === null ? null : Number(value)];
    return [value as string | number | null]; // as all other types that have an order
  });
}
