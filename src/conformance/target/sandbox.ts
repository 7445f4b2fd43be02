import { hasFiles } from "../oracle/files.js";
import { isObject } from "../vectors/pattern.js";
import { type Connection, NoAnswerError, type WireRequest } from "./connection.js";
import type { DatabaseFixture, Fixture, FixtureTable } from "./target.js";

export interface Sandbox {
  readonly connection: Connection;
  /** Matches the names of its databases in a text. */
  readonly names: RegExp;
  open(fixture: Fixture): Promise<string>;
  close(database: string): Promise<void>;
  /** Deletes its databases as far as the service answers. */
  clean(): Promise<void>;
}

/** The service rejected a fixture, so checks on it are undecided. */
export class SeedingError extends Error {
  override readonly name = "SeedingError";
}

export interface SandboxOptions {
  /** Prefix of database names; unique per run. */
  readonly prefix: string;
  readonly seed?: ((seeding: DatabaseFixture) => Promise<void> | void) | undefined;
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
      if (options.seed !== undefined) await options.seed({ database, tables: fixture.tables });
      else {
        for (const each of seedingRequests(database, fixture)) await require(connection, each);
      }
      return database;
    },
    async clean() {
      for (const database of [...connection.databases]) {
        try {
          await close(database);
        } catch (error) {
          if (!(error instanceof NoAnswerError)) throw error;
          if (error.silent) return;
        }
      }
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
export function seedingRequests(database: string, { tables }: Fixture): WireRequest[] {
  return tables.flatMap((table): WireRequest[] => {
    const { name, columns } = table;
    const { single, many } = splitRecords(table);
    // Records may link to those of later requests while their table has another name.
    const early = many.length + single.length > 1 ? `${name}~` : name;
    const path = `/db/${database}:main/tables/${early}`;
    return [
      { method: "PUT", path },
      ...(columns.length > 0 ? [{ method: "PUT", path: `${path}/schema`, body: { columns } }] : []),
      ...many.map((records) => ({ method: "POST", path: `${path}/bulk`, body: { records } })),
      ...single.map((body) => ({ method: "POST", path: `${path}/data`, body })),
      ...(early === name ? [] : [{ method: "PATCH", path, body: { name } }]),
    ];
  });
}

/** Bulk requests are limited to 1,000 records without files. */
const MAX_BULK = 1000;

type Records = FixtureTable["records"];

/** Records to insert one by one, since they have files, and in bulk. */
function splitRecords({ columns, records }: FixtureTable): {
  readonly single: Records;
  readonly many: readonly Records[];
} {
  const files = columns.filter(hasFiles).map(({ name }) => name);
  const isSingle = (record: Records[number]): boolean =>
    Object.keys(record).some((key) => files.includes(key.split(".")[0] ?? key));
  const plain = records.filter((record) => !isSingle(record));
  const many: Records[] = [];
  for (let from = 0; from < plain.length; from += MAX_BULK) {
    many.push(plain.slice(from, from + MAX_BULK));
  }
  return { single: records.filter(isSingle), many };
}

async function require(connection: Connection, request: WireRequest): Promise<void> {
  const { status, headers, text, body } = await connection.send(request);
  if (status < 300) return;
  const { location } = headers;
  const said = location === undefined ? text : `redirects to ${location}`;
  const message = String((isObject(body) && body.message) || said).slice(0, 300);
  const what = `${request.method} ${request.path.replace(/^\/db\/[^/]+/, "…")}`;
  throw new SeedingError(`${what}: answered ${status}: ${message}`);
}
