import type { TableAddress } from "../catalog/address.js";
import type { TableKey } from "../catalog/state.js";
import { openRun } from "../engine/query-run.js";
import { TwinbaseError } from "../errors.js";
import type { ColumnRef } from "../query/bound/column-ref.js";
import { FALSE, type Predicate } from "../query/bound/condition.js";
import { BY_ID, type Order } from "../query/bound/order.js";
import { compileFilter, type RowFilter } from "../query/filter/row-filter.js";
import { RowOrder } from "../query/order/row-order.js";
import type { QueryRun } from "../query/query-run.js";
import { NULL_CODE } from "../storage/dictionary.js";
import type { Json } from "../types.js";
import { equalJson } from "../value/json.js";
import type { LiveQueries } from "./queries.js";
import type { Watcher, WrittenRow } from "./watch.js";

export interface Bound {
  readonly predicate: Predicate;
  readonly order: Order;
}

/** A column of a linked table that filter or order read. */
interface Reach {
  readonly table: string;
  readonly slot: number;
  /** The link to it. */
  readonly from: string;
  readonly via: number;
}

interface Compiled {
  readonly filter: RowFilter;
  readonly order: RowOrder;
  readonly call: object;
}

/** An open live query or count. */
export abstract class LiveView implements Watcher, Disposable {
  abstract readonly isCount: boolean;
  isStale = true;
  equality: Watcher["equality"] = ANY;
  linked: Map<TableKey, string> = new Map();
  /** Whether to find all rows again. */
  protected needsRun = false;
  isClosed = false;
  error: TwinbaseError | undefined = undefined;
  readonly #queries: LiveQueries;
  readonly #locate: () => TableAddress;
  readonly #listeners: Set<() => void> = new Set();
  #key: TableKey = 0;
  #bound: Bound = { predicate: FALSE, order: BY_ID };
  #reach: readonly Reach[] = [];
  #compiled: Compiled | undefined;

  /** @param locate returns the current address of the table */
  constructor(queries: LiveQueries, locate: () => TableAddress) {
    this.#queries = queries;
    this.#locate = locate;
  }

  /** Binds the query; throws its errors. */
  protected abstract bind(run: QueryRun): Bound;
  /** Finds all rows. */
  protected abstract run(run: QueryRun): void;
  /** Applies the writes of a call, if there are any. Returns whether the result has changed. */
  protected abstract update(run: QueryRun): boolean;
  /** Returns the names of tables that the result of the last run shows records of. */
  protected abstract tablesShown(): Iterable<string>;
  protected abstract onShown(row: WrittenRow, table: string): boolean;
  abstract onRow(row: WrittenRow): boolean;

  /** Binds and runs the query, and registers it. */
  open(): void {
    this.#queries.remove(this);
    const { context } = this.#queries;
    const address = this.#locate();
    const run = openRun(context, address);
    this.#bound = this.bind(run);
    this.#reach = [...reachOf(this.#bound, address.table)];
    this.equality = equalityIn(this.#bound.predicate) ?? ANY;
    this.#compiled = undefined;
    this.run(run);
    const { tables } = context.readBranch(address);
    const names = [...this.#reach.map(({ table }) => table), ...this.tablesShown()];
    this.linked = new Map(names.map((name) => [tables.get(name)!, name])); // binding found them
    this.#key = tables.get(address.table)!; // as above
    this.#queries.add(this, this.#key);
    this.isStale = false;
  }

  matches(ordinal: number): boolean {
    return this.compiled.filter.matches(ordinal);
  }

  /** Compiled once if it reads only its own table, otherwise for each call. */
  protected get compiled(): Compiled {
    const { call, context } = this.#queries;
    if (this.#compiled?.call === call || (this.#compiled && this.#reach.length === 0)) {
      return this.#compiled;
    }
    const { rows } = this.#queries.watchOf(this.#key);
    const source = { ...openRun(context, this.#locate()), table: rows };
    const { predicate, order } = this.#bound;
    const filter = compileFilter(predicate, source);
    this.#compiled = { filter, order: new RowOrder(source, order), call };
    return this.#compiled;
  }

  onLinked(row: WrittenRow, name: string): boolean {
    const { id, table, ordinal, before } = row;
    // All stored values, including instants, compare as JSON.
    const isKept = (slot: number): boolean =>
      before !== undefined &&
      ordinal >= 0 &&
      equalJson(before.values[slot] as Json, table.get(ordinal, slot) as Json);
    const isLinked = ({ from, via }: Reach): boolean => {
      const { findTable } = openRun(this.#queries.context, this.#locate());
      return findTable(from)?.dictionaries.get(via)?.find(id) !== NULL_CODE;
    };
    this.needsRun ||= this.#reach.some(
      (reach) => reach.table === name && !isKept(reach.slot) && isLinked(reach),
    );
    return this.onShown(row, name) || this.needsRun;
  }

  settle(): boolean {
    if (this.isClosed) return false;
    const { context } = this.#queries;
    try {
      return context.query(() => {
        if (this.isStale) this.open();
        return this.update(openRun(context, this.#locate()));
      });
    } catch (error) {
      const isKnown = error instanceof TwinbaseError;
      this.error = isKnown ? error : new TwinbaseError("internal", String(error));
      this.#end();
      return true;
    }
  }

  /** Calls a listener after changes, and when the query is closed. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  notify(): void {
    for (const listener of [...this.#listeners]) {
      if (!this.#listeners.has(listener)) continue;
      if (this.isClosed) this.#listeners.delete(listener);
      try {
        listener();
      } catch (error) {
        console.error(error);
      }
    }
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
    this.#queries.remove(this);
  }
}

const ANY: Watcher["equality"] = { slot: -1, value: null };

function equalityIn(predicate: Predicate): Watcher["equality"] | undefined {
  if (predicate.kind === "all") {
    for (const part of predicate.parts) {
      const found = equalityIn(part); // parts are no `all`
      if (found !== undefined) return found;
    }
  }
  if (predicate.kind !== "leaf") return undefined;
  const { column, test, negated, nullMatches } = predicate;
  if (test.kind !== "equals" || typeof test.value === "object" || negated || nullMatches)
    return undefined;
  const isOwn = column.hops.length === 0 && column.keys === undefined;
  return isOwn ? { slot: column.slot, value: test.value } : undefined;
}

/** Yields what filter and order read of other tables. */
function* reachOf({ predicate, order }: Bound, own: string): Generator<Reach> {
  const columns: ColumnRef[] = order.keys.map(({ column }) => column);
  const waiting: Predicate[] = [predicate];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if ("parts" in next) waiting.push(...next.parts);
    else if ("column" in next) columns.push(next.column);
  }
  for (const { hops, slot: last } of columns) {
    let from = own;
    for (const [i, { slot: via, target }] of hops.entries()) {
      yield { table: target.name, slot: hops[i + 1]?.slot ?? last, from, via };
      from = target.name;
    }
  }
}
