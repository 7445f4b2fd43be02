import { expect } from "vitest";
import { enableFiles } from "../../src/files.js";
import {
  type AnyBranch,
  type AnyRecord,
  createEngine,
  type Database,
  type Engine,
  type EngineOptions,
  type ErrorCode,
  type OperationResult,
  type ProfileOption,
  type QueryResult,
  TwinbaseError,
  type Workspace,
} from "../../src/index.js";
import { type ColumnsByName, defineColumns } from "../columns.js";

export const NOW: number = Date.UTC(2022, 0, 31, 10, 20, 30);
export const NOW_TEXT = "2022-01-31T10:20:30Z";

/** A table's handle for requests of any shape, good ones and bad ones. */
export interface LooseTable {
  readonly name: string;
  insert(records: readonly unknown[], options?: unknown): AnyRecord[];
  insert(record: unknown, options?: unknown): AnyRecord;
  load(records: unknown): number;
  get(id: unknown, options?: unknown): AnyRecord | null;
  update(id: unknown, changes: unknown, options?: unknown): AnyRecord;
  replace(id: unknown, record: unknown, options?: unknown): AnyRecord;
  upsert(id: unknown, record: unknown, options?: unknown): AnyRecord;
  put(id: unknown, record: unknown, options?: unknown): AnyRecord;
  delete(id: unknown, options?: unknown): boolean;
  query(request?: unknown): QueryResult;
  scan(request?: unknown): IterableIterator<AnyRecord>;
  count(filter?: unknown): number;
  explain(request?: unknown): unknown;
  schema(): { columns: unknown[] };
  addColumn(definition: unknown): void;
  renameColumn(path: unknown, name: unknown): void;
  removeColumn(path: unknown): void;
  setSchema(schema: unknown): void;
  rename(name: unknown): void;
}

/** A branch's handle, as loose. */
export interface LooseBranch {
  createTable(name: unknown, columns?: unknown): LooseTable;
  table(name: unknown): LooseTable;
  tables(): { name: string }[];
  renameTable(name: unknown, newName: unknown): void;
  deleteTable(name: unknown): void;
  transaction(operations: unknown): OperationResult[];
}

/** The same handle without what its types hold a caller to: the tests are about what is refused. */
export function loose(branch: AnyBranch): LooseBranch {
  return branch as unknown as LooseBranch;
}

export interface Shop {
  readonly engine: Engine;
  readonly acme: Workspace;
  readonly shop: Database;
  readonly main: LooseBranch;
}

/** A new engine with the workspace `acme`, the database `shop` and its branch `main`. */
export function openShop(options: EngineOptions = {}): Shop {
  const engine = enableFiles(createEngine({ now: NOW, seed: 1, ...options })) as Engine; // untyped
  const acme = engine.createWorkspace("acme");
  const shop = acme.createDatabase("shop");
  return { engine, acme, shop, main: loose(shop.branch("main")) };
}

/** The branch `main` of the database `shop` in a new engine. */
export function openBranch(options: EngineOptions = {}): LooseBranch {
  return openShop(options).main;
}

/** A table of those columns, alone in its engine. */
export function openTable(
  columns: readonly unknown[] | ColumnsByName,
  profile?: ProfileOption,
): LooseTable {
  const definitions = Array.isArray(columns) ? columns : defineColumns(columns as ColumnsByName);
  return openBranch({ profile }).createTable("items", definitions);
}

/** The ids a filter matches, in their order; `count` and `scan` must say the same. */
export function matching(table: LooseTable, filter: unknown): string[] {
  const ids = idsOf(table.query({ filter, page: { size: 200 } }).records);
  expect(table.count(filter), "count").toBe(ids.length);
  expect(idsOf(table.scan({ filter })), "scan").toEqual(ids);
  return ids;
}

/** The filter matches the records of those ids, of one letter each. */
export function expectMatches(table: LooseTable, filter: unknown, ids: string): void {
  expect(matching(table, filter).join(""), JSON.stringify(filter)).toBe(ids);
}

export function idsOf(records: Iterable<{ readonly id: string }>): string[] {
  return Array.from(records, ({ id }) => id);
}

export interface Refusal {
  readonly code: ErrorCode;
  readonly rule: string;
  /** `undefined` where no place in the request is meant. */
  readonly path: string | undefined;
  readonly status: number;
  readonly message: string;
}

/** The refusal of a call. */
export function refusalOf(call: () => unknown): Refusal {
  const { code, rule = "", path, status, message } = refused(call);
  return { code, rule, path, status, message };
}

/** The error of a call that must be refused. */
export function refused(call: () => unknown): TwinbaseError {
  try {
    call();
  } catch (error) {
    if (error instanceof TwinbaseError) return error;
    throw error;
  }
  throw new Error("the call was not refused");
}

/**
 * The call is refused, as in `"invalid_sort S-1 /sort"`: with that code, by that rule, at that place
 * of the request. `""` is the request as a whole; without a path the fault is at no place in it.
 */
export function expectRefused(call: () => unknown, refusal: string, message?: RegExp): void {
  const { code, rule, path, message: found } = refusalOf(call);
  const place = path === undefined ? "" : ` ${path || '""'}`;
  expect(`${code} ${rule}${place}`, found).toBe(refusal);
  if (message !== undefined) expect(found).toMatch(message);
}

/** A filter is refused, wherever filters are taken; the path is one in the filter. */
export function expectFilterRefused(
  table: LooseTable,
  filter: unknown,
  refusal: string,
  message?: RegExp,
): void {
  const inRequest = refusal.replace(/^(\S+ \S+ )(?:"")?/, "$1/filter");
  expectRefused(() => table.query({ filter }), inRequest, message);
  expectRefused(() => table.scan({ filter }), inRequest, message);
  expectRefused(() => table.explain({ filter }), inRequest, message);
  expectRefused(() => table.count(filter), refusal, message);
}
