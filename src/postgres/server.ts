import type { Sql, TransactionSql } from "postgres";
import type { Row } from "../sql/project.js";
import { type Driver, dialectOf, readVersion, SETTINGS, type Session } from "./driver.js";
import { importPeer } from "./peer.js";

/** How a server is reached. */
export interface ServerOptions {
  /** Most connections at a time. */
  readonly connections: number;
  /** Milliseconds that a statement may take. */
  readonly statementTimeout: number;
}

/** The types that the driver would make values of; all of them are wanted as text. */
const AS_TEXT = {
  to: 25,
  from: [16, 17, 20, 21, 23, 26, 114, 700, 701, 1082, 1114, 1184, 3802],
  serialize: (value: unknown): string => String(value),
  parse: (text: string): string => text,
};

/** Milliseconds that a lock is waited for. */
const LOCK_TIMEOUT = 5_000;
/** Seconds that a connection may take to be there. */
const CONNECT_SECONDS = 5;
/** Statements are prepared from the second time on, so many at most: a server keeps each. */
const MAX_PREPARED = 256;
const MAX_SEEN = 4096;

/** Opens connections to a server, or to the one of several that can be written to. */
export async function openServer(
  address: string,
  { connections, statementTimeout }: ServerOptions,
): Promise<Driver> {
  const { default: postgres } = await importPeer("postgres", () => import("postgres"));
  const sql = postgres(address, {
    max: connections,
    connect_timeout: CONNECT_SECONDS,
    backoff: (attempt) => Math.min(0.05 * 2 ** attempt, 1),
    // Of several hosts, writes go to the one that takes them, wherever that is now.
    ...(hasSeveralHosts(address) ? { target_session_attrs: "read-write" as const } : {}),
    fetch_types: false,
    onnotice: () => {},
    types: { text: AS_TEXT },
    connection: {
      application_name: "twinbase",
      ...SETTINGS,
      statement_timeout: statementTimeout,
      // Who waits longer begins again, and lets others by.
      lock_timeout: LOCK_TIMEOUT,
    },
  });
  const isPrepared = createPreparing();
  const session = sessionOf(sql, isPrepared);
  try {
    return {
      ...session,
      dialect: dialectOf(await readVersion(session)),
      transact: async <T>(kind: "write" | "snapshot", act: (session: Session) => Promise<T>) => {
        const mode = kind === "write" ? "" : "isolation level repeatable read read only";
        const done = await sql.begin(mode, async (transaction) => ({
          result: await act(sessionOf(transaction, isPrepared)),
        }));
        return done.result;
      },
      close: () => sql.end({ timeout: 5 }),
    };
  } catch (error) {
    await sql.end({ timeout: 0 });
    throw error;
  }
}

type Connection = Pick<Sql | TransactionSql, "unsafe">;

function sessionOf(connection: Connection, isPrepared: (text: string) => boolean): Session {
  return {
    query: async ({ text, values }) => {
      const options = { prepare: isPrepared(text) };
      const rows = await connection.unsafe(text, [...values], options).values();
      return rows as unknown as readonly Row[]; // all types are given as text
    },
  };
}

/** Whether a text is to be prepared: once it has come twice, as long as there are not too many. */
function createPreparing(): (text: string) => boolean {
  const seen = new Set<string>();
  const prepared = new Set<string>();
  return (text) => {
    if (prepared.has(text)) return true;
    if (!seen.has(text) || prepared.size === MAX_PREPARED) {
      if (seen.size === MAX_SEEN) seen.clear();
      seen.add(text);
      return false;
    }
    prepared.add(text);
    return true;
  };
}

function hasSeveralHosts(address: string): boolean {
  return /^\w+:\/\/(?:[^/@]*@)?[^/?]*,/.test(address);
}
