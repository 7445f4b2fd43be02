import type { TableAddress } from "../catalog/address.js";
import { findTable } from "../catalog/find.js";
import type { TableKey } from "../catalog/state.js";
import type { EngineContext } from "../engine/context.js";
import type { LiveObserver, Notice } from "../engine/notice.js";
import { Capture, TableWatch, type Watcher, type WrittenRow } from "./watch.js";

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

  add(watcher: Watcher, key: TableKey): void {
    this.#watchers.add(watcher);
    this.watchOf(key).add(watcher);
    for (const [linked, name] of watcher.linked) this.watchOf(linked).linked.set(watcher, name);
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

  watchOf(key: TableKey): TableWatch {
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
    const written = new Map<TableKey, Map<string, WrittenRow["before"]>>();
    for (const event of events) {
      if (event.kind === "records") {
        if (!this.#watches.has(event.key)) continue;
        const rows = written.get(event.key) ?? new Map<string, WrittenRow["before"]>();
        written.set(event.key, rows);
        const before = event.live instanceof Capture ? event.live.before : undefined;
        for (const id of event.ids) if (!rows.has(id)) rows.set(id, before?.get(id));
      } else if (event.kind !== "created" && event.kind !== "changed") {
        for (const watcher of this.#watchers) {
          watcher.isStale = true;
          touched.add(watcher);
        }
      }
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
    const changed = [...touched].filter((watcher) => watcher.settle());
    for (const watcher of changed) watcher.notify();
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
  }
}
