import type { AnyRecord, ColumnSelection, Filter, Sort } from "../../types.js";
import { matches } from "./filter.js";
import { type OracleDatabase, type OracleRecord, requireTable } from "./model.js";
import { comparePositions, type Position, type SortKey, sortKeys, sortRecords } from "./order.js";
import { projectRecord } from "./project.js";

/** A query as the oracle reads it: valid, with page tokens in the place of cursors. */
export interface OracleRequest {
  /** What to select (rules P-1 to P-11). */
  readonly columns?: readonly ColumnSelection[] | undefined;
  /** Which records (rules F-1 to F-30). */
  readonly filter?: Filter | undefined;
  /** In which order (rules S-1 to S-9). */
  readonly sort?: Sort | undefined;
  /** Which of them to give. */
  readonly page?: OraclePageRequest | undefined;
}

/** As a query's `page`, with tokens of earlier answers. */
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
 * beginning. A page begins and ends at records; an empty one is a gap between them (rule G-11).
 */
export type Point = { readonly position: Position; readonly side: -1 | 0 | 1 } | null;

/** What a cursor holds (rules G-4, G-11). */
export interface PageToken {
  /** The query's selection. */
  readonly columns: readonly ColumnSelection[] | undefined;
  /** The query's filter. */
  readonly filter: Filter | undefined;
  /** The query's order. */
  readonly sort: Sort | undefined;
  /** The query's page size. */
  readonly size: number;
  /** Where the page begins. */
  readonly first: Point;
  /** Where the page ends. */
  readonly last: Point;
}

/** A page of the answer, and the token that takes the place of its cursor. */
export interface OraclePage {
  /** The records, projected. */
  readonly records: readonly AnyRecord[];
  /** Whether another record follows in the direction of the walk. */
  readonly more: boolean;
  /** The size that was asked for, or the default. */
  readonly size: number;
  /** Leads on from here. */
  readonly token: PageToken;
}

/**
 * Answers a query by the rules, naively. A random sort is answered in the order of ids; see
 * `sameUpToTies` for what can be said of it.
 *
 * @throws RangeError where the bounds of a range do not agree (rule G-9).
 */
export function evaluateQuery(
  db: OracleDatabase,
  tableName: string,
  request: OracleRequest,
): OraclePage {
  const { after, before, start, end, offset = 0 } = request.page ?? {};
  const cursor = [start, end, after, before].find((key) => key !== undefined && key !== "end") as
    | PageToken
    | undefined;
  // G-5, G-7: the cursor's query, whose columns and size may be replaced.
  const { filter, sort } = cursor ?? request;
  const keys = sortKeys(sort);
  const columns = request.columns ?? cursor?.columns;
  const size = request.page?.size ?? cursor?.size ?? 20;

  const from: Point | undefined = isToken(after) ? after.last : undefined;
  const to: Point | undefined = isToken(before) ? before.first : undefined;
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
  const followed = after === "end" ? [] : range;
  const taken = backward
    ? followed.slice(
        Math.max(0, followed.length - offset - size),
        Math.max(0, followed.length - offset),
      )
    : followed.slice(offset, offset + size);
  const first = taken[0];
  const last = taken.at(-1);
  const pointAfter = (entry: { position: Position } | undefined): Point =>
    entry === undefined ? null : { position: entry.position, side: 1 };

  // G-11: where an empty page lies. What an offset has skipped counts, except in a range.
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

function isToken(key: PageToken | "end" | undefined): key is PageToken {
  return key !== undefined && key !== "end";
}

/** The order of two points; a gap beside a record differs from the record (rule G-11). */
function comparePoints(keys: readonly SortKey[], a: Point, b: Point): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  const order = comparePositions(keys, a.position, b.position);
  return order === 0 ? a.side - b.side : order;
}

/** The records that match a filter, in no order. */
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
 * Whether `records` can be the ones from `offset` on of the answer to a query whose sort is random:
 * each is a match as it should be returned, none comes twice, and each has the sort keys that belong
 * at its position (rule S-4).
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
