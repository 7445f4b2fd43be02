import type { TableAddress } from "../catalog/address.js";
import type { CatalogEvent } from "../catalog/events.js";
import type { CatalogState, TableKey } from "../catalog/state.js";
import type { RowQuery } from "../query/bound/bound-query.js";
import type { LinkColumn } from "../schema/columns.js";
import type { Breach, RowCheck } from "../storage/row-checks.js";
import type { TableVersion } from "../storage/table.js";
import type { WrittenRecords } from "../storage/transient.js";
import type { EngineContents } from "./setup.js";

/** The records of a table that a call wrote. */
export interface RecordsWritten extends WrittenRecords {
  readonly kind: "records";
  readonly key: TableKey;
  readonly at: TableAddress;
  readonly version: TableVersion;
}

/** All contents were replaced. */
export interface ContentsReplaced extends States {
  readonly kind: "replaced";
}

export type EngineEvent = CatalogEvent | RecordsWritten | ContentsReplaced;

/** Two states of an engine. */
export interface States {
  readonly before: Pick<EngineContents, "state" | "tables">;
  readonly after: Pick<EngineContents, "state" | "tables">;
}

/** The events of one call or atomic batch, in order. Its versions are valid until the next write. */
export interface Notice {
  readonly events: readonly EngineEvent[];
  readonly before: CatalogState;
  readonly after: CatalogState;
}

export interface PersistenceSink {
  /** Called before each write; throws if persistence has failed. */
  readonly requireReady: () => void;
  readonly persist: (notice: Notice) => void;
  /** Settles when all writes are persisted; undefined if none is pending. */
  readonly flushed: () => Promise<void> | undefined;
}

/** A link to no record, and the record that has it. */
export interface DanglingLink {
  readonly link: string;
  readonly record: string;
}

/**
 * Records stored elsewhere. What changes of the catalog require of them is collected, and answered
 * when the same call runs again; until then it counts as fulfilled.
 */
export interface RemoteRows {
  readonly note: (events: readonly CatalogEvent[]) => void;
  readonly findBreach: (at: TableAddress, check: RowCheck) => Breach | undefined;
  readonly findDangling: (
    at: TableAddress,
    table: TableKey,
    column: LinkColumn,
  ) => DanglingLink | undefined;
}

/**
 * Called before a query, or before a write of matching records, which may read any record; throws or
 * loads them if they are stored elsewhere.
 */
export type QueryObserver = (
  table?: TableAddress,
  matches?: Pick<RowQuery, "predicate" | "limit">,
) => void;

/** Live queries, or the listeners to changes. Passed in, so others don't bundle them. */
export interface WriteObserver {
  /** Called after a call, before the listeners. */
  readonly notify: (notice: Notice) => void;
  readonly close: () => void;
}
