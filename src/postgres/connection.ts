import type { ClientBase, Pool, PoolClient } from "pg";
import type { Row } from "../sql/project.js";
import type { Statement } from "../sql/statement.js";
import {
  type Access,
  createDeferral,
  plain,
  type Transaction,
  type TransactionKind,
} from "./driver.js";
import { DisconnectedError, failureOf, UnknownOutcomeError } from "./failure.js";
import type { Wire } from "./wire.js";

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

/** The connections to a host, and how statements are sent over them. */
export interface Host {
  readonly pool: Pool;
  readonly wire: Wire;
  readonly nameOf: NameOf;
  /** Clients whose connection has failed. */
  readonly broken: WeakSet<ClientBase>;
}

/** Sends statements over the connections of a pool. */
export function accessTo(host: Host): Access {
  return {
    query: (statement) => withConnection(host, (connection) => connection.query(statement)),
    write: (statement) =>
      withConnection(host, (connection) => connection.finish(() => connection.query(statement))),
    transact: (kind, act) => withConnection(host, (connection) => connection.transact(kind, act)),
  };
}

const BEGIN: Readonly<Record<TransactionKind, Statement>> = {
  write: plain("begin"),
  snapshot: plain("begin isolation level repeatable read read only"),
  revision: plain("begin isolation level repeatable read"),
};

/** Lets `act` have a connection of its own, which is closed after it has failed. */
async function withConnection<T>(
  host: Host,
  act: (connection: Connection) => Promise<T>,
): Promise<T> {
  let client: PoolClient;
  try {
    client = await host.pool.connect();
  } catch (error) {
    throw isOfServer(error) ? error : new DisconnectedError(error);
  }
  try {
    return await act(new Connection(client, host));
  } finally {
    client.release(host.broken.has(client));
  }
}

/** A connection while one caller has it. */
class Connection {
  readonly #client: PoolClient;
  readonly #host: Host;

  constructor(client: PoolClient, host: Host) {
    this.#client = client;
    this.#host = host;
    if (arePlansOld(client)) this.query(plain("discard plans")).catch(() => {});
  }

  query(statement: Statement): Promise<readonly Row[]> {
    const { wire, nameOf } = this.#host;
    return this.#watch(wire.run(this.#client, statement, nameOf(statement)));
  }

  async transact<T>(kind: TransactionKind, act: (session: Transaction) => Promise<T>): Promise<T> {
    const { wire } = this.#host;
    const { deferred, defer } = createDeferral();
    // The first statement is sent along with it, and counts once this has been done too.
    const begun = this.query(BEGIN[kind]);
    defer(begun);
    const session: Transaction = {
      query: async (statement) => {
        const [rows] = await Promise.all([this.query(statement), begun]);
        return rows;
      },
      queryOnce: (statement) => this.#watch(wire.run(this.#client, statement)),
      describe: (text) => this.#watch(wire.describe(this.#client, text)),
      defer,
    };
    let result: T;
    try {
      result = await act(session);
    } catch (error) {
      // A connection on which this fails too is not used again; what failed first is thrown.
      await this.query(plain("rollback")).catch(() => {});
      throw error;
    }
    await this.#commit(deferred);
    return result;
  }

  /**
   * Lets `act` end a transaction.
   *
   * @throws UnknownOutcomeError where nobody knows whether it was done
   */
  async finish<T>(act: () => Promise<T>): Promise<T> {
    const client = this.#client;
    let warning: unknown;
    const onNotice = (notice: unknown): void => {
      if (leavesOutcomeUnknown(notice)) warning = notice;
    };
    client.on("notice", onNotice);
    let result: T;
    try {
      result = await act();
    } catch (error) {
      throw failureOf(error) === "unavailable" ? new UnknownOutcomeError(error) : error;
    } finally {
      client.off("notice", onNotice);
    }
    if (warning !== undefined) throw new UnknownOutcomeError(warning);
    return result;
  }

  /** Ends a transaction after all that was sent before, and fails as that does. */
  async #commit(sent: readonly Promise<unknown>[]): Promise<void> {
    // What could not be sent would be missing; without a commit the server forgets the others.
    if (this.#host.broken.has(this.#client)) await Promise.all(sent);
    let failed: { readonly error: unknown } | undefined;
    await this.finish(async () => {
      const committed = this.query(plain("commit"));
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
  }

  async #watch<R>(sent: Promise<R>): Promise<R> {
    try {
      return await sent;
    } catch (error) {
      if (isOfServer(error)) throw error;
      this.#host.broken.add(this.#client);
      throw new DisconnectedError(error);
    }
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
