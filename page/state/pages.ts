import type { AnyRecord, QueryRequest, QueryResult } from "../../src/types.js";

/** Records that are loaded at once: the most that the service gives. */
const PAGE_SIZE = 200;
/** Pages that are kept; those furthest from what is shown are forgotten. */
const MOST_PAGES = 60;

interface Page {
  readonly records: readonly AnyRecord[];
  readonly cursor: string;
}

/** Milliseconds for which a record that somebody else changed is marked. */
const FLASH_MS = 1500;

/** Which records others changed. */
export interface ChangedIds {
  readonly updatedIds: readonly string[];
  readonly deletedIds: readonly string[];
  /** Whether there are more than are named. */
  readonly more: boolean;
}

/** Asks for a page of a query. */
export type AskPage = (request: QueryRequest, isFar: boolean) => Promise<QueryResult>;

/**
 * The records of a query by their place in its result. A page beside a known one is asked for by
 * that one's cursor, so that it goes on where the reader is whatever was written meanwhile; one far
 * from all of them by its offset from the first.
 */
export class RecordPages {
  readonly #ask: AskPage;
  readonly #query: QueryRequest;
  readonly #changed: () => void;
  readonly #pages = new Map<number, Page>();
  readonly #loading = new Set<number>();
  /** Any cursor of the query: it holds filter, order and columns. */
  #cursor: string | undefined;
  #isStopped = false;
  /** The places that were wanted last. */
  #wanted: readonly [first: number, end: number] = [0, 1];
  /** How many records there are, as far as is known. */
  total = 0;
  /** Whether `total` is all there are. */
  isCounted = false;
  error: Error | undefined;
  /** Ids of records that were changed so that the query no longer finds them. */
  readonly unmatched: Set<string> = new Set();
  /** Ids of records that others deleted; they stay in their places. */
  readonly gone: Set<string> = new Set();
  /** Ids of records that others changed just now. */
  readonly flashing: Set<string> = new Set();

  /** @param changed is called when something has come */
  constructor(query: QueryRequest, ask: AskPage, changed: () => void) {
    this.#query = query;
    this.#ask = ask;
    this.#changed = changed;
  }

  /** Loads the first page, which finds the faults of the query; counts only where there are more. */
  async open(count: () => Promise<number>): Promise<void> {
    await this.#load(0);
    const first = this.#pages.get(0);
    if (first === undefined || this.#isStopped) return;
    if (this.total > first.records.length) {
      const counted = await count().catch(() => undefined);
      this.total = Math.max(counted ?? 0, this.total);
    }
    this.isCounted = true;
    this.#changed();
  }

  /** Ends all loading: what comes later is not wanted. */
  stop(): void {
    this.#isStopped = true;
  }

  /** The record at a place; undefined while it is not loaded. */
  at(index: number): AnyRecord | undefined {
    return this.#pages.get(Math.floor(index / PAGE_SIZE))?.records[index % PAGE_SIZE];
  }

  /** The place of a record among those loaded; −1 where it is not. */
  find(id: string): number {
    for (const [number, { records }] of this.#pages) {
      const index = records.findIndex((record) => record.id === id);
      if (index >= 0) return number * PAGE_SIZE + index;
    }
    return -1;
  }

  /** Puts a record in the place of the one that has its id, and notes whether it is still found. */
  replace(record: AnyRecord, isMatched: boolean): void {
    const index = this.find(record.id);
    if (index < 0) return;
    if (isMatched) this.unmatched.delete(record.id);
    else this.unmatched.add(record.id);
    const number = Math.floor(index / PAGE_SIZE);
    const page = this.#pages.get(number)!;
    this.#pages.set(number, { ...page, records: page.records.with(index % PAGE_SIZE, record) });
    this.#changed();
  }

  /** Marks a record for a moment as changed by somebody else. */
  flash(id: string): void {
    this.flashing.add(id);
    setTimeout(() => {
      if (this.flashing.delete(id) && !this.#isStopped) this.#changed();
    }, FLASH_MS);
  }

  /**
   * Notes what others changed: records deleted are marked, pages out of sight are forgotten. Returns
   * the ids of changed records in the pages in sight, to be read anew.
   */
  noteChanges(change: ChangedIds): string[] {
    const [first, end] = this.#wanted;
    const updated = new Set(change.updatedIds);
    const deleted = new Set(change.deletedIds);
    const seen: string[] = [];
    for (const [number, { records }] of this.#pages) {
      const start = number * PAGE_SIZE;
      const isSeen = start < end && start + PAGE_SIZE > first;
      const isTouched = ({ id }: AnyRecord): boolean =>
        change.more || updated.has(id) || deleted.has(id);
      if (!isSeen) {
        if (this.#pages.size > 1 && records.some(isTouched)) this.#pages.delete(number);
        continue;
      }
      for (const record of records) {
        if (deleted.has(record.id)) this.gone.add(record.id);
        else if (isTouched(record)) seen.push(record.id);
      }
    }
    this.#changed();
    return seen.slice(0, PAGE_SIZE);
  }

  /** Sees that the records between two places are loaded, or on their way. */
  want(first: number, end: number): void {
    this.#wanted = [first, end];
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
      this.#cursor ??= meta.page.cursor;
      const known = number * PAGE_SIZE + records.length;
      this.total = Math.max(this.total, known + (meta.page.more && number === 0 ? 1 : 0));
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
    if (number === 0) return this.#ask({ ...this.#query, page: { size } }, false);
    return this.#ask({ page: { size, start: this.#cursor, offset: number * size } }, true);
  }

  #forgetFar(from: number): void {
    if (this.#pages.size <= MOST_PAGES) return;
    const far = [...this.#pages.keys()].sort((a, b) => Math.abs(b - from) - Math.abs(a - from));
    for (const number of far.slice(0, this.#pages.size - MOST_PAGES)) this.#pages.delete(number);
  }
}
