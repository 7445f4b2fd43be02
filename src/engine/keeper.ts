import type { TableAddress } from "../catalog/address.js";
import type { CatalogState } from "../catalog/state.js";
import { FIRST_COLUMN_SLOT } from "../schema/columns.js";
import type { TableVersion } from "../storage/table.js";
import type { RowWatcher } from "../storage/watch-writes.js";

/** What is known of a record that is written. */
export interface WrittenRow {
  readonly id: string;
  /** As it was before; −1 where there was none, or where that is not known. */
  readonly ordinal: number;
  /** Slots of the columns that were written; undefined where it may be the whole record. */
  slots: number[] | undefined;
}

/** What one call has written, for who keeps it. */
export interface KeptWrite {
  /** The records it noted to be written. */
  readonly records: readonly { readonly at: TableAddress; readonly rows: Iterable<WrittenRow> }[];
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

/** Which records a call writes to one table. */
export class WrittenRows implements RowWatcher {
  /** Most calls write one record: a map is made for the second. */
  #last: WrittenRow | undefined;
  #all: Map<string, WrittenRow> | undefined;

  get rows(): Iterable<WrittenRow> {
    return this.#all?.values() ?? (this.#last === undefined ? [] : [this.#last]);
  }

  onWrite(_: TableVersion, id: string, ordinal: number, slot?: number): void {
    let row = this.#last?.id === id ? this.#last : this.#all?.get(id);
    if (row === undefined) {
      row = { id, ordinal, slots: [] };
      if (this.#last !== undefined) {
        this.#all ??= new Map([[this.#last.id, this.#last]]);
        this.#all.set(id, row);
      }
    }
    this.#last = row;
    if (slot === undefined) row.slots = undefined;
    else if (slot >= FIRST_COLUMN_SLOT) row.slots?.push(slot);
  }
}
