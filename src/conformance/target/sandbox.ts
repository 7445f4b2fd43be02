import { isObject } from "../vectors/pattern.js";
import type { Connection, WireRequest, WireResponse } from "./connection.js";
import type { Fixture, Seeding } from "./target.js";

export interface Sandbox {
  readonly connection: Connection;
  /** Matches the names of its databases in a text. */
  readonly names: RegExp;
  open(fixture: Fixture): Promise<string>;
  close(database: string): Promise<void>;
  clean(): Promise<void>;
}

/** The service rejected a fixture, so checks on it are undecided. */
export class SeedingError extends Error {
  override readonly name = "SeedingError";
}

export interface SandboxOptions {
  /** Prefix of database names; unique per run. */
  readonly prefix: string;
  readonly seed?: ((seeding: Seeding) => Promise<void> | void) | undefined;
}

export function createSandbox(connection: Connection, options: SandboxOptions): Sandbox {
  let count = 0;
  const close = async (database: string): Promise<void> => {
    if (connection.databases.has(database)) {
      await connection.send({ method: "DELETE", ...databaseAddress(connection, database) });
    }
  };
  return {
    connection,
    names: new RegExp(`${options.prefix}-\\d+`, "g"),
    close,
    async open(fixture) {
      const database = `${options.prefix}-${++count}`;
      const address = databaseAddress(connection, database);
      await require(connection, { method: "PUT", ...address, body: {} });
      if (options.seed === undefined) await fillDatabase(connection, database, fixture);
      else await options.seed({ database, tables: fixture.tables });
      return database;
    },
    async clean() {
      for (const database of [...connection.databases]) await close(database);
    },
  };
}

function databaseAddress(
  { workspace }: Connection,
  database: string,
): Pick<WireRequest, "address" | "path"> {
  return { address: "control", path: `/workspaces/${workspace}/dbs/${database}` };
}

/** Fills each table before it creates the next: links to missing tables are unchecked (T-17, T-18). */
async function fillDatabase(
  connection: Connection,
  database: string,
  { tables }: Fixture,
): Promise<void> {
  for (const { name, columns, records } of tables) {
    const path = `/db/${database}:main/tables/${name}`;
    const ask = (method: string, below: string, body?: unknown): Promise<WireResponse> =>
      require(connection, { method, path: path + below, ...(body !== undefined && { body }) });
    await ask("PUT", "");
    if (columns.length > 0) await ask("PUT", "/schema", { columns });
    if (records.length > 0) await ask("POST", "/bulk", { records });
  }
}

async function require(connection: Connection, request: WireRequest): Promise<WireResponse> {
  const answer = await connection.send(request);
  if (answer.status >= 300) {
    const said = isObject(answer.body) ? (answer.body.message ?? answer.text) : answer.text;
    const what = `${request.method} ${request.path.replace(/^\/db\/[^/]+/, "…")}`;
    throw new SeedingError(`${what}: answered ${answer.status}: ${String(said).slice(0, 300)}`);
  }
  return answer;
}
