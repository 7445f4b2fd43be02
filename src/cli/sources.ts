import { createReadStream } from "node:fs";
import { createEngine, Engine } from "../engine.js";
import { importEngineFrom } from "../export.js";
import { enableFiles } from "../files.js";
import type { AnyBranch, AnyEngine } from "../index.js";
import type { ProfileName } from "../profile.js";
import { UsageError } from "./command.js";
import { type FileReading, openFile } from "./load-file.js";
import { loadSchema } from "./load-schema.js";
import { showLoading } from "./loading.js";
import { isExport, tableNameOf } from "./read-file.js";
import type { ServerDefaults } from "./server-text.js";

/** Sources of an engine's records. */
export interface Sources {
  /** Files of records, one per table, and at most one export. */
  readonly files: readonly string[];
  /** A file of the tables to create, or a folder of migrations. */
  readonly schema: string | undefined;
  /** Whether to load the countries and cities of the world. */
  readonly demo: boolean;
  readonly workspace: string | undefined;
  readonly database: string | undefined;
  readonly profile: ProfileName | undefined;
  readonly seed: number | undefined;
  readonly reading: FileReading;
}

export function filesOf({ files, schema }: Sources): readonly string[] {
  return schema === undefined ? files : [...files, schema];
}

/** An engine and its defaults. */
export interface ServedEngine {
  readonly engine: AnyEngine;
  readonly served: ServerDefaults;
}

/**
 * Creates an engine and fills it.
 *
 * @throws UsageError for sources that exclude each other; TwinbaseError for faults in a file
 */
export async function openSources(
  sources: Sources,
  say: (line: string) => void,
): Promise<ServedEngine> {
  const engine = await openEngine(sources.files.filter(isExport), sources);
  const served = findServed(engine, sources);
  const branch = branchOf(engine, served);
  if (sources.demo) await loadDemo(engine, branch);
  await load(engine, branch, sources, say);
  return { engine, served };
}

/**
 * Adds files of records to an engine with data: to tables that are missing, as in the schema if it
 * has them, or without records.
 *
 * @throws UsageError for an export and for a table with records; TwinbaseError for faults in a file
 */
export async function addSources(
  engine: AnyEngine,
  sources: Sources,
  say: (line: string) => void,
): Promise<void> {
  const branch = branchOf(engine, findServed(engine, sources));
  const known = new Set(branch.tables().map(({ name }) => name));
  for (const path of sources.files) {
    if (isExport(path)) throw new UsageError(`--add: ${path} is an export`);
    const table = tableNameOf(path);
    if (known.has(table) && branch.table(table).count() > 0) {
      throw new UsageError(`--add: ${path}: the table ${table} has records`);
    }
  }
  await load(engine, branch, { ...sources, known }, say);
}

/** Creates the tables of the schema but the known ones, and loads the files: all or nothing. */
async function load(
  engine: AnyEngine,
  branch: AnyBranch,
  { files, schema, reading, known }: Sources & { readonly known?: ReadonlySet<string> },
  say: (line: string) => void,
): Promise<void> {
  const paths = new Map<string, string>();
  const loads: (() => unknown)[] = [];
  for (const path of files) {
    if (isExport(path)) continue;
    const table = tableNameOf(path);
    const other = paths.get(table);
    if (other !== undefined) say(`${path}: loads into the table ${table}, as ${other} does`);
    paths.set(table, path);
    const loadFile = await openFile(path, reading, say);
    loads.push(() => loadFile(branch, table));
  }
  // One batch: records of all files may link to each other (T-18).
  Engine.contextOf(engine).call(() => {
    if (schema !== undefined) loadSchema(engine, branch, schema, known);
    for (const loadFile of loads) loadFile();
  });
}

function branchOf(engine: AnyEngine, { workspace, database, branch }: ServerDefaults): AnyBranch {
  return engine.workspace(workspace).database(database).branch(branch);
}

/** The engine of an export, or a new one. */
async function openEngine(
  [path, ...others]: readonly string[],
  { profile, seed }: Sources,
): Promise<AnyEngine> {
  if (path === undefined) {
    return enableFiles(
      createEngine({ profile: profile ?? "documented", ...(seed !== undefined && { seed }) }),
    );
  }
  if (others.length > 0) throw new UsageError(`${others[0]}: expected at most one export`);
  if (profile !== undefined || seed !== undefined) {
    throw new UsageError(`--profile and --seed: ${path} is an export, which contains both`);
  }
  const progress = showLoading(path, process.stderr);
  const engine = await importEngineFrom(progress.bytes(createReadStream(path)));
  progress.end();
  return engine;
}

async function loadDemo(engine: AnyEngine, branch: AnyBranch): Promise<void> {
  const { TABLES } = await import("#demo");
  branch.createTables(Object.fromEntries(TABLES.map(({ name, columns }) => [name, columns])));
  Engine.contextOf(engine).call(() => {
    for (const { name, records } of TABLES) branch.table(name).load(records);
  });
}

/** The default workspace, database and branch: as named, else the first one; created if missing. */
export function findServed(engine: AnyEngine, named: Sources): ServerDefaults {
  const id = named.workspace ?? engine.workspaces()[0]?.id ?? "local";
  const isThere = engine.workspaces().some((workspace) => workspace.id === id);
  const workspace = isThere ? engine.workspace(id) : engine.createWorkspace(id);
  const databases = workspace.databases().map(({ name }) => name);
  const name = named.database ?? databases[0] ?? "files";
  const database = databases.includes(name)
    ? workspace.database(name)
    : workspace.createDatabase(name);
  const branches = database.branches().map((branch) => branch.name);
  const branch = branches.includes("main") ? "main" : branches[0]!; // a database has one: B-1
  return { workspace: id, database: name, branch };
}
