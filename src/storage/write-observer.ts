import type { LeafColumn, StoredValue } from "../schema/columns.js";
import type { TableVersion } from "./table.js";

export interface WriteObserver {
  readonly onFind?: ((id: string) => void) | undefined;
  readonly onUnique?: ((column: LeafColumn, value: Exclude<StoredValue, null>) => void) | undefined;
  /** Called before a write; `before` is the ordinal, −1 for a new record. */
  readonly onWrite?: ((table: TableVersion, id: string, before: number) => void) | undefined;
}
