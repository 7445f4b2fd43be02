import type { TableKey } from "../catalog/state.js";
import type { EngineContext } from "../engine/context.js";
import type { Notice, WriteObserver } from "../engine/notice.js";
import { TimeLimit } from "../engine/time-limit.js";
import type { StoredValue } from "../schema/columns.js";
import { type NextVersion, TableVersion } from "../storage/table.js";

/** A record that a call has written. */
export interface WrittenRow {
  readonly id: string;
  /** The table after the call, and the record in it; −1 if it was deleted. */
  readonly table: TableVersion;
  readonly ordinal: number;
  /** Has the record as it was before the call; −1 if it is new. */
  readonly before: TableVersion;
  readonly former: number;
}

/** Returns a value of a record before the call; null for a new record. */
export function formerValue({ before, former }: WrittenRow, slot: number): StoredValue {
  return former < 0 || slot < 0 ? null : before.get(former, slot);
}

/** A live query, as its tables see it. */
export interface Watcher {
  readonly isCount: boolean;
  /** Whether it must be bound and run again: its result is of an earlier write. */
  isStale: boolean;
  /** A column that equals a value in all matching records; by default one that is always null. */
  readonly equality: { readonly slot: number; readonly value: StoredValue };
  matches(ordinal: number): boolean;
  /**
   * Notes a written record of its table, or of a linked one; returns whether the result may change.
   *
   * @param wasCounted whether a count included the record
   */
  onRow(row: WrittenRow, wasCounted: boolean): boolean;
  onLinked(row: WrittenRow, name: string): boolean;
  /**
   * Applies the writes of a call; returns whether to notify. An error closes the query; after the time
   * limit it is stale.
   */
  settle(time: TimeLimit): boolean;
  /** Makes it stale; returns whether to notify. */
  postpone(): boolean;
  notify(): void;
  close(): void;
}

/** Milliseconds that live queries may take at once, if calls have a time limit (L-10). */
const SLICE_MS = 50;

/**
 * The open live queries of an engine. Those that exceed the time after a write are stale, and run again
 * in further slices of time, each with the newest state.
 */
export class LiveQueries implements WriteObserver {
  readonly context: EngineContext;
  /** Another object in each call: filters that follow links are compiled for one call. */
  call: object = {};
  readonly #watchers: Set<Watcher> = new Set();
  readonly #watches: Map<TableKey, TableWatch> = new Map();
  /** Stale queries to run again; one that took a whole slice waits for the next write. */
  readonly #due: Set<Watcher> = new Set();
  readonly #time: TimeLimit = new TimeLimit();
  #isScheduled = false;

  private constructor(context: EngineContext) {
    this.context = context;
  }

  static of(context: EngineContext): LiveQueries {
    const { live } = context.feed;
    return live instanceof LiveQueries ? live : new LiveQueries(context);
  }

  /** @param linked the names of linked tables that it reads, by key */
  add(watcher: Watcher, key: TableKey, linked: ReadonlyMap<TableKey, string>): void {
    this.#watchers.add(watcher);
    this.#watchOf(key).add(watcher);
    for (const [other, name] of linked) this.#watchOf(other).linked.set(watcher, name);
    this.context.feed.live = this;
  }

