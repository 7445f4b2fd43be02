import type { TableAddress } from "../catalog/address.js";
import type { LeafColumn, StoredValue } from "../schema/columns.js";
import type { TableVersion } from "../storage/table.js";

/** Notified of look-ups: an engine with only some of the rows loads them. */
export interface RowObserver {
  readonly onFind: (table: TableAddress, id: string) => void;
  readonly onUnique: (table: TableAddress, column: string, value: StoredValue) => void;
  /** A query may read any record; throws if that is unsupported. */
  readonly onQuery?: (() => void) | undefined;
  /** Reverse links of a record are read (rule P-11). */
  readonly onReverse?: ((table: TableAddress, link: LeafColumn, id: string) => void) | undefined;
  /** Wraps a version to report look-ups through links. */
  readonly observe?: ((table: TableAddress, version: TableVersion) => TableVersion) | undefined;
}
