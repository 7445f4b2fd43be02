import type { LiveCapture } from "../engine/notice.js";
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
  /** The names of linked tables that it reads, by key. */
  readonly linked: ReadonlyMap<number, string>;
  matches(ordinal: number): boolean;
  /** Notes a written record of its table, or of a linked one; returns whether the result may change. */
  onRow(row: WrittenRow): boolean;
  onLinked(row: WrittenRow, name: string): boolean;
  /** Applies the writes of a call; returns whether to notify. An error closes the query. */
  settle(): boolean;
  notify(): void;
  close(): void;
}

/** The live queries that read a table. */
export class TableWatch {
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
    const note = (watcher: Watcher): void => {
      if (!watcher.isStale && watcher.onRow(row)) touched.add(watcher);
    };
    for (const [slot, byValue] of this.#own) {
      const after = ordinal < 0 || slot < 0 ? null : table.get(ordinal, slot);
      const former = before?.values[slot] ?? null;
      byValue.get(after)?.forEach(note);
      if (former !== after) byValue.get(former)?.forEach(note);
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
export class Capture implements LiveCapture {
  readonly #watch: TableWatch;
  readonly before: Map<string, Before> = new Map();

  constructor(watch: TableWatch) {
    this.#watch = watch;
  }

  onWrite(table: TableVersion, id: string, ordinal: number): void {
    this.#watch.show(table);
    const values: StoredValue[] = [];
    for (let slot = 0; slot < table.schema.slotCount; slot++) values.push(table.get(ordinal, slot));
    this.before.set(id, { values, counted: this.#watch.countedBy(ordinal, values) });
  }
}
