import type { Pool, PoolClient } from "pg";
import type { Row } from "../sql/project.js";
import type { Statement } from "../sql/statement.js";
import { StatementDescription } from "./describe.js";
import { type Access, createDeferral, type Transaction, type TransactionKind } from "./driver.js";
import { DisconnectedError, failureOf, UnknownOutcomeError } from "./failure.js";

/** The name that a statement is prepared by, if it is. */
export type NameOf = (statement: Statement) => string | undefined;

/** Statements are prepared from the second time on, so many at most: a server keeps each. */
const MAX_PREPARED = 256;
const MAX_SEEN = 4096;

/** Names a text that is to be prepared: once it has come twice, as long as there are not too many. */
export function createNaming(): NameOf {
  const seen = new Set<string>();
  const names = new Map<string, string>();
  return ({ text, isPlannedEach }) => {
    if (isPlannedEach === true) return undefined;
    const name = names.get(text);
    if (name !== undefined || names.size === MAX_PREPARED) return name;
    if (!seen.has(text)) {
      if (seen.size === MAX_SEEN) seen.clear();
      seen.add(text);
      return undefined;
    }
    const given = `s${names.size}`;
    names.set(text, given);
    return given;
  };
}

/** Sends statements over the connections of a pool. */
export function accessTo(pool: Pool, nameOf: NameOf): Access {
  return {
    query: (statement) => withConnection(pool, nameOf, ({ query }) => query(statement)),
    write: (statement) =>
      withConnection(pool, nameOf, ({ query, finish }) => finish(() => query(statement))),
    transact: (kind, act) =>
      withConnection(pool, nameOf, async (connection) => {
        const { deferred, defer } = createDeferral();
        // The first statement is sent along with it, and counts once this has been done too.
        const begun = connection.command(BEGIN[kind]);
        defer(begun);
        const query = async (statement: Statement): Promise<readonly Row[]> => {
          const [rows] = await Promise.all([connection.query(statement), begun]);
          return rows;
        };
        let result: Awaited<ReturnType<typeof act>>;
        try {
          const { queryOnce, describe } = connection;
          result = await act({ query, queryOnce, describe, defer });
        } catch (error) {
          // A connection on which this fails too is not used again; what failed first is told.
          await connection.command("rollback").catch(() => {});
          throw error;
        }
        await connection.commit(deferred);
        return result;
      }),
  };
}

const BEGIN: Readonly<Record<TransactionKind, string>> = {
  write: "begin",
  snapshot: "begin isolation level repeatable read read only",
  revision: "begin isolation level repeatable read",
};

interface Connection extends Omit<Transaction, "defer"> {
  readonly command: (text: string) => Promise<void>;
  /**
   * Ends a transaction after all that was sent before, and fails as that does; throws
   * `UnknownOutcomeError` where nobody knows whether it was done.
   */
  readonly commit: (sent: readonly Promise<unknown>[]) => Promise<void>;
  /** Lets `act` end a transaction; throws as `commit` does. */
  readonly finish: <T>(act: () => Promise<T>) => Promise<T>;
}

/** Lets `act` have a connection of its own, which is not used again once it has failed. */
async function withConnection<T>(
  pool: Pool,
  nameOf: NameOf,
  act: (connection: Connection) => Promise<T>,
): Promise<T> {
  let client: PoolClient;
  try {
    client = await pool.connect();
  } catch (error) {
    throw isOfServer(error) ? error : new DisconnectedError(error);
  }
  let broken = false;
  const onError = (): void => {
    broken = true;
  };
  client.on("error", onError);
  if (arePlansOld(client)) void client.query("discard plans").catch(() => {});
  const watchClient = async <R>(act: () => Promise<R>): Promise<R> => {
    try {
      return await act();
    } catch (error) {
      if (isOfServer(error)) throw error;
      broken = true;
      throw new DisconnectedError(error);
    }
  };
  const send = async (
    { text, values }: Statement,
    more: { readonly name?: string; readonly queryMode?: "extended" } = {},
  ): Promise<Row[]> => {
    const given = { text, values: [...values], rowMode: "array" as const, ...more };
    return (await watchClient(() => client.query<Row>(given))).rows;
  };
  const command = async (text: string): Promise<void> => {
    await send({ text, values: [] });
  };
  const finish = async <R>(act: () => Promise<R>): Promise<R> => {
    let warning: unknown;
    const onNotice = (notice: unknown): void => {
      if (leavesOutcomeUnknown(notice)) warning = notice;
    };
    client.on("notice", onNotice);
    let result: R;
    try {
      result = await act();
    } catch (error) {
      throw failureOf(error) === "unavailable" ? new UnknownOutcomeError(error) : error;
    } finally {
      client.off("notice", onNotice);
    }
    if (warning !== undefined) throw new UnknownOutcomeError(warning);
    return result;
  };
  const commit = async (sent: readonly Promise<unknown>[]): Promise<void> => {
    // What could not be sent would be missing; without a commit the server forgets the others.
    if (broken) await Promise.all(sent);
    let failed: { readonly error: unknown } | undefined;
    await finish(async () => {
      const committed = command("commit");
      committed.catch(() => {});
      try {
        await Promise.all(sent);
      } catch (error) {
        await committed.catch(() => {});
        // Where the server says so the commit was a rollback; where nobody says it may be done.
        if (error instanceof DisconnectedError) throw error;
        failed = { error };
        return;
      }
      await committed;
    });
    if (failed !== undefined) throw (failed as { readonly error: unknown }).error; // set meanwhile
  };
  try {
    const query = (statement: Statement): Promise<Row[]> => {
      const name = nameOf(statement);
      return send(statement, name === undefined ? {} : { name });
    };
    return await act({
      query,
      // A text by itself may hold several statements, unless it is sent as one that takes values.
      queryOnce: (statement) => send(statement, { queryMode: "extended" }),
      describe: (text) => watchClient(() => new StatementDescription(text).of(client)),
      command,
      commit,
      finish,
    });
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}

/** Milliseconds that a plan is kept: tables grow, and a plan for few rows is bad for many. */
const PLANS_KEPT = 10_000;
const plannedSince: WeakMap<object, number> = new WeakMap();

/** Whether the plans of a connection are to be made anew. */
function arePlansOld(client: object): boolean {
  const now = performance.now();
  const since = plannedSince.get(client);
  if (since !== undefined && now - since < PLANS_KEPT) return false;
  plannedSince.set(client, now);
  return since !== undefined;
}

/**
 * Whether what a server says beside its answer to a commit means that the write may be lost: a primary
 * that gives up waiting for its standby commits and warns (01000, 57P01), and so does a coordinator
 * that could not commit on a worker. Notices, and warnings of other conditions, mean nothing.
 */
function leavesOutcomeUnknown(notice: unknown): boolean {
  const { severity, code } = notice as { readonly severity?: unknown; readonly code?: unknown };
  if (/^(?:NOTICE|INFO|LOG|DEBUG)/.test(String(severity))) return false;
  return typeof code !== "string" || /^(?:01000|08|40|53|57|58|XX)/.test(code);
}

/** Whether it is what a server says of a statement, not of the connection to it. */
function isOfServer(error: unknown): boolean {
  return error instanceof Error && "severity" in error && "code" in error;
}
