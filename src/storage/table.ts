import {
  type CompiledSchema,
  ID_SLOT,
  type LeafColumn,
  type StoredValue,
} from "../schema/columns.js";
import { isCoded } from "../schema/traits.js";
import { hashString } from "../value/hash.js";
import { type Chunk, chunkAt, chunkIndexOf, ordinalOf, rowAt, vectorAt } from "./chunk.js";
import { HashIndex } from "./hash-index.js";
import { IndexHistory } from "./index-history.js";
import { Dictionary, type Mark, NULL_CODE } from "./vectors.js";

/**
 * The rows of a table that is stored elsewhere. A version asks it for rows that it may lack; it notes
 * those that it has not been given yet, for the caller to fetch before it runs again. It never throws.
 */
export interface RowSource {
  /** Called before the rows with a value are looked up; by id, if the version has none. */
  readonly find: (slot: number, value: Exclude<StoredValue, null>) => void;
  /** Returns whether a record is assumed to exist; if not, looks it up. */
  readonly has: (id: string) => boolean;
  /** Called before a unique value is written, which is assumed to be free, or looked up. */
  readonly findUnique: (column: LeafColumn, value: Exclude<StoredValue, null>) => void;
}

/**
 * An immutable version of a table. A write creates the next one, which shares unchanged parts.
 * A row's ordinal encodes its chunk and its row in the chunk.
 */
export class TableVersion {
  /** Unchanged by rename, branch, snapshot and export; new for a recreated table (rule G-13). */
  readonly identity: string;
  readonly schema: CompiledSchema;
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
  readonly history: IndexHistory;
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
    if (ordinal < 0) this.source?.find(ID_SLOT, id);
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
  for (let slot = ids.seek(hash); slot >= 0; slot = ids.seek(hash, slot + 1)) {
    const ordinal = ids.ordinalAt(slot);
    if (table.isLive(ordinal) && table.idAt(ordinal) === id) return ordinal;
  }
  return -1;
}

export type TableParts = Omit<TableVersion, "find" | "has" | "get" | "codeAt" | "isLive" | "idAt">;

export type NextVersion = { -readonly [part in keyof TableVersion]: TableVersion[part] } & {
  chunks: Chunk[];
};

export function createTableVersion(identity: string, schema: CompiledSchema): TableVersion {
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
    history: new IndexHistory(),
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
