import type { CompiledSchema, LeafColumn, StoredValue } from "../schema/columns.js";
import { type ParsedValue, TAKEN, type ValueSink } from "../schema/record.js";
import { isCoded, LONG_VALUE } from "../schema/traits.js";
import { compareStrings } from "../value/compare.js";
import type { Instant } from "../value/datetime.js";
import { hashString } from "../value/hash.js";
import { CHUNK_ROWS, CHUNK_WORDS, type Chunk, chunkIndexOf, ordinalOf, rowAt } from "./chunk.js";
import { HashIndex } from "./hash-index.js";
import { IndexHistory } from "./index-history.js";
import {
  countWrite,
  metadataOf,
  putSystemVectors,
  type RowMetadata,
  replaceMetadata,
  setMetadata,
  shareMetadata,
} from "./metadata.js";
import { Ownership, ownVector, putVector } from "./ownership.js";
import {
  createTableVersion,
  type NextVersion,
  ordinalsOf,
  rowCount,
  TableVersion,
} from "./table.js";
import { decodeTexts, encodeChunk } from "./text-codes.js";
import { buildUniqueIndex, findUnique, uniqueKey } from "./unique.js";
import { createVector } from "./vector.js";
import { MAX_TEXT_CODES, type Mark, NULL_CODE } from "./vectors.js";

/** The notes that a transient takes of written records: their ids, or also their former rows. */
export type Noted = "ids" | "rows";

interface Notes extends WrittenRecords {
  readonly ids: Set<string>;
  /** Copies of former rows, which a write in place changes. */
  readonly former: TableTransient | undefined;
}

/** The records that a transient has written. */
export interface WrittenRecords {
  /** Has the former rows of the records, if they were noted. */
  readonly before: TableVersion;
  readonly ids: ReadonlySet<string>;
}

/** Deleted rows are swept from this number on, once they outnumber the live ones. */
const MIN_SWEEP = 2048;

/** Writes a table without checks; `persist` returns the next version. */
export class TableTransient implements ValueSink {
  readonly #table: NextVersion;
  readonly #ownership: Ownership;
  readonly #notes: Notes | undefined;
  #written: number[] = [];
  #open: Chunk | undefined;
  /** Id hashes not yet in the index: adding them in bulk is much faster. */
  readonly #idHashes: number[] = [];
  #greatest: string | undefined;

  /** @param owner permits changes in place; without it the table is a draft until `persist` */
  constructor(table: TableVersion, owner?: Mark, noted?: Noted) {
    this.#ownership = new Ownership(owner);
    if (noted !== undefined) {
      const copies = noted === "rows" && owner !== undefined;
      const former = copies ? new TableTransient(withoutRows(table)) : undefined;
      this.#notes = { before: table, ids: new Set(), former };
    }
    this.#table = new TableVersion(table) as NextVersion; // its chunks are set next
    this.#table.chunks = this.#ownership.ownList(table);
  }

  get schema(): CompiledSchema {
    return this.#table.schema;
  }

  find(id: string): number {
    this.#indexIds();
    return this.#table.find(id);
  }

