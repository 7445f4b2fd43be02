import type { Patch } from "immer";
import type { Rename } from "../catalog/draft.js";
import type { CatalogState, TableKey } from "../catalog/state.js";
import type { TableVersion } from "../storage/table.js";
import type { RecordChange } from "./change.js";
import type { TableChange } from "./table-store.js";

/** The changes that one recipe made to the catalog. */
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

/** The writes of one call or one atomic batch. Versions of tables are for use at once. */
export interface Notice {
  /** The catalog before it and after it: the same where only records were written. */
  readonly before: CatalogState;
  readonly after: CatalogState;
  /** The tables after it. */
  readonly versions: ReadonlyMap<TableKey, TableVersion>;
  /** In their order. */
  readonly changes: readonly CatalogChange[];
  /** Tables that are new, altered or deleted; of others only single records changed. */
  readonly tables: ReadonlyMap<TableKey, TableChange>;
  /** The records that were written, by tables; those of `tables` too. */
  readonly records: readonly WrittenTable[];
  /** The tables before it, where everything was replaced, as by a restore: no changes are listed. */
  readonly replaced: ReadonlyMap<TableKey, TableVersion> | undefined;
}

/** The records of one table that one call wrote. */
export interface WrittenTable {
  readonly key: TableKey;
  readonly ids: Iterable<string>;
  /** What listeners compare; empty while there are none. */
  readonly changes: readonly RecordChange[];
}

/** Persists every write elsewhere. */
export interface PersistenceSink {
  /** Called before each write; throws where nothing more can be persisted. */
  readonly requireReady: () => void;
  /** Called after each write. */
  readonly persist: (notice: Notice) => void;
  /** Resolves once all writes are persisted, or rejects; undefined where they are already. */
  readonly flushed: () => Promise<void> | undefined;
}
