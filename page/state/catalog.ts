import { type Signal, signal } from "@preact/signals";
import { PROFILES, type Profile, type ProfileName } from "../../src/profile.js";
import { metadataPath } from "../../src/schema/record-names.js";
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

/** Record counts by table; keys are from `addressKey`. */
export type Counts = ReadonlyMap<string, number>;

/** All databases with their branches; undefined while loading. */
export const tree: Signal<readonly DatabaseTree[] | undefined> = signal<
  readonly DatabaseTree[] | undefined
>(undefined);
/** Tables of the current branch. */
export const branchTables: Signal<readonly TableSchema[]> = signal<readonly TableSchema[]>([]);
/** Incremented by each schema change of this page. */
export const schemaEdits: Signal<number> = signal(0);
export const counts: Signal<Counts> = signal<Counts>(new Map());
/** The profile of the service, with its name of the record metadata column. */
export const profile: Signal<Profile> = signal<Profile>(PROFILES.documented);
/** Whether deleting a record sets links to it to null (T-18). */
export const isChecked: Signal<boolean> = signal(false);

/** The path of a record's metadata, such as `version`. */
export function metadataAt(key: string): string {
  return metadataPath(profile.value, key);
}

/** An unambiguous key for an address. */
export function addressKey(address: readonly string[]): string {
  return JSON.stringify(address);
}

/** Loads databases and branches. */
export async function loadTree(): Promise<void> {
  const health = await control<{
    profile: ProfileName;
    metadataColumn: string;
    links: string;
  }>("GET", "health");
  profile.value = { ...PROFILES[health.profile], metadataColumn: health.metadataColumn };
  isChecked.value = health.links === "checked";
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

/** Loads the record counts. */
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

/** Loads the tables of a branch. */
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

/** Reuses unchanged objects, so memoized values remain valid. */
function keepSame(tables: readonly TableSchema[]): readonly TableSchema[] {
  const before = branchTables.peek();
  const known = new Map(before.map((table) => [JSON.stringify(table), table]));
  const kept = tables.map((table) => known.get(JSON.stringify(table)) ?? table);
  const isSame = kept.length === before.length && kept.every((table, i) => table === before[i]);
  return isSame ? before : kept;
}
