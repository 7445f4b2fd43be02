import type { CatalogState } from "../catalog/state.js";
import type { Noted } from "../storage/transient.js";
import type { EngineEvent, Notice, PersistenceSink, WriteObserver } from "./notice.js";

/** Notifies the persistence sink and the observers after each write. */
export class WriteFeed {
  sink: PersistenceSink | undefined = undefined;
  live: WriteObserver | undefined = undefined;
  /** Calls the listeners. */
  changes: WriteObserver | undefined = undefined;
  /** Whether listeners are called: they read the state after the call. */
  isNotifying = false;
  /** The events of the running call. */
  #events: EngineEvent[] = [];

  /** Whether a write notes ids, or ids and former rows, for the observers: undefined without one. */
  get noted(): Noted | undefined {
    if (this.live !== undefined || this.changes !== undefined) return "rows";
    return this.sink === undefined ? undefined : "ids";
  }

  close(): void {
    this.live?.close();
    this.changes?.close();
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

  /** Notifies the sink, the live queries, then the listeners. */
  notify(before: CatalogState, after: CatalogState): void {
    const events = this.#events;
    if (events.length === 0) return;
    const notice: Notice = { events, before, after };
    this.sink?.persist(notice);
    this.isNotifying = true;
    this.live?.notify(notice);
    this.changes?.notify(notice);
    this.isNotifying = false;
  }
}
