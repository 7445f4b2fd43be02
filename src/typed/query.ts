import type { PageMeta, PageRequest, QueryResult } from "../types.js";
import type { FilterOf } from "./filter.js";
import type { ColumnsOf } from "./selection.js";
import type { AnyShape } from "./shape.js";
import type { SortOf } from "./sort.js";

declare const carried: unique symbol;

/**
 * A cursor (G-4). It carries the columns of the query it came from, and so does its type; to the
 * program it is a string, and a plain string is taken for a cursor of all columns.
 */
export type Cursor<Columns = unknown> = string & { readonly [carried]?: Columns };

/** Which records of the ordered result to give (G-1 … G-11). */
export interface PageOf<Columns = unknown> extends PageRequest {
  readonly after?: Cursor<Columns> | undefined;
  readonly before?: Cursor<Columns> | undefined;
  readonly start?: Cursor<Columns> | undefined;
  readonly end?: Cursor<Columns> | undefined;
}

/** What a scan takes: a selection, a filter and a sort. */
export interface ScanParts<Columns, Filter, Sort> {
  readonly columns?: Columns | undefined;
  readonly filter?: Filter | undefined;
  readonly sort?: Sort | undefined;
}

/** What a query takes; `Carried` are the columns of the cursor it goes on from. */
export interface QueryParts<Columns, Filter, Sort, Carried>
  extends ScanParts<Columns, Filter, Sort> {
  readonly page?: PageOf<Carried> | undefined;
  /** Accepted for clients that send it; changes nothing (E-3). */
  readonly consistency?: "strong" | "eventual" | undefined;
}

/** A scan declared apart from its call, see {@link QueryOf}. */
export type ScanOf<S extends AnyShape, Links extends 1 | 2 | 3 = 1> = ScanParts<
  readonly ColumnsOf<S, Links>[],
  FilterOf<S, Links>,
  SortOf<S, Links>
>;

/**
 * A query declared apart from its call: dotted paths follow at most `Links` links. Use it with
 * `satisfies`, so that the columns stay known and the records have their shape.
 */
export type QueryOf<S extends AnyShape, Links extends 1 | 2 | 3 = 1> = QueryParts<
  readonly ColumnsOf<S, Links>[],
  FilterOf<S, Links>,
  SortOf<S, Links>,
  unknown
>;

/** One page of a query's answer, whose cursor carries the columns on (G-3, G-4). */
export interface TypedResult<R, Columns> extends QueryResult<R> {
  /** Where the page lies in its result (rule G-3). */
  meta: { page: PageMeta & { cursor: Cursor<Columns> } };
}
