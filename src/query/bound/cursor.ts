import { parseJson } from "../../schema/coerce.js";
import { checksum } from "../../value/hash.js";
import { BEGINNING, type CursorQuery, type Keys, type Point } from "./bound-query.js";

/** A decoded cursor: its query and the positions of its page (rule G-4). */
export interface CursorContent extends CursorQuery {
  /** The first and last position of the page; an empty page has the same gap as both. */
  readonly first: Point;
  readonly last: Point;
}

const FORMAT = 1;
const CHECKSUM_LENGTH = 8;

/** Encodes a checksum and JSON as base64url; any changed character is detected (rule G-13). */
export function encodeCursor(query: CursorQuery, first: Point, last: Point): string {
  const points = [encodePoint(first), first === last ? null : encodePoint(last)];
  const { table, filter, columns, sort, seed, size, columnsChecksum, text } = query;
  const json =
    text === undefined // JSON writes undefined in a list as null
      ? writeAscii([FORMAT, table, filter, columns, sort, seed, size, columnsChecksum, ...points])
      : text + writeRest(points);
  const body = btoa(json).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return checksum(body) + body;
}

/** Decodes a cursor; undefined if damaged. Doesn't check points. */
export function decodeCursor(cursor: string): CursorContent | undefined {
  const body = cursor.slice(CHECKSUM_LENGTH);
  if (!BASE64URL.test(body) || body.length % 4 === 1) return undefined;
  if (checksum(body) !== cursor.slice(0, CHECKSUM_LENGTH)) return undefined;
  const json = atob(body.replaceAll("-", "+").replaceAll("_", "/"));
  const parts = parseJson(json)?.value;
  if (!Array.isArray(parts) || parts.length !== 10 || parts[0] !== FORMAT) return undefined;
  const [, table, filter, columns, sort, seed, size, columnsChecksum, ...ends] =
    parts as readonly unknown[];
  const points = decodePoints(ends);
  const isSound =
    typeof table === "string" &&
    typeof columnsChecksum === "string" &&
    Number.isInteger(size) &&
    (seed === null || Number.isInteger(seed));
  if (!isSound || points === undefined) return undefined;
  const end = writeRest(ends);
  return {
    table,
    filter: filter ?? undefined,
    columns: columns ?? undefined,
    sort: sort ?? undefined,
    seed: (seed as number | null) ?? undefined, // checked above
    size: size as number, // checked above
    columnsChecksum,
    text: json.endsWith(end) ? json.slice(0, -end.length) : undefined,
    ...points,
  };
}

function writeAscii(value: unknown): string {
  return JSON.stringify(value).replace(BEYOND_ASCII, escapeUnit);
}

const BASE64URL = /^[A-Za-z0-9_-]+$/;
const BEYOND_ASCII = /[\u0080-\uffff]/g;

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function writeRest(points: readonly unknown[]): string {
  return `,${writeAscii(points).slice(1)}`;
}

function decodePoints([firstPart, lastPart]: readonly unknown[]):
  | { readonly first: Point; readonly last: Point }
  | undefined {
  const first = decodePoint(firstPart);
  const last = lastPart === null ? first : decodePoint(lastPart);
  return first && last && { first, last };
}

function encodePoint({ keys, side }: Point): readonly unknown[] {
  return keys === undefined ? [side] : [side, ...keys];
}

function decodePoint(value: unknown): Point | undefined {
  if (!Array.isArray(value)) return undefined;
  const [side, ...keys] = value as readonly unknown[];
  if (side !== -1 && side !== 0 && side !== 1) return undefined;
  // The keys are checked by `isKeys` before they are used.
  return keys.length === 0 ? BEGINNING : { side, keys: keys as unknown as Keys };
}
