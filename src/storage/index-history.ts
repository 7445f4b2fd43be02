/** A secondary index at one position of a table's history. */
export interface TableIndex {
  readonly position: number;
  readonly byteLength: number;
}

export interface WrittenRows {
  position: number;
  readonly rows: ReadonlySet<number>;
  /** Rows that were live at a position, in index order. */
  sorted: { readonly position: number; readonly rows: Int32Array } | undefined;
}

/** Yields the number of rows processed by each step. */
export interface IndexBuild {
  readonly key: string;
  readonly work: Iterator<number, TableIndex>;
}

/** Maximum rows in the log; a longer one is dropped with its indexes. */
const MAX_LOGGED = 1 << 20;

/** Maximum rows per write that keep the indexes: this number, or a share of the table. */
const MAX_ROWS_AT_ONCE = 64;
const MAX_SHARE_AT_ONCE = 1 / 8;

/**
 * Secondary indexes, their demand and a log of written rows, shared by successive versions.
 *
 * A version's position is the number of row writes before it. An index serves the version it was
 * built from, and later ones while the log covers them. A second write from the same
 * version gets a copy, so all versions that share a history agree on its positions.
 */
export class IndexHistory {
  /** Demand for missing indexes by key; copies share it. */
  readonly demand: Map<string, number>;
  /** Indexes by key, oldest first; each key's by position. */
  readonly indexes: Map<string, readonly TableIndex[]> = new Map();
  #build: IndexBuild | undefined;
  #end: number;
  /** Rows written since `#logStart`, while indexes exist. */
  #log: number[] = [];
  #logStart = 0;
  readonly #since = new WeakMap<TableIndex, WrittenRows & { readonly rows: Set<number> }>();

  constructor(position = 0, demand: Map<string, number> = new Map()) {
    this.#end = position;
    this.demand = demand;
  }

  findIndex(key: string, position: number): TableIndex | undefined {
    return this.indexes.get(key)?.findLast((index) => this.#serves(index, position));
  }

  keepIndex(key: string, index: TableIndex, replaced?: TableIndex): void {
    this.#beginLog();
    const histories = [...(this.indexes.get(key) ?? []), index].filter(
      (other) => other !== replaced,
    );
    this.indexes.set(
      key,
      histories.sort((a, b) => a.position - b.position),
    );
  }

  get build(): IndexBuild | undefined {
    return this.#build;
  }

  beginBuild(build: IndexBuild): void {
    this.#beginLog();
    this.#build = build;
  }

  endBuild(): void {
    this.#build = undefined;
  }

  writtenBetween(from: number, to: number): number[] {
    return from === to ? [] : this.#log.slice(from - this.#logStart, to - this.#logStart);
  }

  /** Returns the rows written after an index was built. Later calls reuse the set. */
  writtenSince(index: TableIndex, position: number): WrittenRows {
    let recent = this.#since.get(index);
    if (recent === undefined || recent.position > position) {
      recent = { position: index.position, rows: new Set(), sorted: undefined };
      this.#since.set(index, recent);
    }
    for (const row of this.writtenBetween(recent.position, position)) recent.rows.add(row);
    recent.position = position;
    return recent;
  }

  /**
   * Returns the history after a write: this one, a copy if another version was written from the
   * same position, or one without indexes if too many rows were written.
   */
  advance(position: number, rows: readonly number[], tableRows: number): IndexHistory {
    const count = rows.length;
    if (count === 0) return this;
    if (
      (count > MAX_ROWS_AT_ONCE && count > tableRows * MAX_SHARE_AT_ONCE) ||
      this.#log.length + count > MAX_LOGGED
    ) {
      return new IndexHistory(position + count, this.demand);
    }
    const next = this.#end === position ? this : this.copyAt(position);
    next.#end += count;
    if (next.#isLogged) for (const row of rows) next.#log.push(row);
    return next;
  }

  /** Returns a separate history for the version at a position. */
  copyAt(position: number): IndexHistory {
    const copy = new IndexHistory(position, this.demand);
    copy.#logStart = position;
    for (const [key, indexes] of this.indexes) {
      const served = indexes.filter((index) => this.#serves(index, position));
      const [first] = served;
      if (first === undefined) continue;
      copy.indexes.set(key, served);
      copy.#logStart = Math.min(copy.#logStart, first.position);
    }
    copy.#log = this.writtenBetween(copy.#logStart, position);
    return copy;
  }

  get #isLogged(): boolean {
    return this.indexes.size > 0 || this.#build !== undefined;
  }

  #beginLog(): void {
    if (this.#isLogged) return;
    this.#log = [];
    this.#logStart = this.#end;
  }

  #serves(index: TableIndex, position: number): boolean {
    if (index.position === position) return true;
    return index.position < position && index.position >= this.#logStart;
  }
}
