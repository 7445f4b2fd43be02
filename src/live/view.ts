import type { TableAddress } from "../catalog/address.js";
import type { TableKey } from "../catalog/state.js";
import type { EngineContext } from "../engine/context.js";
import { drawSeed, type OwnSettings, openRun } from "../engine/query-run.js";
import type { TimeLimit } from "../engine/time-limit.js";
import { TwinbaseError } from "../errors.js";
import type { ColumnRef, Predicate, RowQuery } from "../query/bound/bound-query.js";
import { compileFilter, type RowFilter } from "../query/filter/row-filter.js";
import { RowOrder } from "../query/order/row-order.js";
import type { QueryRun } from "../query/query-run.js";
import { bindMatches, countMatches } from "../query/run.js";
import { NULL_CODE } from "../storage/vectors.js";
import type { Json } from "../types.js";
import { copyJson, equalJson } from "../value/json.js";
import { formerValue, LiveQueries, type Watcher, type WrittenRow } from "./queries.js";

/** The filter and the order of a live query. */
type Conditions = Pick<RowQuery, "predicate" | "order">;

/** A column of a linked table that filter or order read, and the link to it. */
interface Reach {
  readonly table: string;
  readonly slot: number;
  readonly from: string;
  readonly via: number;
}

const ANY: Watcher["equality"] = { slot: -1, value: null };

/** An open live query or count. */
export abstract class LiveView implements Watcher, Disposable {
  abstract readonly isCount: boolean;
  isStale = true;
  isClosed = false;
  error: TwinbaseError | undefined = undefined;
  equality: Watcher["equality"] = ANY;
  /** Called after changes, and when the query is closed. */
  readonly listeners: Set<() => void> = new Set();
  /** A copy: the query is bound again after changes of the schema. */
  protected readonly request: unknown;
  protected needsRun = false;
  readonly #queries: LiveQueries;
  readonly #locate: () => TableAddress;
  #key: TableKey = 0;
  #seed: number | undefined;
  #reach: readonly Reach[] = [];
  /** Whether listeners were notified that it is stale. */
  #isKnownStale = false;
  protected filter!: () => RowFilter; // by open
  protected order!: () => RowOrder;

  /** @param locate returns the current address of the table */
  constructor(context: EngineContext, locate: () => TableAddress, request: unknown) {
    this.#locate = locate;
    const copy = copyJson(request);
    this.request = "value" in copy ? copy.value : request; // binding refuses it
    this.#queries = LiveQueries.of(context); // after getters of the request, which may open others
  }

  protected abstract bind(run: QueryRun): Conditions;
  /** Finds all rows. */
  protected abstract run(run: QueryRun): void;
  /** Applies the writes of a call, if there are any. Returns whether the result has changed. */
  protected abstract update(run: QueryRun): boolean;
  abstract onRow(row: WrittenRow, wasCounted: boolean): boolean;

  /** Returns the names of tables whose records the result shows. */
  protected tablesShown(): Iterable<string> {
    return [];
  }

  /** Notes a written record of such a table; returns whether the result may change. */
  protected onShown(_row: WrittenRow, _table: string): boolean {
    return false;
  }

