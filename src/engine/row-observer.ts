import type { TableAddress } from "../catalog/address.js";
import type { LeafColumn, StoredValue } from "../schema/columns.js";
import type { TableVersion } from "../storage/table.js";

/**
 * Notified of the ids and unique values that calls look for, found or not: an engine that holds only
 * some of the rows loads these.
 */
export interface RowObserver {
  readonly onFind: (table: TableAddress, id: string) => void;
  readonly onUnique: (table: TableAddress, column: string, value: StoredValue) => void;
  /** A query may want any record; throws where that is not supported. */
  readonly onQuery?: (() => void) | undefined;
  /** The reverse links of a record are returned (rule P-11). */
  readonly onReverse?: ((table: TableAddress, link: LeafColumn, id: string) => void) | undefined;
  /** Wraps a version so that look-ups over links are reported too. */
  readonly observe?: ((table: TableAddress, version: TableVersion) => TableVersion) | undefined;
}
