import type { TableAddress } from "./catalog/address.js";
import type { EngineContext } from "./engine/context.js";
import { Table } from "./engine/table.js";
import { refuse, type TwinbaseError } from "./errors.js";
import { diffPages, type LiveChange } from "./live/changes.js";
import { LiveCounter } from "./live/count.js";
import { type LiveEventsOptions, streamEvents } from "./live/events.js";
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
import { readFields, readNumber, refuseValue } from "./value/fields.js";
import { copyJson } from "./value/json.js";

export { applyChanges, type LiveChange } from "./live/changes.js";
export type { LiveEventsOptions } from "./live/events.js";

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
    return new LivePage(queries, locate, copyOf(request));
  });
  let { records } = page;
  const call = listener as ((changes: readonly LiveChange[]) => void) | undefined; // records have the shape of the handle
  listen(page, onError, () => {
    if (records === page.records) return;
    const before = records;
    records = page.records;
    call?.(diffPages(before, records));
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
    return new LiveCounter(queries, locate, copyOf(filter));
  });
  listen(counter, onError, () => listener?.(counter.count));
  return counter;
}

/**
 * Returns the body of a response of server-sent events: `page` with `{ records, more }`, then `changes`
 * with `{ changes, more }` since the previous event that was read, at the end `closed`. A reader that
 * connects again gets the whole page. Cancelling closes the query. Throws `invalid_request`.
 *
 * @example
 * new Response(liveEvents(live), { headers: { "content-type": "text/event-stream" } });
 */
export function liveEvents(
  live: LiveQuery<unknown>,
  options?: LiveEventsOptions,
): ReadableStream<Uint8Array> {
  if (!(live instanceof LivePage)) refuseValue(live, "a live query", { what: "live", rule: "E-3" });
  const given = readFields(options, ["heartbeatMs", "keepOpen"], { what: "options", rule: "E-3" });
  const part = { path: "/heartbeatMs", rule: "E-3" };
  const heartbeatMs = readNumber(given.heartbeatMs ?? 15_000, [1, 2 ** 31 - 1], part);
  return streamEvents(live, heartbeatMs, given.keepOpen === true);
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

/** The query is bound again after changes of the schema. */
function copyOf(request: unknown): unknown {
  const copy = copyJson(request);
  return "value" in copy ? copy.value : request; // binding refuses it
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
