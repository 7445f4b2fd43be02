import { createReadStream } from "node:fs";
import { parseArgs } from "node:util";
import { loadFixture } from "../fixtures.js";
import { type AnyEngine, createEngine, importEngineFrom } from "../index.js";
import { type EngineServer, serve } from "../node.js";
import type { ProfileName } from "../profile.js";
import { type Command, UsageError } from "./command.js";
import { print } from "./print.js";
import { isExport, openFixture, sayRenamed, tableNameOf } from "./read-file.js";
import { describeServer, type Served } from "./server-text.js";

const DEFAULT_PORT = 4000;

/** `twinbase serve` */
export const SERVE: Command = {
  run: (args) =>
    print("serve", async () => {
      const { server, text } = await startServing(args);
      closeOnSignal(server);
      return text;
    }),
};

/** Starts a server as the arguments have it, and says where it is and how to talk to it. */
export async function startServing(
  args: readonly string[],
): Promise<{ server: EngineServer; text: string }> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      port: { type: "string" },
      host: { type: "string" },
      profile: { type: "string" },
      workspace: { type: "string" },
      database: { type: "string" },
      load: { type: "string", multiple: true, default: [] },
      seed: { type: "string" },
    },
  });
  const files = [...values.load, ...positionals];
  const exports = files.filter(isExport);
  const port = values.port === undefined ? DEFAULT_PORT : readWhole("port", values.port);
  const engine = await openEngine(exports, values);
  const served = findServed(engine, values);
  const branch = engine.workspace(served.workspace).database(served.database).branch(served.branch);
  for (const path of files) {
    if (exports.includes(path)) continue;
    sayRenamed(path, loadFixture(branch, tableNameOf(path), openFixture(path)).renamed);
  }
  const server = await serve(engine, { port, host: values.host, workspace: served.workspace });
  return { server, text: describeServer(engine, server.url, served) };
}

/** The engine of an export, or a new one. */
async function openEngine(
  [path, ...others]: readonly string[],
  { profile, seed }: { readonly profile?: string | undefined; readonly seed?: string | undefined },
): Promise<AnyEngine> {
  if (path === undefined) {
    return createEngine({
      profile: readProfile(profile ?? "documented"),
      ...(seed !== undefined && { seed: readWhole("seed", seed) }),
    });
  }
  if (others.length > 0) throw new UsageError(`${others[0]}: an export has been given before it`);
  if (profile !== undefined || seed !== undefined) {
    throw new UsageError(`--profile and --seed: ${path} is an export, which has its own`);
  }
  return await importEngineFrom(createReadStream(path));
}

/** What is served by default: what is named, else the first there is; made where it is missing. */
function findServed(
  engine: AnyEngine,
  named: { readonly workspace?: string | undefined; readonly database?: string | undefined },
): Served {
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

/** Finishes what is under way at the first signal to stop; the second one ends it at once. */
function closeOnSignal(server: EngineServer): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void server.close());
  }
}

function readProfile(name: string): ProfileName {
  if (name === "documented" || name === "xata") return name;
  throw new UsageError(`--profile: expected documented or xata, found ${name}`);
}

function readWhole(option: string, text: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  if (value >= 0 && (option !== "port" || value <= 0xffff)) return value;
  throw new UsageError(`--${option}: expected a whole number, found ${text}`);
}
