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

/** A table handle that accepts requests of any shape. */
export interface UntypedTable {
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
  updateWhere(filter: unknown, changes: unknown, options?: unknown): unknown;
  deleteWhere(filter: unknown, options?: unknown): unknown;
  query(request?: unknown): QueryResult;
  scan(request?: unknown): IterableIterator<AnyRecord>;
  count(filter?: unknown): number;
  explain(request?: unknown): unknown;
  schema(): { columns: unknown[] };
  addColumn(definition: unknown): void;
  renameColumn(path: unknown, name: unknown): void;
  removeColumn(path: unknown): void;
  alterColumn(column: unknown): void;
  setSchema(schema: unknown, options?: unknown): void;
  rename(name: unknown): void;
}

/** A branch handle that accepts requests of any shape. */
export interface UntypedBranch {
  createTable(name: unknown, columns?: unknown): UntypedTable;
  table(name: unknown): UntypedTable;
  tables(): { name: string }[];
  renameTable(name: unknown, newName: unknown): void;
  deleteTable(name: unknown): void;
  transaction(operations: unknown): OperationResult[];
}

/** The same handle without its types, for invalid calls. */
export function untyped(branch: AnyBranch): UntypedBranch {
  return branch as unknown as UntypedBranch;
}

export interface Shop {
  readonly engine: Engine;
  readonly acme: Workspace;
  readonly shop: Database;
  readonly main: UntypedBranch;
}

/** A new engine with the workspace `acme`, the database `shop` and its branch `main`. */
export function openShop(options: EngineOptions = {}): Shop {
  const engine = enableFiles(createEngine({ now: NOW, seed: 1, ...options })) as Engine; // untyped
  const acme = engine.createWorkspace("acme");
  const shop = acme.createDatabase("shop");
  return { engine, acme, shop, main: untyped(shop.branch("main")) };
}

/** The branch `main` of the database `shop` in a new engine. */
export function openBranch(options: EngineOptions = {}): UntypedBranch {
  return openShop(options).main;
}

/** A table of these columns in a new engine. */
export function openTable(
  columns: readonly unknown[] | ColumnsByName,
  profile?: ProfileOption,
): UntypedTable {
  const definitions = Array.isArray(columns) ? columns : defineColumns(columns as ColumnsByName);
  return openBranch({ profile }).createTable("items", definitions);
}

/** The ids that a filter matches, in order; checks `count` and `scan` too. */
export function matching(table: UntypedTable, filter: unknown): string[] {
  const ids = idsOf(table.query({ filter, page: { size: 200 } }).records);
  expect(table.count(filter), "count").toBe(ids.length);
  expect(idsOf(table.scan({ filter })), "scan").toEqual(ids);
  return ids;
}

export function idsOf(records: Iterable<{ readonly id: string }>): string[] {
  return Array.from(records, ({ id }) => id);
}

/** The ids of all pages of a query, in order, each after or before the previous one. */
export function idsOfPages(
  table: UntypedTable,
  request: object,
  key: "after" | "before" = "after",
): string[] {
  let page = table.query(request);
  let ids = idsOf(page.records);
  while (page.meta.page.more) {
    page = table.query({ page: { [key]: page.meta.page.cursor } });
    ids = key === "after" ? [...ids, ...idsOf(page.records)] : [...idsOf(page.records), ...ids];
  }
  return ids;
}

export interface Refusal {
  readonly code: ErrorCode;
  readonly rule: string;
  /** `undefined` for errors without a place in the request. */
  readonly path: string | undefined;
  readonly status: number;
  readonly message: string;
}

/** Code, rule, path, status and message of the error of a call. */
export function refusalOf(call: () => unknown): Refusal {
  const { code, rule = "", path, status, message } = refused(call);
  return { code, rule, path, status, message };
}

/** The error of a call that must fail. */
export function refused(call: () => unknown): TwinbaseError {
  try {
    call();
  } catch (error) {
    if (error instanceof TwinbaseError) return error;
    throw error;
  }
  throw new Error("the call was not refused");
}

/** The call fails with this code, rule, path (JSON Pointer; `""` is the whole request) and message. */
export function expectRefused(
  call: () => unknown,
  code: ErrorCode,
  rule: string,
  path?: string,
  pattern: RegExp = /^/,
): void {
  const { message, ...refusal } = refusalOf(call);
  expect(refusal, message).toMatchObject({ code, rule, path });
  expect(message).toMatch(pattern);
}

/** Every call with a filter refuses it; the path is relative to the filter. */
export function expectFilterRefused(
  table: UntypedTable,
  filter: unknown,
  rule: string,
  path = "",
): void {
  for (const call of [table.query, table.scan, table.explain]) {
    expectRefused(() => call.call(table, { filter }), "invalid_filter", rule, `/filter${path}`);
  }
  expectRefused(() => table.count(filter), "invalid_filter", rule, path);
}
