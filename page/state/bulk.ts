import type { AnyRecord, QueryRequest, QueryResult } from "../../src/types.js";
import { branchPath, control, ServiceError, service, tablePath } from "./api.js";
import { objectAt } from "./columns.js";

/** Operations per transaction. */
const MAX_OPERATIONS = 1000;
/** Records per query. */
const PAGE_SIZE = 200;
/** Maximum number of selected records. */
export const MAX_SELECTED = 10_000;

export type Operation = Readonly<Record<string, unknown>>;

/** Runs operations atomically: a snapshot reverts earlier transactions if a later one fails. */
export async function runOperations(
  address: readonly string[],
  operations: readonly Operation[],
): Promise<void> {
  const [workspace = "", database = "", branch = ""] = address;
  const before = `explorer-undo-bulk-${Math.random().toString(36).slice(2)}`;
  const needsSnapshot = operations.length > MAX_OPERATIONS;
  if (needsSnapshot) await control("PUT", `snapshots/${before}`);
  try {
    for (let i = 0; i < operations.length; i += MAX_OPERATIONS) {
      const body = { operations: operations.slice(i, i + MAX_OPERATIONS) };
      try {
        await service(workspace, "POST", `${branchPath(database, branch)}/transaction`, { body });
      } catch (error) {
        if (i > 0) await control("POST", `snapshots/${before}/restore`);
        throw error instanceof ServiceError ? error.shiftOperations(i) : error;
      }
    }
  } finally {
    if (needsSnapshot) await control("DELETE", `snapshots/${before}`);
  }
}

export function deletions(table: string, ids: readonly string[]): Operation[] {
  return ids.map((id) => ({ delete: { table, id } }));
}

export function updates(
  table: string,
  ids: readonly string[],
  path: string,
  value: unknown,
): Operation[] {
  return ids.map((id) => ({ update: { table, id, fields: objectAt(path, value) } }));
}

/** Reads all records of a query, page by page. */
export async function* readAll(
  address: readonly string[],
  query: QueryRequest,
  signal?: AbortSignal,
): AsyncGenerator<readonly AnyRecord[]> {
  const [workspace = "", database = "", branch = "", table = ""] = address;
  const path = `${tablePath(database, branch, table)}/query`;
  let body: QueryRequest = { ...query, page: { size: PAGE_SIZE } };
  for (;;) {
    const { records, meta } = await service<QueryResult>(workspace, "POST", path, { body, signal });
    yield records;
    if (!meta.page.more) return;
    body = { page: { size: PAGE_SIZE, after: meta.page.cursor } };
  }
}

/** Ids of the records of a query, at most `MAX_SELECTED`. */
export async function readIds(address: readonly string[], query: QueryRequest): Promise<string[]> {
  const ids: string[] = [];
  for await (const records of readAll(address, { ...query, columns: ["id"] })) {
    for (const { id } of records) ids.push(id);
    if (ids.length >= MAX_SELECTED) break;
  }
  return ids.slice(0, MAX_SELECTED);
}

/** Reads records by id, in the given order; missing ones are skipped. */
export async function readByIds(
  address: readonly string[],
  ids: readonly string[],
  columns: readonly string[],
): Promise<AnyRecord[]> {
  const found = new Map<string, AnyRecord>();
  for await (const records of readAny(address, "id", ids, columns)) {
    for (const record of records) found.set(record.id, record);
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Reads the records whose column holds one of the values, page by page. */
export async function* readAny(
  address: readonly string[],
  path: string,
  values: readonly unknown[],
  columns: readonly string[],
): AsyncGenerator<readonly AnyRecord[]> {
  for (let i = 0; i < values.length; i += PAGE_SIZE) {
    const filter = { [path]: { $any: values.slice(i, i + PAGE_SIZE) } };
    yield* readAll(address, { filter, columns });
  }
}
