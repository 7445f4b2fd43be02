import type { Schema, StoredValue } from "../schema/columns.js";
import { isCoded } from "../schema/traits.js";
import { hashString } from "../value/hash.js";
import { type Chunk, chunkAt, chunkIndexOf, ordinalOf, rowAt, vectorAt } from "./chunk.js";
import { Dictionary } from "./dictionary.js";
import { HashIndex } from "./hash-index.js";
import { History } from "./history.js";
import type { Mark } from "./mark.js";

/**
 * One immutable value of a table: its schema and rows. A write makes the next one, which shares
 * all that it did not touch; whoever holds this one goes on seeing its rows.
 *
 * A row is named by its ordinal: its chunk, and its row there.
 */
export class TableVersion {
  /** Kept by rename, branch, snapshot and export; another for a table made again (rule G-13). */
  readonly identity: string;
  readonly schema: Schema;
  /** All but the last are full. */
  readonly chunks: readonly Chunk[];
  /** Records, the deleted not counted. */
  readonly size: number;
  /** Whether rows are stored in the order of their ids, so that order costs nothing. */
  readonly idsAscend: boolean;
  /** The greatest id ever, as long as ids ascend. */
  readonly lastId: string;
  readonly ids: HashIndex;
  /** By slot, for `unique` columns. */
  readonly uniques: ReadonlyMap<number, HashIndex>;
  /** By slot, for columns kept as codes. */
  readonly dictionaries: ReadonlyMap<number, Dictionary>;
  /** Slots of text columns that were found not to repeat. */
  readonly plainText: ReadonlySet<number>;
  /** The secondary indexes, which versions that follow one another share. */
  readonly history: History;
  /** How many writes to rows there were since the table was made. */
  readonly position: number;
  /** The mark of who may change the list of chunks in place: see `ownership.ts`. */
  readonly owner: Mark | undefined;

  /** By single assignments, which the compiler checks; `Object.assign` takes six times as long. */
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

  /** The ordinal of a record, or −1; deleted rows do not count. */
  find(id: string): number {
    if (typeof id !== "string") return -1; // callers without types give anything
    const hash = hashString(id);
    const { ids } = this;
    for (let place = ids.seek(hash); place >= 0; place = ids.seek(hash, place + 1)) {
      const ordinal = ids.ordinalAt(place);
      if (this.isLive(ordinal) && this.idAt(ordinal) === id) return ordinal;
    }
    return -1;
  }

  /** The value of a row in a slot; null where there is none. */
  get(ordinal: number, slot: number): StoredValue {
    return vectorAt(this.chunks, ordinal, slot)?.get(rowAt(ordinal)) ?? null;
  }

  /** Whether there is a row of that ordinal that is not deleted. */
  isLive(ordinal: number): boolean {
    const chunk = this.chunks[chunkIndexOf(ordinal)];
    const row = rowAt(ordinal);
    return chunk !== undefined && row < chunk.count && !chunk.isDeleted(row);
  }

  idAt(ordinal: number): string {
    return chunkAt(this.chunks, ordinal).idAt(rowAt(ordinal));
  }
}

/** What a {@link TableVersion} is made of: all but its methods. */
export type TableParts = Omit<TableVersion, "find" | "get" | "isLive" | "idAt">;

/** A version that is still being made. */
export type NextVersion = { -readonly [part in keyof TableVersion]: TableVersion[part] } & {
  chunks: Chunk[];
};

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
      schema.leaves.filter(({ type }) => isCoded(type)).map(({ slot }) => [slot, new Dictionary()]),
    ),
    plainText: new Set(),
    history: new History(),
    position: 0,
    owner: undefined,
  });
}

/** The ordinals of all records, in the order of storage. */
export function* ordinalsOf(chunks: readonly Chunk[]): Generator<number> {
  for (const [index, chunk] of chunks.entries()) {
    for (let row = 0; row < chunk.count; row++) {
      if (!chunk.isDeleted(row)) yield ordinalOf(index, row);
    }
  }
}

/** The rows that the chunks have, deleted ones among them. */
export function rowCount(chunks: readonly Chunk[]): number {
  const last = chunks.at(-1);
  return last === undefined ? 0 : ordinalOf(chunks.length - 1, last.count);
}
