import type { TableAddress } from "../catalog/address.js";
import type { CatalogState, TableKey } from "../catalog/state.js";
import type { TableVersion } from "../storage/table.js";
import type { AnyRecord } from "../types.js";
import type { Change, RecordChange } from "./change.js";
import type { EngineEvent, LiveCapture, LiveObserver, Notice, PersistenceSink } from "./notice.js";

/** Its changes are frozen: all listeners get the same ones. */
export type WriteListener = (changes: readonly Change[]) => void;

/** Former records by id: null for a new record, or if only a persistence sink needs the ids. */
export type RecordsBefore = ReadonlyMap<string, AnyRecord | null>;

/** Reads and compares records. Passed in with listeners, so others don't bundle it. */
export interface RecordComparison {
  /** Returns the changes of a call, frozen. */
  readonly changesIn: (notice: Notice) => readonly Change[];
  readonly read: (table: TableVersion, ordinal: number) => AnyRecord;
  readonly compare: (
    before: RecordsBefore,
    table: TableVersion,
    at: TableAddress,
  ) => readonly RecordChange[];
}

/** Records of one table written by one call. */
export class WrittenRecords {
  readonly #before = new Map<string, AnyRecord | null>();
  readonly #comparison: RecordComparison | undefined;
  readonly live: LiveCapture | undefined;

  constructor(comparison: RecordComparison | undefined, live: LiveCapture | undefined) {
    this.#comparison = comparison;
    this.live = live;
  }

  get byId(): ReadonlyMap<string, unknown> {
    return this.#before;
  }

  readonly onWrite = (table: TableVersion, id: string, before: number): void => {
    if (this.#before.has(id)) return;
    const record = before < 0 ? undefined : this.#comparison?.read(table, before);
    this.#before.set(id, record ?? null);
    if (before >= 0) this.live?.onWrite(table, id, before);
  };

  changesTo(table: TableVersion, at: TableAddress): readonly RecordChange[] {
    return this.#comparison?.compare(this.#before, table, at) ?? [];
  }
}

/** Notifies listeners and the persistence sink after each write. */
export class WriteFeed {
  readonly #listeners: Set<WriteListener> = new Set();
  #comparison: RecordComparison | undefined;
  sink: PersistenceSink | undefined = undefined;
  live: LiveObserver | undefined = undefined;
  /** Whether the records are stored elsewhere, where others write too. */
  isRemote = false;
  /** Whether listeners are called: they read the state after the call. */
  isNotifying = false;
  /** The events of the running call. */
  #events: EngineEvent[] = [];

  get isObserved(): boolean {
    return this.#listeners.size > 0 || this.sink !== undefined || this.live !== undefined;
  }

  /** Returns an observer of a call's writes to a table; undefined without listeners. */
  watch(at: TableAddress): WrittenRecords | undefined {
    if (!this.isObserved) return undefined;
    const comparison = this.#listeners.size > 0 ? this.#comparison : undefined;
    return new WrittenRecords(comparison, this.live?.watch(at));
  }

  /** @param comparison the same for all listeners */
  listen(listener: WriteListener, comparison: RecordComparison): () => void {
    this.#comparison = comparison;
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
    if (this.isObserved) for (const event of events) this.#events.push(event);
  }

  addWritten(
    key: TableKey,
    at: TableAddress,
    version: TableVersion,
    written: WrittenRecords,
  ): void {
    if (written.byId.size === 0) return;
    this.#events.push({
      kind: "records",
      key,
      at,
      version,
      written: written.byId,
      changes: written.changesTo(version, at),
      live: written.live,
    });
  }

  /** Notifies the sink, then the listeners, whose exceptions are logged. */
  notify(before: CatalogState, after: CatalogState): void {
    const events = this.#events;
    if (events.length === 0) return;
    const notice: Notice = { events, before, after };
    this.sink?.persist(notice);
    this.isNotifying = true;
    this.live?.notify(notice);
    const changes = this.#listeners.size > 0 ? this.#comparison!.changesIn(notice) : []; // given with them
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
