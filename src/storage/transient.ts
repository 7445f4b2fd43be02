import type { LeafColumn, Schema, StoredValue } from "../schema/columns.js";
import { type GivenValue, TAKEN } from "../schema/record.js";
import { isCoded } from "../schema/traits.js";
import { compareStrings } from "../value/compare.js";
import type { Instant } from "../value/datetime.js";
import { hashString } from "../value/hash.js";
import { CHUNK_ROWS, CHUNK_WORDS, type Chunk, chunkIndexOf, ordinalOf, rowAt } from "./chunk.js";
import { MAX_TEXT_CODES } from "./dictionary.js";
import { HashIndex } from "./hash-index.js";
import { History } from "./history.js";
import type { Mark } from "./mark.js";
import {
  countWrite,
  metadataOf,
  putSystemVectors,
  type RowMetadata,
  replaceMetadata,
  setMetadata,
  shareMetadata,
} from "./metadata.js";
import { OpenRow } from "./open-row.js";
import { Ownership, ownVector, putVector } from "./ownership.js";
import {
  createTableVersion,
  type NextVersion,
  ordinalsOf,
  rowCount,
  TableVersion,
} from "./table.js";
import { decodeTexts, encodeChunk } from "./text-encoding.js";
import { buildUniqueIndex, findUnique, uniqueKey } from "./unique.js";
import { createVector } from "./vector.js";
import type { WriteObserver } from "./write-observer.js";

/** Deleted rows are removed when they are at least so many, and more than the records. */
const MIN_SWEEP = 2048;

/**
 * A table while it is being written; `persist` gives the next version. What is changed in place and
 * what is copied first is decided by an {@link Ownership}. Nothing here checks values: whoever calls
 * has done that.
 */
export class TableTransient {
  /** Becomes the next version. */
  readonly #table: NextVersion;
  readonly #ownership: Ownership;
  readonly #observer: WriteObserver | undefined;
  /** Rows written since the version it began from. */
  #written: number[] = [];
  #row: OpenRow | undefined;
  /** The chunk whose next row is open for the record that is appended next. */
  #open: Chunk | undefined;
  /** Hashes of the ids of the last rows, not in the index yet: adding many at once is far faster. */
  readonly #idHashes: number[] = [];
  /** The id that was last seen to come after all others. */
  #greatest: string | undefined;

  /**
   * @param owner the mark of the engine's present contents: what has it may be changed in place.
   * Without it, all that is written is a draft until it is persisted.
   */
  constructor(table: TableVersion, owner?: Mark, observer?: WriteObserver) {
    this.#ownership = new Ownership(owner);
    this.#observer = observer;
    this.#table = new TableVersion(table) as NextVersion; // with a list of its own:
    this.#table.chunks = this.#ownership.ownList(table);
  }

  get schema(): Schema {
    return this.#table.schema;
  }

  /** The ordinal of a record, or −1. */
  find(id: string): number {
    this.#observer?.onFind?.(id);
    this.#indexIds();
    return this.#table.find(id);
  }

