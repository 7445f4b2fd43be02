import type { TableAddress } from "../catalog/address.js";
import type { LeafColumn, StoredValue } from "../schema/columns.js";
import type { Row } from "../sql/project.js";
import type { Statement } from "../sql/statement.js";
import { hasUniqueIndex } from "../sql/unique.js";
import type { RowSource } from "../storage/table.js";
import { uniqueKey } from "../storage/unique.js";

export interface UniqueValue {
  readonly column: LeafColumn;
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
  /** Unique values, links and matches that were read. */
  readonly #read: Set<string> = new Set();
  readonly wantedIds: Set<string> = new Set();
  readonly wantedUniques: Map<string, UniqueValue> = new Map();
  readonly wantedLinks: Map<number, Set<string>> = new Map();
  readonly wantedMatches: Map<string, Statement> = new Map();
  /** Unique values that count as free, and ids of linked records that count as existing. */
  readonly assumedFree: UniqueValue[] = [];
  readonly assumedIds: Set<string> = new Set();

  constructor(address: TableAddress, assumptions: Assumptions) {
    this.address = address;
    this.#assumptions = assumptions;
  }

  get isComplete(): boolean {
    const { wantedIds, wantedUniques, wantedLinks, wantedMatches } = this;
    return wantedIds.size + wantedUniques.size + wantedLinks.size + wantedMatches.size === 0;
  }

  find(id: string): void {
    if (!this.rows.has(id) && !this.#assumptions.isNew(id)) this.wantedIds.add(id);
  }

  has(id: string): boolean {
    // A loaded record that the version lacks was deleted.
    if (this.rows.has(id)) return false;
    const { holdsLinks } = this.#assumptions;
    if (holdsLinks) this.assumedIds.add(id);
    else this.find(id);
    return holdsLinks;
  }

  findUnique(column: LeafColumn, value: Exclude<StoredValue, null>): void {
    if (this.#assumptions.isOptimistic && hasUniqueIndex(column.type)) {
      this.assumedFree.push({ column, value });
    } else this.want({ column, value });
  }

  want({ column, value }: UniqueValue): void {
    const key = `${column.path} ${uniqueKey(value)}`;
    if (!this.#read.has(key)) this.wantedUniques.set(key, { column, value });
  }

  linkedTo({ slot }: LeafColumn, id: string): void {
    if (this.#read.has(`${slot} ${id}`)) return;
    const ids = this.wantedLinks.get(slot) ?? new Set();
    this.wantedLinks.set(slot, ids.add(id));
  }

  /** @param statement selects the stored columns of matching rows */
  matching(statement: Statement): void {
    const key = JSON.stringify(statement);
    if (!this.#read.has(key)) this.wantedMatches.set(key, statement);
  }

  begin(): void {
    this.assumedFree.length = 0;
    this.assumedIds.clear();
  }

  /** Call after the wanted rows are loaded. */
  settle(): void {
    for (const id of this.wantedIds) if (!this.rows.has(id)) this.rows.set(id, null);
    for (const key of this.wantedUniques.keys()) this.#read.add(key);
    for (const [slot, ids] of this.wantedLinks)
      for (const id of ids) this.#read.add(`${slot} ${id}`);
    for (const key of this.wantedMatches.keys()) this.#read.add(key);
    this.wantedIds.clear();
    this.wantedUniques.clear();
    this.wantedLinks.clear();
    this.wantedMatches.clear();
  }

  *present(): Generator<Row> {
    for (const row of this.rows.values()) if (row !== null) yield row;
  }
}
