import type { ColumnDefinition } from "../../src/types.js";
import { service, tablePath } from "./api.js";
import { loadTree, schemaEdits, type TableSchema } from "./catalog.js";
import { leavesOf } from "./columns.js";
import { place } from "./place.js";

/** Column types offered by the dialog. */
export const OFFERED_TYPES = [
  ...(["string", "text", "email", "int", "float", "bool", "datetime", "link"] as const),
  ...(["multiple", "json", "vector", "file"] as const),
];

function pathOf(table: string): string {
  const [, database = "", branch = ""] = place.value.address;
  return tablePath(database, branch, table);
}

/** Runs a schema change, then reloads the tables. */
async function edit(method: string, path: string, body?: object): Promise<void> {
  await send(method, path, body);
  schemaEdits.value++;
}

function send<T>(method: string, path: string, body?: object): Promise<T> {
  const [workspace = ""] = place.value.address;
  return service(workspace, method, path, { body });
}

/** Creates a table with columns. */
export async function createTable(
  name: string,
  columns: readonly ColumnDefinition[],
): Promise<void> {
  await edit("PUT", pathOf(name));
  try {
    for (const column of columns) await addColumn(name, column);
  } catch (error) {
    await edit("DELETE", pathOf(name));
    throw error;
  }
  await loadTree();
}

export async function renameTable(table: string, name: string): Promise<void> {
  await edit("PATCH", pathOf(table), { name });
  await loadTree();
}

export async function deleteTable(table: string): Promise<void> {
  await edit("DELETE", pathOf(table));
  await loadTree();
}

export async function addColumn(table: string, column: ColumnDefinition): Promise<void> {
  await edit("POST", `${pathOf(table)}/columns`, column);
}

export async function renameColumn(table: string, path: string, name: string): Promise<void> {
  await edit("PATCH", `${pathOf(table)}/columns/${encodeURIComponent(path)}`, { name });
}

export async function removeColumn(table: string, path: string): Promise<void> {
  await edit("DELETE", `${pathOf(table)}/columns/${encodeURIComponent(path)}`);
}

/** Number of records, and of those with a value in a column. */
export async function countValues(
  table: string,
  path: string,
): Promise<{ readonly records: number; readonly values: number }> {
  const aggs = { records: { count: "*" }, values: { count: { filter: { $exists: path } } } };
  const answer = await send<{ aggs: { records: number; values: number } }>(
    "POST",
    `${pathOf(table)}/aggregate`,
    { aggs },
  );
  return answer.aggs;
}

/** Columns of other tables that link to a table. */
export function linksTo(table: string, tables: readonly TableSchema[]): string[] {
  return tables.flatMap((other) =>
    leavesOf(other)
      .filter(({ link }) => link === table && other.name !== table)
      .map(({ path }) => `${other.name}.${path}`),
  );
}
