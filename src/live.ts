/// <reference lib="esnext.disposable" preserve="true" />
import { Table } from "./engine/table.js";
import { refuse, type TwinbaseError } from "./errors.js";
import { diffPages, type LiveChange } from "./live/changes.js";
import { type LiveEventsOptions, streamEvents } from "./live/events.js";
import { LivePage } from "./live/page.js";
import { LiveCounter, type LiveView } from "./live/view.js";
import { readFields, readNumber, refuseValue } from "./shape/fields.js";
import type { CheckedFilter } from "./typed/filter.js";
import type { Selected } from "./typed/record.js";
import type { AnyColumnsOf, CheckedColumns, GivenColumns } from "./typed/selection.js";
import type { AnyShape } from "./typed/shape.js";
import type { CheckedSort } from "./typed/sort.js";
import type { TypedTable } from "./typed/table.js";
import type { PageOf } from "./typed/typed-query.js";
import type { AnyRecord, QueryParts } from "./types.js";

export { applyChanges, type LiveChange } from "./live/changes.js";
export type { LiveEventsOptions } from "./live/events.js";

/** An open live query or count. Its result is that of a query after the last write. */
interface Live extends Disposable {
  readonly isClosed: boolean;
  /**
   * Whether the result is of an earlier write. Only if calls have a time limit (L-10): what takes more
   * than 50 ms after a write runs again later, and listeners are notified of both.
   */
  readonly isStale: boolean;
  /** The error that closed it: the query no longer fits the schema, its table is gone, … */
  readonly error: TwinbaseError | undefined;
  /** Stops it; the last result can still be read. */
  close(): void;
}

/** An open live query. */
export interface LiveQuery<R = AnyRecord> extends Live {
  /** The page, frozen: after changes another array, in which unchanged records are the same objects. */
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
    PageOf<Carried>
  >,
  listener?: (changes: readonly LiveChange<Selected<S, GivenColumns<Columns, Carried>>>[]) => void,
  onError?: (error: TwinbaseError) => void,
): LiveQuery<Selected<S, GivenColumns<Columns, Carried>>> {
  const notify = listener as ((changes: readonly LiveChange[]) => void) | undefined; // its records have the shape of the handle
  let shown: readonly AnyRecord[] = [];
  let wasStale = false;
  const page = open(LivePage, { table, request, listener, onError }, ({ records, isStale }) => {
    const before = shown;
    const isSame = before === records && wasStale === isStale;
    shown = records;
    wasStale = isStale;
    if (!isSame) notify?.(diffPages(before, records));
  });
  shown = page.records;
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
  const options = { table, request: filter, listener, onError };
  return open(LiveCounter, options, ({ count }) => listener?.(count));
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
  const fields = readFields(options, ["heartbeatMs", "keepOpen"], { what: "options", rule: "E-3" });
  const part = { path: "/heartbeatMs", rule: "E-3" };
  const heartbeatMs = readNumber(fields.heartbeatMs ?? 15_000, [1, 2 ** 31 - 1], part);
  return streamEvents(live, heartbeatMs, fields.keepOpen === true);
}

interface LiveArguments {
  readonly table: unknown;
  readonly request: unknown;
  readonly listener: unknown;
  readonly onError: ((error: TwinbaseError) => void) | undefined;
}

function open<V extends LiveView>(
  View: new (...args: ConstructorParameters<typeof LiveView>) => V,
  { table, request, listener, onError }: LiveArguments,
  onChange: (view: V) => void,
): V {
  const rule = "E-3";
  if (!(table instanceof Table)) refuseValue(table, "a table", { what: "table", rule });
  for (const [what, callback] of Object.entries({ listener, onError })) {
    if (callback !== undefined && typeof callback !== "function") {
      refuseValue(callback, "a function", { what, rule });
    }
  }
  const { context, address } = Table.locate(table);
  if (context.isBusy && !context.feed.isNotifying) {
    const message = "a getter or clock that a call uses cannot open a live query";
    refuse("invalid_request", message, { rule: "E-5" });
  }
  if (context.remote !== undefined || context.readTable(address).source !== undefined) {
    refuse("not_implemented", "live queries of records in PostgreSQL", { rule });
  }
  const view = new View(context, () => Table.locate(table).address, request);
  context.query(() => view.open(context.time.check));
  view.settle();
  view.listeners.add(() => {
    if (view.error !== undefined) onError?.(view.error);
    else if (!view.isClosed) onChange(view);
  });
  return view;
}
