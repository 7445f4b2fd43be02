import type { TableAddress } from "../catalog/address.js";
import type { LeafColumn } from "../schema/columns.js";
import type { TableVersion } from "../storage/table.js";
import type { WriteObserver } from "../storage/write-observer.js";

/** Observes look-ups, so an engine that holds only some rows can load the others. */
export interface RowObserver {
  /** Called before a query that may read any record; throws if that is unsupported. */
  readonly onQuery?: (() => void) | undefined;
  readonly at: (table: TableAddress) => LookupObserver;
}

export interface LookupObserver extends Omit<WriteObserver, "onWrite"> {
  /** Called when reverse links of a record are read (rule P-11). */
  readonly onReverse?: ((link: LeafColumn, id: string) => void) | undefined;
  /** Wraps a version to report look-ups through links. */
  readonly wrap?: ((version: TableVersion) => TableVersion) | undefined;
}
