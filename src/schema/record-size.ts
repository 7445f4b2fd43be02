import { type At, refuse } from "../errors.js";
import { utf8Length } from "../value/text.js";
import type { LeafColumn, StoredValue } from "./columns.js";
import { type GivenValue, TAKEN } from "./record.js";

/** Bytes of JSON that the long values of a record take together, at most (rule L-12). */
const MAX_RECORD_BYTES = 64 * 1024 * 1024;
/** A value is long from so many units on; those that are not, at most one a column, have no bound. */
export const LONG_VALUE = 4096;
/** A UTF-16 unit takes at most so many bytes in JSON: a control character does. */
const MAX_UNIT_BYTES = 6;
/** What a number counts for: it takes up to 25 bytes. */
const NUMBER_UNITS = 5;

/** What long values of several parts count for: a stored value is never changed. */
const unitsByValue: WeakMap<object, number> = new WeakMap();

/**
 * Refuses a record whose long values are more than a record may hold together.
 *
 * @param columns those whose values have no bound of their own
 * @param given by slot; undefined where a value stays
 * @param stored what stays in a slot
 * @throws TwinbaseError `invalid_record` (rule L-12)
 */
export function requireRecordSize(
  table: string,
  columns: readonly LeafColumn[],
  given: readonly GivenValue[],
  stored: (slot: number) => StoredValue,
  at: At,
): void {
  if (!columns.some(({ slot }) => countLong(given[slot]) > 0)) return;
  const valueAt = ({ slot }: LeafColumn): GivenValue => {
    const value = given[slot];
    return value === undefined ? stored(slot) : value;
  };
  const long = columns.map(valueAt).filter((value) => countLong(value) > 0);
  const units = long.reduce<number>((sum, value) => sum + countLong(value), 0);
  if (units * MAX_UNIT_BYTES <= MAX_RECORD_BYTES) return;
  let bytes = 0;
  for (const value of long) {
    bytes += jsonLength(value);
    if (bytes <= MAX_RECORD_BYTES) continue;
    refuse(
      "invalid_record",
      `table [${table}]: the record has more than ${MAX_RECORD_BYTES} bytes of JSON`,
      { path: at(), rule: "L-12" },
    );
  }
}

/** What a long value counts for; 0 for any other, and for what was {@link TAKEN}, never a long one. */
function countLong(value: GivenValue): number {
  if (value === undefined || value === null || value === TAKEN) return 0;
  const units = countUnits(value);
  return units < LONG_VALUE ? 0 : units;
}

/** Not less than a sixth of the bytes that a value takes as JSON. */
function countUnits(value: StoredValue): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return NUMBER_UNITS;
  const kept = unitsByValue.get(value);
  if (kept !== undefined) return kept;
  let units = 1;
  if (Array.isArray(value)) for (const member of value) units += 1 + countUnits(member);
  else {
    const members = value as Readonly<Record<string, StoredValue>>; // of JSON
    for (const key in members) units += key.length + 1 + countUnits(members[key]!);
  }
  if (units >= LONG_VALUE) unitsByValue.set(value, units);
  return units;
}

function jsonLength(value: GivenValue): number {
  try {
    return utf8Length(JSON.stringify(value));
  } catch (error) {
    if (error instanceof RangeError) return Infinity; // longer than any text can be
    throw error;
  }
}
