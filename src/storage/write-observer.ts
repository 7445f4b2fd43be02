import type { LeafColumn, StoredValue } from "../schema/columns.js";
import type { TableVersion } from "./table.js";

/** Notified of what the writes to one table look for, found or not, and of what they change. */
export interface WriteObserver {
  /** A record is looked for by its id. */
  readonly onFind?: ((id: string) => void) | undefined;
  /** Another record that holds a value is looked for in a `unique` column. */
  readonly onUnique?: ((column: LeafColumn, value: Exclude<StoredValue, null>) => void) | undefined;
  /**
   * A record is about to be written.
   *
   * @param before its ordinal in the table, −1 for a record that is new
   */
  readonly onWrite?: ((table: TableVersion, id: string, before: number) => void) | undefined;
}