  /** An id above the greatest one needs no look-up. */
  has(id: string): boolean {
    return (this.#table.source !== undefined || !this.#isGreatest(id)) && this.find(id) >= 0;
  }

  get(ordinal: number, slot: number): StoredValue {
    return this.#table.get(ordinal, slot);
  }

  idAt(ordinal: number): string {
    return this.#table.idAt(ordinal);
  }

  /** Returns a value of the open row. */
  openValue(slot: number): StoredValue {
    return this.#open?.vectors[slot]?.get(this.#open.count) ?? null;
  }

  /** Returns a code of the open row; 0 for null. */
  openCode(slot: number): number {
    const vector = this.#open?.vectors[slot];
    return vector?.kind === "code" ? vector.codes[this.#open!.count]! : NULL_CODE; // open: it has a vector
  }

  /** Returns the ordinal of another record with the value, or −1. */
  findUnique(column: LeafColumn, value: Exclude<StoredValue, null>, except: number): number {
    this.#table.source?.findUnique(column, value);
    return findUnique(this.#table, column.slot, uniqueKey(value), (ordinal) => ordinal !== except);
  }

  /**
   * Opens the next record's row to take its values while it is read: temporary objects would dominate
   * the time of a bulk load. For drafts only: writes in place are validated first.
   * @param expected expected number of further records, including this one
   */
  openRow(expected: number): ValueSink | undefined {
    if (!this.#ownership.isDraft) return undefined;
    const chunk = this.#openTail(expected);
    this.#ownership.claim(chunk, chunk.count + 1); // getters of the record may write: those rows go elsewhere
    this.#open = chunk;
    return this;
  }

  /** Stores a value in the open row, which is invisible until it is counted. */
  take(column: LeafColumn, value: unknown): boolean {
    const { vectors, count } = this.#open!; // see `openRow`
    const vector = vectors[column.slot];
    if (vector === undefined || column.unique) return false;
    if (typeof value === "string" && value.length >= LONG_VALUE) return false;
    return vector.take(count, column, value);
  }

  /**
   * Appends a record, in the open row if any.
   * @param expected expected number of further records, including this one
   */
  append(id: string, metadata: RowMetadata, values: readonly ParsedValue[], expected = 1): number {
    this.#notes?.ids.add(id);
    const chunk = this.#open ?? this.#openTail(expected);
    const row = chunk.count;
    if (this.#open === undefined) this.#ownership.claim(chunk, row + 1);
    this.#open = undefined;
    const ordinal = ordinalOf(this.#table.chunks.length - 1, row);
    setMetadata(chunk, row, id, metadata);
    this.#setValues(chunk, row, values, ordinal);
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

  #setValues(chunk: Chunk, row: number, values: readonly ParsedValue[], ordinal: number): void {
    const { leaves } = this.#table.schema;
    for (let i = 0; i < leaves.length; i++) {
      const column = leaves[i]!;
      const value = values[column.slot] ?? null;
      if (value === TAKEN) continue;
      this.#setIn(chunk, row, column, value);
      if (column.unique && value !== null) this.#enterUnique(column.slot, value, ordinal);
    }
  }

  /** Call `touch` first. */
  set(ordinal: number, column: LeafColumn, value: StoredValue): void {
    const chunk = this.#ownChunk(ordinal);
    ownVector(chunk, column.slot);
    this.#setIn(chunk, rowAt(ordinal), column, value);
    if (column.unique && value !== null) this.#enterUnique(column.slot, value, ordinal);
  }

  setMetadata(ordinal: number, metadata: RowMetadata): void {
    replaceMetadata(this.#ownChunk(ordinal), rowAt(ordinal), metadata);
    this.#written.push(ordinal);
  }

  /** Counts a write of a record (rule R-2). */
  touch(ordinal: number, now: Instant): void {
    this.#note(ordinal);
    countWrite(this.#ownChunk(ordinal), rowAt(ordinal), now);
    this.#written.push(ordinal);
  }

  delete(ordinal: number): void {
    this.#note(ordinal);
    const chunk = this.#ownChunk(ordinal);
    const row = rowAt(ordinal);
    chunk.deleted ??= new Uint32Array(CHUNK_WORDS);
    chunk.deleted[row >>> 5]! |= 1 << (row & 31);
    this.#written.push(ordinal);
    this.#table.size--;
  }

  /** Returns the current table. Later writes copy shared chunks first. */
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

  /** Returns the records written so far; undefined if they are not noted, or none was written. */
  written(): WrittenRecords | undefined {
    if (this.#notes === undefined || this.#notes.ids.size === 0) return undefined;
    const { before, ids, former } = this.#notes;
    return { before: former?.persist() ?? before, ids };
  }

  /** Notes a record before it is written. */
  #note(ordinal: number): void {
    if (this.#notes === undefined) return;
    const { ids, former } = this.#notes;
    const id = this.#table.idAt(ordinal);
    if (ids.size < ids.add(id).size) former?.copyRow(this.#table, ordinal, 1);
  }

  /** Appends a record of another version with the same columns. */
  copyRow(from: TableVersion, ordinal: number, expected: number): void {
    const values: StoredValue[] = [];
    for (const { slot } of from.schema.leaves) values[slot] = from.get(ordinal, slot);
    this.append(from.idAt(ordinal), metadataOf(from, ordinal), values, expected);
  }

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

  #indexIds(): void {
    const hashes = this.#idHashes;
    if (hashes.length === 0) return;
    const table = this.#table;
    let ordinal = rowCount(table.chunks);
    if (table.ids.free < hashes.length) {
      // Other versions may use the old index; the larger one contains this table's rows only.
      const end = ordinal - hashes.length;
      const grown = new HashIndex(table.size + (table.size >>> 5) + 1);
      for (const other of ordinalsOf(table.chunks)) {
        if (other >= end) break;
        grown.add(hashString(table.idAt(other)), other);
      }
      table.ids = grown;
    }
    while (hashes.length > 0) table.ids.add(hashes.pop()!, --ordinal);
  }

  #enterUnique(slot: number, value: Exclude<StoredValue, null>, ordinal: number): void {
    const table = this.#table;
    let index = table.uniques.get(slot)!;
    if (index.free < 1) {
      index = buildUniqueIndex(table, slot, table.size + 1);
      table.uniques = new Map(table.uniques).set(slot, index);
    }
    index.add(hashString(uniqueKey(value)), ordinal);
  }
}

/** Returns an empty table whose codes mean the same. */
function withoutRows({ identity, schema, dictionaries, plainText }: TableVersion): TableVersion {
  return new TableVersion({ ...createTableVersion(identity, schema), dictionaries, plainText });
}

/** Copies a table without deleted rows and indexes. */
function sweep(table: TableVersion): TableVersion {
  const transient = new TableTransient(createTableVersion(table.identity, table.schema));
  for (const ordinal of ordinalsOf(table.chunks)) transient.copyRow(table, ordinal, table.size);
  const { position, history } = table;
  const next = new IndexHistory(position, history.demand);
  return new TableVersion({
    ...transient.persist(),
    position,
    history: next,
    source: table.source,
  });
}
