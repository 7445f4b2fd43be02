import type { Patch } from "immer";
import type { Rename } from "../catalog/draft.js";
import type { CatalogState, TableKey } from "../catalog/state.js";
import type { TableVersion } from "../storage/table.js";
import type { RecordChange } from "./change.js";
import type { TableChange } from "./table-store.js";

export interface CatalogChange {
  /** Without patches of maps with a renamed key; with one for the key of each altered table. */
  readonly patches: readonly Patch[];
  readonly renames: readonly Rename[];
  readonly state: CatalogState;
}

/** The writes of one call or atomic batch. Its versions are valid until the next write. */
export interface Notice {
  /** The same object as before if only records were written. */
  readonly before: CatalogState;
  readonly after: CatalogState;
  readonly versions: ReadonlyMap<TableKey, TableVersion>;
  readonly changes: readonly CatalogChange[];
  readonly tables: ReadonlyMap<TableKey, TableChange>;
  /** Includes the tables of `tables`. */
  readonly records: readonly WrittenTable[];
  /** The tables before a restore, which lists no changes. */
  readonly replaced: ReadonlyMap<TableKey, TableVersion> | undefined;
}

export interface WrittenTable {
  readonly key: TableKey;
  readonly ids: Iterable<string>;
  readonly changes: readonly RecordChange[];
}

export interface PersistenceSink {
  /** Called before each write; throws if persistence has failed. */
  readonly requireReady: () => void;
  readonly persist: (notice: Notice) => void;
  /** Settles when all writes are persisted; undefined if none is pending. */
  readonly flushed: () => Promise<void> | undefined;
}
