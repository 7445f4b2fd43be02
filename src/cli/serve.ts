import { parseArgs } from "node:util";
import { loadFixture } from "../fixtures.js";
import { createEngine } from "../index.js";
import { type EngineServer, serve } from "../node.js";
import type { ProfileName } from "../profile.js";
import { type Command, UsageError } from "./command.js";
import { print } from "./print.js";
import { openFixture, tableNameOf } from "./read-file.js";
import { describeServer } from "./server-text.js";

const USAGE = `usage: twinbase serve [options] [file.json …]

Serves an engine over HTTP until it is told to stop, open to every key.

  --port n            default 4000; 0 for a free one
  --host name         default 127.0.0.1, which only this machine reaches
  --profile name      documented, or xata for the npm client; default documented
  --workspace id      default local
  --database name     default files
  --load file         loads a file of CSV or JSON into a table of its own, with the columns
                      inferred; may be repeated, or files be given by themselves
  --seed n            decides ids and chance; default random
`;

const DEFAULT_PORT = 4000;

/** `twinbase serve` */
export const SERVE: Command = {
  usage: USAGE,
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
      profile: { type: "string", default: "documented" },
      workspace: { type: "string", default: "local" },
      database: { type: "string", default: "files" },
      load: { type: "string", multiple: true, default: [] },
      seed: { type: "string" },
    },
  });
  const { workspace, database, host } = values;
  const engine = createEngine({
    profile: readProfile(values.profile),
    ...(values.seed !== undefined && { seed: readWhole("seed", values.seed) }),
  });
  const branch = engine.createWorkspace(workspace).createDatabase(database).branch("main");
  for (const path of [...values.load, ...positionals]) {
    loadFixture(branch, tableNameOf(path), openFixture(path));
  }
  const port = values.port === undefined ? DEFAULT_PORT : readWhole("port", values.port);
  const server = await serve(engine, { port, host, workspace });
  return { server, text: describeServer(engine, server.url, `${database}:main`) };
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
