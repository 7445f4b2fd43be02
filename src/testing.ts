/// <reference lib="esnext.disposable" preserve="true" />
import type { Branch } from "./engine/branch.js";
import type { Clock } from "./engine/clock.js";
import { type AnyEngine, createEngine, Engine } from "./engine.js";
import { createFaults, type Faults } from "./http/faults.js";
import { createJournal, type Journal } from "./http/journal.js";
import type { HandlerOptions } from "./http/service.js";
import type { Fetch } from "./http/web.js";
import { createFetch } from "./http.js";
import type { ProfileOption } from "./profile.js";
import { partAt, refuseValue } from "./shape/fields.js";
import { readBySchema } from "./shape/read.js";
import * as s from "./shape/schema.js";
import { type AnsweredRequests, routeFetch } from "./testing/route.js";
import {
  type CheckedSchema,
  type GivenSchema,
  readSchemaTables,
  type TablesOf,
} from "./testing/schema.js";
import type { TypedTables } from "./typed/branch.js";
import type {
  DocumentedProfile,
  LinksAmong,
  ProfileShape,
  ProfileShapeOf,
  TableColumns,
  TableShape,
} from "./typed/shape.js";
import type { InsertOf } from "./typed/write.js";

export type { GivenColumn, GivenSchema, GivenTable, GivenTables } from "./testing/schema.js";

/** Options of {@link createDouble}, all optional. */
export interface DoubleOptions<S extends GivenSchema, P extends ProfileOption> {
  /**
   * The tables: a generated client's `tables`, the JSON of `xata schema dump`, or columns by name;
   * default none.
   */
  readonly schema?: CheckedSchema<S> | LinksAmong<NoInfer<keyof S & string>> | undefined;
  /** Initial records by table name. */
  readonly records?: RecordsOf<TablesOf<S>, ProfileShapeOf<P>> | undefined;
  /** A fixed time, or a function that returns the time; default the system clock. */
  readonly now?: number | Date | (() => number) | undefined;
  /** Makes random values repeatable, with a fixed `now` also ids; default 1. */
  readonly seed?: number | undefined;
  /** Names and limits of the service; default `xata`, which the npm client expects. */
  readonly profile?: P | undefined;
  /** Accepted API keys; default any or none. */
  readonly keys?: readonly string[] | undefined;
  /** The address in the client's options; default `https://test.us-east-1.xata.sh/db/app`. */
  readonly databaseURL?: string | undefined;
  /** The branch with the tables; default `main`. */
  readonly branch?: string | undefined;
  /** More hosts of the service, besides `xata.sh` and `api.xata.io`; with subdomains. */
  readonly hosts?: readonly string[] | undefined;
  /** Whether requests to other hosts fail or go to the real `fetch`; default `fail`. */
  readonly otherHosts?: "fail" | "pass" | undefined;
}

/** Records to insert, by table name. */
export type RecordsOf<Tables extends TableColumns, P extends ProfileShape> = {
  readonly [Name in keyof Tables & string]?: readonly InsertOf<TableShape<Tables, Name, P>>[];
};

/** Options for the constructor of the npm client. */
export interface ClientOptions {
  /** The address of the database. */
  readonly databaseURL: string;
  /** The branch with the tables. */
  readonly branch: string;
  /** A valid API key; identifies the double, since the npm client shares a `fetch` (see docs). */
  readonly apiKey: string;
  /** The double's `fetch`; answers requests with the key of another double from that double. */
  readonly fetch: Fetch;
  /** Stores nothing: the npm client repeats answers within a millisecond, also after a write. */
  readonly cache: ClientCache;
}

/** A cache of the npm client. */
export interface ClientCache {
  readonly defaultQueryTTL: number;
  getAll(): Promise<Record<string, unknown>>;
  get(key: string): Promise<null>;
  set(key: string, value: unknown): Promise<void>;
  delete(key: string): Promise<void>;
  clear(): Promise<void>;
}

/** A test double of the service: an engine with the controls that tests need. */
export interface Double<Tables extends TableColumns, P extends ProfileShape> extends Disposable {
  /** The synchronous engine with the records. */
  readonly engine: Engine<P>;
  /** The branch with the tables. */
  readonly branch: Branch<P>;
  /** Table handles by name. */
  readonly tables: TypedTables<Tables, P>;
  /** Answers the service's requests in process. */
  readonly fetch: Fetch;
  /** Options for the constructor of the npm client: `new XataClient(double.client)`. */
  readonly client: ClientOptions;
  /** Makes requests fail or wait. */
  readonly faults: Faults;
  /** Records all requests with their answers. */
  readonly journal: Journal;
  /** The engine's clock, which can be set and advanced. */
  readonly clock: Clock;
  /** Restores the initial records, time and seed; clears faults and journal. */
  reset(): void;
  /** Returns an independent copy, such as for one test; takes microseconds. */
  fork(): Double<Tables, P>;
  /** Replaces `globalThis.fetch` until {@link unstub} or the result's disposal. */
  stub(): Disposable;
  /** Restores the original `globalThis.fetch`. */
  unstub(): void;
  /** Calls {@link unstub} and drops all records; from now on `fetch` and clients fail. */
  [Symbol.dispose](): void;
}