  /** Binds and runs the query, and registers it. Throws its errors. */
  open(checkTime?: QueryRun["checkTime"]): void {
    const address = this.#locate();
    const run = this.start({ checkTime });
    const { predicate, order } = this.bind(run);
    const filtered = [...reachOf(columnsOf(predicate), address.table)];
    const sorted = [...reachOf(order.keys, address.table)];
    this.#reach = [...filtered, ...sorted];
    this.filter = this.#late(filtered, (run) => compileFilter(predicate, run));
    this.order = this.#late(sorted, (run) => new RowOrder(run, order));
    this.equality = equalityIn(predicate) ?? ANY;
    this.run(run);
    const { tables } = this.#queries.context.readBranch(address);
    const names = [...this.#reach.map(({ table }) => table), ...this.tablesShown()];
    this.#key = tables.get(address.table)!; // binding found it, and these:
    this.#queries.remove(this);
    this.#queries.add(this, this.#key, new Map(names.map((name) => [tables.get(name)!, name])));
    this.isStale = false;
  }

  /** Without a time limit: that of a call which writes is for its own work (rule L-10). */
  protected start(settings?: OwnSettings): QueryRun {
    const { context } = this.#queries;
    const ownSeed = (): number => (this.#seed ??= drawSeed(context));
    const untimed = { checkTime: undefined, drawSeed: ownSeed };
    return openRun(context, this.#locate(), { ...untimed, ...settings });
  }

  matches(ordinal: number): boolean {
    return this.filter().matches(ordinal);
  }

  /** Compiles something once if it reads only its own table, otherwise in each call that needs it. */
  #late<T>(reach: readonly Reach[], compile: (run: QueryRun) => T): () => T {
    let compiled: { readonly value: T; readonly call: object } | undefined;
    return () => {
      const { call } = this.#queries;
      if (compiled === undefined || (reach.length > 0 && compiled.call !== call)) {
        const table = this.#queries.rowsOf(this.#key);
        compiled = { value: compile(this.start({ table })), call };
      }
      return compiled.value;
    };
  }

  onLinked(row: WrittenRow, name: string): boolean {
    const { id, table, ordinal, former } = row;
    // All stored values, including instants, compare as JSON.
    const isKept = (slot: number): boolean =>
      former >= 0 &&
      ordinal >= 0 &&
      equalJson(formerValue(row, slot) as Json, table.get(ordinal, slot) as Json);
    const { findTable } = this.start();
    this.needsRun ||= this.#reach.some(
      ({ table: of, slot, from, via }) =>
        of === name &&
        !isKept(slot) &&
        findTable(from)?.dictionaries.get(via)?.find(id) !== NULL_CODE,
    );
    return this.onShown(row, name) || this.needsRun;
  }

  settle(time?: TimeLimit): boolean {
    if (this.isClosed) return false;
    const wasStale = this.#isKnownStale;
    try {
      if (this.isStale) this.open(time?.check);
      const isChanged = this.update(this.start({ checkTime: time?.check }));
      this.#isKnownStale = false;
      return isChanged || wasStale;
    } catch (error) {
      const isKnown = error instanceof TwinbaseError;
      if (isKnown && error.code === "query_timeout") return this.postpone();
      this.error = isKnown ? error : new TwinbaseError("internal", String(error));
      this.#end();
      return true;
    }
  }

  postpone(): boolean {
    if (this.isClosed) return false;
    const wasStale = this.#isKnownStale;
    this.isStale = this.#isKnownStale = true;
    return !wasStale;
  }

  notify(): void {
    for (const listener of [...this.listeners]) {
      try {
        listener();
      } catch (error) {
        console.error(error);
      }
    }
    if (this.isClosed) this.listeners.clear();
  }

  /** Stops the query; its last result can still be read. */
  close(): void {
    if (this.isClosed) return;
    this.#end();
    this.notify();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #end(): void {
    this.isClosed = true;
    this.isStale = false; // it follows no more
    this.#queries.remove(this);
  }
}

/** A live number of records. */
export class LiveCounter extends LiveView {
  readonly isCount = true;
  count = 0;
  #next = 0;

  protected bind(run: QueryRun): Conditions {
    return bindMatches(run, this.request);
  }

  protected run(run: QueryRun): void {
    this.#next = countMatches(run, this.request);
    this.needsRun = false;
  }

  onRow({ ordinal }: WrittenRow, was: boolean): boolean {
    const is = ordinal >= 0 && this.matches(ordinal);
    this.#next += Number(is) - Number(was);
    return is !== was;
  }

  protected update(run: QueryRun): boolean {
    if (this.needsRun) this.run(run);
    const isSame = this.count === this.#next;
    this.count = this.#next;
    return !isSame;
  }
}

function equalityIn(predicate: Predicate): Watcher["equality"] | undefined {
  if (predicate.kind === "all") {
    return predicate.parts.map(equalityIn).find((found) => found !== undefined); // parts are no `all`
  }
  if (predicate.kind !== "leaf" || predicate.negated || predicate.nullMatches) return undefined;
  const { column, test } = predicate;
  const isOwn = column.hops.length === 0 && column.keys === undefined;
  if (!isOwn || test.kind !== "equals" || typeof test.value === "object") return undefined;
  return { slot: column.slot, value: test.value };
}

/** Yields the columns of a predicate. */
function* columnsOf(predicate: Predicate): Generator<{ readonly column: ColumnRef }> {
  if ("parts" in predicate) for (const part of predicate.parts) yield* columnsOf(part);
  else if ("column" in predicate) yield predicate;
}

/** Yields what columns read of other tables. */
function* reachOf(
  columns: Iterable<{ readonly column: ColumnRef }>,
  own: string,
): Generator<Reach> {
  for (const { column } of columns) {
    const { hops, slot: last } = column;
    let from = own;
    for (const [i, { slot: via, target }] of hops.entries()) {
      yield { table: target.name, slot: hops[i + 1]?.slot ?? last, from, via };
      from = target.name;
    }
  }
}
