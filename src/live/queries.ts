import type { TableAddress } from "../catalog/address.js";
import { findTable } from "../catalog/find.js";
import type { TableKey } from "../catalog/state.js";
import type { EngineContext } from "../engine/context.js";
import type { LiveCapture, LiveObserver, Notice } from "../engine/notice.js";
import type { StoredValue } from "../schema/columns.js";
import { type NextVersion, TableVersion } from "../storage/table.js";

/** A record that a call has written. */
export interface WrittenRow {
  readonly id: string;
  /** The table after the call. */
  readonly table: TableVersion;
  /** −1 if it was deleted. */
  readonly ordinal: number;
  /** Undefined if it is new. */
  readonly before: Before | undefined;
}

/** A record before a call. */
interface Before {
  /** By slot. */
  readonly values: readonly StoredValue[];
  /** The counts that include it. */
  readonly counted: ReadonlySet<Watcher>;
}

/** A live query, as its tables see it. */
export interface Watcher {
  readonly isCount: boolean;
  /** Whether it must be bound and run again. */
  isStale: boolean;
  /** A column that equals a value in all matching records; by default one that is always null. */
  readonly equality: { readonly slot: number; readonly value: StoredValue };
  matches(ordinal: number): boolean;
  /** Notes a written record of its table, or of a linked one; returns whether the result may change. */
  onRow(row: WrittenRow): boolean;
  onLinked(row: WrittenRow, name: string): boolean;
  /** Applies the writes of a call; returns whether to notify. An error closes the query. */
  settle(): boolean;
  notify(): void;
  close(): void;
}

/** The open live queries of an engine. */
export class LiveQueries implements LiveObserver {
  readonly context: EngineContext;
  /** Another object in each call: filters that follow links are compiled for one call. */
  call: object = {};
  readonly #watchers: Set<Watcher> = new Set();
  readonly #watches: Map<TableKey, TableWatch> = new Map();

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

  watch(at: TableAddress): Capture | undefined {
    this.call = {};
    const watch = this.#watches.get(findTable(this.context.state, at));
    return watch && new Capture(watch);
  }

  /** Updates all queries, then notifies their listeners. */
  notify({ events }: Notice): void {
    this.call = {};
    const touched = new Set<Watcher>();
    for (const { kind } of events) {
      if (kind === "records" || kind === "created" || kind === "changed") continue;
      for (const watcher of this.#watchers) {
        watcher.isStale = true;
        touched.add(watcher);
      }
    }
    const visited = new Set<string>();
    for (const event of events) {
      if (event.kind !== "records") continue;
      const { key, live } = event;
      const table = this.context.tables.get(key);
      const watch = this.#watches.get(key);
      if (table === undefined || watch === undefined) continue;
      watch.show(table);
      for (const id of event.written.keys()) {
        const place = events.length > 1 ? `${key} ${id}` : "";
        if (visited.has(place)) continue; // an earlier event has the record before the batch
        if (place !== "") visited.add(place);
        const before = live instanceof Capture ? live.before.get(id) : undefined;
        watch.visit({ id, table, ordinal: table.find(id), before }, touched);
      }
    }
    const changed = [...touched].filter((watcher) => watcher.settle());
    for (const watcher of changed) watcher.notify();
  }

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
    const { table, ordinal, before } = row;
    for (const [slot, byValue] of this.#own) {
      const after = ordinal < 0 || slot < 0 ? null : table.get(ordinal, slot);
      const former = before?.values[slot] ?? null;
      for (const value of former === after ? [after] : [after, former]) {
        for (const watcher of byValue.get(value) ?? []) {
          if (!watcher.isStale && watcher.onRow(row)) touched.add(watcher);
        }
      }
    }
    for (const [watcher, name] of this.linked) {
      if (!watcher.isStale && watcher.onLinked(row, name)) touched.add(watcher);
    }
  }

  /** Returns the counts that include a record. */
  countedBy(ordinal: number, values: readonly StoredValue[]): Set<Watcher> {
    const counted = new Set<Watcher>();
    for (const [slot, byValue] of this.#own) {
      for (const watcher of byValue.get(values[slot] ?? null) ?? []) {
        if (watcher.isCount && watcher.matches(ordinal)) counted.add(watcher);
      }
    }
    return counted;
  }
}

/** The records of a table before one call writes them. */
class Capture implements LiveCapture {
  readonly #watch: TableWatch;
  readonly before: Map<string, Before> = new Map();

  constructor(watch: TableWatch) {
    this.#watch = watch;
  }

  onWrite(table: TableVersion, id: string, ordinal: number): void {
    this.#watch.show(table);
    const values: StoredValue[] = [];
    for (let slot = 0; slot < table.schema.slotCount; slot++) values.push(table.get(ordinal, slot));
    let counted: ReadonlySet<Watcher> = new Set();
    try {
      counted = this.#watch.countedBy(ordinal, values);
    } catch {
      // A linked table was renamed or deleted in this batch: its counts will run again.
    }
    this.before.set(id, { values, counted });
  }
}
