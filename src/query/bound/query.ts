import type { TableShape } from "./column-ref.js";
import type { Predicate } from "./condition.js";
import type { Order } from "./order.js";
import type { Range } from "./point.js";
import type { Selection } from "./selection.js";

/** The rows that a query selects, and their order. */
export interface RowQuery {
  readonly predicate: Predicate;
  readonly order: Order;
  readonly range: Range;
  /** Whether rows are read from the end of the order (rule G-2). */
  readonly backward: boolean;
  readonly limit: number;
}

/** A query bound to a table's shape; it cannot fail by a fault of the request. */
export interface BoundQuery extends RowQuery {
  readonly table: TableShape;
  readonly selection: Selection;
  readonly size: number;
  readonly offset: number;
  /** Whether a size, an offset or a cursor was given. */
  readonly isPaged: boolean;
  /** Whether both ends are given; `"end"` counts (rule G-9). */
  readonly isRange: boolean;
  /** Whether the page is the end of the order, without records (rule G-10). */
  readonly isTail: boolean;
  /** The query of the next cursor. */
  readonly cursorQuery: CursorQuery;
}

/** The query that made a cursor's page (rule G-4). */
export interface CursorQuery {
  /** Identity of the table. */
  readonly table: string;
  /** As requested; undefined where they were not. */
  readonly filter: unknown;
  readonly columns: unknown;
  readonly sort: unknown;
  /** Of the random order. */
  readonly seed: number | undefined;
  readonly size: number;
  /** Of the columns that the query names: a cursor fails once one was replaced (rule G-13). */
  readonly columnsChecksum: string;
  /** The encoded query, if it was read from a cursor. */
  readonly text?: string | undefined;
}
