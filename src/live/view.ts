import type { TableAddress } from "../catalog/address.js";
import type { BranchState, TableKey } from "../catalog/state.js";
import { openRun } from "../engine/query-run.js";
import { TwinbaseError } from "../errors.js";
import { FALSE } from "../query/bound/condition.js";
import { BY_ID } from "../query/bound/order.js";
import { compileFilter, type RowFilter } from "../query/filter/row-filter.js";
import { RowOrder } from "../query/order/row-order.js";
import type { QueryRun } from "../query/query-run.js";
import type { TableVersion } from "../storage/table.js";
import { columnsRead, reachOfColumns } from "./links.js";
import type { LiveQueries } from "./queries.js";
import { equalityIn } from "./watch.js";
import type { Bound, Equality, Reach, Watcher, WrittenRow } from "./watcher.js";

interface Compiled {
  readonly filter: RowFilter;
  readonly order: RowOrder;
}

/** An open live query or count. */
export abstract class LiveView implements Watcher, Disposable {
  abstract readonly isCount: boolean;
  equality: Equality | undefined = undefined;
  /** Whether it must be bound and run again. */
  isStale = true;
  #isClosed = false;
  #error: TwinbaseError | undefined;
  readonly #queries: LiveQueries;
  readonly #locate: () => TableAddress;
  readonly #listeners: Set<() => void> = new Set();
  /** The tables that binding looked up, by name. */
  #named: Map<string, TableVersion["schema"] | undefined> = new Map();
  #key: TableKey = -1;
  #bound: Bound = { predicate: FALSE, order: BY_ID };
  #followsLinks = false;
  #compiled: (Compiled & { readonly call: object }) | undefined;

  /** @param locate returns the current address of the table */
  constructor(queries: LiveQueries, locate: () => TableAddress) {
    this.#queries = queries;
    this.#locate = locate;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get error(): TwinbaseError | undefined {
    return this.#error;
  }

  /** Binds the query; throws its errors. */
  protected abstract bind(run: QueryRun): Bound;
  /** Finds all rows. */
  protected abstract run(run: QueryRun): void;
  /** Applies the writes of a call, if there are any. Returns whether the result has changed. */
  protected abstract update(run: QueryRun): boolean;
  /** Returns what the records of the last run read of other tables. */
  protected abstract reach(): readonly Reach[];
  abstract onRow(row: WrittenRow): boolean;
  abstract onReach(reach: Reach): void;

  /** Binds and runs the query; registers it for the tables that it reads. */
  open(): void {
    this.#queries.remove(this);
    const address = this.#locate();
    const run = openRun(this.#queries.context, address);
    const tables = this.#tables();
    this.#named = new Map();
    const findTable: QueryRun["findTable"] = (name) => {
      const table = run.findTable(name);
      this.#named.set(name, table?.schema);
      return table;
    };
    findTable(address.table);
    this.#bound = this.bind({ ...run, findTable });
    const columns = [...columnsRead(this.#bound)];
    this.#followsLinks = columns.some(({ hops }) => hops.length > 0);
    this.#compiled = undefined;
    this.equality = equalityIn(this.#bound.predicate);
    this.#key = tables.get(address.table)!; // `readTable` found it
    this.run(run);
    this.#queries.add(this, this.#key);
    const reached = [...reachOfColumns(columns, address.table, "rows"), ...this.reach()];
    for (const name of new Set(reached.map(({ table }) => table))) {
      const own = reached.filter(({ table }) => table === name);
      this.#queries.watchOf(tables.get(name)!).addReach(this, own); // binding found it
    }
    this.isStale = false;
  }

  findTable(name: string): TableVersion | undefined {
    return openRun(this.#queries.context, this.#locate()).findTable(name);
  }

  matches(ordinal: number): boolean {
    return this.compiled.filter.matches(ordinal);
  }

  /** Compiled once if it reads only its own table, otherwise for each call. */
  protected get compiled(): Compiled {
    const { call, context } = this.#queries;
    const known = this.#compiled;
    if (known !== undefined && (!this.#followsLinks || known.call === call)) return known;
    const table = this.#queries.watchOf(this.#key).rows;
    const source = { ...openRun(context, this.#locate()), table };
    const { predicate, order } = this.#bound;
    const filter = compileFilter(predicate, source);
    this.#compiled = { filter, order: new RowOrder(source, order), call };
    return this.#compiled;
  }

  checkTables(isReplaced: boolean): boolean {
    this.isStale ||= isReplaced || this.#hasMoved();
    return this.isStale;
  }

  #hasMoved(): boolean {
    try {
      const tables = this.#tables();
      if (tables.get(this.#locate().table) !== this.#key) return true;
      return [...this.#named].some(([name, schema]) => {
        const key = tables.get(name);
        return (key && this.#queries.context.tableAt(key).schema) !== schema;
      });
    } catch {
      return true; // opening throws the error
    }
  }

  #tables(): BranchState["tables"] {
    return this.#queries.context.readBranch(this.#locate()).tables;
  }

  settle(): boolean {
    if (this.#isClosed) return false;
    const { context } = this.#queries;
    try {
      return context.query(() => {
        if (this.isStale) this.open();
        return this.update(openRun(context, this.#locate()));
      });
    } catch (error) {
      const isKnown = error instanceof TwinbaseError;
      this.#error = isKnown ? error : new TwinbaseError("internal", String(error));
      this.#end();
      return true;
    }
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Calls the listeners; for a closed query one last time. */
  notify(): void {
    for (const listener of [...this.#listeners]) {
      if (!this.#listeners.has(listener)) continue;
      if (this.#isClosed) this.#listeners.delete(listener);
      try {
        listener();
      } catch (error) {
        console.error(error);
      }
    }
  }

  /** Stops the query; its last result can still be read. */
  close(): void {
    if (this.#isClosed) return;
    this.#end();
    this.notify();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #end(): void {
    this.#isClosed = true;
    this.#queries.remove(this);
  }
}