  remove(watcher: Watcher): void {
    if (!this.#watchers.delete(watcher)) return;
    this.#due.delete(watcher);
    for (const [key, watch] of this.#watches) {
      watch.delete(watcher);
      if (watch.isEmpty) this.#watches.delete(key);
    }
    if (this.#watchers.size === 0) this.context.feed.live = undefined;
  }

  /** Returns a table with the current chunks: what is compiled for it holds for every version. */
  rowsOf(key: TableKey): TableVersion {
    return this.#watchOf(key).rows;
  }

  #watchOf(key: TableKey): TableWatch {
    const watch = this.#watches.get(key) ?? new TableWatch(this.context.tableAt(key));
    this.#watches.set(key, watch);
    return watch;
  }

  /** 0 for none. */
  get #limitMs(): number {
    const { limits, time } = this.context;
    return limits.queryMs > 0 || time.isSet ? SLICE_MS : 0;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#due.size === 0) return;
    this.#isScheduled = true;
    setTimeout(this.#runSlice);
  }

  /** Updates all queries, then notifies their listeners. */
  notify(notice: Notice): void {
    this.#time.run(this.#limitMs, () => this.#update(this.#touchedBy(notice)));
  }

  #touchedBy({ events }: Notice): Set<Watcher> {
    this.call = {};
    const touched = new Set<Watcher>();
    const touchStale = (watchers: Iterable<Watcher>): void => {
      for (const watcher of watchers) {
        watcher.isStale = true;
        touched.add(watcher);
      }
    };
    for (const watcher of this.#watchers) if (watcher.isStale) touched.add(watcher);
    for (const { kind } of events) {
      if (kind === "records" || kind === "created" || kind === "changed") continue;
      touchStale(this.#watchers);
    }
    const visited = new Set<string>();
    for (const event of events) {
      if (event.kind !== "records") continue;
      const { key, before, ids } = event;
      const table = this.context.tables.get(key);
      const watch = this.#watches.get(key);
      if (table === undefined || watch === undefined) continue;
      watch.show(table);
      for (const id of ids) {
        const record = events.length > 1 ? `${key} ${id}` : "";
        if (visited.has(record)) continue; // an earlier event has the record before the batch
        if (record !== "") visited.add(record);
        if (!this.#time.isOver) {
          const row = { id, table, ordinal: table.find(id), before, former: before.find(id) };
          watch.visit(row, touched);
          continue;
        }
        touchStale(watch.all());
        break;
      }
    }
    return touched;
  }

  /** Runs what is due, then notifies listeners. Others wait for the next slice. */
  #update(touched: ReadonlySet<Watcher>, isSlice = false): void {
    const changed: Watcher[] = [];
    let isFirst = isSlice;
    let isOver = false;
    for (const watcher of touched) {
      this.#due.delete(watcher);
      isOver ||= this.#time.isOver;
      if (isOver ? watcher.postpone() : watcher.settle(this.#time)) changed.push(watcher);
      if (watcher.isStale && !isFirst) this.#due.add(watcher);
      isFirst = false;
    }
    for (const watcher of changed) watcher.notify();
    this.#schedule();
  }

  readonly #runSlice = (): void => {
    this.#isScheduled = false;
    this.call = {};
    const { context } = this;
    context.read(() => {
      context.feed.isNotifying = true;
      this.#time.run(SLICE_MS, () => this.#update(new Set(this.#due), true));
      context.feed.isNotifying = false;
    });
  };

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
  }
}

/** The live queries that read a table. */
class TableWatch {
  /** Has the current chunks: filters and orders that are compiled for it hold for every version. */
  readonly rows: TableVersion;
  /** Queries of the table by an equality of their filter: a written record concerns few of them. */
  readonly #own: Map<number, Map<StoredValue, Set<Watcher>>> = new Map();
  /** Queries that reach the table through links, with its name. */
  readonly linked: Map<Watcher, string> = new Map();

  constructor(table: TableVersion) {
    this.rows = new TableVersion(table);
  }

  get isEmpty(): boolean {
    return this.#own.size === 0 && this.linked.size === 0;
  }

  add(watcher: Watcher): void {
    const { slot, value } = watcher.equality;
    const byValue = this.#own.get(slot) ?? new Map<StoredValue, Set<Watcher>>();
    this.#own.set(slot, byValue);
    byValue.set(value, (byValue.get(value) ?? new Set()).add(watcher));
  }

  *all(): Generator<Watcher> {
    for (const byValue of this.#own.values())
      for (const watchers of byValue.values()) yield* watchers;
    yield* this.linked.keys();
  }

  delete(watcher: Watcher): void {
    this.linked.delete(watcher);
    const { slot, value } = watcher.equality;
    const byValue = this.#own.get(slot);
    const watchers = byValue?.get(value);
    watchers?.delete(watcher);
    if (watchers?.size === 0) byValue?.delete(value);
    if (byValue?.size === 0) this.#own.delete(slot);
  }

  show({ chunks, dictionaries }: TableVersion): void {
    const rows = this.rows as NextVersion; // no one else's
    rows.chunks = chunks as NextVersion["chunks"]; // only read
    rows.dictionaries = dictionaries;
  }

  /** Notes a written record in the queries that it may concern. */
  visit(row: WrittenRow, touched: Set<Watcher>): void {
    const { table, ordinal } = row;
    const counted = this.#countedBefore(row);
    for (const [slot, byValue] of this.#own) {
      const after = ordinal < 0 || slot < 0 ? null : table.get(ordinal, slot);
      const former = formerValue(row, slot);
      for (const value of former === after ? [after] : [after, former]) {
        for (const watcher of byValue.get(value) ?? []) {
          if (!watcher.isStale && watcher.onRow(row, counted.has(watcher))) touched.add(watcher);
        }
      }
    }
    for (const [watcher, name] of this.linked) {
      if (!watcher.isStale && watcher.onLinked(row, name)) touched.add(watcher);
    }
  }

  /** Returns the counts that included a record. */
  #countedBefore(row: WrittenRow): ReadonlySet<Watcher> {
    const { table, before, former } = row;
    const counted = new Set<Watcher>();
    if (former < 0) return counted;
    this.show(before);
    for (const [slot, byValue] of this.#own) {
      for (const watcher of byValue.get(formerValue(row, slot)) ?? []) {
        if (watcher.isCount && !watcher.isStale && watcher.matches(former)) counted.add(watcher);
      }
    }
    this.show(table);
    return counted;
  }
}