const OPTIONS = s.reading(
  s.objectOf({}, {
    schema: s.ANYTHING,
    records: s.ANYTHING,
    now: s.ANYTHING,
    seed: s.ANYTHING,
    profile: s.ANYTHING,
    keys: s.ANYTHING,
    databaseURL: s.ANYTHING,
    branch: s.ANYTHING,
    hosts: s.reading(s.arrayOf(s.TEXT), { expected: "an array of strings" }),
    otherHosts: s.oneOf(["fail", "pass"]),
  } satisfies {
    readonly [option in keyof DoubleOptions<GivenSchema, ProfileOption>]-?: s.Schema;
  }),
  { what: "createDouble" },
);

/**
 * Creates a test double: an engine with tables and records, a `fetch` for clients, faults, a
 * journal and a clock. Throws `TwinbaseError` for an invalid option, schema or record.
 *
 * @example
 * const double = createDouble({ schema: tables, records: { teams: [{ id: "blue" }] } });
 * const xata = new XataClient(double.client);
 */
export function createDouble<
  const S extends GivenSchema = Record<never, never>,
  const P extends ProfileOption = "xata",
>(options: DoubleOptions<S, P> = {}): Double<TablesOf<S>, ProfileShapeOf<P>> {
  readBySchema(OPTIONS, options);
  const { schema = {}, records = {}, now, seed = 1, profile = "xata", keys, hosts = [] } = options;
  const { databaseURL = "https://test.us-east-1.xata.sh/db/app", branch = "main" } = options;
  const { otherHosts = "fail" } = options;
  const { url, workspace, database } = readAddress(databaseURL);
  const made = createEngine({ profile, seed, now: now instanceof Date ? now.getTime() : now });
  const engine = made as AnyEngine as Engine; // the profile only changes types
  const main = engine
    .createWorkspace(workspace)
    .createDatabase(database, { branchName: branch })
    .branch(branch);
  main.createTables(readSchemaTables(schema, engine.profile));
  // One batch: records of all tables may link to each other (T-18).
  Engine.contextOf(engine).call(() => {
    for (const [table, rows] of Object.entries(records)) {
      main.table(table).insert(rows as readonly object[]); // validated by the insert
    }
  });
  const double = doubleOf(engine, {
    address: { workspace, database, branch },
    client: { databaseURL, branch, apiKey: keys?.[0] ?? "any" },
    reach: {
      databaseURL: url,
      hosts: [
        ...hosts.map((host) => host.toLowerCase()),
        url.host,
        url.hostname,
        ...localHost(url.host),
      ],
      isPassing: otherHosts === "pass",
    },
    seed,
    handling: {
      workspace,
      ...(keys !== undefined && {
        users: [{ email: "test@example.com", fullname: "Test", keys, workspaces: [workspace] }],
      }),
    },
  });
  engine.setBaseline();
  return double as unknown as Double<TablesOf<S>, ProfileShapeOf<P>>; // created from that schema and profile
}

type AnyDouble = Double<TableColumns, DocumentedProfile>;

interface Setup {
  readonly address: {
    readonly workspace: string;
    readonly database: string;
    readonly branch: string;
  };
  readonly client: Omit<ClientOptions, "fetch" | "cache">;
  readonly reach: AnsweredRequests;
  readonly seed: number;
  readonly handling: HandlerOptions;
}

function doubleOf(engine: Engine, setup: Setup): AnyDouble {
  const { workspace, database, branch: branchName } = setup.address;
  const faults = createFaults({ seed: setup.seed });
  const journal = createJournal();
  const service = createFetch(engine, { ...setup.handling, faults, journal });
  const { fetch, keySuffix, stub, unstub, close } = routeFetch(service, setup.reach);
  const branch = engine.workspace(workspace).database(database).branch(branchName);
  const names = branch.tables().map(({ name }) => name);
  return {
    engine,
    branch,
    tables: Object.fromEntries(names.map((name) => [name, branch.table(name)])),
    fetch,
    client: { ...setup.client, apiKey: setup.client.apiKey + keySuffix, fetch, cache: NO_CACHE },
    faults,
    journal,
    clock: engine.clock,
    reset() {
      engine.reset();
      faults.clear();
      journal.clear();
    },
    fork: () => doubleOf(engine.fork(), setup),
    stub() {
      stub();
      return { [Symbol.dispose]: unstub };
    },
    unstub,
    [Symbol.dispose]() {
      close();
      engine[Symbol.dispose]();
    },
  };
}

const NO_CACHE: ClientCache = {
  defaultQueryTTL: -1,
  getAll: async () => ({}),
  get: async () => null,
  set: async () => {},
  delete: async () => {},
  clear: async () => {},
};

/** The npm client calls names below localhost as localhost itself. */
function localHost(host: string): readonly string[] {
  return /\blocalhost(?::\d+)?$/.exec(host) ?? [];
}

/** Parses `https://{workspace}.{region}.{host}/db/{database}`. */
function readAddress(databaseURL: string): { url: URL; workspace: string; database: string } {
  const url = URL.canParse(databaseURL) ? new URL(databaseURL) : undefined;
  const [workspace, region] = url?.hostname.split(".") ?? [];
  const database = /^\/db\/([^/:]+)\/?$/.exec(url?.pathname ?? "")?.[1];
  if (url === undefined || !workspace || !region || database === undefined) {
    const part = partAt("databaseURL", "D-6");
    refuseValue(databaseURL, "https://{workspace}.{region}.xata.sh/db/{database}", part);
  }
  return { url, workspace, database: decodeURIComponent(database) };
}
