/// <reference lib="esnext.disposable" preserve="true" />
import type { Branch } from "./engine/branch.js";
import type { Clock } from "./engine/clock.js";
import { type AnyEngine, createEngine, type Engine } from "./engine.js";
import { createFaults, type Faults } from "./http/faults.js";
import { createJournal, type Journal } from "./http/journal.js";
import type { HandlerOptions } from "./http/service.js";
import type { Fetch } from "./http/web.js";
import { createFetch } from "./http.js";
import type { ProfileOption } from "./profile.js";
import {
  type CheckedSchema,
  type GivenSchema,
  readTables,
  type TablesOf,
} from "./testing/schema.js";
import { fetchFor, refuseHost } from "./testing/service-hosts.js";
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
import { readFields, refuseValue } from "./value/fields.js";

export type { GivenColumn, GivenSchema, GivenTable, GivenTables } from "./testing/schema.js";

/** How a test double is made. All of it is optional. */
export interface DoubleOptions<S extends GivenSchema, P extends ProfileOption> {
  /**
   * The tables: the `tables` array of a generated client, the JSON of `xata schema dump`, or columns
   * by the name of their table; default none.
   */
  readonly schema?: CheckedSchema<S> | LinksAmong<NoInfer<keyof S & string>> | undefined;
  /** Records to begin with, by the name of their table. */
  readonly records?: RecordsOf<TablesOf<S>, ProfileShapeOf<P>> | undefined;
  /** The time: fixed, or a function that returns it; default that of the system. */
  readonly now?: number | Date | (() => number) | undefined;
  /** Makes ids, and all that is left to chance, repeatable; default 1. */
  readonly seed?: number | undefined;
  /** Names and limits of the service; default `xata`, as the npm client expects it. */
  readonly profile?: P | undefined;
  /** API keys that are let in; default any, or none. */
  readonly keys?: readonly string[] | undefined;
  /**
   * The address of the database, as the client has it; default
   * `https://test.us-east-1.xata.sh/db/app`.
   */
  readonly databaseURL?: string | undefined;
  /** The branch that holds the tables; default `main`. */
  readonly branch?: string | undefined;
  /** Hosts besides `xata.sh` and `api.xata.io` that are the service, with those below them. */
  readonly hosts?: readonly string[] | undefined;
  /** Requests to other hosts are rejected with the host's name, or passed to the real `fetch`. */
  readonly otherHosts?: "fail" | "pass" | undefined;
}

/** Records to insert, by the name of their table. */
export type RecordsOf<Tables extends TableColumns, P extends ProfileShape> = {
  readonly [Name in keyof Tables & string]?: readonly InsertOf<TableShape<Tables, Name, P>>[];
};

/** Options for the constructor of the npm client. */
export interface ClientOptions {
  /** The address of the database. */
  readonly databaseURL: string;
  /** The branch that holds the tables. */
  readonly branch: string;
  /** A key that is let in. */
  readonly apiKey: string;
  /** The fetch of the double. */
  readonly fetch: Fetch;
}

/** A test double of the service: an engine, and all that a test controls of it. */
export interface Double<Tables extends TableColumns, P extends ProfileShape> extends Disposable {
  /** Holds the records; synchronous. */
  readonly engine: Engine<P>;
  /** The branch that holds the tables. */
  readonly branch: Branch<P>;
  /** The handles of the tables, by name. */
  readonly tables: TypedTables<Tables, P>;
  /** Answers the service's requests without leaving the process. */
  readonly fetch: Fetch;
  /** Options for the constructor of the npm client: `new XataClient(double.client)`. */
  readonly client: ClientOptions;
  /** Makes requests go wrong. */
  readonly faults: Faults;
  /** All requests, with their answers. */
  readonly journal: Journal;
  /** The time of the engine, to be set and moved. */
  readonly clock: Clock;
  /** Goes back to the records, the time and the seed that it began with; forgets faults and journal. */
  reset(): void;
  /** Another double with the same contents and options, for one test; takes microseconds. */
  fork(): Double<Tables, P>;
  /** Puts `fetch` in the place of `globalThis.fetch`, until {@link unstub} or the result's disposal. */
  stub(): Disposable;
  /** Puts back the `globalThis.fetch` that was there before {@link stub}. */
  unstub(): void;
  /** Undoes {@link stub}, and drops all records. */
  [Symbol.dispose](): void;
}

const OPTIONS = [
  "schema",
  "records",
  "now",
  "seed",
  "profile",
  "keys",
  "databaseURL",
  "branch",
  "hosts",
  "otherHosts",
] as const satisfies readonly (keyof DoubleOptions<GivenSchema, ProfileOption>)[];

/**
 * Creates a test double: an engine with tables and records, a `fetch` for clients, faults, a journal
 * and a clock.
 *
 * @throws TwinbaseError for an option, a schema or a record that is not valid.
 *
 * @example
 * const double = createDouble({ schema: tables, records: { teams: [{ id: "blue" }] } });
 * const xata = new XataClient(double.client);
 */
