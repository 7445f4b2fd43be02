/** A secondary index over the rows of a table as they were at one position of its history. */
export interface TableIndex {
  /** How many writes of the history it knows of. */
  readonly position: number;
  /** Bytes of its arrays. */
  readonly byteLength: number;
}

/** Above so many writes past its indexes a history is given up and begun anew. */
const MAX_WRITES = 1 << 20;

/**
 * The rows written since a table got its first secondary index, and the indexes.
 *
 * Successive versions share one history; each knows up to where it reaches. An index serves every
 * version from its own position on: the rows written in between are looked at one by one. A
 * version that is written a second time, as by two branches, goes on in a copy.
 */
export class History {
  readonly written: number[];
  readonly indexes: Map<string, TableIndex>;

  constructor(written: number[] = [], indexes: Map<string, TableIndex> = new Map()) {
    this.written = written;
    this.indexes = indexes;
  }

  /**
   * The history of the version that follows the one at `position` by writing some rows; undefined
   * where keeping track of them would cost more than the indexes are worth.
   */
  extend(position: number, rows: readonly number[], tableRows: number): History | undefined {
    if (rows.length > 64 && rows.length * 8 > tableRows) return undefined;
    if (position + rows.length > MAX_WRITES) return undefined;
    const isTip = this.written.length === position;
    const next = isTip ? this : this.#copyUpTo(position);
    for (const row of rows) next.written.push(row);
    return next;
  }

  #copyUpTo(position: number): History {
    const indexes = [...this.indexes].filter(([, index]) => index.position <= position);
    return new History(this.written.slice(0, position), new Map(indexes));
  }
}
