import type { TableAddress } from "../catalog/address.js";
import type { CatalogEvent } from "../catalog/events.js";
import type { CatalogState, TableKey } from "../catalog/state.js";
import type { TableVersion } from "../storage/table.js";
import type { RecordChange } from "./change.js";

/** The written records of a table. */
export interface RecordsWritten {
  readonly kind: "records";
  readonly key: TableKey;
  readonly at: TableAddress;
  readonly version: TableVersion;
  readonly ids: Iterable<string>;
  /** Empty if only a persistence sink is notified. */
  readonly changes: readonly RecordChange[];
}

export type EngineEvent = CatalogEvent | RecordsWritten;

/** The events of one call or atomic batch, in order. Its versions are valid until the next write. */
export interface Notice {
  readonly events: readonly EngineEvent[];
  readonly before: CatalogState;
  readonly after: CatalogState;
  readonly versions: ReadonlyMap<TableKey, TableVersion>;
  /** The tables before a restore, which has no events. */
  readonly replaced: ReadonlyMap<TableKey, TableVersion> | undefined;
}

export interface PersistenceSink {
  /** Called before each write; throws if persistence has failed. */
  readonly requireReady: () => void;
  readonly persist: (notice: Notice) => void;
  /** Settles when all writes are persisted; undefined if none is pending. */
  readonly flushed: () => Promise<void> | undefined;
}
