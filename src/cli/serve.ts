import { exportEngine } from "../export.js";
import { createControl, createFaults, createJournal, type Faults } from "../http.js";
import type { AnyEngine } from "../index.js";
import { type EngineServer, openEngine, serve } from "../node.js";
import { readArguments } from "./arguments.js";
import { type Command, UsageError } from "./command.js";
import { print, sayLine } from "./print.js";
import { isExport } from "./read-file.js";
import { withLog } from "./request-log.js";
import { describeServer, paintServerText } from "./server-text.js";
import {
  addSources,
  filesOf,
  findServed,
  openSources,
  type ServedEngine,
  type Sources,
} from "./sources.js";
import { USAGES } from "./usage.js";
import { watchFiles } from "./watch-files.js";
import { writeWhole } from "./write-whole.js";

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
 * Starts a server; returns it with a text about its address and contents. Closing it stops watchers
 * and writes the export.
 *
 * @param say prints a line for later events: requests, and files loaded again
 */
export async function startServing(
  args: readonly string[],
  say: (line: string) => void = sayLine,
): Promise<{ server: EngineServer; text: string }> {
  const { values, operands: files } = readArguments(args, USAGES.serve);
  const { port, host, latency, timeout, log = values.verbose ? "text" : undefined } = values;
  const { profile, seed, workspace, database, schema, demo } = values;
  const key = values["control-key"];
  const hasControl = values.control || demo || key !== undefined;
  const control = hasControl
    ? createControl({ key: key ?? (process.env.TWINBASE_CONTROL_KEY || undefined) })
    : undefined;
  const named = { workspace, database, profile, seed };
  const sources: Sources = { files, schema, demo, ...named, reading: values };
  const handling = {
    port,
    host,
    ...(latency > 0 && { faults: withLatency(control?.faults ?? createFaults(), latency) }),
    ...(log !== undefined && {
      journal: withLog(control?.journal ?? createJournal({ limit: 0 }), log, say),
    }),
    cors: readNames(values.cors),
    hosts: readNames(values.hosts),
    publicUrl: values["public-url"],
  };
  if (values.postgres !== undefined) {
    const { servePostgres } = await import("./serve-postgres.js");
    return servePostgres({ address: values.postgres, sources, options: handling }, say);
  }
  if (values.add && values.data === undefined) throw new UsageError("--add needs --data");
  const opened = await openServed(sources, values, say);
  const { engine, served } = opened;
  engine.setBaseline(); // for /_twinbase/reset
  const options = { ...handling, queryMs: timeout, workspace: served.workspace, control };
  const server = await serve(engine, options).catch(async (error) => {
    await opened.close();
    throw error;
  });
  if (control?.key === undefined && hasControl && engine.hasKeys()) {
    say("users have keys: the control routes need --control-key");
  }
  const watched = watchFiles(
    values.watch ? filesOf(sources) : [],
    async (file) => {
      // The seed is unchanged, so cursors remain valid; an export has its own.
      const hasExport = files.some(isExport);
      const again = await openSources(hasExport ? sources : { ...sources, seed: engine.seed }, say);
      engine.restore(again.engine.snapshot());
      engine.setBaseline();
      say(`${file} has changed; reloaded everything`);
    },
    say,
  );
  const close = async (): Promise<void> => {
    watched.close();
    await server.close();
    const file = values["export-on-exit"];
    if (file !== undefined) await writeWhole(exportEngine(engine), file);
    await opened.close();
  };
  return {
    server: { url: server.url, port: server.port, close, [Symbol.asyncDispose]: close },
    text: describeServer(engine, server.url, { ...served, hasPage: hasControl }),
  };
}

/** Opens the engine in the folder of `--data`, if any; the sources fill a new folder. */
async function openServed(
  sources: Sources,
  { data: folder, add }: { readonly data: string | undefined; readonly add: boolean },
  say: (line: string) => void,
): Promise<ServedEngine & { close(): Promise<void> }> {
  if (folder === undefined) return { ...(await openSources(sources, say)), close: async () => {} };
  let isNew = false;
  const initial = async (): Promise<AnyEngine> => {
    isNew = true;
    return (await openSources(sources, say)).engine;
  };
  const { profile, seed } = sources;
  const engine = await openEngine({ folder, profile, seed, initial });
  if (!isNew && add) {
    await addSources(engine, sources, say).catch(async (error) => {
      await engine.close();
      throw error;
    });
  } else if (!isNew && filesOf(sources).length > 0) {
    say(`${folder} contains data: continuing with it, no files loaded`);
  }
  return { engine, served: findServed(engine, sources), close: () => engine.close() };
}

function readNames(names: readonly string[]): "*" | readonly string[] {
  return names.includes("*") ? "*" : names;
}

/** Delays every answer, unless another fault strikes. */
function withLatency(faults: Faults, delay: number): Faults {
  return { ...faults, strike: (call) => faults.strike(call) ?? { delay } };
}

/** Closes the server at the first signal; a second one ends the process at once. */
function closeOnSignal(server: EngineServer): void {
  const end = (code: number): void => {
    process.exitCode = code;
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void print("serve", () => server.close().then(() => "")).then(end));
  }
}