  /** Whether a record of that id is there; told without a look where the id is the greatest yet. */
  has(id: string): boolean {
    return (this.#observer?.onFind !== undefined || !this.#isGreatest(id)) && this.find(id) >= 0;
  }

  get(ordinal: number, slot: number): StoredValue {
    return this.#table.get(ordinal, slot);
  }

  /** The ordinal of another record that holds the value in a `unique` column, or −1. */
  findUnique(column: LeafColumn, value: Exclude<StoredValue, null>, except: number): number {
    this.#observer?.onUnique?.(column, value);
    return findUnique(this.#table, column.slot, uniqueKey(value), (ordinal) => ordinal !== except);
  }

  /**
   * Opens the row that the next record is appended in, for its values to be taken there. Only a
   * draft does that: of a table that is changed in place nothing may change before all is checked.
   *
   * @param expected how many records will be appended, this one among them
   */
  openRow(expected: number): OpenRow | undefined {
    if (!this.#ownership.isDraft) return undefined;
    const chunk = this.#openTail(expected);
    this.#ownership.claim(chunk, chunk.count + 1); // what is written while the record is read goes elsewhere
    this.#open = chunk;
    this.#row ??= new OpenRow();
    this.#row.last = chunk;
    return this.#row;
  }

  /**
   * Appends a record, in the open row if there is one.
   *
   * @param values by slot; those of the system columns are taken from `metadata`
   * @param expected how many records will be appended, this one among them
   */
  append(id: string, metadata: RowMetadata, values: readonly GivenValue[], expected = 1): number {
    this.#observer?.onWrite?.(this.#table, id, -1);
    const chunk = this.#open ?? this.#openTail(expected);
    const row = chunk.count;
    if (this.#open === undefined) this.#ownership.claim(chunk, row + 1);
    this.#open = undefined;
    const ordinal = ordinalOf(this.#table.chunks.length - 1, row);
    setMetadata(chunk, row, id, metadata);
    const { leaves } = this.#table.schema;
    for (let i = 0; i < leaves.length; i++) {
      const column = leaves[i]!;
      const value = values[column.slot] ?? null;
      if (value === TAKEN) continue;
      this.#setIn(chunk, row, column, value);
      if (column.unique && value !== null) this.#enterUnique(column.slot, value, ordinal);
    }
    chunk.count = row + 1;
    this.#enterId(id);
    this.#written.push(ordinal);
    this.#table.size++;
    if (chunk.count === CHUNK_ROWS) {
      shareMetadata(chunk, this.#table.chunks.at(-2));
      encodeChunk(this.#table, chunk);
    }
    return ordinal;
  }

  /** Stores a value in a row. Unless the observer has no interest in it, `touch` comes first. */
  set(ordinal: number, column: LeafColumn, value: StoredValue): void {
    const chunk = this.#ownChunk(ordinal);
    ownVector(chunk, column.slot);
    this.#setIn(chunk, rowAt(ordinal), column, value);
    if (column.unique && value !== null) this.#enterUnique(column.slot, value, ordinal);
  }

  /** Gives a record the metadata of another write. */
  setMetadata(ordinal: number, metadata: RowMetadata): void {
    replaceMetadata(this.#ownChunk(ordinal), rowAt(ordinal), metadata);
    this.#written.push(ordinal);
  }

  /** Begins a write to a record: notifies the observer, and counts the write (rule R-2). */
  touch(ordinal: number, now: Instant): void {
    this.#notify(ordinal);
    countWrite(this.#ownChunk(ordinal), rowAt(ordinal), now);
    this.#written.push(ordinal);
  }

  delete(ordinal: number): void {
    this.#notify(ordinal);
    const chunk = this.#ownChunk(ordinal);
    const row = rowAt(ordinal);
    chunk.deleted ??= new Uint32Array(CHUNK_WORDS);
    chunk.deleted[row >>> 5]! |= 1 << (row & 31);
    this.#written.push(ordinal);
    this.#table.size--;
  }

  /**
   * The table as it is now. It can be written further: what a draft has given away is copied first.
   */
  persist(): TableVersion {
    this.#indexIds();
    this.#open = undefined;
    const next = this.#table;
    const rows = rowCount(next.chunks);
    next.history = next.history.advance(next.position, this.#written, rows);
    next.position += this.#written.length;
    this.#written = [];
    next.owner = this.#ownership.release();
    const table = new TableVersion(next);
    const isSwept = rows >= MIN_SWEEP && rows > 2 * next.size;
    const persisted = isSwept ? sweep(table) : table;
    if (isSwept) Object.assign(next, persisted);
    next.chunks = this.#ownership.ownList(persisted);
    return persisted;
  }

  #notify(ordinal: number): void {
    this.#observer?.onWrite?.(this.#table, this.#table.idAt(ordinal), ordinal);
  }

  /** The last chunk, with room for a row. */
  #openTail(expected: number): Chunk {
    const { chunks, schema } = this.#table;
    const last = chunks.length - 1;
    if (last >= 0) {
      const chunk = this.#ownership.ownChunk(chunks, last);
      if (chunk.count < CHUNK_ROWS) {
        this.#ownership.openTail(chunk, expected + chunk.count);
        return chunk;
      }
    }
    const chunk = this.#ownership.createChunk(schema.slotCount, last < 0 ? expected : CHUNK_ROWS);
    putSystemVectors(chunk);
    chunks.push(chunk);
    return chunk;
  }

  #ownChunk(ordinal: number): Chunk {
    return this.#ownership.ownChunk(this.#table.chunks, chunkIndexOf(ordinal));
  }

  /** Sets a value in a vector that may be written at that row. */
  #setIn(chunk: Chunk, row: number, column: LeafColumn, value: StoredValue): void {
    let vector = chunk.vectors[column.slot];
    if (vector === undefined) {
      if (value === null) return;
      const dictionary = this.#table.dictionaries.get(column.slot);
      vector = createVector(column.type, chunk.capacity, dictionary);
      putVector(chunk, column.slot, vector);
    } else if (
      vector.kind === "code" &&
      !isCoded(column.type) &&
      value !== null &&
      vector.dictionary.size >= MAX_TEXT_CODES
    ) {
      vector = decodeTexts(vector, chunk.count);
      putVector(chunk, column.slot, vector);
    }
    vector.set(row, value);
  }

  #isGreatest(id: string): boolean {
    const { idsAscend, lastId } = this.#table;
    if (!idsAscend || compareStrings(lastId, id) >= 0) return false;
    this.#greatest = id;
    return true;
  }

  #enterId(id: string): void {
    this.#idHashes.push(hashString(id));
    if (id === this.#greatest || this.#isGreatest(id)) this.#table.lastId = id;
    else this.#table.idsAscend = false;
    this.#greatest = undefined;
  }

  /** Enters the ids of the last rows, those that wait for it. */
  #indexIds(): void {
    const hashes = this.#idHashes;
    if (hashes.length === 0) return;
    const table = this.#table;
    let ordinal = rowCount(table.chunks);
    if (table.ids.room < hashes.length) {
      // Another version may need this index as it is: the grown one holds this table's rows only.
      const known = ordinal - hashes.length;
      const grown = new HashIndex(table.size + (table.size >>> 5) + 1);
      for (const other of ordinalsOf(table.chunks)) {
        if (other >= known) break;
        grown.add(hashString(table.idAt(other)), other);
      }
      table.ids = grown;
    }
    while (hashes.length > 0) table.ids.add(hashes.pop()!, --ordinal);
  }

  #enterUnique(slot: number, value: Exclude<StoredValue, null>, ordinal: number): void {
    const table = this.#table;
    let index = table.uniques.get(slot)!;
    if (index.room < 1) {
      index = buildUniqueIndex(table, slot, table.size + 1);
      table.uniques = new Map(table.uniques).set(slot, index);
    }
    index.add(hashString(uniqueKey(value)), ordinal);
  }
}

/** The same records without the deleted rows, in new chunks, which no index serves. */
function sweep(table: TableVersion): TableVersion {
  const transient = new TableTransient(createTableVersion(table.identity, table.schema));
  const values: StoredValue[] = [];
  for (const ordinal of ordinalsOf(table.chunks)) {
    for (const { slot } of table.schema.leaves) values[slot] = table.get(ordinal, slot);
    transient.append(table.idAt(ordinal), metadataOf(table, ordinal), values, table.size);
  }
  const { position, history } = table;
  const next = new History(position, history.demand);
  return new TableVersion({ ...transient.persist(), position, history: next });
}
