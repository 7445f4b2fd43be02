import type { PageMeta } from "../types.js";
import { encodeCursor } from "./bound/cursor.js";
import { BEGINNING, type Keys, type Point, WHOLE } from "./bound/point.js";
import type { BoundQuery, RowQuery } from "./bound/query.js";

export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

/** Cuts the page from the fetched rows, which are in the direction of paging. */
export function cutPage<Row>(query: BoundQuery, found: readonly Row[]): Page<Row> {
  const { offset, size, backward } = query;
  const rows = found.slice(offset, offset + size);
  if (backward) rows.reverse();
  return { rows, more: found.length > offset + size };
}

export function describePage(
  { cursorQuery, size }: BoundQuery,
  more: boolean,
  { first, last }: Edges,
): PageMeta {
  return { cursor: encodeCursor(cursorQuery, first, last), more, size };
}

export interface Edges {
  readonly first: Point;
  readonly last: Point;
}

/** The first and last position of a page; an empty page has the same gap as both. */
export function edgesOf(first: Point, last: Point = first): Edges {
  return { first, last };
}

/** The gap of an empty page (rule G-11); `"end"` is after the last record. */
export function gapOf({ range, backward, isRange, isTail, offset }: BoundQuery): Point | "end" {
  if (backward) {
    return offset === 0 && range.before !== undefined ? asGap(range.before, -1) : BEGINNING;
  }
  if (range.after !== undefined && (isRange || offset === 0)) return asGap(range.after, 1);
  return isTail || offset > 0 ? "end" : BEGINNING;
}

/** Returns the query for the last record of an order. */
export function lastRowOf({ predicate, order }: RowQuery): RowQuery {
  return { predicate, order, range: WHOLE, backward: true, limit: 1 };
}

/** Returns the gap after the last record; the start if there are no records. */
export function gapAfter(keys: Keys | undefined): Point {
  return keys === undefined ? BEGINNING : { keys, side: 1 };
}

function asGap(point: Point, side: -1 | 1): Point {
  return point.side === 0 ? { keys: point.keys, side } : point;
}
