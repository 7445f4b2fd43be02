import type { TableShape } from "./column-ref.js";
import type { Predicate } from "./condition.js";
import type { Order } from "./order.js";
import type { Range } from "./point.js";
import type { Selection } from "./selection.js";

/** Which rows of a table are wanted, and in which order. */
export interface RowQuery {
  readonly predicate: Predicate;
  readonly order: Order;
  readonly range: Range;
  /** Whether rows are taken from the end of the order on (rule G-2). */
  readonly backward: boolean;
  /** Rows wanted at most. */
  readonly limit: number;
}

/** A query bound to a table's shape: nothing of it can be the caller's fault any more. */
export interface BoundQuery extends RowQuery {
  readonly table: TableShape;
  readonly selection: Selection;
  readonly size: number;
  readonly offset: number;
  /** Whether a size, an offset or a cursor was given. */
  readonly isPaged: boolean;
  /** Whether both ends are given; `"end"` counts (rule G-9). */
  readonly isRange: boolean;
  /** Whether only the end of the order is asked for, and no record (rule G-10). */
  readonly isTail: boolean;
  /** What the next cursor carries on. */
  readonly carried: CursorQuery;
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
  /** What the named columns were: a cursor fails once one of them is another (rule G-13). */
  readonly named: string;
  /** All of this as a cursor has it, where it was read from one. */
  readonly text?: string | undefined;
}
