import { type At, refuseRecord } from "../errors.js";
import type { Json } from "../types.js";
import { formatInstant, type Instant } from "../value/datetime.js";
import { utf8Length } from "../value/text.js";
import type { CompiledSchema, LeafColumn, StoredValue } from "./columns.js";
import { type ParsedValue, TAKEN } from "./record.js";
import { encodeFile, isFileType, type StoredFile } from "./stored-files.js";
import { LONG_VALUE, MAX_UNIT_BYTES, TRAITS } from "./traits.js";

/** Maximum of `limits.recordBytes` (rule L-12). */
export const MAX_RECORD_BYTES: number = 64 * 1024 * 1024;
/** The weight of a number or time, of up to 30 bytes. */
const NUMBER_UNITS = 5;
/** The weight of a file without its texts. */
const FILE_UNITS = 64;

export interface RecordBounds {
  readonly table: string;
  /** Maximum bytes of a record's JSON, without contents of files. */
  readonly recordBytes: number;
}

/**
 * Rejects a record with too many bytes (rules L-12, L-13).
 *
 * @param values new values by slot
 * @param stored returns the value of a slot whose new one is undefined or {@link TAKEN}
 */
export function requireRecordSize(
  { table, recordBytes }: RecordBounds,
  { leaves, constraints: { unbounded, shortBytes } }: CompiledSchema,
  values: readonly ParsedValue[],
  stored: (slot: number) => StoredValue,
  at: At,
): void {
  const mayBeLarge =
    shortBytes > recordBytes ||
    unbounded.some((column) => countUnits(column, values[column.slot]) >= LONG_VALUE);
  if (!mayBeLarge) return;
  const valueAt = ({ slot }: LeafColumn): ParsedValue => {
    const value = values[slot];
    return value === undefined || value === TAKEN ? stored(slot) : value;
  };
  let units = 0;
  for (const column of leaves) units += column.name.length + countUnits(column, valueAt(column));
  if (units * MAX_UNIT_BYTES <= recordBytes) return;
  let bytes = 0;
  for (const column of leaves) {
    const value = valueAt(column);
    if (value === null) continue;
    bytes += column.name.length + '"":,'.length + jsonLength(column, value);
    if (bytes <= recordBytes) continue;
    const isMost = recordBytes === MAX_RECORD_BYTES;
    const hint = isMost ? "" : " (limits.recordBytes)";
    const text = `the record has more than ${recordBytes} bytes of JSON${hint}`;
    refuseRecord(table, "invalid_record", text, { path: at, rule: isMost ? "L-12" : "L-13" });
  }
}

/** Returns a weight of at least a sixth of the JSON bytes; 0 for null and {@link TAKEN}. */
function countUnits({ type }: LeafColumn, value: ParsedValue): number {
  if (value === undefined || value === null || value === TAKEN) return 0;
  if (typeof value === "string") return value.length + 1;
  if (isFileType(type)) return filesOf(value).reduce((sum, file) => sum + countFile(file), 1);
  if (type === "json") return unitsOf(value as Json);
  if (!Array.isArray(value)) return NUMBER_UNITS;
  let units = 1;
  for (const member of value as readonly (string | number)[]) {
    units += typeof member === "string" ? member.length + 1 : NUMBER_UNITS;
  }
  return units;
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

function filesOf(value: ParsedValue): readonly StoredFile[] {
  const files = value as unknown as StoredFile | readonly StoredFile[]; // a file column's value
  return Array.isArray(files) ? files : [files as StoredFile];
}

/** Returns the JSON bytes of a value; excludes file contents. */
function jsonLength({ type }: LeafColumn, value: ParsedValue): number {
  if (TRAITS[type].stored === "instant") {
    const { ms, micros } = value as Instant; // a datetime column's value
    return formatInstant(ms, micros).length + '""'.length;
  }
  try {
    return utf8Length(JSON.stringify(isFileType(type) ? filesOf(value).map(encodeFile) : value));
  } catch (error) {
    if (error instanceof RangeError) return Infinity; // longer than any text can be
    throw error;
  }
}
