import type { CatalogState } from "../catalog/state.js";
import type { Noted } from "../storage/transient.js";
import type { Change } from "./change.js";
import type { EngineEvent, LiveObserver, Notice, PersistenceSink } from "./notice.js";

/** Its changes are frozen: all listeners get the same ones. */
export type WriteListener = (changes: readonly Change[]) => void;

/** Describes a call's changes, frozen. Passed in with listeners, so others don't bundle it. */
export type DescribeChanges = (notice: Notice) => readonly Change[];

/** Notifies listeners and the persistence sink after each write. */
export class WriteFeed {
  readonly #listeners: Set<WriteListener> = new Set();
  #describe: DescribeChanges | undefined;
  sink: PersistenceSink | undefined = undefined;
  live: LiveObserver | undefined = undefined;
  /** Whether listeners are called: they read the state after the call. */
  isNotifying = false;
  /** The events of the running call. */
  #events: EngineEvent[] = [];

  /** Whether a write notes the ids or also the former rows of records; undefined if nobody observes them. */
  get noted(): Noted | undefined {
    if (this.#listeners.size > 0 || this.live !== undefined) return "rows";
    return this.sink === undefined ? undefined : "ids";
  }

  /** @param describe the same for all listeners */
  listen(listener: WriteListener, describe: DescribeChanges): () => void {
    this.#describe = describe;
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.live?.close();
    this.#listeners.clear();
    this.sink = undefined;
  }

  /** Throws `unavailable` if persistence has failed. */
  begin(): void {
    this.sink?.requireReady();
    if (this.#events.length > 0) this.#events = [];
  }

  add(events: readonly EngineEvent[]): void {
    if (this.noted !== undefined) for (const event of events) this.#events.push(event);
  }

  /** Notifies the sink, then the listeners, whose exceptions are logged. */
  notify(before: CatalogState, after: CatalogState): void {
    const events = this.#events;
    if (events.length === 0) return;
    const notice: Notice = { events, before, after };
    this.sink?.persist(notice);
    this.isNotifying = true;
    this.live?.notify(notice);
    const changes = this.#listeners.size > 0 ? this.#describe!(notice) : []; // given with them
    for (const listener of changes.length === 0 ? [] : [...this.#listeners]) {
      if (!this.#listeners.has(listener)) continue; // unsubscribed by a previous listener
      try {
        listener(changes);
      } catch (error) {
        console.error(error);
      }
    }
    this.isNotifying = false;
  }
}
