import { createCatalog } from "../catalog/empty.js";
import { applyEvents } from "../catalog/events.js";
import type { CatalogState, DatabaseState, TableKey } from "../catalog/state.js";
import { addWorkspace } from "../catalog/workspaces.js";
import type { EngineContents, EngineSetup } from "../engine/setup.js";
import { requireAlike } from "../engine/snapshot.js";
import { assert, refuse } from "../errors.js";
import { openReplay } from "../persist/replay.js";
import { writeExport } from "../persist/write.js";
import { readText, writeText } from "../sql/text.js";
import type { TableVersion } from "../storage/table.js";
import { DOCUMENTS } from "./layout.js";

/* Documents are exports without records: of users and workspaces, or of one database. */

export function writeAccounts(setup: EngineSetup, state: CatalogState): string {
  const workspaces = mapValues(state.workspaces, (workspace) => ({
    ...workspace,
    databases: new Map<string, DatabaseState>(),
  }));
  return write(setup, { ...state, workspaces }, new Map());
}

export function writeDatabase(
  setup: EngineSetup,
  [name, database]: readonly [name: string, database: DatabaseState],
  tables: EngineContents["tables"],
): string {
  const empty = createCatalog(setup.profile.base);
  const state = applyEvents(empty, addWorkspace(empty, WORKSPACE, {}));
  const databases = new Map([[name, database]]);
  const workspaces = mapValues(state.workspaces, (workspace) => ({ ...workspace, databases }));
  return write(setup, { ...state, workspaces }, tables);
}

export function readAccounts(setup: EngineSetup, content: string): CatalogState {
  return read(setup, content).state;
}

/** @param add gives a table its key */
export function readDatabaseDocument(
  setup: EngineSetup,
  content: string,
  add: (table: TableVersion) => TableKey,
): DatabaseState {
  const { state, tables } = read(setup, content);
  const [database] = state.workspaces.get(WORKSPACE)?.databases.values() ?? [];
  assert(database !== undefined, "the document of a database holds one");
  const branches = mapValues(database.branches, (branch) => ({
    ...branch,
    tables: mapValues(branch.tables, (key) => add(tables.get(key)!)), // every key has a version
  }));
  return { ...database, branches };
}

/** Placeholder for the workspace's name, as a document may belong to any. */
const WORKSPACE = "workspace";

function write(setup: EngineSetup, state: CatalogState, tables: EngineContents["tables"]): string {
  const { profile, limits, indexes, streams } = setup;
  const clock = { kind: "running", offset: 0 } as const;
  const contents = { state, tables, tableKeys: 0, nextId: 0, tablesMade: 0 };
  const settings = { profile, limits, indexes, seed: streams.seed, clock };
  return writeText([...writeExport(settings, contents)].join(""));
}

function read(setup: EngineSetup, content: string): EngineContents {
  const { setup: written, contents } = replay(content);
  const settings = ["base", "metadataColumn", "links"] as const;
  requireAlike("openPostgres", setup.profile, written.profile, settings);
  return contents;
}

function replay(content: string): ReturnType<ReturnType<typeof openReplay>["end"]> {
  try {
    const { reader, end } = openReplay({ now: () => 0 });
    reader.write(readText(content));
    return end();
  } catch (cause) {
    throw new DamagedDocumentError("the document is damaged", { cause });
  }
}

export class DamagedDocumentError extends Error {
  override readonly name = "DamagedDocumentError";
}

export function mapValues<T, U>(
  map: ReadonlyMap<string, T>,
  change: (value: T, key: string) => U,
): ReadonlyMap<string, U> {
  return new Map(Array.from(map, ([key, value]) => [key, change(value, key)]));
}

/** Throws `unavailable` if the document of a database is damaged, by default of any. */
export function requireIntact(
  { damaged }: { readonly damaged: ReadonlyMap<string, unknown> },
  key?: string,
): void {
  const [first] = damaged.keys();
  const found = key ?? first;
  if (found === undefined || !damaged.has(found)) return;
  const message = `database [${found}]: its document is damaged: restore its row of ${DOCUMENTS}`;
  refuse("unavailable", message, { cause: damaged.get(found) });
}
