import type { AnyRecord, QueryRequest, QueryResult } from "../../src/types.js";
import { idOf } from "../../src/value/id.js";

/** Records per request: the service's maximum. */
const PAGE_SIZE = 200;
/** Pages cached; the ones furthest from view are evicted. */
const MOST_PAGES = 60;

interface Page {
  readonly records: readonly AnyRecord[];
  readonly cursor: string;
}

/** Duration of the flash of a changed row, in milliseconds. */
const FLASH_MS = 1500;

/** Rows that are followed begin at a multiple, so that a small scroll follows the same ones. */
const STEP = 40;
/** Maximum of rows that are followed: with an opened record, the maximum of the service. */
const MAX_FOLLOWED = 199;

/** Changes of the records that are followed. */
export interface RowChanges {
  /** Records that are new or changed since the last event. */
  readonly records: readonly AnyRecord[];
  /** Ids of records that don't exist. */
  readonly gone: readonly string[];
  /** Ids of records that don't match the filter. */
  readonly unmatched: readonly string[];
  /** Number of records that match. */
  readonly count: number;
}

/** Requests a page of a query; `isFar` for one by offset. */
export type AskPage = (request: QueryRequest, isFar: boolean) => Promise<QueryResult>;

/**
 * The records of a query by index. A page next to a loaded one is requested by cursor, so that
 * scrolling is stable under concurrent writes; other pages are requested by offset.
 */
export class RecordPages {
  readonly #ask: AskPage;
  readonly query: QueryRequest;
  readonly #changed: () => void;
  readonly #pages = new Map<number, Page>();
  readonly #loading = new Set<number>();
  /** Any cursor of the query; it carries filter, sort and columns. */
  #cursor: string | undefined;
  #isStopped = false;
  /** The first row that is followed. */
  #followed = 0;
  /** Number of records known so far. */
  total = 0;
  /** Number of records that others inserted since. */
  fresh = 0;
  /** Whether `total` is final. */
  isCounted = false;
  error: Error | undefined;
  /** Ids of changed records that no longer match the query. */
  readonly unmatched: Set<string> = new Set();
  /** Ids of deleted records; they keep their rows. */
  readonly gone: Set<string> = new Set();
  /** Ids of records to flash. */
  readonly flashing: Set<string> = new Set();

  /**
   * @param changed called after each update
   * @param total number of records of the pages that these replace, until they are counted
   */
  constructor(query: QueryRequest, ask: AskPage, changed: () => void, total = 0) {
    this.query = query;
    this.#ask = ask;
    this.#changed = changed;
    this.total = total;
  }

  /** Loads the first page, which reports query errors; counts only if there are more pages. */
  async open(count: () => Promise<number>): Promise<void> {
    await this.#load(0);
    const first = this.#pages.get(0);
    if (first === undefined || this.#isStopped) return;
    if (this.total > first.records.length) {
      const counted = await count().catch(() => undefined);
      this.total = Math.max(counted ?? this.total, first.records.length);
    }
    this.isCounted = true;
    this.#changed();
  }

  /** Ignores all pending responses. */
  stop(): void {
    this.#isStopped = true;
  }

  /** The record at an index; undefined if not loaded. */
  at(index: number): AnyRecord | undefined {
    return this.#pages.get(Math.floor(index / PAGE_SIZE))?.records[index % PAGE_SIZE];
  }

  /** The index of a loaded record; −1 if not loaded. */
  find(id: string): number {
    for (const [number, { records }] of this.#pages) {
      const index = records.findIndex((record) => idOf(record) === id);
      if (index >= 0) return number * PAGE_SIZE + index;
    }
    return -1;
  }

  /** Replaces the record of the same id, and stores whether it still matches. */
  replace(record: AnyRecord, isMatched: boolean): void {
    const id = idOf(record);
    const index = this.find(id);
    if (index < 0) return;
    mark(this.unmatched, id, !isMatched);
    this.#put(index, record);
    this.#changed();
  }

  #put(index: number, record: AnyRecord): void {
    const number = Math.floor(index / PAGE_SIZE);
    const page = this.#pages.get(number)!; // its record is loaded
    this.#pages.set(number, { ...page, records: page.records.with(index % PAGE_SIZE, record) });
  }

