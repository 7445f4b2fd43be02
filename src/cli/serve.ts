import { createControl, createFaults, createJournal, type Faults } from "../http.js";
import type { AnyEngine } from "../index.js";
import { type EngineServer, openEngine, serve } from "../node.js";
import { PROFILE_NAMES, readArguments, readWord } from "./arguments.js";
import { type Command, UsageError } from "./command.js";
import { print, sayLine } from "./print.js";
import { LOG_FORMATS, withLog } from "./request-log.js";
import { describeServer, paintServerText } from "./server-text.js";
import { findServed, type Opened, openSources, type Sources } from "./sources.js";
import { watchFiles } from "./watch-files.js";
import { writeExport } from "./write-export.js";

const DEFAULT_PORT = 4000;

const OPTIONS = {
  port: { type: "string" },
  host: { type: "string" },
  profile: { type: "string" },
  workspace: { type: "string" },
  database: { type: "string" },
  load: { type: "string", multiple: true },
  import: { type: "string" },
  data: { type: "string" },
  schema: { type: "string" },
  demo: { type: "boolean", default: false },
  seed: { type: "string" },
  watch: { type: "boolean", default: false },
  "export-on-exit": { type: "string" },
  verbose: { type: "boolean", default: false },
  log: { type: "string" },
  cors: { type: "string", multiple: true },
  hosts: { type: "string", multiple: true },
  latency: { type: "string" },
  control: { type: "boolean", default: false },
  postgres: { type: "string" },
} as const;

/** `twinbase serve` */
export const SERVE: Command = {
  run: (args) =>
    print(
      "serve",
      async () => {
        const { server, text } = await startServing(args);
        closeOnSignal(server);
        return text;
      },
      process.stdout.isTTY === true && !process.env.NO_COLOR ? paintServerText : undefined,
    ),
};

/**
 * Starts a server as the arguments have it, and says where it is and how to talk to it. Closing it
 * ends what was started with it.
 *
 * @param say prints a line of what happens later: requests, and files loaded again
 */
export async function startServing(
  args: readonly string[],
  say: (line: string) => void = sayLine,
): Promise<{ server: EngineServer; text: string }> {
  const { values, positionals } = readArguments(args, OPTIONS);
  const port = values.port === undefined ? DEFAULT_PORT : readWhole("port", values.port);
  const log = readWord("log", values.log, LOG_FORMATS) ?? (values.verbose ? "text" : undefined);
  const latency = values.latency === undefined ? 0 : readWhole("latency", values.latency);
  const hasControl = values.control || values.demo;
  const control = hasControl ? createControl() : undefined;
  const sources: Sources = {
    files: [...(values.load ?? []), ...positionals],
    imported: values.import,
    schema: values.schema,
    demo: values.demo,
    workspace: values.workspace,
    database: values.database,
    profile: readWord("profile", values.profile, PROFILE_NAMES),
    seed: values.seed === undefined ? undefined : readWhole("seed", values.seed),
  };
  const handling = {
    port,
    host: values.host,
    ...(latency > 0 && { faults: withLatency(control?.faults ?? createFaults(), latency) }),
    ...(log !== undefined && {
      journal: withLog(control?.journal ?? createJournal({ limit: 0 }), log, say),
    }),
    ...(values.cors !== undefined && { cors: readNames(values.cors) }),
    ...(values.hosts !== undefined && { hosts: readNames(values.hosts) }),
  };
  if (values.postgres !== undefined) {
    const given = { ...values, file: sources.files.length > 0 };
    for (const name of OF_ENGINES) {
      if (given[name]) throw new UsageError(`--${name} does not go with --postgres`);
    }
    const { servePostgres } = await import("./serve-postgres.js");
    const { profile, seed, workspace, database } = sources;
    const address = values.postgres;
    return servePostgres({ address, profile, seed, workspace, database, options: handling });
  }
  if (values.data !== undefined && values.watch) {
    throw new UsageError(
      "--watch does not go with --data: what is loaded again takes the place of all",
    );
  }
  const opened = await openServed(sources, values.data, say);
  const { engine, served } = opened;
  engine.setBaseline(); // what a reset comes back to
  const { workspace } = served;
  const server = await serve(engine, { ...handling, workspace, control }).catch(async (error) => {
    await opened.close();
    throw error;
  });
  const watched = watchFiles(
    values.watch ? filesOf(sources) : [],
    async (file) => {
      const { seed } = engine;
      const again = await openSources(
        sources.imported === undefined ? { ...sources, seed } : sources,
        say,
      );
      engine.restore(again.engine.snapshot());
      engine.setBaseline();
      say(`${file} has changed; everything was loaded again`);
    },
    say,
  );
  const close = async (): Promise<void> => {
    watched.close();
    await server.close();
    const file = values["export-on-exit"];
    if (file !== undefined) writeExport(engine, file);
    await opened.close();
  };
  return {
    server: { url: server.url, port: server.port, close, [Symbol.asyncDispose]: close },
    text: describeServer(engine, server.url, { ...served, hasPage: hasControl }),
  };
}

/** What is served: of a folder where one is named, which the sources fill while it is new. */
async function openServed(
  sources: Sources,
  folder: string | undefined,
  say: (line: string) => void,
): Promise<Opened & { close(): Promise<void> }> {
  if (folder === undefined) return { ...(await openSources(sources, say)), close: async () => {} };
  let isNew = false;
  const initial = async (): Promise<AnyEngine> => {
    isNew = true;
    return (await openSources(sources, say)).engine;
  };
  const { profile, seed } = sources;
  const engine = await openEngine({ folder, profile, seed, initial });
  if (!isNew && filesOf(sources).length > 0) {
    say(`${folder} has data: it goes on from there, and loads no files`);
  }
  return { engine, served: findServed(engine, sources), close: () => engine.close() };
}

/** What is asked of an engine in memory alone. */
const OF_ENGINES = [
  "file",
  "import",
  "data",
  "demo",
  "schema",
  "watch",
  "export-on-exit",
  "control",
] as const;

function readNames(names: readonly string[]): "*" | readonly string[] {
  return names.includes("*") ? "*" : names;
}

function filesOf({ files, imported, schema }: Sources): string[] {
  return [...files, ...[imported, schema].filter((file) => file !== undefined)];
}

/** Each answer waits so long, but those that something else goes wrong with. */
function withLatency(faults: Faults, delay: number): Faults {
  return { ...faults, strike: (call) => faults.strike(call) ?? { delay } };
}

/** Finishes what is under way at the first signal to stop; the second one ends it at once. */
function closeOnSignal(server: EngineServer): void {
  const end = (code: number): void => {
    process.exitCode = code;
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void print("serve", () => server.close().then(() => "")).then(end));
  }
}

function readWhole(option: string, text: string): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : -1;
  const most = option === "port" ? 0xffff : option === "latency" ? 60_000 : Number.MAX_SAFE_INTEGER;
  if (value >= 0 && value <= most) return value;
  throw new UsageError(`--${option}: expected a whole number up to ${most}, found ${text}`);
}
