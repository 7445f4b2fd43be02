import type { Patch } from "immer";
import type { TableAddress } from "../catalog/address.js";
import type { CatalogState, TableKey } from "../catalog/state.js";
import type { TableVersion } from "../storage/table.js";
import type { AnyRecord } from "../types.js";
import type { RecordChange } from "./change.js";
import type { CatalogChange, Notice, PersistenceSink, WrittenTable } from "./notice.js";
import type { TableStore } from "./table-store.js";

export type WriteListener = (notice: Notice) => void;

/** Former records by id: null for a new record, or if only a persistence sink needs the ids. */
export type RecordsBefore = ReadonlyMap<string, AnyRecord | null>;

/** Reads and compares records. Passed in with listeners, so others don't bundle it. */
export interface RecordComparison {
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

  constructor(comparison: RecordComparison | undefined) {
    this.#comparison = comparison;
  }

  get ids(): Iterable<string> {
    return this.#before.keys();
  }

  readonly onWrite = (table: TableVersion, id: string, before: number): void => {
    if (this.#before.has(id)) return;
    const record = before < 0 ? undefined : this.#comparison?.read(table, before);
    this.#before.set(id, record ?? null);
  };

  changesTo(table: TableVersion, at: TableAddress): readonly RecordChange[] {
    return this.#comparison?.compare(this.#before, table, at) ?? [];
  }
}

/** Notifies listeners and the persistence sink after each write. */
export class WriteFeed {
  readonly #listeners: Set<WriteListener> = new Set();
  #comparison: RecordComparison | undefined;
  #sink: PersistenceSink | undefined;
  // The writes of the running call.
  #before: CatalogState | undefined;
  #changes: CatalogChange[] = [];
  #records: WrittenTable[] = [];

  get isObserved(): boolean {
    return this.#listeners.size > 0 || this.#sink !== undefined;
  }

  get sink(): PersistenceSink | undefined {
    return this.#sink;
  }

  persistWith(sink: PersistenceSink): void {
    this.#sink = sink;
  }

  /** Returns an observer of a call's writes to a table; undefined without listeners. */
  watch(): WrittenRecords | undefined {
    if (!this.isObserved) return undefined;
    return new WrittenRecords(this.#listeners.size > 0 ? this.#comparison : undefined);
  }

  /** @param comparison the same for all listeners */
  listen(listener: WriteListener, comparison: RecordComparison): () => void {
    this.#comparison = comparison;
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
    this.#sink = undefined;
  }

  /** Throws `unavailable` if persistence has failed. */
  begin(before: CatalogState): void {
    this.#sink?.requireReady();
    this.#before = before;
    if (this.isObserved) this.replace();
  }

  /** Discards recorded writes, since everything was replaced. */
  replace(): void {
    this.#changes = [];
    this.#records = [];
  }

  note(key: TableKey, at: TableAddress, table: TableVersion, written: WrittenRecords): void {
    this.#records.push({ key, ids: written.ids, changes: written.changesTo(table, at) });
  }

  /** Records a recipe's changes, except patches of maps with a renamed key. */
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

  /** Notifies the sink, then the listeners, whose exceptions are logged. */
  notify(after: CatalogState, { versions, changes, replaced }: TableStore): void {
    const before = this.#before ?? after;
    this.#before = undefined;
    if (!this.isObserved) return;
    const tables = new Map([...changes].filter(([, { isAltered }]) => isAltered));
    const records = this.#records;
    const notice: Notice = {
      before,
      after,
      versions,
      changes: this.#changes,
      tables,
      records,
      replaced,
    };
    const isSame = before === after && tables.size === 0 && replaced === undefined;
    if (!isSame || records.length > 0) this.#sink?.persist(notice);
    if (isSame && records.every(({ changes }) => changes.length === 0)) return;
    const { size } = this.#listeners;
    for (const listener of [...this.#listeners]) {
      if (!this.#listeners.has(listener)) continue; // unsubscribed by a previous listener
      const own = size > 1 ? { ...notice, records: records.map(copyChanges) } : notice;
      try {
        listener(own);
      } catch (error) {
        console.error(error);
      }
    }
  }
}

/** Each listener gets its own records. */
function copyChanges({ changes, ...table }: WrittenTable): WrittenTable {
  return { ...table, changes: structuredClone(changes) };
}
