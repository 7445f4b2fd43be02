import type { PageMeta } from "../types.js";
import { encodeCursor } from "./bound/cursor.js";
import { BEGINNING, type Keys, type Point, WHOLE } from "./bound/point.js";
import type { BoundQuery, RowQuery } from "./bound/query.js";

/** The rows of a page in the order of the query, and whether more follow (rule G-2). */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly more: boolean;
}

/**
 * Cuts the page out of the rows that were found.
 *
 * @param found in the direction of travel, one more than the page holds where there is one
 */
export function cutPage<Row>(query: BoundQuery, found: readonly Row[]): Page<Row> {
  const { offset, size, backward } = query;
  const rows = found.slice(offset, offset + size);
  if (backward) rows.reverse();
  return { rows, more: found.length > offset + size };
}

/** What a request for a page is told of it (rule G-3). */
export function describePage(
  { cursorQuery, size }: BoundQuery,
  more: boolean,
  { first, last }: Edges,
): PageMeta {
  return { cursor: encodeCursor(cursorQuery, first, last), more, size };
}

/** The first and the last position of a page. */
export interface Edges {
  readonly first: Point;
  readonly last: Point;
}

/** The edges of a page; of an empty one both are the same gap before or after a record. */
export function edgesOf(first: Point, last: Point = first): Edges {
  return { first, last };
}

/**
 * The gap between records that an empty page is (rule G-11); `"end"` where it is the one after the
 * record that is last, which {@link lastRowOf} finds.
 */
export function gapOf({ range, backward, isRange, isTail, offset }: BoundQuery): Point | "end" {
  if (backward) {
    return offset === 0 && range.before !== undefined ? asGap(range.before, -1) : BEGINNING;
  }
  if (range.after !== undefined && (isRange || offset === 0)) return asGap(range.after, 1);
  return isTail || offset > 0 ? "end" : BEGINNING;
}

/** The query for the record that is last in the order of another. */
export function lastRowOf({ predicate, order }: RowQuery): RowQuery {
  return { predicate, order, range: WHOLE, backward: true, limit: 1 };
}

/** The gap after the last record, given its keys; the beginning where there is no record. */
export function gapAfter(keys: Keys | undefined): Point {
  return keys === undefined ? BEGINNING : { keys, side: 1 };
}

function asGap(point: Point, side: -1 | 1): Point {
  return point.side === 0 ? { keys: point.keys, side } : point;
}
