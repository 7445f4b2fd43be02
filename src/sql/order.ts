import type { ColumnRef, Keys, Order } from "../query/bound/bound-query.js";
import { isOwnId } from "../query/bound/order.js";
import { UPDATED_AT_SLOT } from "../schema/columns.js";
import type { Instant } from "../value/datetime.js";
import { MAX_INSTANT_MS, MIN_INSTANT_MS } from "../value/datetime.js";
import { type SqlScope, writeColumn } from "./predicate.js";
import type { StatementWriter } from "./statement.js";
import { castType, decodeValue, encodeValue, type SqlText, type SqlValueType } from "./values.js";

/** A sort expression; as in PostgreSQL, null is greater than every value (S-3). */
export interface SqlKey {
  readonly expression: string;
  readonly type: SqlValueType;
  readonly descending: boolean;
  readonly nullable: boolean;
  /** Whether it is of a linked record. */
  readonly isLinked: boolean;
}

/** Sort keys, with the id as the last one (S-5). */
export function writeKeys(context: SqlScope, { keys, seed }: Order): SqlKey[] {
  const sqlKeys: SqlKey[] = keys.map(({ column, descending }) => ({
    expression: writeColumn(context, column),
    type: column.type,
    descending,
    nullable: !isAlwaysThere(column),
    isLinked: column.hops.length > 0,
  }));
  const id = `${context.from.aliasOf([])}.id`;
  if (seed !== undefined) {
    // The random order is a hash of the seed and the record (S-4), limited to the integers of JSON.
    const hash = `hashtextextended(${id}, ${context.writer.bind(String(seed), "bigint")})`;
    sqlKeys.push({
      expression: `(${hash} >> 11)`,
      type: "int",
      descending: false,
      nullable: false,
      isLinked: false,
    });
  }
  if (keys.some(isOwnId)) return sqlKeys;
  return [
    ...sqlKeys,
    { expression: id, type: "id", descending: false, nullable: false, isLinked: false },
  ];
}

/** Whether every record has a value: its own id or metadata. */
function isAlwaysThere({ hops, slot }: ColumnRef): boolean {
  return hops.length === 0 && slot <= UPDATED_AT_SLOT;
}

/** Binds a cursor's values; an instant has two numbers. */
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
        // A forged cursor may contain any number.
        return writer.bind(
          String(value),
          Number.isSafeInteger(value) ? "bigint" : castType("float"),
        );
      default:
        return writer.bind(encodeValue(type, value), castType(type));
    }
  });
}

/** Clamps an instant, as a forged cursor may contain any number. */
function toInstant(ms: string | number, micros: string | number | null | undefined): Instant {
  const whole = Math.floor(Math.min(Math.max(Number(ms), MIN_INSTANT_MS), MAX_INSTANT_MS));
  const rest = Math.floor(Math.min(Math.max(Number(micros ?? 0), 0), 999));
  return { ms: whole, micros: rest };
}

/** Reads the keys of a row in the form of cursors. */
export function readKeys(keys: readonly SqlKey[], values: readonly SqlText[]): Keys {
  return keys.flatMap(({ type }, index): Keys => {
    const value = decodeValue(type, values[index] ?? null);
    if (type === "datetime") {
      const instant = value as Instant | null; // datetime columns
      return [instant?.ms ?? null, instant?.micros ?? 0];
    }
    if (type === "bool") return [value === null ? null : Number(value)];
    return [value as string | number | null]; // all other sortable types
  });
}
