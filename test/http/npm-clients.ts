import * as current from "@xata.io/client";
import * as earlier from "xata-client-0-26";
import { createFetch } from "../../src/http.js";
import {
  type AnyEngine,
  type ColumnDefinition,
  createEngine,
  type ProfileOption,
} from "../../src/index.js";
import { serve } from "../../src/node.js";
import { createCheckedFetch } from "./checked-fetch.js";

/** The schema of the tests, as the client's code generator would write it. */
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
export type ApiClient = current.XataApiClient;
export type EarlierApiClient = earlier.XataApiClient;

/** One version of the npm client by one way to an engine. */
export interface Setup {
  readonly engine: AnyEngine;
  readonly client: Client;
  readonly api: ApiClient;
  /** As the client is given it; for addresses that it gives. */
  readonly fetch: (url: string, init?: RequestInit) => Promise<Response>;
  readonly close: () => Promise<void>;
}

/** A version of the client, with what it expects of the service. */
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
    // Declared apart, but for these tests the same but for what they do not call.
    module: earlier as unknown as typeof current,
  },
];

export const WAYS = ["in process", "over a socket"] as const;

const WORKSPACE = "acme";
const REGION = "us-east-1";

/**
 * Lets the client, as it comes from npm, work on an engine of its own. What it is answered is held
 * against the service's own description: closing fails where that does not allow an answer.
 */
export async function setUp(
  { version, profile, module }: Version,
  way: (typeof WAYS)[number],
  more: readonly ClientTable[] = [],
): Promise<Setup> {
  const tables: readonly ClientTable[] = [...TABLES, ...more];
  const engine = createEngine({ profile, seed: 1, now: Date.parse("2024-01-31T12:00:00Z") });
  const main = engine.createWorkspace(WORKSPACE).createDatabase("shop").branch("main");
  for (const { name } of tables) main.createTable(name);
  for (const { name, columns } of tables) main.table(name).setSchema({ columns });
  const DatabaseClient = module.buildClient();
  const server =
    way === "in process" ? null : await serve(engine, { workspace: WORKSPACE, region: REGION });
  const { fetch, expectAsDescribed } = await createCheckedFetch(
    engine,
    server === null ? createFetch(engine) : globalThis.fetch,
  );
  const databaseURL =
    server === null
      ? `https://${WORKSPACE}.${REGION}.xata.sh/db/shop`
      : addressOf(version, server.url, server.port);
  const host = server && {
    main: server.url,
    workspaces: `${server.url}/ws/{workspaceId}/{region}`,
  };
  return {
    engine,
    fetch,
    // The client's own type of `db` needs a subclass, as its code generator writes one.
    client: new DatabaseClient(
      { apiKey: "key", branch: "main", fetch, databaseURL },
      tables as never,
    ) as unknown as Client,
    api: new module.XataApiClient({ apiKey: "key", fetch, ...(host !== null && { host }) }),
    close: async () => {
      await server?.close();
      expectAsDescribed();
    },
  };
}

/** From 0.28 on the client takes no address but of the service's own form, or of localhost. */
function addressOf(version: string, url: string, port: number): string {
  return version === "0.26.6"
    ? `${url}/ws/${WORKSPACE}/${REGION}/db/shop`
    : `http://${WORKSPACE}.${REGION}.localhost:${port}/db/shop`;
}