  /** The loaded records in and after the view, to be followed. */
  followed(): AnyRecord[] {
    const rows = Array.from({ length: MAX_FOLLOWED }, (_, i) => this.at(this.#followed + i));
    return rows.filter((record) => record !== undefined);
  }

  /**
   * Applies changes of others: flashes changed rows, marks those that no longer belong here.
   *
   * @param ids of all records that are followed
   */
  note(ids: readonly string[], { records, gone, unmatched, count }: RowChanges): void {
    const followed = new Set(ids);
    const changed = new Map(records.map((record) => [idOf(record), record]));
    for (let index = this.#followed; index < this.#followed + MAX_FOLLOWED; index++) {
      const known = this.at(index);
      const id = known && idOf(known);
      if (id === undefined || !followed.has(id)) continue;
      mark(this.gone, id, gone.includes(id));
      mark(this.unmatched, id, unmatched.includes(id));
      const record = changed.get(id);
      if (record === undefined || JSON.stringify(record) === JSON.stringify(known)) continue;
      this.#put(index, record);
      this.flashing.add(id);
      setTimeout(() => {
        if (this.flashing.delete(id) && !this.#isStopped) this.#changed();
      }, FLASH_MS);
    }
    this.fresh = Math.max(0, count - this.total + this.gone.size + this.unmatched.size);
    this.#changed();
  }

  /** The records of a range. */
  async read(first: number, end: number): Promise<AnyRecord[]> {
    for (let number = Math.floor(first / PAGE_SIZE); number * PAGE_SIZE < end; number++) {
      if (!this.#pages.has(number)) await this.#load(number);
    }
    return Array.from({ length: Math.max(0, end - first) }, (_, i) => {
      const record = this.at(first + i);
      if (record === undefined) throw this.error ?? new Error("Not all rows could be loaded");
      return record;
    });
  }

  /** Loads the records of a range unless loaded or pending. */
  want(first: number, end: number): void {
    const followed = first - (first % STEP);
    if (followed !== this.#followed) {
      this.#followed = followed;
      this.#changed();
    }
    if (this.#cursor === undefined) return;
    const last = Math.floor((Math.min(end, this.total) - 1) / PAGE_SIZE);
    for (let number = Math.floor(first / PAGE_SIZE); number <= last; number++) {
      if (!this.#pages.has(number) && !this.#loading.has(number)) void this.#load(number);
    }
  }

  async #load(number: number): Promise<void> {
    this.#loading.add(number);
    try {
      const { records, meta } = await this.#askFor(number);
      if (this.#isStopped) return;
      this.#pages.set(number, { records, cursor: meta.page.cursor });
      const isFirst = this.#cursor === undefined;
      this.#cursor ??= meta.page.cursor;
      const known = number * PAGE_SIZE + records.length;
      if (isFirst && !meta.page.more) this.total = known;
      else this.total = Math.max(this.total, known + (meta.page.more && number === 0 ? 1 : 0));
      this.#forgetFar(number);
    } catch (error) {
      if (!this.#isStopped) this.error = error as Error;
    } finally {
      this.#loading.delete(number);
      if (!this.#isStopped) this.#changed();
    }
  }

  #askFor(number: number): Promise<QueryResult> {
    const size = PAGE_SIZE;
    const before = this.#pages.get(number - 1);
    if (before !== undefined) return this.#ask({ page: { size, after: before.cursor } }, false);
    const next = this.#pages.get(number + 1);
    if (next !== undefined) return this.#ask({ page: { size, before: next.cursor } }, false);
    if (number === 0) return this.#ask({ ...this.query, page: { size } }, false);
    return this.#ask({ page: { size, start: this.#cursor, offset: number * size } }, true);
  }

  #forgetFar(from: number): void {
    if (this.#pages.size <= MOST_PAGES) return;
    const far = [...this.#pages.keys()].sort((a, b) => Math.abs(b - from) - Math.abs(a - from));
    for (const number of far.slice(0, this.#pages.size - MOST_PAGES)) this.#pages.delete(number);
  }
}

function mark(ids: Set<string>, id: string, isMarked: boolean): void {
  if (isMarked) ids.add(id);
  else ids.delete(id);
}
