import type { LeafColumn, Schema, StoredValue } from "../schema/columns.js";
import { CREATED_AT_SLOT, ID_SLOT, UPDATED_AT_SLOT, VERSION_SLOT } from "../schema/columns.js";
import { type GivenValue, TAKEN } from "../schema/record.js";
import { compareStrings } from "../value/compare.js";
import type { Instant } from "../value/datetime.js";
import { hashString } from "../value/hash.js";
import { CHUNK_ROWS, CHUNK_SHIFT, Chunk } from "./chunk.js";
import { Dictionary, MAX_TEXT_CODES } from "./dictionary.js";
import { HashIndex } from "./hash-index.js";
import { History } from "./history.js";
import { InstantVector, NumberVector } from "./number-vectors.js";
import { OpenRow } from "./open-row.js";
import { ordinalOf, rowAt } from "./ordinal.js";
import {
  createTableVersion,
  findId,
  getValue,
  idAt,
  isLive,
  ordinalsOf,
  type TableParts,
  TableVersion,
} from "./table.js";
import { decodeTexts, encodeTexts } from "./text-encoding.js";
import { TextVector } from "./text-vectors.js";
import { buildUniqueIndex, findUnique, uniqueKey } from "./unique.js";
import { createVector, type Vector } from "./vector.js";

/** Deleted rows are swept out when they outnumber the records and fill at least so many rows. */
const MIN_SWEEP = 2048;

/** What every record has beside its id and columns (rule R-1). */
export interface RowMetadata {
  readonly version: number;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/**
 * A table while it is being written: rows change in place in chunks and vectors that carry its
 * owner's mark; the first touch of another copies it. `persist` gives the next version. Nothing
 * here checks values: whoever calls has done that.
 *
 * A mark of its own makes a transient a draft: until it is persisted nothing that it began from
 * has changed. A mark handed in belongs to the holder of the version, who says by it that nobody
 * else holds that version, nor any before it that bears the mark: a chain of single writes then
 * copies each vector once, not each time.
 */
export class TableTransient {
  /** What the next version will be made of. */
  readonly #table: { -readonly [part in keyof TableParts]: TableParts[part] };
  #chunks: Chunk[];
  /** Hashes of the ids of the last rows, not in the index yet: it takes many at once far faster. */
  readonly #idHashes: number[] = [];
  /** The id that was last seen to come after all others. */
  #greatest: string | undefined;
  /** Rows written since the version it began from. */
  #written: number[] = [];
  #owner: symbol;
  readonly #isDraft: boolean;
  #row: OpenRow | undefined;
  /** The end of the last chunk, where this transient has taken the row behind the last. */
  #claimed: Chunk["tail"] | undefined;
  /** Chunks that a draft may change, to be handed to who takes it over. */
  #draftChunks: Chunk[] = [];

  constructor(table: TableVersion, owner?: symbol) {
    this.#owner = owner ?? Symbol("draft");
    this.#isDraft = owner === undefined;
    this.#table = { ...table };
    this.#chunks =
      owner !== undefined && table.owner === owner
        ? (table.chunks as Chunk[]) // the mark says that nobody else sees the list
        : table.chunks.slice();
  }

  get schema(): Schema {
    return this.#table.schema;
  }

