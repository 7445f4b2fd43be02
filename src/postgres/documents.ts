import { produceCatalog } from "../catalog/draft.js";
import { createCatalog } from "../catalog/empty.js";
import type { CatalogState, DatabaseState } from "../catalog/state.js";
import { addWorkspace } from "../catalog/workspaces.js";
import type { EngineContents, EngineSetup } from "../engine/setup.js";
import { requireAlike } from "../engine/snapshot.js";
import { assert } from "../errors.js";
import { LineReader } from "../persist/lines.js";
import { Replay } from "../persist/replay.js";
import { writeExport } from "../persist/write.js";
import { readText, writeText } from "../sql/text.js";

/*
 * A document is the export of a catalog without records that holds one thing: the users and the
 * workspaces, or one database. What an export holds is thus durable here too.
 */

/** The document of users and workspaces. */
export function writeAccounts(setup: EngineSetup, state: CatalogState): string {
  const workspaces = mapValues(state.workspaces, (workspace) => ({
    ...workspace,
    databases: new Map<string, DatabaseState>(),
  }));
  return write(setup, { ...state, workspaces }, new Map());
}

/** The document of one database. */
export function writeDatabase(
  setup: EngineSetup,
  [name, database]: readonly [name: string, database: DatabaseState],
  tables: EngineContents["tables"],
): string {
  const empty = createCatalog(setup.profile.base);
  const { state } = produceCatalog(empty, (draft) => addWorkspace(draft, WORKSPACE, {}));
  const databases = new Map([[name, database]]);
  const workspaces = mapValues(state.workspaces, (workspace) => ({ ...workspace, databases }));
  return write(setup, { ...state, workspaces }, tables);
}

/** What a document of users and workspaces holds. */
export function readAccounts(setup: EngineSetup, content: string): CatalogState {
  return read(setup, content).state;
}

/** The database that a document holds, and its tables. */
export function readDatabase(
  setup: EngineSetup,
  content: string,
): { readonly database: DatabaseState; readonly tables: EngineContents["tables"] } {
  const { state, tables } = read(setup, content);
  const [database] = state.workspaces.get(WORKSPACE)?.databases.values() ?? [];
  assert(database !== undefined, "the document of a database holds one");
  return { database, tables };
}

/** The name of the workspace that a database's document has it in: it may be read for any. */
const WORKSPACE = "workspace";

function write(setup: EngineSetup, state: CatalogState, tables: EngineContents["tables"]): string {
  const { profile, limits, indexes, seed } = setup;
  const clock = { kind: "running", offset: 0 } as const;
  const contents = { state, tables, tableKeys: 0, nextId: 0, tablesMade: 0 };
  const settings = { profile, limits, indexes, seed, clock };
  return writeText([...writeExport(settings, contents)].join(""));
}

function read(setup: EngineSetup, content: string): EngineContents {
  const replay = new Replay({ now: () => 0 });
  const reader = new LineReader(replay.take);
  reader.write(readText(content));
  const { setup: written, contents } = reader.end(() => replay.end());
  requireAlike("openPostgres", written.profile, setup.profile);
  return contents;
}

/** A map of the same keys. */
export function mapValues<T, U>(
  map: ReadonlyMap<string, T>,
  change: (value: T, key: string) => U,
): ReadonlyMap<string, U> {
  return new Map(Array.from(map, ([key, value]) => [key, change(value, key)]));
}
