import type { PageMeta, PageRequest, QueryParts, QueryResult } from "../types.js";
import type { FilterOf } from "./filter.js";
import type { ColumnsOf } from "./selection.js";
import type { AnyShape } from "./shape.js";
import type { SortOf } from "./sort.js";

declare const carried: unique symbol;

/** A page cursor (G-4): a string whose type carries the columns. Plain strings are accepted too. */
export type Cursor<Columns = unknown> = string & { readonly [carried]?: Columns };

/** The page of the ordered result to return (G-1 … G-11). */
export interface PageOf<Columns = unknown> extends PageRequest {
  readonly after?: Cursor<Columns> | undefined;
  readonly before?: Cursor<Columns> | undefined;
  readonly start?: Cursor<Columns> | undefined;
  readonly end?: Cursor<Columns> | undefined;
}

export interface ScanParts<Columns, Filter, Sort> {
  readonly columns?: Columns | undefined;
  readonly filter?: Filter | undefined;
  readonly sort?: Sort | undefined;
}

/** A scan declared apart from its call; see {@link QueryOf}. */
export type ScanOf<S extends AnyShape, Links extends 1 | 2 | 3 = 1> = ScanParts<
  readonly ColumnsOf<S, Links>[],
  FilterOf<S, Links>,
  SortOf<S, Links>
>;

/** A query declared apart from its call. Use `satisfies`, which keeps the columns' types. */
export type QueryOf<S extends AnyShape, Links extends 1 | 2 | 3 = 1> = QueryParts<
  readonly ColumnsOf<S, Links>[],
  FilterOf<S, Links>,
  SortOf<S, Links>,
  PageOf
>;

/** One page of a query; its cursor carries the columns on (G-3, G-4). */
export interface TypedResult<R, Columns> extends QueryResult<R> {
  /** The cursor and whether more records follow (G-3). */
  meta: { page: PageMeta & { cursor: Cursor<Columns> } };
}
