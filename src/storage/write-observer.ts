import type { LeafColumn, StoredValue } from "../schema/columns.js";
import type { TableVersion } from "./table.js";

/** Notified of look-ups and writes in one table. */
export interface WriteObserver {
  /** A look-up by id, found or not. */
  readonly onFind?: ((id: string) => void) | undefined;
  /** A look-up in a `unique` column, found or not. */
  readonly onUnique?: ((column: LeafColumn, value: Exclude<StoredValue, null>) => void) | undefined;
  /** Called before a write; `before` is the ordinal, −1 for a new record. */
  readonly onWrite?: ((table: TableVersion, id: string, before: number) => void) | undefined;
}
