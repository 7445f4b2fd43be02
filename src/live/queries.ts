import type { TableAddress } from "../catalog/address.js";
import { findTable } from "../catalog/find.js";
import type { TableKey } from "../catalog/state.js";
import type { EngineContext } from "../engine/context.js";
import type { LiveObserver, Notice } from "../engine/notice.js";

import { Capture, TableWatch } from "./watch.js";
import type { Before, Watcher } from "./watcher.js";

/** The open live queries of an engine. */
export class LiveQueries implements LiveObserver {
  readonly context: EngineContext;
  /** Another object in each call: filters that follow links are compiled for one call. */
  call: object = {};
  readonly #views: Set<Watcher> = new Set();
  readonly #watches: Map<TableKey, TableWatch> = new Map();

  private constructor(context: EngineContext) {
    this.context = context;
  }

  static of(context: EngineContext): LiveQueries {
    const { live } = context.feed;
    return live instanceof LiveQueries ? live : new LiveQueries(context);
  }

  add(view: Watcher, key: TableKey): void {
    this.#views.add(view);
    this.watchOf(key).add(view);
    this.context.feed.live = this;
  }

  remove(view: Watcher): void {
    if (!this.#views.delete(view)) return;
    for (const [key, watch] of this.#watches) {
      watch.delete(view);
      if (watch.isEmpty) this.#watches.delete(key);
    }
    if (this.#views.size === 0) this.context.feed.live = undefined;
  }

  watchOf(key: TableKey): TableWatch {
    let watch = this.#watches.get(key);
    if (watch === undefined) {
      watch = new TableWatch(this.context.tableAt(key));
      this.#watches.set(key, watch);
    }
    return watch;
  }

  watch(at: TableAddress): Capture | undefined {
    this.call = {};
    return this.#watches.get(findTable(this.context.state, at))?.capture();
  }

  /** Updates all queries, then notifies their listeners. */
  notify({ events }: Notice): void {
    this.call = {};
    const touched = new Set<Watcher>();
    const written = new Map<TableKey, Map<string, Before | undefined>>();
    let hasCatalog = false;
    let isReplaced = false;
    for (const event of events) {
      if (event.kind !== "records") {
        hasCatalog = true;
        isReplaced ||= event.kind === "replaced";
      } else if (this.#watches.has(event.key)) {
        const rows = written.get(event.key) ?? new Map<string, Before | undefined>();
        written.set(event.key, rows);
        const before = event.live instanceof Capture ? event.live.before : undefined;
        for (const id of event.ids) if (!rows.has(id)) rows.set(id, before?.get(id));
      }
    }
    if (hasCatalog) {
      for (const view of this.#views) if (view.checkTables(isReplaced)) touched.add(view);
    }
    for (const [key, rows] of written) {
      const table = this.context.tables.get(key);
      const watch = this.#watches.get(key);
      if (table === undefined || watch === undefined) continue;
      watch.show(table);
      for (const [id, before] of rows) {
        watch.visit({ id, table, ordinal: table.find(id), before }, touched);
      }
    }
    const changed = [...touched].filter((view) => view.settle());
    for (const view of changed) view.notify();
  }

  close(): void {
    for (const view of this.#views) view.close();
  }
}
