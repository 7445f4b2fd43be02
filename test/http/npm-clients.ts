import * as current from "@xata.io/client";
import { describe } from "vitest";
import * as earlier from "xata-client-0-26";
import { createFetch, type HandlerOptions } from "../../src/http.js";
import {
  type AnyBranch,
  type AnyEngine,
  type ColumnDefinition,
  createEngine,
  type ProfileOption,
} from "../../src/index.js";
import { serve } from "../../src/node.js";
import { openPostgres, type PostgresDatabase } from "../../src/postgres.js";
import { createCheckedFetch } from "./checked-fetch.js";
import "../postgres/copied-database.js";

/** The schema of the tests, as the client's code generator writes it. */
const TABLES = [
  { name: "teams", columns: [{ name: "name", type: "string" }] },
  {
    name: "users",
    columns: [
      { name: "email", type: "email", unique: true },
      { name: "name", type: "string" },
      { name: "age", type: "int" },
      { name: "rating", type: "float" },
      { name: "active", type: "bool" },
      { name: "bio", type: "text" },
      { name: "born", type: "datetime" },
      { name: "labels", type: "multiple" },
      { name: "team", type: "link", link: { table: "teams" } },
      { name: "settings", type: "json" },
    ],
  },
] as const;

/** A table of the client's schema. */
interface ClientTable {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
}

type SchemaTables = typeof TABLES;
type InferredTypes = current.SchemaInference<SchemaTables>;
/** The tables' records as the client types them. */
export type DatabaseSchema = {
  teams: InferredTypes["teams"] & current.XataRecord;
  users: InferredTypes["users"] & current.XataRecord;
};

export type Client = InstanceType<ReturnType<typeof current.buildClient>> & {
  readonly db: current.SchemaPluginResult<DatabaseSchema>;
  readonly transactions: current.TransactionPluginResult<DatabaseSchema>;
};

/** A version of the npm client, connected to an engine. */
export interface Setup {
  /** Undefined if the records are in PostgreSQL. */
  readonly engine: AnyEngine | undefined;
  /** Writes records to the client's branch. */
  readonly fill: (program: (main: AnyBranch) => void) => Promise<void>;
  readonly client: Client;
  /** A client with another key. */
  readonly connect: (apiKey: string) => Client;
  /** The addresses of the server, for the API client; undefined if there is none. */
  readonly host: { readonly main: string; readonly workspaces: string } | undefined;
  /** The client's `fetch`, for URLs that it returns. */
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** A version of the client with the profile it expects. */
export interface Version {
  readonly version: string;
  readonly profile: ProfileOption;
  readonly module: typeof current;
}

export const VERSIONS: readonly Version[] = [
  { version: "0.30.1", profile: "xata", module: current },
  {
    version: "0.26.6",
    profile: { base: "xata", maxPageSize: 200, maxPageOffset: 800 },
    // Its types differ only in functions that these tests do not call.
    module: earlier as unknown as typeof current,
  },
];

/** Transports to an engine. */
export const WAYS = ["in process", "over a socket"] as const;
export const ALL_WAYS = ["in process", "over a socket", "on PGlite"] as const;

/** A version of the client by one transport. */
interface VersionCase<Way> {
  readonly title: string;
  readonly version: Version;
  readonly way: Way;
}

/**
 * Declares tests for each version of the client by each transport; `$title` is replaced by both.
 * All but the first version in process are slow.
 */
export function describeClients<Way extends string>(
  ways: readonly Way[],
  name: string,
  body: (client: VersionCase<Way>) => void,
): void {
  for (const version of VERSIONS) {
    for (const way of ways) {
      const title = `${version.version} ${way}`;
      const isFirst = version === VERSIONS[0] && way === ways[0];
      const tags = isFirst ? [] : ["slow"];
      describe(name.replace("$title", title), { tags }, () => body({ title, version, way }));
    }
  }
}

const WORKSPACE = "acme";
const REGION = "us-east-1";

/**
 * Connects the npm client to its own engine or database. Closing fails if an answer did not match
 * the OpenAPI description.
 */
export async function setUp(
  version: Version,
  way: (typeof ALL_WAYS)[number],
  more: readonly ClientTable[] = [],
  options: Pick<HandlerOptions, "auth"> = {},
): Promise<Setup> {
  const { profile, module } = version;
  const tables: readonly ClientTable[] = [...TABLES, ...more];
  const make = (engine: AnyEngine): void => {
    const main = engine.createWorkspace(WORKSPACE).createDatabase("shop").branch("main");
    for (const { name } of tables) main.createTable(name);
    for (const { name, columns } of tables) main.table(name).setSchema({ columns });
  };
  const engine = createEngine({ profile, ...SAME_EACH_TIME });
  const db = way === "on PGlite" ? await openShared(version) : undefined;
  await (db === undefined ? make(engine) : db.change(make));
  const server =
    way === "over a socket"
      ? await serve(engine, { workspace: WORKSPACE, region: REGION, ...options })
      : undefined;
  const { fetch, expectAsDescribed } = await createCheckedFetch(
    engine,
    server === undefined ? (db?.fetch ?? createFetch(engine, options)) : globalThis.fetch,
  );
  const databaseURL =
    server === undefined
      ? `https://${WORKSPACE}.${REGION}.xata.sh/db/shop`
      : addressOf(version.version, server.url, server.port);
  const host = server && {
    main: server.url,
    workspaces: `${server.url}/ws/{workspaceId}/{region}`,
  };
  const DatabaseClient = module.buildClient();
  const connect: Setup["connect"] = (apiKey) => {
    const options = { apiKey, branch: "main", fetch, databaseURL };
    // The client types `db` in a generated subclass.
    return new DatabaseClient(options, tables as never) as unknown as Client;
  };
  return {
    engine: db === undefined ? engine : undefined,
    fill: async (program) => {
      if (db !== undefined) return db.transact({ workspace: WORKSPACE, database: "shop" }, program);
      program(engine.workspace(WORKSPACE).database("shop").branch("main"));
    },
    client: connect("key"),
    connect,
    host,
    fetch,
    close: async () => {
      await server?.close();
      expectAsDescribed();
    },
  };
}

const SAME_EACH_TIME = { seed: 1, now: Date.parse("2024-01-31T12:00:00Z") } as const;

/** Starting PostgreSQL takes longer than a test: one for each version of the client. */
const databases = new Map<string, Promise<PostgresDatabase>>();

/** A database without workspaces. */
async function openShared({ version, profile }: Version): Promise<PostgresDatabase> {
  const opening =
    databases.get(version) ?? openPostgres({ pglite: true }, { profile, ...SAME_EACH_TIME });
  databases.set(version, opening);
  const db = await opening;
  await db.change((engine) => {
    for (const { id } of engine.workspaces()) engine.deleteWorkspace(id);
  });
  return db;
}

/** Closes the shared databases. */
export async function closeDatabases(): Promise<void> {
  const opened = [...databases.values()];
  databases.clear();
  for (const opening of opened) await (await opening).close();
}

/** From 0.28 on, the client accepts only hosts like the service's, or localhost. */
function addressOf(version: string, url: string, port: number): string {
  return version === "0.26.6"
    ? `${url}/ws/${WORKSPACE}/${REGION}/db/shop`
    : `http://${WORKSPACE}.${REGION}.localhost:${port}/db/shop`;
}
