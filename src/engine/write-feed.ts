import type { Patch } from "immer";
import type { TableAddress } from "../catalog/address.js";
import type { CatalogState, TableKey } from "../catalog/state.js";
import type { TableVersion } from "../storage/table.js";
import type { RecordChange } from "./change.js";
import {
  type CatalogChange,
  type Keeper,
  type Notice,
  WrittenRows,
  type WrittenTable,
} from "./notice.js";
import type { TableStore } from "./table-store.js";
import type { WrittenRecords } from "./written-records.js";

/** What one call did to the records of a table. */
export interface NotedRecords {
  readonly key: TableKey;
  readonly changes: readonly RecordChange[];
}

/** Called after each write, with what it did to records as far as that was noted. */
export type WriteListener = (notice: Notice, records: readonly NotedRecords[]) => void;

/** What a call notes of the records that it writes to one table. */
export type Written = WrittenRecords | WrittenRows;

/** Notifies listeners and the persistence sink after each write. */
export class WriteFeed {
  readonly #listeners: Set<WriteListener> = new Set();
  #watchRecords: (() => WrittenRecords) | undefined;
  #keeper: Keeper | undefined;
  // What the call under way has done.
  #before: CatalogState | undefined;
  #changes: CatalogChange[] = [];
  #records: NotedRecords[] = [];
  #written: WrittenTable[] = [];

  get isHeard(): boolean {
    return this.#listeners.size > 0 || this.#keeper !== undefined;
  }

  get keeper(): Keeper | undefined {
    return this.#keeper;
  }

  /** From here on each write is persisted by that sink. */
  keepBy(keeper: Keeper): void {
    this.#keeper = keeper;
  }

  /** Notes what is written to the records of one table; undefined while nobody listens. */
  watch(): Written | undefined {
    if (this.#listeners.size > 0) return this.#watchRecords!(); // given by who listens
    return this.#keeper && new WrittenRows();
  }

  /** @param watchRecords makes what notes the records of one table; the same for all who listen */
  listen(listener: WriteListener, watchRecords: () => WrittenRecords): () => void {
    this.#watchRecords = watchRecords;
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
    this.#keeper = undefined;
  }

  /** @throws TwinbaseError `unavailable` where nothing more can be persisted */
  begin(before: CatalogState): void {
    this.#keeper?.requireReady();
    this.#before = before;
    if (this.isHeard) this.replace();
  }

  /** Forgets what was noted: all is replaced. */
  replace(): void {
    this.#changes = [];
    this.#records = [];
    this.#written = [];
  }

  note(
    { key, at }: { readonly key: TableKey; readonly at: TableAddress },
    table: TableVersion,
    written: Written,
  ): void {
    if (this.#keeper !== undefined) this.#written.push({ key, at, rows: written.rows });
    if ("changesTo" in written) this.#records.push({ key, changes: written.changesTo(table, at) });
  }

  /** Notes what a recipe did. A map in which a key was renamed is another as a whole: no patch. */
  change({ patches, renames, state }: CatalogChange, altered: readonly TableAddress[]): void {
    const isRename = ({ path }: Patch): boolean =>
      renames.some((rename) => rename.path.join("/") === path.join("/")); // names have no slash (N-1)
    const others = patches.filter((patch) => !isRename(patch));
    const tables = altered.map(({ workspace, database, branch, table }): Patch => {
      const path = ["workspaces", workspace, "databases", database, "branches", branch, "tables"];
      return { op: "replace", path: [...path, table] };
    });
    this.#changes.push({ patches: others.concat(tables), renames, state });
  }

  /** The write is done, whatever a listener does: what it throws is not thrown at the writer. */
  tell(after: CatalogState, { versions, changes, replaced }: TableStore): void {
    const before = this.#before ?? after;
    this.#before = undefined;
    if (!this.isHeard) return;
    const tables = new Map([...changes].filter(([, { isAltered }]) => isAltered));
    const notice: Notice = {
      before,
      after,
      versions,
      changes: this.#changes,
      tables,
      records: this.#written,
      replaced,
    };
    const isSame = before === after && tables.size === 0 && replaced === undefined;
    if (!isSame || this.#written.length > 0) this.#keeper?.keep(notice);
    const noted = this.#records;
    if (isSame && noted.every(({ changes }) => changes.length === 0)) return;
    const { size } = this.#listeners;
    for (const listener of [...this.#listeners]) {
      if (!this.#listeners.has(listener)) continue; // unsubscribed by one before it
      const records = size > 1 ? structuredClone(noted) : noted; // each has records of its own
      try {
        listener(notice, records);
      } catch (error) {
        console.error(error);
      }
    }
  }
}
