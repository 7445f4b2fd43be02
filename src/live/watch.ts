import type { LiveCapture } from "../engine/notice.js";
import { TwinbaseError } from "../errors.js";
import type { Predicate } from "../query/bound/condition.js";
import type { StoredValue } from "../schema/columns.js";
import { type NextVersion, TableVersion } from "../storage/table.js";
import type { Before, Equality, Reach, Watcher, WrittenRow } from "./watcher.js";

/** Returns a condition that all matching records fulfill, if there is one. */
export function equalityIn(predicate: Predicate): Equality | undefined {
  if (predicate.kind === "all") {
    for (const part of predicate.parts) {
      const found = part.kind === "leaf" ? equalityIn(part) : undefined;
      if (found !== undefined) return found;
    }
  }
  if (predicate.kind !== "leaf") return undefined;
  const { column, test, negated, nullMatches } = predicate;
  if (test.kind !== "equals" || negated || nullMatches) return undefined;
  const isOwn = column.hops.length === 0 && column.keys === undefined;
  return isOwn && typeof test.value !== "object"
    ? { slot: column.slot, value: test.value }
    : undefined;
}

/** The live queries of one table, and those that reach it through links. */
export class TableWatch {
  /** Has the current chunks, so filters and orders compiled for it hold for each version. */
  readonly rows: TableVersion;
  readonly #byValue: Map<number, Map<StoredValue, Set<Watcher>>> = new Map();
  readonly #others: Set<Watcher> = new Set();
  readonly #reached: Map<Watcher, readonly Reach[]> = new Map();
  #slots: readonly number[] | undefined;
  #counters = 0;

  constructor(table: TableVersion) {
    this.rows = new TableVersion(table);
  }

  get isEmpty(): boolean {
    return this.#byValue.size === 0 && this.#others.size === 0 && this.#reached.size === 0;
  }

  add(view: Watcher): void {
    this.#slots = undefined;
    if (view.isCount) this.#counters++;
    const { equality } = view;
    if (equality === undefined) {
      this.#others.add(view);
      return;
    }
    const values = this.#byValue.get(equality.slot) ?? new Map<StoredValue, Set<Watcher>>();
    this.#byValue.set(equality.slot, values);
    const views = values.get(equality.value) ?? new Set();
    values.set(equality.value, views.add(view));
  }

  addReach(view: Watcher, reached: readonly Reach[]): void {
    this.#slots = undefined;
    this.#reached.set(view, reached);
  }

  delete(view: Watcher): void {
    this.#slots = undefined;
    this.#reached.delete(view);
    const { equality } = view;
    const values = this.#byValue.get(equality?.slot ?? -1);
    const views = values?.get(equality?.value ?? null);
    const wasThere = views === undefined ? this.#others.delete(view) : views.delete(view);
    if (wasThere && view.isCount) this.#counters--;
    if (views?.size === 0) values!.delete(equality!.value); // found above
    if (values?.size === 0) this.#byValue.delete(equality!.slot); // found above
  }

  show({ chunks, dictionaries }: TableVersion): void {
    const rows = this.rows as NextVersion; // its only owner
    rows.chunks = chunks as NextVersion["chunks"]; // read only
    rows.dictionaries = dictionaries;
  }

  capture(): Capture | undefined {
    const slots = this.#slotsToCapture();
    return slots.length > 0 || this.#counters > 0 ? new Capture(this, slots) : undefined;
  }

  /** Notes a written record in the queries that it may concern. */
  visit(row: WrittenRow, touched: Set<Watcher>): void {
    const note = (view: Watcher): void => {
      if (!view.isStale && view.onRow(row)) touched.add(view);
    };
    for (const view of this.#others) note(view);
    for (const [slot, views] of this.#byValue) {
      const before = row.before?.values.get(slot) ?? null;
      const after = row.ordinal < 0 ? null : row.table.get(row.ordinal, slot);
      for (const view of views.get(after) ?? []) note(view);
      if (before !== after) for (const view of views.get(before) ?? []) note(view);
    }
    for (const [view, reached] of this.#reached) {
      for (const reach of reached) {
        if (view.isStale || !reach.concerns(row, view)) continue;
        view.onReach(reach);
        touched.add(view);
      }
    }
  }

  /** Returns the queries that count a record, by its values. */
  countedBy(ordinal: number, values: Before["values"]): Set<Watcher> {
    const counted = new Set<Watcher>();
    if (this.#counters === 0) return counted;
    const test = (view: Watcher): void => {
      try {
        if (view.isCount && view.matches(ordinal)) counted.add(view);
      } catch (error) {
        // A table that the filter names was renamed in this batch: the query will run again.
        if (!(error instanceof TwinbaseError) || error.code === "query_timeout") throw error;
      }
    };
    for (const view of this.#others) test(view);
    for (const [slot, views] of this.#byValue) {
      for (const view of views.get(values.get(slot) ?? null) ?? []) test(view);
    }
    return counted;
  }

  #slotsToCapture(): readonly number[] {
    this.#slots ??= [
      ...new Set([
        ...this.#byValue.keys(),
        ...[...this.#reached.values()].flat().flatMap(({ slot }) => slot ?? []),
      ]),
    ];
    return this.#slots;
  }
}

/** The records of a table before one call writes them. */
export class Capture implements LiveCapture {
  readonly #watch: TableWatch;
  readonly #slots: readonly number[];
  readonly before: Map<string, Before> = new Map();

  constructor(watch: TableWatch, slots: readonly number[]) {
    this.#watch = watch;
    this.#slots = slots;
  }

  onWrite(table: TableVersion, id: string, ordinal: number): void {
    const values = new Map<number, StoredValue>();
    for (const slot of this.#slots) values.set(slot, table.get(ordinal, slot));
    this.#watch.show(table);
    this.before.set(id, { values, counted: this.#watch.countedBy(ordinal, values) });
  }
}
