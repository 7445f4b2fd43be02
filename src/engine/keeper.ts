import type { TableAddress } from "../catalog/address.js";
import type { CatalogState } from "../catalog/state.js";
import type { TableVersion } from "../storage/table.js";
import type { RowWatcher } from "../storage/watch-writes.js";

/** What one call has written, for who keeps it. */
export interface KeptWrite {
  /** The records it noted to be written. */
  readonly records: readonly { readonly at: TableAddress; readonly ids: Iterable<string> }[];
  /** The states, for use at once, between which all else differs; mostly one and the same. */
  readonly before: CatalogState;
  readonly after: CatalogState;
}

/** Keeps what an engine holds in another place too. */
export interface Keeper {
  /** Asked before each write; throws where nothing more can be kept. */
  readonly requireReady: () => void;
  /** Told of each write. */
  readonly keep: (write: KeptWrite) => void;
  /** Resolves once all that was written is kept, or rejects; undefined where all is kept already. */
  readonly flushed: () => Promise<void> | undefined;
}

/** The ids of the records that a call writes to one table. */
export class WrittenIds implements RowWatcher {
  /** Most calls write one record: a set is made for the second. */
  #first: string | undefined;
  #all: Set<string> | undefined;

  get ids(): Iterable<string> {
    return this.#all ?? (this.#first === undefined ? [] : [this.#first]);
  }

  onWrite(_: TableVersion, id: string): void {
    if (this.#all !== undefined) this.#all.add(id);
    else if (this.#first === undefined) this.#first = id;
    else if (this.#first !== id) this.#all = new Set([this.#first, id]);
  }
}
