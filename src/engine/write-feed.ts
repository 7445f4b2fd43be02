import type { TableAddress } from "../catalog/address.js";
import type { CatalogState } from "../catalog/state.js";
import type { TableVersion } from "../storage/table.js";
import type { RecordChange } from "./change.js";
import { type Keeper, type KeptWrite, WrittenRows } from "./keeper.js";
import type { WrittenRecords } from "./written-records.js";

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

/** What a call notes of the records that it writes to one table. */
export type Written = WrittenRecords | WrittenRows;

/** Tells those who listen, and who keeps what is written, of each call that writes, once it is done. */
export class WriteFeed {
  readonly #listeners: Set<WriteListener> = new Set();
  #watchRecords: (() => WrittenRecords) | undefined;
  #keeper: Keeper | undefined;
  /** What the call under way has noted. */
  #records: RecordChange[] = [];
  #written: KeptWrite["records"][number][] = [];
  /** A state that differs from the one before the call by what it has noted alone. */
  #told: CatalogState | undefined;

  get isHeard(): boolean {
    return this.#listeners.size > 0 || this.#keeper !== undefined;
  }

  get keeper(): Keeper | undefined {
    return this.#keeper;
  }

  /** From here on each write is told to who keeps it. */
  keepBy(keeper: Keeper): void {
    this.#keeper = keeper;
  }

  /** Notes what is written to the records of one table; undefined while nobody is told. */
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

  /** @throws TwinbaseError `unavailable` where nothing more can be kept */
  begin(before: CatalogState): void {
    this.#keeper?.requireReady();
    this.#told = before;
    this.#records = [];
    this.#written = [];
  }

  note(at: TableAddress, table: TableVersion, written: Written): void {
    if (this.#keeper !== undefined) this.#written.push({ at, rows: written.rows });
    if (!("changesTo" in written)) return;
    for (const record of written.changesTo(table, at)) this.#records.push(record);
  }

  /** One state follows another by a change that is noted. */
  follow(state: CatalogState, next: CatalogState): void {
    if (this.#told === state) this.#told = next;
  }

  /** The write is done, whatever a listener does: what it throws is not thrown at the writer. */
  tell(after: CatalogState): void {
    const [before, noted] = [this.#told ?? after, this.#records];
    if (before !== after || this.#written.length > 0) {
      this.#keeper?.keep({ records: this.#written, before, after });
    }
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
