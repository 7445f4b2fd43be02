import { refuse } from "../errors.js";
import type { Row } from "../sql/project.js";
import type { Dialect, Statement } from "../sql/statement.js";
import type { Owner } from "./slots.js";

export interface Session {
  /** Returns the rows of a statement, all values as text. */
  readonly query: (statement: Statement) => Promise<readonly Row[]>;
}

/** Parameter and result types of a statement, as PostgreSQL's type numbers. */
export interface Description {
  readonly parameters: readonly number[];
  readonly columns: readonly { readonly name: string; readonly type: number }[];
}

export interface Transaction extends Session {
  /** Like `query`, without preparing the statement. */
  readonly queryOnce: (statement: Statement) => Promise<readonly Row[]>;
  readonly describe: (text: string) => Promise<Description>;
  /** Defers waiting: the transaction ends after `sent` and fails with it. */
  readonly defer: (sent: Promise<unknown>) => void;
  /** Notes bytes that stay in the server's memory as long as the connection is open. */
  readonly leave: (bytes: number) => void;
}

/** `snapshot`: read-only, repeatable read; `revision`: writes if a snapshot is unchanged. */
export type TransactionKind = "write" | "snapshot" | "revision";

export function createDeferral(): {
  readonly deferred: readonly Promise<unknown>[];
  readonly defer: Transaction["defer"];
} {
  const deferred: Promise<unknown>[] = [];
  const defer = (sent: Promise<unknown>): void => {
    deferred.push(sent);
    sent.catch(() => {}); // reported at the end
  };
  return { deferred, defer };
}

export interface TransactionRunner extends Session {
  /** Runs `act` in a transaction; rolls back if it throws. */
  readonly transact: <T>(
    kind: TransactionKind,
    act: (session: Transaction) => Promise<T>,
  ) => Promise<T>;
  /**
   * Runs a statement as a transaction, if `guard` succeeds in it first. Throws `UnknownOutcomeError`
   * if the outcome is unknown.
   */
  readonly write: (statement: Statement, guard: Statement) => Promise<readonly Row[]>;
}

/** Limits of a request. */
export interface RequestLimits {
  /** The owner of the used share of the connections; absent: the catalog. */
  readonly owner?: Owner | undefined;
  /**
   * Deadline as a time of `performance.now()`, for waits and the rollback too; absent: each statement has
   * its own timeout.
   */
  readonly until?: number | undefined;
}

/** A database with PostgreSQL's protocol. */
export interface Driver extends TransactionRunner {
  /** The same connections within the limits of a request. */
  readonly within: (scope: RequestLimits) => Driver;
  readonly dialect: Dialect;
  /** Milliseconds until a statement or request is canceled; infinite without a timeout. */
  readonly statementTimeout: number;
  /** A standby, if there is one; its data may be stale. */
  readonly standby: () => TransactionRunner | undefined;
  /** Runs `act` on a connection of its own if there are several, without a timeout of statements. */
  readonly maintain: <T>(act: (session: Session) => Promise<T>) => Promise<T>;
  /** Whether others can read and write during an index build. */
  readonly isShared: boolean;
  /** Whether it is a Citus cluster. */
  readonly isCluster: boolean;
  readonly close: () => Promise<void>;
  /** Breaks the connections, so that requests that wait for an answer fail. */
  readonly abort: () => void;
}

/** Milliseconds after the statement timeout until a server counts as gone. */
export const GRACE = 1_000;

/** The time at which a request that begins now fails. */
export function deadlineOf({ statementTimeout }: Driver): number {
  return performance.now() + statementTimeout + GRACE;
}

export function plain(text: string): Statement {
  return { text, values: [] };
}

export const SETTINGS = {
  TimeZone: "UTC",
  DateStyle: "ISO",
  extra_float_digits: "1",
} as const;

/** Lower case by code point since version 17, by ICU before. */
export function dialectOf({ version }: Server): Dialect {
  if (version >= 170_000) return { foldCase: (text) => `lower(${text} collate pg_c_utf8)` };
  // ICU lowers capital sigma by its position in the word.
  return { foldCase: (text) => `lower(replace(${text}, 'Σ', 'σ') collate "und-x-icu")` };
}

/** The first version with SQL-standard function bodies. */
const FIRST_VERSION = 140_000;

export interface Server {
  /** Such as 180004. */
  readonly version: number;
  /** Whether it is the coordinator of a Citus cluster. */
  readonly isCluster: boolean;
}

/** Throws `invalid_request` if the version is unsupported, or the server is a worker of a cluster. */
export async function readServer(session: Session): Promise<Server> {
  const [row] = await session.query(
    plain(
      "select current_setting('server_version_num'), current_setting('server_encoding'), exists (select from pg_extension where extname = 'citus')",
    ),
  );
  const version = Number(row?.[0]);
  if (version < FIRST_VERSION) {
    const found = `${Math.floor(version / 10_000)}.${version % 10_000}`;
    refuse("invalid_request", `expected PostgreSQL 14 or later, found ${found}`);
  }
  if (row?.[1] !== "UTF8") {
    refuse("invalid_request", `expected a database of the encoding UTF8, found ${row?.[1]}`);
  }
  const isCluster = row[2] === "t";
  if (isCluster) {
    const [group] = await session.query(plain("select groupid from pg_dist_local_group"));
    if (Number(group?.[0]) > 0) {
      refuse("invalid_request", "expected the coordinator of the cluster, found a worker");
    }
  }
  return { version, isCluster };
}

/** `application_name` of connections that create indexes. */
export const MAINTENANCE = "twinbase index";
