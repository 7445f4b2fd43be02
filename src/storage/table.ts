import type { LeafColumn, Schema, StoredValue } from "../schema/columns.js";
import { isCoded } from "../schema/traits.js";
import { hashString } from "../value/hash.js";
import { type Chunk, chunkAt, chunkIndexOf, ordinalOf, rowAt, vectorAt } from "./chunk.js";
import { HashIndex } from "./hash-index.js";
import { Dictionary, type Mark, NULL_CODE } from "./vectors.js";

/**
 * The rows of a table that is stored elsewhere. A version asks it for rows that it may lack; it notes
 * those that it has not been given yet, for the caller to fetch before it runs again. It never throws.
 */
export interface RowSource {
  /** Called with ids that the version has no row of. */
  readonly find: (id: string) => void;
  /** Returns whether a record is assumed to exist; if not, notes that it is missing. */
  readonly has: (id: string) => boolean;
  /** Called before rows are looked up by a unique value, or by a link. */
  readonly findUnique: (column: LeafColumn, value: Exclude<StoredValue, null>) => void;
  readonly linkedTo: (column: LeafColumn, id: string) => void;
}

/**
 * An immutable version of a table. A write creates the next one, which shares unchanged parts.
 * A row's ordinal encodes its chunk and its row in the chunk.
 */
export class TableVersion {
  /** Unchanged by rename, branch, snapshot and export; new for a recreated table (rule G-13). */
  readonly identity: string;
  readonly schema: Schema;
  /** All chunks except the last are full. */
  readonly chunks: readonly Chunk[];
  readonly size: number;
  readonly idsAscend: boolean;
  /** The greatest id so far, if all ids were inserted in ascending order. */
  readonly lastId: string;
  readonly ids: HashIndex;
  readonly uniques: ReadonlyMap<number, HashIndex>;
  readonly dictionaries: ReadonlyMap<number, Dictionary>;
  /** Text slots with too many distinct values for a dictionary. */
  readonly plainText: ReadonlySet<number>;
  /** Secondary indexes, shared by successive versions. */
  readonly history: History;
  readonly position: number;
  readonly owner: Mark | undefined;
  /** Absent if all rows are in memory. */
  readonly source: RowSource | undefined;

  /** Single assignments are type-checked, and six times faster than `Object.assign`. */
  constructor(parts: TableParts) {
    this.identity = parts.identity;
    this.schema = parts.schema;
    this.chunks = parts.chunks;
    this.size = parts.size;
    this.idsAscend = parts.idsAscend;
    this.lastId = parts.lastId;
    this.ids = parts.ids;
    this.uniques = parts.uniques;
    this.dictionaries = parts.dictionaries;
    this.plainText = parts.plainText;
    this.history = parts.history;
    this.position = parts.position;
    this.owner = parts.owner;
    this.source = parts.source;
  }

  /** Returns the ordinal of a live record, or −1. */
  find(id: string): number {
    if (typeof id !== "string") return -1; // untyped callers may pass any value
    const ordinal = seek(this, id);
    if (ordinal < 0) this.source?.find(id);
    return ordinal;
  }

  /** Whether a live record exists. */
  has(id: string): boolean {
    return seek(this, id) >= 0 || this.source?.has(id) === true;
  }

  get(ordinal: number, slot: number): StoredValue {
    return vectorAt(this.chunks, ordinal, slot)?.get(rowAt(ordinal)) ?? null;
  }

  /** Returns a value's code; `NULL_CODE` also if the column has none. */
  codeAt(ordinal: number, slot: number): number {
    const vector = vectorAt(this.chunks, ordinal, slot);
    return vector?.kind === "code" ? vector.codes[rowAt(ordinal)]! : NULL_CODE;
  }

  isLive(ordinal: number): boolean {
    const chunk = this.chunks[chunkIndexOf(ordinal)];
    const row = rowAt(ordinal);
    return chunk !== undefined && row < chunk.count && !chunk.isDeleted(row);
  }

  idAt(ordinal: number): string {
    return chunkAt(this.chunks, ordinal).idAt(rowAt(ordinal));
  }
}

function seek(table: TableVersion, id: string): number {
  const hash = hashString(id);
  const { ids } = table;
  for (let place = ids.seek(hash); place >= 0; place = ids.seek(hash, place + 1)) {
    const ordinal = ids.ordinalAt(place);
    if (table.isLive(ordinal) && table.idAt(ordinal) === id) return ordinal;
  }
  return -1;
}

export type TableParts = Omit<TableVersion, "find" | "has" | "get" | "codeAt" | "isLive" | "idAt">;

export type NextVersion = { -readonly [part in keyof TableVersion]: TableVersion[part] } & {
  chunks: Chunk[];
};

export function createTableVersion(identity: string, schema: Schema): TableVersion {
  return new TableVersion({
    identity,
    schema,
    chunks: [],
    size: 0,
    idsAscend: true,
    lastId: "",
    ids: new HashIndex(),
    uniques: new Map(
      schema.leaves.filter(({ unique }) => unique).map(({ slot }) => [slot, new HashIndex()]),
    ),
    dictionaries: new Map(
      schema.leaves.filter(({ type }) => isCoded(type)).map(({ slot }) => [slot, new Dictionary()]),
    ),
    plainText: new Set(),
    history: new History(),
    position: 0,
    owner: undefined,
    source: undefined,
  });
}

export function* ordinalsOf(chunks: readonly Chunk[]): Generator<number> {
  for (const [index, chunk] of chunks.entries()) {
    for (let row = 0; row < chunk.count; row++) {
      if (!chunk.isDeleted(row)) yield ordinalOf(index, row);
    }
  }
}

export function rowCount(chunks: readonly Chunk[]): number {
  const last = chunks.at(-1);
  return last === undefined ? 0 : ordinalOf(chunks.length - 1, last.count);
}

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
export class History {
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
    const kept = [...(this.indexes.get(key) ?? []), index].filter((other) => other !== replaced);
    this.indexes.set(
      key,
      kept.sort((a, b) => a.position - b.position),
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
   * Returns the history after a write: this one, a copy if another version was written from the
   * same position, or one without indexes if too many rows were written.
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

  /** Returns a separate history for the version at a position. */
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