  find(id: string): number {
    this.#indexIds();
    return findId(this.#table.ids, this.#chunks, id);
  }

  /** Whether a record of that id is there; told without a look where the id is the greatest yet. */
  has(id: string): boolean {
    return !this.#isGreatest(id) && this.find(id) >= 0;
  }

  get(ordinal: number, slot: number): StoredValue {
    return getValue(this.#chunks, ordinal, slot);
  }

  /** The ordinal of another record that holds the value in a `unique` column, or −1. */
  findUnique(column: LeafColumn, value: Exclude<StoredValue, null>, except: number): number {
    const index = this.#table.uniques.get(column.slot);
    if (index === undefined) return -1;
    return findUnique(
      index,
      this.#chunks,
      column.slot,
      uniqueKey(value),
      (ordinal) => ordinal !== except && isLive(this.#chunks, ordinal),
    );
  }

  /**
   * Opens the row that the next record is appended in, for its values to be taken there. Only a
   * draft does that: of a table that is changed in place nothing may change before all is checked.
   *
   * @param expected how many records will be appended, this one among them
   */
  openRow(expected: number): OpenRow | undefined {
    if (!this.#isDraft) return undefined;
    const chunk = this.#openTail(expected);
    this.#claim(chunk, chunk.count + 1); // what is written while the record is read goes elsewhere
    if (this.#row === undefined) this.#row = new OpenRow(chunk);
    else this.#row.moveTo(chunk);
    return this.#row;
  }

  /**
   * Appends a record, in the open row if there is one.
   *
   * @param values by slot; those of the system columns are taken from `metadata`
   * @param expected how many records will be appended, this one among them
   */
  append(id: string, metadata: RowMetadata, values: readonly GivenValue[], expected = 1): number {
    const chunk = this.#openTail(expected);
    const row = chunk.count;
    const ordinal = ordinalOf(this.#chunks.length - 1, row);
    setMetadata(chunk, row, id, metadata);
    for (const column of this.schema.leaves) {
      const value = values[column.slot] ?? null;
      if (value === TAKEN) continue;
      this.#setIn(chunk, row, column, value);
      if (column.unique && value !== null) this.#enterUnique(column.slot, value, ordinal);
    }
    chunk.count = row + 1;
    this.#claim(chunk, row + 1);
    this.#enterId(id);
    this.#written.push(ordinal);
    this.#table.size++;
    if (chunk.count === CHUNK_ROWS) this.#seal(chunk);
    return ordinal;
  }

  /** Stores a value in a row; `touch` is to follow. */
  set(ordinal: number, column: LeafColumn, value: StoredValue): void {
    const chunk = this.#ownChunk(ordinal >>> CHUNK_SHIFT);
    chunk.ownVector(column.slot);
    this.#setIn(chunk, rowAt(ordinal), column, value);
    if (column.unique && value !== null) this.#enterUnique(column.slot, value, ordinal);
  }

  /** Counts a write to a record (rule R-2). */
  touch(ordinal: number, now: Instant): void {
    const chunk = this.#ownChunk(ordinal >>> CHUNK_SHIFT);
    const row = rowAt(ordinal);
    chunk.rowCache?.byRow.delete(row);
    (chunk.ownVector(VERSION_SLOT) as NumberVector).values[row]! += 1; // as every version vector
    chunk.ownVector(UPDATED_AT_SLOT)!.set(row, now);
    this.#written.push(ordinal);
  }

  delete(ordinal: number): void {
    const chunk = this.#ownChunk(ordinal >>> CHUNK_SHIFT);
    const row = rowAt(ordinal);
    chunk.deleted ??= new Uint32Array(CHUNK_ROWS / 32);
    chunk.deleted[row >>> 5]! |= 1 << (row & 31);
    this.#written.push(ordinal);
    this.#table.size--;
  }

  /**
   * The table as it now stands. A draft can be written further: what it has given away is shared
   * from here on, unless `heir` takes over the right to change it in place.
   */
  persist(heir?: symbol): TableVersion {
    this.#indexIds();
    const rows = rowCount(this.#chunks);
    const next = this.#table;
    next.history = next.history.advance(next.position, this.#written, rows);
    next.position += this.#written.length;
    this.#written = [];
    next.owner = this.#isDraft ? heir : this.#owner;
    if (this.#isDraft) this.#release(heir);
    next.chunks = this.#chunks;
    const table = new TableVersion(next);
    const isSwept = rows >= MIN_SWEEP && rows > 2 * next.size;
    const persisted = isSwept ? sweep(table) : table;
    if (isSwept) Object.assign(next, persisted);
    if (this.#isDraft || isSwept) this.#chunks = persisted.chunks.slice();
    return persisted;
  }

  /** Gives up the right to change what has been written so far. */
  #release(heir: symbol | undefined): void {
    this.#claimed = undefined;
    if (heir !== undefined) for (const chunk of this.#draftChunks) chunk.adopt(this.#owner, heir);
    this.#draftChunks = [];
    this.#owner = Symbol("draft");
  }

  /** The last chunk, owned, with room for a row in vectors that are free there. */
  #openTail(expected: number): Chunk {
    const last = this.#chunks.length - 1;
    let chunk = last >= 0 ? this.#ownChunk(last) : undefined;
    if (chunk === undefined || chunk.count === CHUNK_ROWS) {
      chunk = new Chunk(this.#owner);
      if (this.#isDraft) this.#draftChunks.push(chunk);
      const capacity = this.#chunks.length === 0 ? expected : CHUNK_ROWS;
      chunk.reserveRow(capacity);
      chunk.vectors = new Array<Vector | undefined>(this.schema.slotCount).fill(undefined);
      chunk.putVector(ID_SLOT, new TextVector(chunk.capacity));
      chunk.putVector(VERSION_SLOT, new NumberVector(chunk.capacity));
      chunk.putVector(CREATED_AT_SLOT, new InstantVector(chunk.capacity));
      chunk.putVector(UPDATED_AT_SLOT, new InstantVector(chunk.capacity));
      this.#chunks.push(chunk);
    } else {
      if (chunk.tail === this.#claimed) chunk.tail.used = chunk.count; // free again, if not filled
      chunk.reserveRow(expected + chunk.count);
    }
    return chunk;
  }

  #claim({ tail }: Chunk, used: number): void {
    tail.used = used;
    this.#claimed = tail;
  }

  #ownChunk(index: number): Chunk {
    const chunk = this.#chunks[index]!;
    if (chunk.owner === this.#owner) return chunk;
    const owned = chunk.copyFor(this.#owner);
    if (this.#isDraft) this.#draftChunks.push(owned);
    this.#chunks[index] = owned;
    return owned;
  }

  /** Sets a value in a vector that may be written at that row. */
  #setIn(chunk: Chunk, row: number, column: LeafColumn, value: StoredValue): void {
    let vector = chunk.vectors[column.slot];
    if (vector === undefined) {
      if (value === null) return;
      vector = createVector(column.type, chunk.capacity, this.#table.dictionaries.get(column.slot));
      chunk.putVector(column.slot, vector);
    } else if (
      vector.kind === "code" &&
      column.type !== "link" &&
      value !== null &&
      vector.dictionary.size >= MAX_TEXT_CODES
    ) {
      vector = decodeTexts(vector, chunk.count);
      chunk.putVector(column.slot, vector);
    }
    vector.set(row, value);
  }

  #isGreatest(id: string): boolean {
    if (!this.#table.idsAscend) return false;
    if (id !== this.#greatest && compareStrings(this.#table.lastId, id) >= 0) return false;
    this.#greatest = id;
    return true;
  }

  #enterId(id: string): void {
    this.#idHashes.push(hashString(id));
    if (this.#isGreatest(id)) this.#table.lastId = id;
    else this.#table.idsAscend = false;
    this.#greatest = undefined;
  }

  /** Enters the ids of the last rows, those that wait for it. */
  #indexIds(): void {
    const hashes = this.#idHashes;
    if (hashes.length === 0) return;
    let ordinal = rowCount(this.#chunks);
    if (this.#table.ids.room < hashes.length) {
      // Another version may need this index as it is: the grown one holds this table's rows only.
      const known = ordinal - hashes.length;
      const grown = new HashIndex(this.#table.size + (this.#table.size >>> 5) + 1);
      for (const other of ordinalsOf(this.#chunks)) {
        if (other >= known) break;
        grown.add(hashString(idAt(this.#chunks, other)), other);
      }
      this.#table.ids = grown;
    }
    while (hashes.length > 0) this.#table.ids.add(hashes.pop()!, --ordinal);
  }

  #enterUnique(slot: number, value: Exclude<StoredValue, null>, ordinal: number): void {
    let index = this.#table.uniques.get(slot)!;
    if (index.room < 1) {
      index = buildUniqueIndex(this.#chunks, slot, this.#table.size + 1);
      this.#table.uniques = new Map(this.#table.uniques).set(slot, index);
    }
    index.add(hashString(uniqueKey(value)), ordinal);
  }

  /** Turns the text columns of a full chunk into codes where their values repeat. */
  #seal(chunk: Chunk): void {
    this.#shareMetadata(chunk);
    for (const { slot } of this.schema.leaves) {
      const vector = chunk.vectors[slot];
      if (vector?.kind !== "text" || this.#table.plainText.has(slot)) continue;
      const dictionary = this.#table.dictionaries.get(slot) ?? new Dictionary();
      const coded = encodeTexts(vector, dictionary);
      if (coded === undefined) {
        this.#table.plainText = new Set(this.#table.plainText).add(slot);
        continue;
      }
      chunk.putVector(slot, coded);
      if (!this.#table.dictionaries.has(slot)) {
        this.#table.dictionaries = new Map(this.#table.dictionaries).set(slot, dictionary);
      }
    }
  }

  /**
   * In a bulk load the metadata of all rows is the same: then chunks share one vector of it, which
   * is nobody's to change in place.
   */
  #shareMetadata(chunk: Chunk): void {
    const before = this.#chunks.at(-2);
    for (const slot of [VERSION_SLOT, CREATED_AT_SLOT, UPDATED_AT_SLOT]) {
      const vector = chunk.vectors[slot];
      const other = before?.vectors[slot];
      if (vector === undefined || other === undefined || !isRepeated(vector, other)) continue;
      other.owner = undefined;
      chunk.vectors[slot] = other;
    }
  }
}

// The vectors of the system columns are the same in every chunk.
function setMetadata({ vectors }: Chunk, row: number, id: string, metadata: RowMetadata): void {
  (vectors[ID_SLOT] as TextVector).set(row, id);
  (vectors[VERSION_SLOT] as NumberVector).set(row, metadata.version);
  (vectors[CREATED_AT_SLOT] as InstantVector).set(row, metadata.createdAt);
  (vectors[UPDATED_AT_SLOT] as InstantVector).set(row, metadata.updatedAt);
}

/** Whether two full vectors hold one and the same number or instant in every row. */
function isRepeated(a: Vector, b: Vector): boolean {
  if (a.kind === "number" && b.kind === "number") return isOneNumber(a.values, b.values);
  if (a.kind !== "instant" || b.kind !== "instant") return false;
  return a.micros === undefined && b.micros === undefined && isOneNumber(a.ms, b.ms);
}

function isOneNumber(a: Float64Array, b: Float64Array): boolean {
  const first = a[0];
  for (let row = 0; row < CHUNK_ROWS; row++) {
    if (a[row] !== first || b[row] !== first) return false;
  }
  return true;
}

/** The rows that the chunks have, deleted ones among them. */
function rowCount(chunks: readonly Chunk[]): number {
  const last = chunks.at(-1);
  return last === undefined ? 0 : (chunks.length - 1) * CHUNK_ROWS + last.count;
}

/** The same records without the deleted rows, in fresh chunks. */
function sweep(table: TableVersion): TableVersion {
  const transient = new TableTransient(createTableVersion(table.identity, table.schema));
  const values: StoredValue[] = [];
  for (const ordinal of ordinalsOf(table.chunks)) {
    for (const { slot } of table.schema.leaves) values[slot] = table.get(ordinal, slot);
    transient.append(table.idAt(ordinal), metadataOf(table, ordinal), values, table.size);
  }
  const { position, history } = table;
  // Rows have other ordinals now: no index serves them.
  const next = new History(position, history.demand);
  return new TableVersion({ ...transient.persist(), position, history: next });
}

/** A record's metadata as it is stored. */
export function metadataOf(table: TableVersion, ordinal: number): RowMetadata {
  return {
    version: table.get(ordinal, VERSION_SLOT) as number, // the types of the system columns
    createdAt: table.get(ordinal, CREATED_AT_SLOT) as Instant,
    updatedAt: table.get(ordinal, UPDATED_AT_SLOT) as Instant,
  };
}
