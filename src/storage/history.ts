/** A secondary index over the rows of a table as they were at one position of its history. */
export interface TableIndex {
  /** How many writes of the history it knows of. */
  readonly position: number;
  /** Bytes of its arrays. */
  readonly byteLength: number;
}

/** Above so many writes past its indexes a history is given up and begun anew. */
const MAX_WRITES = 1 << 20;
/** The logarithm of how many writes a block holds. */
const BLOCK_SHIFT = 8;
const BLOCK = 1 << BLOCK_SHIFT;

/**
 * The rows written since a table got its first secondary index, and the indexes.
 *
 * Successive versions share one history; each knows up to where it reaches. An index serves every
 * version from its own position on: the rows written in between are looked at one by one. A
 * version that is written a second time, as by two branches, goes on in a copy.
 */
export class History {
  readonly indexes: Map<string, TableIndex>;
  /** The rows in the order they were written. All blocks but the last are full, and shared by copies. */
  readonly #blocks: number[][];
  #length: number;
  readonly #since = new WeakMap<TableIndex, { position: number; readonly rows: Set<number> }>();

  constructor(indexes: Map<string, TableIndex> = new Map(), blocks: number[][] = [[]], length = 0) {
    this.indexes = indexes;
    this.#blocks = blocks;
    this.#length = length;
  }

  /** How many writes there were. */
  get length(): number {
    return this.#length;
  }

  /** The rows written from one position to another, each once. */
  writtenBetween(from: number, to: number): Set<number> {
    const rows = new Set<number>();
    for (let at = from; at < to; at++) rows.add(this.#rowAt(at));
    return rows;
  }

  /**
   * The rows written from when an index was made to a position. For use at once: the next call for
   * a later position adds to the same set.
   */
  writtenSince(index: TableIndex, position: number): ReadonlySet<number> {
    let known = this.#since.get(index);
    if (known === undefined || known.position > position) {
      known = { position: index.position, rows: new Set() };
      this.#since.set(index, known);
    }
    for (; known.position < position; known.position++) {
      known.rows.add(this.#rowAt(known.position));
    }
    return known.rows;
  }

  /**
   * The history of the version that follows the one at `position` by writing some rows; undefined
   * where keeping track of them would cost more than the indexes are worth.
   */
  extend(position: number, rows: readonly number[], tableRows: number): History | undefined {
    if (rows.length > 64 && rows.length * 8 > tableRows) return undefined;
    if (position + rows.length > MAX_WRITES) return undefined;
    const isTip = this.#length === position;
    const next = isTip ? this : this.#copyUpTo(position);
    for (const row of rows) next.#add(row);
    return next;
  }

  #rowAt(position: number): number {
    return this.#blocks[position >>> BLOCK_SHIFT]![position & (BLOCK - 1)]!; // below the length
  }

  #add(row: number): void {
    const last = this.#blocks.at(-1)!; // there always is one
    if (last.length === BLOCK) this.#blocks.push([row]);
    else last.push(row);
    this.#length++;
  }

  #copyUpTo(position: number): History {
    const indexes = [...this.indexes].filter(([, index]) => index.position <= position);
    const full = position >>> BLOCK_SHIFT;
    const blocks = this.#blocks.slice(0, full);
    blocks.push((this.#blocks[full] ?? []).slice(0, position & (BLOCK - 1)));
    return new History(new Map(indexes), blocks, position);
  }
}
