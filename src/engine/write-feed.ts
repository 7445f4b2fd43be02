import type { CatalogState } from "../catalog/state.js";
import type { RecordChange } from "./change.js";

/** What one call has written. */
export interface Write {
  /** What it did to records, as far as it noted that. */
  readonly records: readonly RecordChange[];
  /** The states, for use at once, between which all else differs; mostly one and the same. */
  readonly before: CatalogState;
  readonly after: CatalogState;
}

/** Is told of each write. */
export type WriteListener = (write: Write) => void;

/** Tells those who listen of each call that writes, once it is done. */
export class WriteFeed {
  readonly #listeners: Set<WriteListener> = new Set();
  /** What the call under way has noted. */
  #records: RecordChange[] = [];
  /** A state that differs from the one before the call by what it has noted alone. */
  #told: CatalogState | undefined;

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  listen(listener: WriteListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
  }

  begin(before: CatalogState): void {
    this.#told = before;
    this.#records = [];
  }

  note(records: readonly RecordChange[]): void {
    for (const record of records) this.#records.push(record);
  }

  /** One state follows another by a change that is noted. */
  follow(state: CatalogState, next: CatalogState): void {
    if (this.#told === state) this.#told = next;
  }

  /** The write is done, whatever a listener does: what it throws is not thrown at the writer. */
  tell(after: CatalogState): void {
    const [before, noted] = [this.#told ?? after, this.#records];
    if (before === after && noted.length === 0) return;
    const { size } = this.#listeners;
    for (const listener of [...this.#listeners]) {
      if (!this.#listeners.has(listener)) continue; // unsubscribed by one before it
      const records = size > 1 ? structuredClone(noted) : noted; // each has records of its own
      try {
        listener({ records, before, after });
      } catch (error) {
        console.error(error);
      }
    }
    this.#told = undefined;
  }
}
