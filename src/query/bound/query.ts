import type { TableShape } from "./column-ref.js";
import type { Predicate } from "./condition.js";
import type { Order } from "./order.js";
import type { Point, Range } from "./point.js";
import type { Selection } from "./selection.js";

export interface RowQuery {
  readonly predicate: Predicate;
  readonly order: Order;
  readonly range: Range;
  readonly backward: boolean;
  readonly limit: number;
}

/** The rows of a page. */
export interface PageQuery extends RowQuery {
  readonly selection: Selection;
  /** Rows to skip, in the direction of paging; they count in `limit`. */
  readonly offset: number;
}

/** A bound query: the request is fully validated. */
export interface BoundQuery {
  readonly table: TableShape;
  readonly selection: Selection;
  readonly predicate: Predicate;
  readonly order: Order;
  readonly page: Page;
  readonly size: number;
  readonly offset: number;
  readonly cursorQuery: CursorQuery;
}

/** The position of a page (rules G-5 … G-10); only `before` travels backward (G-2). */
export type Page =
  | { readonly kind: "first" }
  | { readonly kind: "after"; readonly point: Point }
  /** Without a point the last page. */
  | { readonly kind: "before"; readonly point: Point | undefined }
  /** Without `before` up to the end. */
  | { readonly kind: "between"; readonly after: Point; readonly before: Point | undefined }
  /** After the last record. */
  | { readonly kind: "tail" };

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
