/** A secondary index over the rows of a table as they were at one position of its history. */
export interface TableIndex {
  /** That of the version it was made from. */
  readonly position: number;
  /** Bytes of its arrays. */
  readonly byteLength: number;
}

/** The rows written since an index was made. */
export interface WrittenRows {
  /** Up to which position of the history. */
  position: number;
  readonly rows: ReadonlySet<number>;
  /** Those of them that were records at a position, in the order of the index. */
  sorted: { readonly position: number; readonly rows: Int32Array } | undefined;
}

/** An index that is built in steps, each of which tells how many rows it went through. */
export interface IndexBuild {
  readonly key: string;
  readonly work: Iterator<number, TableIndex>;
}

/** A log of more rows is dropped, and its indexes with it. */
const MAX_LOGGED = 1 << 20;

/** So many rows may always be written at once; of more, only a share of the table. */
const MAX_ROWS_AT_ONCE = 64;
const MAX_SHARE_AT_ONCE = 1 / 8;

/**
 * What versions of a table share that were each written from the one before: their secondary
 * indexes, how often queries have wanted which, and the rows written since the first was built.
 *
 * A version's position is the number of writes to rows before it. An index serves the version it
 * was made from and, as long as the rows written since are known, all after it: those rows are
 * looked at one by one. When a version is written a second time, as by two branches, the second
 * write gets a copy of the history, so that a position means the same rows to all that share one.
 * Versions themselves never change.
 */
export class History {
  /** How often queries have wanted an index that is not there, by key; copies share it. */
  readonly demand: Map<string, number>;
  /** By key, those built first before others; of one key by their positions. */
  readonly indexes: Map<string, readonly TableIndex[]> = new Map();
  #build: IndexBuild | undefined;
  /** The position of the last version. */
  #end: number;
  /** The rows written from a position on, in that order, as long as there are indexes or one is built. */
  #log: number[] = [];
  #logStart = 0;
  readonly #since = new WeakMap<TableIndex, WrittenRows & { readonly rows: Set<number> }>();

  constructor(position = 0, demand: Map<string, number> = new Map()) {
    this.#end = position;
    this.demand = demand;
  }

  /** The latest index of a key that serves the version at a position. */
  findIndex(key: string, position: number): TableIndex | undefined {
    return this.indexes.get(key)?.findLast((index) => this.#serves(index, position));
  }

  /**
   * Keeps an index for the version it was made from and those after it.
   *
   * @param replaced an earlier one of the same key that is kept no longer
   */
  keepIndex(key: string, index: TableIndex, replaced?: TableIndex): void {
    this.#beginLog();
    const kept = [...(this.indexes.get(key) ?? []), index].filter((other) => other !== replaced);
    this.indexes.set(
      key,
      kept.sort((a, b) => a.position - b.position),
    );
  }

  /** The index that is being built; one at a time. */
  get build(): IndexBuild | undefined {
    return this.#build;
  }

  /** Notes what is being built: from here on it is known which rows are written. */
  beginBuild(build: IndexBuild): void {
    this.#beginLog();
    this.#build = build;
  }

  /** Notes that nothing is being built any more. */
  endBuild(): void {
    this.#build = undefined;
  }

  /** The rows written from one position to another, where an index serves both. */
  writtenBetween(from: number, to: number): number[] {
    return from === to ? [] : this.#log.slice(from - this.#logStart, to - this.#logStart);
  }

  /**
   * The rows written from when an index was made to a position that it serves. For use at once: the
   * next call for a later position adds to the same set.
   */
  writtenSince(index: TableIndex, position: number): WrittenRows {
    let known = this.#since.get(index);
    if (known === undefined || known.position > position) {
      known = { position: index.position, rows: new Set(), sorted: undefined };
      this.#since.set(index, known);
    }
    for (const row of this.writtenBetween(known.position, position)) known.rows.add(row);
    known.position = position;
    return known;
  }

  /**
   * The history of the version that a write makes from the one at `position`: this one where that
   * was the last, a copy where it has been written before. Where so many rows were written that
   * looking at them costs more than the indexes are worth, one without indexes.
   *
   * @param rows in the order they were written
   * @param tableRows rows that the table has after the write
   */
  advance(position: number, rows: readonly number[], tableRows: number): History {
    const count = rows.length;
    if (count === 0) return this;
    if (
      (count > MAX_ROWS_AT_ONCE && count > tableRows * MAX_SHARE_AT_ONCE) ||
      this.#log.length + count > MAX_LOGGED
    ) {
      return new History(position + count, this.demand);
    }
    const next = this.#end === position ? this : this.copyAt(position);
    next.#end += count;
    if (next.#isLogged) for (const row of rows) next.#log.push(row);
    return next;
  }

  /** A history of its own for the version at a position, with the indexes that serve it. */
  copyAt(position: number): History {
    const copy = new History(position, this.demand);
    copy.#logStart = position;
    for (const [key, indexes] of this.indexes) {
      const kept = indexes.filter((index) => this.#serves(index, position));
      const [first] = kept;
      if (first === undefined) continue;
      copy.indexes.set(key, kept);
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
