import type { AnyRecord, Filter, QueryRequest, QueryResult } from "../../src/types.js";
import { branchPath, control, controlIn, ServiceError, service, tablePath } from "./api.js";

/** Operations per transaction. */
const MAX_OPERATIONS = 1000;
/** Records per query. */
const PAGE_SIZE = 200;

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

/** Updates all records that match, or deletes them, atomically; resolves with their number. */
export async function writeWhere(
  address: readonly string[],
  write:
    | { readonly update: { readonly filter: Filter; readonly fields: object } }
    | { readonly delete: { readonly filter: Filter } },
): Promise<number> {
  const [workspace = "", database = "", branch = "", table = ""] = address;
  const path = `${tablePath(database, branch, table)}/where`;
  const { records } = await controlIn<{ records: number }>(workspace, "POST", path, {
    body: write,
  });
  return records;
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
