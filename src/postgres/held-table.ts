import type { TableAddress } from "../catalog/address.js";
import { ID_SLOT, type LeafColumn, type StoredValue } from "../schema/columns.js";
import type { Row } from "../sql/project.js";
import type { Statement } from "../sql/statement.js";
import { hasUniqueIndex } from "../sql/unique.js";
import type { RowSource } from "../storage/table.js";
import { uniqueKey } from "../storage/unique.js";

/** A search for the rows with a value. */
export interface LookUp {
  readonly slot: number;
  readonly value: Exclude<StoredValue, null>;
}

/** Assumptions of a run, which the database checks when rows are written. */
export interface Assumptions {
  /** Whether unique values count as free. */
  readonly isOptimistic: boolean;
  /** Whether linked records count as existing. */
  holdsLinks: boolean;
  /** Whether an id was generated for this run. */
  readonly isNew: (id: string) => boolean;
}

/** The loaded rows of a table; records which other rows a run needs. */
export class HeldTable implements RowSource {
  readonly address: TableAddress;
  readonly #assumptions: Assumptions;
  /** By id; null if the record does not exist. */
  readonly rows: Map<string, Row | null> = new Map();
  /** Keys of what was read. */
  readonly #read: Set<string> = new Set();
  /** The look-ups, and statements that select matching rows, whose rows are not loaded; by key. */
  readonly wanted: Map<string, LookUp | Statement> = new Map();
  /** Unique values that count as free, and ids of linked records that count as existing. */
  readonly assumedFree: LookUp[] = [];
  readonly assumedIds: Set<string> = new Set();

  constructor(address: TableAddress, assumptions: Assumptions) {
    this.address = address;
    this.#assumptions = assumptions;
  }

  find(slot: number, value: Exclude<StoredValue, null>): void {
    const id = slot === ID_SLOT ? (value as string) : undefined; // by the slot
    if (id !== undefined && (this.rows.has(id) || this.#assumptions.isNew(id))) return;
    this.#want(`${slot} ${uniqueKey(value)}`, { slot, value });
  }

  has(id: string): boolean {
    // A loaded record that the version lacks was deleted.
    if (this.rows.has(id)) return false;
    const { holdsLinks } = this.#assumptions;
    if (holdsLinks) this.assumedIds.add(id);
    else this.find(ID_SLOT, id);
    return holdsLinks;
  }

  findUnique({ slot, type }: LeafColumn, value: Exclude<StoredValue, null>): void {
    if (this.#assumptions.isOptimistic && hasUniqueIndex(type)) {
      this.assumedFree.push({ slot, value });
    } else this.find(slot, value);
  }

  /** @param statement selects the stored columns of matching rows */
  match(statement: Statement): void {
    this.#want(JSON.stringify(statement), statement);
  }

  #want(key: string, wanted: LookUp | Statement): void {
    if (!this.#read.has(key)) this.wanted.set(key, wanted);
  }

  begin(): void {
    this.assumedFree.length = 0;
    this.assumedIds.clear();
  }

  /** Call after the wanted rows are loaded. */
  settle(): void {
    for (const [key, wanted] of this.wanted) {
      this.#read.add(key);
      if (!("slot" in wanted) || wanted.slot !== ID_SLOT) continue;
      const id = wanted.value as string; // an id
      if (!this.rows.has(id)) this.rows.set(id, null);
    }
    this.wanted.clear();
  }

  *present(): Generator<Row> {
    for (const row of this.rows.values()) if (row !== null) yield row;
  }
}
