import { type At, refuse } from "../errors.js";
import type { Json } from "../types.js";
import { utf8Length } from "../value/text.js";
import type { LeafColumn, StoredValue } from "./columns.js";
import { encodeFile, isFileType, type StoredFile } from "./files.js";
import { type GivenValue, TAKEN } from "./record.js";

/** Minimum weight of a long value, usually in UTF-16 units. */
export const LONG_VALUE = 4096;
/** Maximum bytes of JSON of a record's long values (rule L-12). */
const MAX_RECORD_BYTES = 64 * 1024 * 1024;
/** Maximum JSON bytes of a UTF-16 unit: an escaped control character. */
const MAX_UNIT_BYTES = 6;
/** The weight of a number, of up to 25 bytes. */
const NUMBER_UNITS = 5;
/** The weight of a file without its texts. */
const FILE_UNITS = 64;

/**
 * Rejects a record with too many bytes in long values (rule L-12).
 *
 * @param given new values by slot; undefined for unchanged ones
 */
export function requireRecordSize(
  table: string,
  columns: readonly LeafColumn[],
  given: readonly GivenValue[],
  stored: (slot: number) => StoredValue,
  at: At,
): void {
  let isLong = false;
  for (const column of columns) isLong ||= countLong(column, given[column.slot]) > 0;
  if (!isLong) return;
  const valueAt = ({ slot }: LeafColumn): GivenValue => {
    const value = given[slot];
    return value === undefined ? stored(slot) : value;
  };
  let units = 0;
  for (const column of columns) units += countLong(column, valueAt(column));
  if (units * MAX_UNIT_BYTES <= MAX_RECORD_BYTES) return;
  let bytes = 0;
  for (const column of columns) {
    if (countLong(column, valueAt(column)) > 0) bytes += jsonLength(column, valueAt(column));
    if (bytes <= MAX_RECORD_BYTES) continue;
    refuse(
      "invalid_record",
      `table [${table}]: the record has more than ${MAX_RECORD_BYTES} bytes of JSON`,
      { path: at, rule: "L-12" },
    );
  }
}

/** Weight of a long value, at least a sixth of its JSON bytes; 0 for others and {@link TAKEN}. */
function countLong({ type }: LeafColumn, value: GivenValue): number {
  if (value === undefined || value === null || value === TAKEN) return 0;
  let units = 0;
  if (isFileType(type)) {
    for (const file of filesOf(value)) units += countFile(file);
  } else if (typeof value === "string") units = value.length;
  else if (type === "json") units = unitsOf(value as Json);
  else {
    for (const member of value as readonly (string | number)[]) {
      units += typeof member === "string" ? member.length + 1 : NUMBER_UNITS;
    }
  }
  return units < LONG_VALUE ? 0 : units;
}

/** Returns a weight of at least a sixth of the JSON bytes. */
function unitsOf(value: Json): number {
  if (typeof value === "string") return NUMBER_UNITS + value.length;
  let units = NUMBER_UNITS;
  if (typeof value !== "object" || value === null) return units;
  if (Array.isArray(value)) {
    for (const member of value as readonly Json[]) units += unitsOf(member);
    return units;
  }
  const members = value as { readonly [key: string]: Json }; // not an array, so an object
  for (const key in members) units += key.length + unitsOf(members[key]!);
  return units;
}

function countFile({ id = "", name, mediaType }: StoredFile): number {
  return FILE_UNITS + id.length + name.length + mediaType.length;
}

function filesOf(value: GivenValue): readonly StoredFile[] {
  const files = value as unknown as StoredFile | readonly StoredFile[]; // a file column's value
  return Array.isArray(files) ? files : [files as StoredFile];
}

/** Returns the JSON bytes of a value; excludes file contents. */
function jsonLength({ type }: LeafColumn, value: GivenValue): number {
  try {
    return utf8Length(JSON.stringify(isFileType(type) ? filesOf(value).map(encodeFile) : value));
  } catch (error) {
    if (error instanceof RangeError) return Infinity; // longer than any text can be
    throw error;
  }
}
