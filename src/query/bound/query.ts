import type { LeafColumn, ObjectColumn } from "../../schema/columns.js";
import type { FileMember } from "../../schema/files.js";
import type { TableName, TableShape } from "./column-ref.js";
import type { Predicate } from "./condition.js";
import type { Order, Point, Range } from "./order.js";

export interface Selection {
  readonly columns: Map<string, ColumnChoice>;
  readonly reverse: readonly ReverseChoice[];
  /** Whether all columns are selected, as without `columns`. */
  readonly isWhole: boolean;
}

/** Selects only the id and the metadata. */
export const NOTHING: Selection = { columns: new Map(), reverse: [], isWhole: false };

export type ColumnChoice =
  | { readonly kind: "value"; readonly column: LeafColumn }
  | {
      readonly kind: "files";
      readonly column: LeafColumn;
      readonly members: Set<FileMember>;
    }
  | {
      readonly kind: "object";
      readonly column: ObjectColumn;
      readonly columns: Map<string, ColumnChoice>;
    }
  | {
      readonly kind: "link";
      readonly column: LeafColumn;
      linked: { readonly table: TableName; readonly selection: Selection } | undefined;
    };

export interface ReverseChoice {
  readonly name: string;
  readonly table: TableName;
  readonly link: LeafColumn;
  readonly selection: Selection;
  readonly order: Order;
  readonly limit: number;
  readonly offset: number;
}

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
