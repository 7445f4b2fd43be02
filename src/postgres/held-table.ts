import type { TableAddress } from "../catalog/address.js";
import type { LeafColumn, StoredValue } from "../schema/columns.js";
import type { Row } from "../sql/project.js";

/** Given to a record. */
export interface UniqueValue {
  readonly column: LeafColumn;
  readonly value: Exclude<StoredValue, null>;
}

export class HeldTable {
  readonly address: TableAddress;
  /** By id; null if the record does not exist. */
  readonly rows: Map<string, Row | null> = new Map();
  readonly wantedIds: Set<string> = new Set();
  readonly askedUniques: Set<string> = new Set();
  readonly wantedUniques: UniqueValue[] = [];
  readonly askedLinks: Map<number, Set<string>> = new Map();
  readonly wantedLinks: Map<number, Set<string>> = new Map();

  constructor(address: TableAddress) {
    this.address = address;
  }

  *present(): Generator<Row> {
    for (const row of this.rows.values()) if (row !== null) yield row;
  }
}
