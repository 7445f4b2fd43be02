import type { Client, ClientBase, ClientConfig, Connection, Pool } from "pg";
import {
  accessTo,
  CONNECT_TIMEOUT,
  createNaming,
  type Host,
  LOCK_TIMEOUT,
  refuseDisconnected,
  timeLeft,
} from "./connection.js";
import {
  type Driver,
  dialectOf,
  GRACE,
  MAINTENANCE,
  type RequestLimits,
  readServer,
  type Session,
  type TransactionRunner,
} from "./driver.js";
import { failureOf } from "./failure.js";
import { Hosts, splitHosts, withSettings } from "./hosts.js";
import { importPeer } from "./peer.js";
import { Slots } from "./slots.js";
import { createWire, type Wire } from "./wire.js";

export interface ServerOptions {
  /** Maximum number of connections to a host. */
  readonly connections: number;
  readonly statementTimeout: number;
}

type Package = typeof import("pg");

interface PooledClient extends ClientBase {
  readonly connection: Connection;
}

/** Milliseconds until a host reports its role. */
const LOOK_TIMEOUT = 2_000;

/** Opens connections to a server, or to a primary and its standbys. */
export async function openServer(address: string, options: ServerOptions): Promise<Driver> {
  const pg = await importPeer("pg", () => import("pg"));
  const addresses = splitHosts(address).map(withSettings);
  const hosts = new Hosts(addresses.length, (host) => isStandby(pg, addresses[host]!)); // one of them
  await hosts.look();
  const primary = addresses[await hosts.primary()]!; // one of them
  const wire = createWire(pg.Query);
  const timeout = { query_timeout: CONNECT_TIMEOUT };
  const server = await withClient(pg, { connectionString: primary, ...timeout }, (client) =>
    readServer(sessionOf(client, wire)),
  );
  const { isCluster } = server;
  const nameOf = createNaming();
  const clients = new Set<PooledClient>();
  const all = addresses.map((address): Host => {
    const pool = openPool(pg, address, options);
    const slots = new Slots(options.connections);
    pool.on("connect", (client) => clients.add(client as PooledClient)); // `pg` gives each its connection
    pool.on("remove", (client) => clients.delete(client as PooledClient)); // the same
    return { pool, slots, wire, nameOf, broken: noteBroken(pool), isCluster };
  });
  const accessFor = (scope: RequestLimits): TransactionRunner =>
    accessBy(async (act) => {
      const host = await hosts.primary();
      return watch(hosts, act(accessTo(all[host]!, scope))); // one of them
    });
  const dialect = dialectOf(server);
  const driverFor = (scope: RequestLimits): Driver => ({
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
      return withClient(pg, config, (client) => act(sessionOf(client, wire, left)));
    },
    isShared: true,
    isCluster,
    abort: () => {
      for (const { connection } of clients) connection.stream.destroy();
    },
    close: async () => {
      await Promise.all(all.map(({ pool }) => pool.end()));
    },
  });
  return driverFor({});
}

function accessBy(
  run: <T>(act: (access: TransactionRunner) => Promise<T>) => Promise<T>,
): TransactionRunner {
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

function sessionOf(client: Client, wire: Wire, timeout?: number): Session {
  return {
    query: (statement) => wire.run(client, [statement], timeout).catch(refuseDisconnected),
  };
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
    await client.connect().catch(refuseDisconnected);
    return await act(client);
  } finally {
    void client.end().catch(() => {});
  }
}
