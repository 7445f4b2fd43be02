import { parseJson } from "../../schema/coerce.js";
import { checksum } from "../../value/hash.js";
import { BEGINNING, type Keys, type Point } from "./point.js";
import type { CursorQuery } from "./query.js";

/** What a cursor holds: the query that made its page, and where the page lies (rule G-4). */
export interface CursorContent extends CursorQuery {
  /** The first and last record of the page; of an empty page one and the same gap. */
  readonly first: Point;
  readonly last: Point;
}

const FORMAT = 1;
const CHECKSUM_LENGTH = checksum("").length;

/**
 * Writes a cursor: JSON in base64url (RFC 4648, without padding) after a checksum that every
 * change of a single character breaks (rule G-13).
 */
export function encodeCursor(query: CursorQuery, first: Point, last: Point): string {
  const { table, filter, columns, sort, seed, size, named } = query;
  const parts = [
    FORMAT,
    table,
    filter ?? null,
    columns ?? null,
    sort ?? null,
    seed ?? null,
    size,
    named,
    encodePoint(first),
    first === last ? null : encodePoint(last),
  ];
  const text = JSON.stringify(parts).replace(BEYOND_ASCII, escapeUnit);
  const body = btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return checksum(body) + body;
}

/** Reads a cursor; undefined when it is damaged. The points are yet to be held against an order. */
export function decodeCursor(cursor: string): CursorContent | undefined {
  const body = cursor.slice(CHECKSUM_LENGTH);
  if (!BASE64URL.test(body) || body.length % 4 === 1) return undefined;
  if (checksum(body) !== cursor.slice(0, CHECKSUM_LENGTH)) return undefined;
  const parts = parseJson(atob(body.replaceAll("-", "+").replaceAll("_", "/")))?.value;
  if (!Array.isArray(parts) || parts.length !== 10 || parts[0] !== FORMAT) return undefined;
  const [, table, filter, columns, sort, seed, size, named, firstPart, lastPart] =
    parts as readonly unknown[];
  const first = decodePoint(firstPart);
  const last = lastPart === null ? first : decodePoint(lastPart);
  const isSound =
    typeof table === "string" &&
    typeof named === "string" &&
    Number.isInteger(size) &&
    (seed === null || Number.isInteger(seed));
  if (!isSound || first === undefined || last === undefined) return undefined;
  return {
    table,
    filter: filter ?? undefined,
    columns: columns ?? undefined,
    sort: sort ?? undefined,
    seed: seed === null ? undefined : (seed as number), // checked above
    size: size as number, // checked above
    named,
    first,
    last,
  };
}

const BASE64URL = /^[A-Za-z0-9_-]+$/;
const BEYOND_ASCII = /[\u0080-\uffff]/g;

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
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
