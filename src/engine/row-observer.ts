import type { TableAddress } from "../catalog/address.js";
import type { StoredValue } from "../schema/columns.js";
import type { TableVersion } from "../storage/table.js";

/**
 * Is told which ids and unique values calls look for by themselves, found or not: for who gives an
 * engine only a part of the rows, and brings in what was looked for.
 */
export interface RowObserver {
  readonly onFind: (table: TableAddress, id: string) => void;
  readonly onUnique: (table: TableAddress, column: string, value: StoredValue) => void;
  /** Gives a version that tells of the records looked for over links, in place of another. */
  readonly observe?: ((table: TableAddress, version: TableVersion) => TableVersion) | undefined;
}
