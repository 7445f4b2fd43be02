import type { TableAddress } from "./catalog/address.js";
import type { EngineContext } from "./engine/context.js";
import { Table } from "./engine/table.js";
import { refuse, type TwinbaseError } from "./errors.js";
import { diffPages, type LiveChange } from "./live/changes.js";
import { LiveCounter } from "./live/count.js";
import { LivePage } from "./live/page.js";
import { LiveQueries } from "./live/queries.js";
import type { LiveView } from "./live/view.js";
import type { CheckedFilter } from "./typed/filter.js";
import type { QueryParts } from "./typed/query.js";
import type { Selected } from "./typed/record.js";
import type { AnyColumnsOf, CheckedColumns, GivenColumns } from "./typed/selection.js";
import type { AnyShape } from "./typed/shape.js";
import type { CheckedSort } from "./typed/sort.js";
import type { TypedTable } from "./typed/table.js";
import type { AnyRecord } from "./types.js";
import { refuseValue } from "./value/fields.js";

export { applyChanges, type LiveChange } from "./live/changes.js";

/** An open live query or count. Its result is that of a query after the last write. */
interface Live extends Disposable {
  readonly isClosed: boolean;
  /** The error that closed it: the query no longer fits the schema, its table is gone, … */
  readonly error: TwinbaseError | undefined;
  /** Stops it; the last result can still be read. */
  close(): void;
}

/** An open live query. */
export interface LiveQuery<R = AnyRecord> extends Live {
  /** The records of the page, frozen: another array after each change, of the same objects as far as they are unchanged. */
  readonly records: readonly R[];
  /** Whether more records follow in the direction of paging (G-2). */
  readonly more: boolean;
}

/** An open live count. */
export interface LiveCount extends Live {
  readonly count: number;
}

/**
 * Opens a query whose page follows all writes. The listener gets the changes of each call, or batch,
 * that changes the page. It may open and close live queries but not write; its exceptions go to the
 * console. Throws as `query`, `not_implemented` over PostgreSQL.
 *
 * @param onError called with the error that closes the query
 *
 * @example
 * const live = liveQuery(users, { sort: { email: "asc" } }, (changes) => console.log(changes));
 * live.records;
 * live.close();
 */
export function liveQuery<
  S extends AnyShape,
  const Columns extends AnyColumnsOf<S>,
  Carried extends AnyColumnsOf<S> = "*",
  Keys extends PropertyKey = never,
  const Exists extends string = never,
  Found = never,
  SortKeys extends PropertyKey = never,
  const SortNames extends string = never,
  SortElement = never,
>(
  table: TypedTable<S>,
  request?: QueryParts<
    CheckedColumns<S, Columns>,
    CheckedFilter<S, Keys, Exists, Found>,
    CheckedSort<S, SortKeys, SortNames, SortElement>,
    Carried
  >,
  listener?: (changes: readonly LiveChange<Selected<S, GivenColumns<Columns, Carried>>>[]) => void,
  onError?: (error: TwinbaseError) => void,
): LiveQuery<Selected<S, GivenColumns<Columns, Carried>>> {
  const page = open(table, listener, onError, (queries, locate) => {
    return new LivePage(queries, locate, request);
  });
  let { records } = page;
  const call = listener as ((changes: readonly LiveChange[]) => void) | undefined; // records have the shape of the handle
  listen(page, onError, () => {
    if (records === page.records) return;
    const changes = call && diffPages(records, page.records);
    records = page.records;
    if (changes !== undefined) call!(changes);
  });
  return page as LiveQuery as LiveQuery<never>; // as above
}

/**
 * Opens a count of the matching records that follows all writes. The listener is called after each
 * call, or batch, that changes it. Throws as `count`, `not_implemented` over PostgreSQL.
 *
 * @param onError called with the error that closes the count
 *
 * @example
 * const free = liveCount(users, { plan: "free" }, (count) => console.log(count));
 */
export function liveCount<
  S extends AnyShape,
  Keys extends PropertyKey = never,
  const Exists extends string = never,
  Found = never,
>(
  table: TypedTable<S>,
  filter?: CheckedFilter<S, Keys, Exists, Found>,
  listener?: (count: number) => void,
  onError?: (error: TwinbaseError) => void,
): LiveCount {
  const counter = open(table, listener, onError, (queries, locate) => {
    return new LiveCounter(queries, locate, filter);
  });
  listen(counter, onError, () => listener?.(counter.count));
  return counter;
}

function open<V extends LiveView>(
  table: unknown,
  listener: unknown,
  onError: unknown,
  create: (queries: LiveQueries, locate: () => TableAddress) => V,
): V {
  if (!(table instanceof Table))
    refuseValue(table, "a table of an engine in memory", { what: "table", rule: "E-3" });
  requireFunction(listener, "listener");
  requireFunction(onError, "onError");
  const { context } = Table.placeOf(table);
  requireReadable(context, Table.placeOf(table).address);
  const view = create(LiveQueries.of(context), () => Table.placeOf(table).address);
  context.query(() => view.open());
  view.settle();
  return view;
}

function listen(
  view: LiveView,
  onError: ((error: TwinbaseError) => void) | undefined,
  listener: () => void,
): void {
  view.listen(() => {
    if (view.error !== undefined) onError?.(view.error);
    else if (!view.isClosed) listener();
  });
}

function requireFunction(value: unknown, what: string): void {
  if (value !== undefined && typeof value !== "function") {
    refuseValue(value, "a function", { what, rule: "E-3" });
  }
}

function requireReadable(context: EngineContext, address: TableAddress): void {
  if (context.isBusy && !context.feed.isNotifying) {
    refuse("invalid_request", "a getter or clock that a call uses cannot open a live query", {
      rule: "E-5",
    });
  }
  if (context.readTable(address).source !== undefined) {
    refuse("not_implemented", "live queries follow an engine in memory, not PostgreSQL", {
      rule: "E-3",
    });
  }
}
