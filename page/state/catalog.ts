import { type Signal, signal } from "@preact/signals";
import type { ColumnDefinition } from "../../src/types.js";
import { branchPath, control, service } from "./api.js";

export interface TableSchema {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
}

export interface DatabaseTree {
  readonly workspace: string;
  readonly database: string;
  readonly branches: readonly string[];
}

/** Records of each table by its address, as `addressKey` writes it. */
export type Counts = ReadonlyMap<string, number>;

/** All databases with their branches; undefined until it is known. */
export const tree: Signal<readonly DatabaseTree[] | undefined> = signal<
  readonly DatabaseTree[] | undefined
>(undefined);
/** The tables of the branch that is shown. */
export const branchTables: Signal<readonly TableSchema[]> = signal<readonly TableSchema[]>([]);
/** Counts the changes of tables and columns that this page made. */
export const schemaEdits: Signal<number> = signal(0);
export const counts: Signal<Counts> = signal<Counts>(new Map());
/** Name of the record metadata column, which goes by the profile. */
export const metadataColumn: Signal<string> = signal("service");

/** A text that names an address, whatever its names hold. */
export function addressKey(address: readonly string[]): string {
  return JSON.stringify(address);
}

/** Reads anew which databases and branches there are. */
export async function loadTree(): Promise<void> {
  const health = await control<{ profile: string }>("GET", "health");
  metadataColumn.value = health.profile === "xata" ? "xata" : "service";
  const { workspaces } = await service<{ workspaces: { id: string }[] }>(
    undefined,
    "GET",
    "workspaces",
  );
  const found = await Promise.all(workspaces.map(({ id }) => loadDatabases(id)));
  tree.value = found.flat();
  await loadCounts();
}

async function loadDatabases(workspace: string): Promise<DatabaseTree[]> {
  const path = `workspaces/${encodeURIComponent(workspace)}/dbs`;
  const { databases } = await service<{ databases: { name: string }[] }>(undefined, "GET", path);
  return Promise.all(
    databases.map(async ({ name }) => {
      const at = `dbs/${encodeURIComponent(name)}`;
      const { branches } = await service<{ branches: { name: string }[] }>(workspace, "GET", at);
      return { workspace, database: name, branches: branches.map((branch) => branch.name) };
    }),
  );
}

/** Reads anew how many records each table has. */
export async function loadCounts(): Promise<void> {
  const { tables } = await control<{
    tables: {
      workspace: string;
      database: string;
      branch: string;
      table: string;
      records: number;
    }[];
  }>("GET", "counts");
  counts.value = new Map(
    tables.map(({ workspace, database, branch, table, records }) => [
      addressKey([workspace, database, branch, table]),
      records,
    ]),
  );
}

/** The tables of a branch with their columns. */
export async function loadTables(
  workspace: string,
  database: string,
  branch: string,
): Promise<readonly TableSchema[]> {
  const { schema } = await service<{ schema: { tables: TableSchema[] } }>(
    workspace,
    "GET",
    branchPath(database, branch),
  );
  return keepSame(schema.tables);
}

/** The same objects as before where nothing has changed: what is made of them stays as it is. */
function keepSame(tables: readonly TableSchema[]): readonly TableSchema[] {
  const before = branchTables.peek();
  const known = new Map(before.map((table) => [JSON.stringify(table), table]));
  const kept = tables.map((table) => known.get(JSON.stringify(table)) ?? table);
  const isSame = kept.length === before.length && kept.every((table, i) => table === before[i]);
  return isSame ? before : kept;
}
