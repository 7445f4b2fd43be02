import type { AnyRecord, ColumnSelection, Filter, Sort } from "../../types.js";
import { matches } from "./filter.js";
import { type OracleDatabase, type OracleRecord, requireTable } from "./model.js";
import { comparePositions, type Position, type SortKey, sortKeys, sortRecords } from "./order.js";
import { projectRecord } from "./project.js";

/** A valid query, with page tokens instead of cursors. */
export interface OracleRequest {
  /** The selection (P-1 … P-11). */
  readonly columns?: readonly ColumnSelection[] | undefined;
  /** The filter (F-1 … F-30). */
  readonly filter?: Filter | undefined;
  /** The sort (S-1 … S-9). */
  readonly sort?: Sort | undefined;
  /** The page. */
  readonly page?: OraclePageRequest | undefined;
}

/** A query's `page`, with tokens of earlier pages. */
export interface OraclePageRequest {
  readonly size?: number | undefined;
  readonly offset?: number | undefined;
  readonly after?: PageToken | "end" | undefined;
  readonly before?: PageToken | "end" | undefined;
  readonly start?: PageToken | undefined;
  readonly end?: PageToken | undefined;
}

/**
 * A point of an order: just before a position (-1), at it (0) or just after it (1); null is the
 * start. An empty page is a gap between records (G-11).
 */
export type Point = { readonly position: Position; readonly side: -1 | 0 | 1 } | null;

/** The contents of a cursor (G-4, G-11). */
export interface PageToken {
  readonly columns: readonly ColumnSelection[] | undefined;
  readonly filter: Filter | undefined;
  readonly sort: Sort | undefined;
  readonly size: number;
  /** The start of the page. */
  readonly first: Point;
  /** The end of the page. */
  readonly last: Point;
}

/** A page, with the token instead of the cursor. */
export interface OraclePage {
  readonly records: readonly AnyRecord[];
  /** Whether more records follow in the direction of travel. */
  readonly more: boolean;
  /** The requested or default size. */
  readonly size: number;
  /** Identifies the page in later requests. */
  readonly token: PageToken;
}

/**
 * Evaluates a query naively. Random order is by id; `sameUpToTies` compares it. Throws `RangeError`
 * for contradictory bounds (G-9).
 */
export function evaluateQuery(
  db: OracleDatabase,
  tableName: string,
  request: OracleRequest,
): OraclePage {
  const { after, before, start, end, offset = 0 } = request.page ?? {};
  const cursor = [start, end, after, before].find((key) => typeof key === "object");
  // G-5, G-7: the cursor's query, with other columns or size.
  const { filter, sort } = cursor ?? request;
  const keys = sortKeys(sort);
  const columns = request.columns ?? cursor?.columns;
  const size = request.page?.size ?? cursor?.size ?? 20;

  const from = typeof after === "object" ? after.last : undefined;
  const to = typeof before === "object" ? before.first : undefined;
  if (from !== undefined && to !== undefined && comparePoints(keys, from, to) >= 0) {
    throw new RangeError("G-9: the page of `after` does not come before that of `before`");
  }
  const matching = sortMatches(db, tableName, { filter, sort });
  const range = matching.filter(({ position }) => {
    const at: Point = { position, side: 0 };
    return (
      (from === undefined || comparePoints(keys, from, at) < 0) &&
      (to === undefined || comparePoints(keys, at, to) < 0)
    );
  });

  // G-2: backward for `before` without `after`, and for `end`.
  const backward = (before !== undefined && after === undefined) || end !== undefined;
  const followed = after === "end" ? [] : backward ? range.toReversed() : range;
  const page = followed.slice(offset, offset + size);
  const taken = backward ? page.toReversed() : page;
  const first = taken[0];
  const last = taken.at(-1);
  const pointAfter = (entry: { position: Position } | undefined): Point =>
    entry === undefined ? null : { position: entry.position, side: 1 };

  // G-11: the position of an empty page; skipped offsets count, except in a range.
  let gap: Point;
  if (after === "end") gap = pointAfter(matching.at(-1));
  else if (offset > 0 && !(after !== undefined && before !== undefined)) {
    gap = backward ? null : pointAfter(matching.at(-1));
  } else if (from !== undefined) gap = from?.side === 0 ? { ...from, side: 1 } : from;
  else if (to !== undefined) gap = to?.side === 0 ? { ...to, side: -1 } : to;
  else gap = null;

  return {
    records: taken.map(({ record }) => projectRecord(db, tableName, columns, record)),
    more: followed.length > offset + size,
    size,
    token: {
      columns,
      filter,
      sort,
      size,
      first: first === undefined ? gap : { position: first.position, side: 0 },
      last: last === undefined ? gap : { position: last.position, side: 0 },
    },
  };
}

/** Compares points; a gap next to a record differs from it (G-11). */
function comparePoints(keys: readonly SortKey[], a: Point, b: Point): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  const order = comparePositions(keys, a.position, b.position);
  return order === 0 ? a.side - b.side : order;
}

export function matchingRecords(
  db: OracleDatabase,
  tableName: string,
  filter: Filter = {},
): readonly OracleRecord[] {
  const { records } = requireTable(db, tableName);
  return records.filter((record) => matches(db, tableName, filter, record));
}

function sortMatches(
  db: OracleDatabase,
  tableName: string,
  { filter, sort }: Pick<OracleRequest, "filter" | "sort">,
): { record: OracleRecord; position: Position }[] {
  return sortRecords(db, tableName, sort, matchingRecords(db, tableName, filter));
}

/**
 * Whether records can be the page at `offset` of a random order: distinct matches with the sort
 * keys of their position (S-4).
 */
export function sameUpToTies(
  db: OracleDatabase,
  tableName: string,
  request: OracleRequest,
  offset: number,
  records: readonly AnyRecord[],
): boolean {
  const expected = sortMatches(db, tableName, request);
  const byId = new Map(expected.map((entry) => [entry.record.id, entry]));
  const keys = sortKeys(request.sort);
  const keysOf = (position: Position): Position => ({ ...position, id: "" });
  return (
    new Set(records.map((record) => record.id)).size === records.length &&
    records.every((record, i) => {
      const place = expected[offset + i];
      const own = byId.get(record.id);
      return (
        place !== undefined &&
        own !== undefined &&
        comparePositions(keys, keysOf(place.position), keysOf(own.position)) === 0 &&
        JSON.stringify(record) ===
          JSON.stringify(projectRecord(db, tableName, request.columns, own.record))
      );
    })
  );
}
