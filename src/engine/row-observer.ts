import type { TableAddress } from "../catalog/address.js";
import type { LeafColumn, StoredValue } from "../schema/columns.js";
import type { TableVersion } from "../storage/table.js";

/**
 * Is told which ids and unique values calls look for by themselves, found or not: for who gives an
 * engine only a part of the rows, and brings in what was looked for.
 */
export interface RowObserver {
  readonly onFind: (table: TableAddress, id: string) => void;
  readonly onUnique: (table: TableAddress, column: string, value: StoredValue) => void;
  /** Any records that match may be wanted; throws where that cannot be. */
  readonly onQuery?: (() => void) | undefined;
  /** Of a record whose reverse links are given back (rule P-11). */
  readonly onReverse?: ((table: TableAddress, link: LeafColumn, id: string) => void) | undefined;
  /** Gives a version that tells of the records looked for over links, in place of another. */
  readonly observe?: ((table: TableAddress, version: TableVersion) => TableVersion) | undefined;
}
