import type { Patch } from "immer";
import type { TableAddress } from "../catalog/address.js";
import type { Rename } from "../catalog/draft.js";
import type { CatalogState, TableKey } from "../catalog/state.js";
import { FIRST_COLUMN_SLOT } from "../schema/columns.js";
import type { TableVersion } from "../storage/table.js";
import type { RowWatcher } from "../storage/watch-writes.js";
import type { TableChange } from "./table-store.js";

/** What one recipe changed in the catalog. */
export interface CatalogChange {
  /**
   * All but those that replace a map in which a key was renamed, and one for the key of each table
   * that was altered.
   */
  readonly patches: readonly Patch[];
  readonly renames: readonly Rename[];
  /** The catalog after it. */
  readonly state: CatalogState;
}

/** What one call, or one atomic batch, has written. Versions of tables are for use at once. */
export interface Notice {
  /** The catalog before it and after it: the same where only records were written. */
  readonly before: CatalogState;
  readonly after: CatalogState;
  /** The tables after it. */
  readonly versions: ReadonlyMap<TableKey, TableVersion>;
  /** In their order. */
  readonly changes: readonly CatalogChange[];
  /** Tables that are new, altered, or gone; of others only single records changed. */
  readonly tables: ReadonlyMap<TableKey, TableChange>;
  /** The records that were written, by tables; those of `tables` too. */
  readonly records: readonly WrittenTable[];
  /** All was replaced, as by a restore: no more is said but what the two catalogs are. */
  readonly replaced: ReadonlyMap<TableKey, TableVersion> | undefined;
}

/** The records of one table that were written. */
export interface WrittenTable {
  readonly key: TableKey;
  readonly at: TableAddress;
  readonly rows: Iterable<WrittenRow>;
}

/** What is known of a record that is written. */
export interface WrittenRow {
  readonly id: string;
  /** As it was before; −1 where there was none, or where that is not known. */
  readonly ordinal: number;
  /** Slots of the columns that were written; undefined where it may be the whole record. */
  slots: number[] | undefined;
}

/** Persists what an engine holds elsewhere. */
export interface Keeper {
  /** Called before each write; throws where nothing more can be persisted. */
  readonly requireReady: () => void;
  /** Called after each write. */
  readonly keep: (notice: Notice) => void;
  /** Resolves once all that was written is persisted, or rejects; undefined where it is already. */
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
