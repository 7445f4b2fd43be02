import type { TableAddress } from "../catalog/address.js";
import type { LeafColumn, StoredValue } from "../schema/columns.js";
import type { Row } from "../sql/project.js";

/** A value that a `unique` column was asked for. */
interface UniqueValue {
  readonly column: LeafColumn;
  readonly value: Exclude<StoredValue, null>;
}

/** What is held of a table, and what is to be read yet. */
export class HeldTable {
  readonly address: TableAddress;
  /** By id; null where there is none. */
  readonly rows: Map<string, Row | null> = new Map();
  readonly wantedIds: Set<string> = new Set();
  readonly askedUniques: Set<string> = new Set();
  readonly wantedUniques: UniqueValue[] = [];
  /** The ids that records link to, by the slot of the link. */
  readonly askedLinks: Map<number, Set<string>> = new Map();
  readonly wantedLinks: Map<number, Set<string>> = new Map();

  constructor(address: TableAddress) {
    this.address = address;
  }

  /** The rows that are there. */
  *present(): Generator<Row> {
    for (const row of this.rows.values()) if (row !== null) yield row;
  }
}
