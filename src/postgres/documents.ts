import { createCatalog } from "../catalog/empty.js";
import type { CatalogState, DatabaseState } from "../catalog/state.js";
import { addWorkspace } from "../catalog/workspaces.js";
import { ExportReader } from "../engine/export/read.js";
import { writeExport } from "../engine/export/write.js";
import type { EngineSetup } from "../engine/setup.js";
import { requireAlike } from "../engine/snapshot.js";
import { assert } from "../errors.js";
import { readText, writeText } from "../sql/text.js";
import { SharedMap } from "../value/shared-map.js";

/*
 * A document is the export of a catalog without records that holds one thing: the users and the
 * workspaces, or one database. What an export holds is thus durable here too.
 */

/** The document of users and workspaces. */
export function writeAccounts(setup: EngineSetup, state: CatalogState): string {
  const workspaces = mapValues(state.workspaces, (workspace) => ({
    ...workspace,
    databases: SharedMap.of<DatabaseState>(),
  }));
  return write(setup, { ...state, workspaces });
}

/** The document of one database. */
export function writeDatabase(
  setup: EngineSetup,
  [name, database]: readonly [name: string, database: DatabaseState],
): string {
  const state = addWorkspace(createCatalog(setup.profile.base), WORKSPACE, {});
  const databases = SharedMap.of([[name, database]]);
  return write(setup, {
    ...state,
    workspaces: mapValues(state.workspaces, (workspace) => ({ ...workspace, databases })),
  });
}

/** What a document of users and workspaces holds. */
export function readAccounts(setup: EngineSetup, content: string): CatalogState {
  return read(setup, content);
}

/** The database that a document holds. */
export function readDatabase(setup: EngineSetup, content: string): DatabaseState {
  const [database] = read(setup, content).workspaces.get(WORKSPACE)?.databases.values() ?? [];
  assert(database !== undefined, "the document of a database holds one");
  return database;
}

/** The name of the workspace that a database's document has it in: it may be read for any. */
const WORKSPACE = "workspace";

function write(setup: EngineSetup, state: CatalogState): string {
  const { profile, limits, indexes, seed } = setup;
  const clock = { kind: "running", offset: 0 } as const;
  const { usersMade, secretsMade } = state;
  const deletedKeys = [...state.deletedKeys];
  const counters = { nextId: 0, tablesMade: 0, usersMade, secretsMade, deletedKeys };
  const header = { profile, limits, indexes, seed, clock, ...counters };
  return writeText([...writeExport(header, state)].join(""));
}

function read(setup: EngineSetup, content: string): CatalogState {
  const reader = new ExportReader(() => 0);
  reader.write(readText(content));
  const { setup: written, contents } = reader.end();
  requireAlike("openPostgres", written.profile, setup.profile);
  return contents.state;
}

/** A map of the same keys. */
export function mapValues<T, U>(
  map: ReadonlyMap<string, T>,
  change: (value: T, key: string) => U,
): SharedMap<U> {
  return SharedMap.of(Array.from(map, ([key, value]) => [key, change(value, key)]));
}
