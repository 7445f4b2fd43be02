import type { Schema, StoredValue } from "../schema/columns.js";
import { ID_SLOT } from "../schema/columns.js";
import { hashString } from "../value/hash.js";
import { CHUNK_SHIFT, type Chunk } from "./chunk.js";
import { Dictionary } from "./dictionary.js";
import { HashIndex } from "./hash-index.js";
import { History } from "./history.js";
import { chunkAt, ordinalOf, rowAt, vectorAt } from "./ordinal.js";
import type { TextVector } from "./text-vectors.js";

/**
 * One immutable value of a table: its schema and rows. A write makes the next one, which shares
 * all that it did not touch; whoever holds this one goes on seeing its rows.
 *
 * A row is named by its ordinal: the chunk it stands in and its place there.
 */
export class TableVersion {
  /** Kept by rename, branch, snapshot and export; another for a table made again (rule G-13). */
  declare readonly identity: string;
  declare readonly schema: Schema;
  /** All but the last are full. */
  declare readonly chunks: readonly Chunk[];
  /** Records, the deleted not counted. */
  declare readonly size: number;
  /** Whether rows stand in the order of their ids, so that order costs nothing. */
  declare readonly idsAscend: boolean;
  /** The greatest id ever, as long as ids ascend. */
  declare readonly lastId: string;
  declare readonly ids: HashIndex;
  /** By slot, for `unique` columns. */
  declare readonly uniques: ReadonlyMap<number, HashIndex>;
  /** By slot, for columns kept as codes. */
  declare readonly dictionaries: ReadonlyMap<number, Dictionary>;
  /** Slots of text columns that were found not to repeat. */
  declare readonly plainText: ReadonlySet<number>;
  /** The secondary indexes, which versions that follow one another share. */
  declare readonly history: History;
  /** How many writes to rows there were since the table was made. */
  declare readonly position: number;
  /** Who may change the list of chunks in place: see `TableTransient`. */
  declare readonly owner: symbol | undefined;

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
  }

  /** The ordinal of a record, or −1. */
  find(id: string): number {
    return findId(this.ids, this.chunks, id);
  }

  /** The value of a row in a slot; null where there is none. */
  get(ordinal: number, slot: number): StoredValue {
    return getValue(this.chunks, ordinal, slot);
  }

  /** Whether a row is a record, not deleted. */
  isLive(ordinal: number): boolean {
    return isLive(this.chunks, ordinal);
  }

  idAt(ordinal: number): string {
    return idAt(this.chunks, ordinal);
  }
}

/** What a {@link TableVersion} is made of: all but its methods. */
export type TableParts = Omit<TableVersion, "find" | "get" | "isLive" | "idAt">;

/** A table without records. */
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
      schema.leaves
        .filter(({ type }) => type === "link" || type === "multiple")
        .map(({ slot }) => [slot, new Dictionary()]),
    ),
    plainText: new Set(),
    history: new History(),
    position: 0,
    owner: undefined,
  });
}

/** The ordinal of a record among those chunks, or −1; deleted rows do not count. */
export function findId(ids: HashIndex, chunks: readonly Chunk[], id: string): number {
  if (typeof id !== "string") return -1; // callers without types give anything
  const hash = hashString(id);
  for (let place = ids.seek(hash); place >= 0; place = ids.seek(hash, place + 1)) {
    const ordinal = ids.ordinalAt(place);
    if (isLive(chunks, ordinal) && idAt(chunks, ordinal) === id) return ordinal;
  }
  return -1;
}

/** Whether there is a row of that ordinal that is not deleted. */
export function isLive(chunks: readonly Chunk[], ordinal: number): boolean {
  if (ordinal >>> CHUNK_SHIFT >= chunks.length) return false;
  const chunk = chunkAt(chunks, ordinal);
  const row = rowAt(ordinal);
  return row < chunk.count && !chunk.isDeleted(row);
}

export function idAt(chunks: readonly Chunk[], ordinal: number): string {
  return (vectorAt(chunks, ordinal, ID_SLOT) as TextVector).texts[rowAt(ordinal)]!; // always texts
}

export function getValue(chunks: readonly Chunk[], ordinal: number, slot: number): StoredValue {
  return vectorAt(chunks, ordinal, slot)?.get(rowAt(ordinal)) ?? null;
}

/** The ordinals of all records, in the order of storage. */
export function* ordinalsOf(chunks: readonly Chunk[]): Generator<number> {
  for (const [index, chunk] of chunks.entries()) {
    for (let row = 0; row < chunk.count; row++) {
      if (!chunk.isDeleted(row)) yield ordinalOf(index, row);
    }
  }
}
