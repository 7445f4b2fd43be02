import type { PageMeta } from "../types.js";
import {
  BEGINNING,
  type BoundQuery,
  type Keys,
  NOTHING,
  type Page,
  type PageQuery,
  type Point,
  type Range,
  WHOLE_RANGE,
} from "./bound/bound-query.js";
import { encodeCursor } from "./bound/cursor.js";

export interface FoundPage<Row> {
  readonly rows: readonly Row[];
  readonly page: PageMeta;
}

/**
 * Pages over rows from anywhere: yields queries, and takes their rows in the direction of paging,
 * without the skipped ones.
 */
export function* pageRows<Row>(
  query: BoundQuery,
  keysOf: (row: Row) => Keys,
): Generator<PageQuery, FoundPage<Row>, readonly Row[]> {
  const { page, size, cursorQuery, predicate, order } = query;
  const found = page.kind === "tail" ? [] : yield rowsOf(query);
  const rows = found.slice(0, size);
  if (page.kind === "before") rows.reverse();
  let first = rows.length > 0 ? pointOf(keysOf(rows[0]!)) : gapOf(query);
  if (first === "end") {
    const end = { predicate, order, range: WHOLE_RANGE, backward: true, limit: 1 };
    const [last] = yield { ...end, selection: NOTHING, offset: 0 };
    first = last === undefined ? BEGINNING : pointOf(keysOf(last), 1);
  }
  const last = rows.length > 0 ? pointOf(keysOf(rows.at(-1)!)) : first;
  const cursor = encodeCursor(cursorQuery, first, last);
  return { rows, page: { cursor, more: found.length > size, size } };
}

/** Returns the query of a page's rows, and of one more, which shows whether more follow. */
export function rowsOf(query: BoundQuery): PageQuery {
  const { predicate, order, page, selection, size, offset } = query;
  const backward = page.kind === "before";
  const limit = offset + size + 1;
  return { predicate, order, range: rangeOf(page), backward, limit, selection, offset };
}

function rangeOf(page: Page): Range {
  switch (page.kind) {
    case "first":
    case "tail":
      return WHOLE_RANGE;
    case "after":
      return { after: page.point, before: undefined };
    case "before":
      return { after: undefined, before: page.point };
    case "between":
      return page;
  }
}

/** The gap of an empty page (rule G-11); `"end"` is after the last record. */
function gapOf({ page, offset }: BoundQuery): Point | "end" {
  switch (page.kind) {
    case "first":
      return offset > 0 ? "end" : BEGINNING;
    case "after":
      return offset > 0 ? "end" : asGap(page.point, 1);
    case "before":
      return offset > 0 || page.point === undefined ? BEGINNING : asGap(page.point, -1);
    case "between":
      return asGap(page.after, 1);
    case "tail":
      return "end";
  }
}

function pointOf(keys: Keys, side: 0 | 1 = 0): Point {
  return { keys, side };
}

function asGap(point: Point, side: -1 | 1): Point {
  return point.side === 0 ? { keys: point.keys, side } : point;
}
