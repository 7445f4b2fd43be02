import type { ColumnDefinition, ColumnType } from "../../src/types.js";
import { branchPath, service, tablePath } from "./api.js";
import { loadTree, schemaEdits, type TableSchema } from "./catalog.js";
import { leavesOf } from "./columns.js";
import { place } from "./place.js";

/** All column types, the most used first. */
export const COLUMN_TYPES = Object.keys({
  string: 0,
  text: 0,
  email: 0,
  int: 0,
  float: 0,
  bool: 0,
  datetime: 0,
  link: 0,
  multiple: 0,
  object: 0,
  json: 0,
  vector: 0,
  file: 0,
  "file[]": 0,
} satisfies Record<ColumnType, 0>);

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

/** Changes the options and the name of a column, which keeps its values: both or nothing. */
export async function changeColumn(
  table: string,
  path: string,
  before: ColumnDefinition,
  changed: ColumnDefinition,
): Promise<void> {
  const [, database = "", branch = ""] = place.value.address;
  const { name } = changed;
  const isRenamed = name !== before.name;
  const isAltered = JSON.stringify({ ...before, name }) !== JSON.stringify({ ...changed, name });
  const operations = [
    ...(isAltered ? [{ alterColumn: { table, column: { ...changed, name: path } } }] : []),
    ...(isRenamed ? [{ renameColumn: { table, oldName: path, newName: name } }] : []),
  ];
  await edit("POST", `${branchPath(database, branch)}/schema/apply`, { edits: { operations } });
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