export function createDouble<
  const S extends GivenSchema = Record<never, never>,
  const P extends ProfileOption = "xata",
>(options: DoubleOptions<S, P> = {}): Double<TablesOf<S>, ProfileShapeOf<P>> {
  readFields(options, OPTIONS, { what: "createDouble", rule: "E-3" });
  const { schema = {}, records = {}, now, seed = 1, profile = "xata", keys, hosts = [] } = options;
  const { databaseURL = "https://test.us-east-1.xata.sh/db/app", branch = "main" } = options;
  const { otherHosts = "fail" } = options;
  if (otherHosts !== "fail" && otherHosts !== "pass") {
    const place = { what: "otherHosts", path: "/otherHosts", rule: "E-3" };
    refuseValue(otherHosts, "fail or pass", place);
  }
  const { host, hostname, workspace, database } = readAddress(databaseURL);
  const made = createEngine({ profile, seed, now: now instanceof Date ? now.getTime() : now });
  const engine = made as AnyEngine as Engine; // a profile changes types alone
  const main = engine
    .createWorkspace(workspace)
    .createDatabase(database, { branchName: branch })
    .branch(branch);
  main.createTables(readTables(schema, engine.profile));
  for (const [table, given] of Object.entries(records)) {
    main.table(table).insert(given as readonly object[]); // checked as they are inserted
  }
  const double = doubleOf(engine, {
    address: { workspace, database, branch },
    client: { databaseURL, branch, apiKey: keys?.[0] ?? "any" },
    hosts: [...hosts, host, hostname],
    isPassing: otherHosts === "pass",
    seed,
    handling: {
      workspace,
      ...(keys !== undefined && {
        users: [{ email: "test@example.com", fullname: "Test", keys, workspaces: [workspace] }],
      }),
    },
  });
  engine.setBaseline();
  return double as unknown as Double<TablesOf<S>, ProfileShapeOf<P>>; // made of that schema and profile
}

/** A double of which the types know nothing. */
type AnyDouble = Double<TableColumns, DocumentedProfile>;

/** What a double and its forks have in common. */
interface Setup {
  readonly address: {
    readonly workspace: string;
    readonly database: string;
    readonly branch: string;
  };
  readonly client: Omit<ClientOptions, "fetch">;
  readonly hosts: readonly string[];
  readonly isPassing: boolean;
  readonly seed: number;
  readonly handling: HandlerOptions;
}

function doubleOf(engine: Engine, setup: Setup): AnyDouble {
  const { workspace, database, branch: branchName } = setup.address;
  const faults = createFaults({ seed: setup.seed });
  const journal = createJournal();
  /** The global fetch that was replaced, if it is replaced. */
  let replaced: Fetch | undefined;
  const service = createFetch(engine, { ...setup.handling, faults, journal });
  const fetch = fetchFor(service, {
    hosts: setup.hosts,
    answer: setup.isPassing
      ? (input, init) => (replaced ?? globalThis.fetch)(input, init)
      : refuseHost,
  });
  const unstub = (): void => {
    if (replaced === undefined) return;
    if (globalThis.fetch !== fetch) {
      throw new Error("globalThis.fetch was replaced after stub(): undo that before unstub()");
    }
    globalThis.fetch = replaced;
    replaced = undefined;
  };
  const branch = engine.workspace(workspace).database(database).branch(branchName);
  const names = branch.tables().map(({ name }) => name);
  return {
    engine,
    branch,
    tables: Object.fromEntries(names.map((name) => [name, branch.table(name)])),
    fetch,
    client: { ...setup.client, fetch },
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
      if (replaced === undefined) {
        replaced = globalThis.fetch;
        globalThis.fetch = fetch;
      }
      return { [Symbol.dispose]: unstub };
    },
    unstub,
    [Symbol.dispose]() {
      unstub();
      engine[Symbol.dispose]();
    },
  };
}

/** Reads whose database an address names: `https://{workspace}.{region}.{host}/db/{database}`. */
function readAddress(databaseURL: string): {
  host: string;
  hostname: string;
  workspace: string;
  database: string;
} {
  const url = URL.canParse(databaseURL) ? new URL(databaseURL) : undefined;
  const [workspace, region] = url?.hostname.split(".") ?? [];
  const database = /^\/db\/([^/:]+)\/?$/.exec(url?.pathname ?? "")?.[1];
  if (url === undefined || !workspace || !region || database === undefined) {
    const place = { what: "databaseURL", path: "/databaseURL", rule: "D-6" };
    refuseValue(databaseURL, "https://{workspace}.{region}.xata.sh/db/{database}", place);
  }
  const { host, hostname } = url;
  return { host, hostname, workspace, database: decodeURIComponent(database) };
}
