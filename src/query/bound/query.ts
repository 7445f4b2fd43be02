import type { TableShape } from "./column-ref.js";
import type { Predicate } from "./condition.js";
import type { Order } from "./order.js";
import type { Range } from "./point.js";
import type { Selection } from "./selection.js";

export interface RowQuery {
  readonly predicate: Predicate;
  readonly order: Order;
  readonly range: Range;
  readonly backward: boolean;
  readonly limit: number;
}

/** A bound query: the request is fully validated. */
export interface BoundQuery extends RowQuery {
  readonly table: TableShape;
  readonly selection: Selection;
  readonly size: number;
  readonly offset: number;
  readonly isPaged: boolean;
  readonly isRange: boolean;
  readonly isTail: boolean;
  readonly cursorQuery: CursorQuery;
}

/** The query in a cursor (rule G-4). */
export interface CursorQuery {
  /** The table's identity, not its name. */
  readonly table: string;
  readonly filter: unknown;
  readonly columns: unknown;
  readonly sort: unknown;
  readonly seed: number | undefined;
  readonly size: number;
  /** Checksum of the named columns: replacing one invalidates cursors (rule G-13). */
  readonly columnsChecksum: string;
  readonly text?: string | undefined;
}
