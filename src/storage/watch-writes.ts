import type { LeafColumn, StoredValue } from "../schema/columns.js";
import type { TableVersion } from "./table.js";

/** Is told what a write looks for, found or not: for who holds only a part of the rows. */
export interface WriteObserver {
  /** A record is looked for by its id. */
  readonly onFind: (id: string) => void;
  /** Another record that holds a value is looked for in a `unique` column. */
  readonly onUnique: (column: LeafColumn, value: Exclude<StoredValue, null>) => void;
}

/** Is told of each row before it is written: for who tells others what has changed. */
export interface RowWatcher {
  /**
   * @param ordinal of the row as it is in the table, −1 for a record that is new
   * @param slot of the one column that is written; without one the whole record, new or deleted
   */
  readonly onWrite: (table: TableVersion, id: string, ordinal: number, slot?: number) => void;
}
