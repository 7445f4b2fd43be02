import type { Client, ClientBase, ClientConfig, Pool } from "pg";
import { accessTo, CONNECT_TIMEOUT, createNaming, type Host, timeLeft } from "./connection.js";
import {
  type Access,
  type Driver,
  dialectOf,
  GRACE,
  MAINTENANCE,
  readVersion,
  type Scope,
} from "./driver.js";
import { failureOf } from "./failure.js";
import { Hosts, splitHosts, withSettings } from "./hosts.js";
import { importPeer } from "./peer.js";
import { Slots } from "./slots.js";
import { createWire } from "./wire.js";

export interface ServerOptions {
  /** Maximum number of connections to a host. */
  readonly connections: number;
  readonly statementTimeout: number;
}

type Package = typeof import("pg");

/** Milliseconds. */
const LOCK_TIMEOUT = 5_000;
/** Milliseconds until a host reports its role. */
const LOOK_TIMEOUT = 2_000;

/** Opens connections to a server, or to a primary and its standbys. */
export async function openServer(address: string, options: ServerOptions): Promise<Driver> {
  const pg = await importPeer("pg", () => import("pg"));
  const addresses = splitHosts(address).map(withSettings);
  const nameOf = createNaming();
  const pools = addresses.map((host) => openPool(pg, host, options));
  const wire = createWire(pg.Query);
  const all = pools.map((pool): Host => {
    return { pool, slots: new Slots(options.connections), wire, nameOf, broken: noteBroken(pool) };
  });
  const hosts = new Hosts(addresses.length, (host) => isStandby(pg, addresses[host]!)); // one of them
  const accessFor = (scope: Scope): Access =>
    accessBy(async (act) => {
      const host = await hosts.primary();
      return watch(hosts, act(accessTo(all[host]!, scope))); // one of them
    });
  const close = async (): Promise<void> => {
    await Promise.all(pools.map((pool) => pool.end()));
  };
  try {
    await hosts.look();
    const dialect = dialectOf(await readVersion(accessFor({})));
    const driverFor = (scope: Scope): Driver => ({
      ...accessFor(scope),
      within: driverFor,
      dialect,
      statementTimeout: options.statementTimeout,
      standby: () => {
        const standby = hosts.standby();
        const host = standby === undefined ? undefined : all[standby];
        return host && accessBy((act) => watch(hosts, act(accessTo(host, scope))));
      },
      maintain: async (act) => {
        const connectionString = addresses[await hosts.primary()]!; // one of them
        const left = timeLeft(scope.until);
        const config = { connectionString, application_name: MAINTENANCE, statement_timeout: left };
        return withClient(pg, config, (client) =>
          act({ query: (statement) => wire.run(client, [statement], left) }),
        );
      },
      isShared: true,
      close,
    });
    return driverFor({});
  } catch (error) {
    await close();
    throw error;
  }
}

function accessBy(run: <T>(act: (access: Access) => Promise<T>) => Promise<T>): Access {
  return {
    query: (statement) => run((access) => access.query(statement)),
    transact: (kind, act) => run((access) => access.transact(kind, act)),
    write: (statement, guard) => run((access) => access.write(statement, guard)),
  };
}

/** After a failure another host may be the primary. */
async function watch<T>(hosts: Hosts, done: Promise<T>): Promise<T> {
  try {
    return await done;
  } catch (error) {
    if (failureOf(error) === "unavailable") void hosts.look();
    throw error;
  }
}

function openPool(
  pg: Package,
  connectionString: string,
  { connections, statementTimeout }: ServerOptions,
): Pool {
  const pool = new pg.Pool({
    connectionString,
    max: connections,
    application_name: "twinbase",
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    keepAlive: true,
    // Independent statements are sent without waiting.
    pipeline: true,
    // A longer wait ends in a rerun, which lets others pass.
    lock_timeout: LOCK_TIMEOUT,
    statement_timeout: statementTimeout,
    query_timeout: statementTimeout + GRACE,
  });
  // A broken idle connection leaves the pool.
  pool.on("error", () => {});
  return pool;
}

/** Records broken connections, also before their first use. */
function noteBroken(pool: Pool): WeakSet<ClientBase> {
  const broken = new WeakSet<ClientBase>();
  pool.on("connect", (client) => client.on("error", () => broken.add(client)));
  return broken;
}

function isStandby(pg: Package, connectionString: string): Promise<boolean> {
  const timeouts = { connectionTimeoutMillis: LOOK_TIMEOUT, query_timeout: LOOK_TIMEOUT };
  return withClient(pg, { connectionString, ...timeouts }, async (client) => {
    const { rows } = await client.query("select pg_is_in_recovery() as follows");
    return rows[0]?.follows === true;
  });
}

/** Runs `act` on a connection outside the pools. */
async function withClient<T>(
  { Client }: Package,
  config: ClientConfig,
  act: (client: Client) => Promise<T>,
): Promise<T> {
  const client: Client = new Client({ connectionTimeoutMillis: CONNECT_TIMEOUT, ...config });
  client.on("error", () => {});
  try {
    await client.connect();
    return await act(client);
  } finally {
    void client.end().catch(() => {});
  }
}
