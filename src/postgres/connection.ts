import type { ClientBase, Pool, PoolClient } from "pg";
import type { Row } from "../sql/project.js";
import type { Statement } from "../sql/statement.js";
import {
  createDeferral,
  plain,
  type RequestLimits,
  type Transaction,
  type TransactionKind,
  type TransactionRunner,
} from "./driver.js";
import {
  ConflictError,
  codeOf,
  DisconnectedError,
  failureOf,
  LATE,
  messageOf,
  UnknownOutcomeError,
} from "./failure.js";
import type { Slots } from "./slots.js";
import type { Wire } from "./wire.js";

/** Returns the name of a prepared statement; undefined if it is not prepared. */
export type NameOf = (statement: Statement) => string | undefined;

const MAX_PREPARED = 256;
const MAX_SEEN = 4096;

/** Prepares statements from their second use on. */
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
    const alias = `s${names.size}`;
    names.set(text, alias);
    return alias;
  };
}

export interface Host {
  readonly pool: Pool;
  readonly slots: Slots;
  readonly wire: Wire;
  readonly nameOf: NameOf;
  readonly broken: WeakSet<ClientBase>;
  readonly isCluster: boolean;
}

export function accessTo(host: Host, scope: RequestLimits): TransactionRunner {
  const run: RunConnected = (act) => withConnection(host, scope, act);
  return {
    query: (statement) => run((connection) => connection.query(statement)),
    write: (statement, guard) => run((connection) => connection.write(statement, guard)),
    transact: (kind, act) => run((connection) => connection.transact(kind, act)),
  };
}

type RunConnected = <T>(act: (connection: Connection) => Promise<T>) => Promise<T>;

/** Milliseconds until a connection is open or free. */
export const CONNECT_TIMEOUT = 5_000;

const BEGIN: Readonly<Record<TransactionKind, Statement>> = {
  write: plain("begin"),
  snapshot: plain("begin isolation level repeatable read read only"),
  revision: plain("begin isolation level repeatable read"),
};

/** Milliseconds. A longer wait ends in a rerun, which lets others pass. */
export const LOCK_TIMEOUT = 5_000;

/** Limits the waits on the workers of a cluster, which do not get the settings of a session. */
const LIMIT_WORKERS: readonly Statement[] = [
  plain("set local citus.propagate_set_commands = 'local'"),
  plain(`set local lock_timeout = ${LOCK_TIMEOUT}`),
  plain("set local citus.propagate_set_commands = 'none'"),
];

/** An earlier statement of the transaction failed. */
const ABORTED = "25P02";

/** Maximum of the bytes that transactions leave in a connection before it is closed. */
const MAX_LEFT = 64 * 1024 * 1024;

/** Runs `act` on a connection of its own; closes it after a failure, or if much is left in it. */
async function withConnection<T>(
  host: Host,
  { owner, until }: RequestLimits,
  act: (connection: Connection) => Promise<T>,
): Promise<T> {
  const { pool, slots, broken } = host;
  await slots.take(owner, Math.min(CONNECT_TIMEOUT, timeLeft(until) ?? CONNECT_TIMEOUT));
  try {
    const client = await pool.connect().catch(refuseDisconnected);
    try {
      return await act(new Connection(client, host, until));
    } finally {
      client.release(broken.has(client) || (leftIn.get(client) ?? 0) > MAX_LEFT);
    }
  } finally {
    slots.release(owner);
  }
}

/** Throws the error of a server, or `DisconnectedError` for one of the connection. */
export function refuseDisconnected(error: unknown): never {
  if (isOfServer(error) || error instanceof DisconnectedError) throw error;
  throw new DisconnectedError(error);
}

/** Milliseconds; throws once there are none. */
export function timeLeft(until: number | undefined): number | undefined {
  if (until === undefined) return undefined;
  const left = Math.ceil(until - performance.now());
  if (left <= 0) throw new DisconnectedError(new Error(LATE));
  return left;
}

const leftIn: WeakMap<object, number> = new WeakMap();

class Connection {
  readonly #client: PoolClient;
  readonly #host: Host;
  readonly #until: number | undefined;

  constructor(client: PoolClient, host: Host, until: number | undefined) {
    this.#client = client;
    this.#host = host;
    this.#until = until;
    if (arePlansOld(client)) this.query(plain("discard plans")).catch(() => {});
  }

  query(statement: Statement): Promise<readonly Row[]> {
    return this.#run([statement]);
  }

  write(statement: Statement, guard: Statement): Promise<readonly Row[]> {
    let isGuarded = false;
    return this.#finish(
      () => this.#run([guard, statement], () => (isGuarded = true)),
      () => isGuarded,
    );
  }

  #run(statements: readonly Statement[], onComplete?: () => void): Promise<readonly Row[]> {
    const { wire, nameOf } = this.#host;
    const named = statements.map((one) => ({ ...one, name: nameOf(one) }));
    return this.#send((left) => wire.run(this.#client, named, left, onComplete));
  }

  async transact<T>(kind: TransactionKind, act: (session: Transaction) => Promise<T>): Promise<T> {
    const { wire, isCluster } = this.#host;
    const { deferred, defer } = createDeferral();
    // Sent together with the first statement.
    const begun = this.#run([BEGIN[kind], ...(isCluster ? LIMIT_WORKERS : [])]);
    defer(begun);
    const session: Transaction = {
      query: async (statement) => {
        const [rows] = await Promise.all([this.query(statement), begun]);
        return rows;
      },
      queryOnce: (statement) => this.#send((left) => wire.run(this.#client, [statement], left)),
      describe: (text) => this.#send((left) => wire.describe(this.#client, text, left)),
      defer,
      leave: (bytes) => void leftIn.set(this.#client, (leftIn.get(this.#client) ?? 0) + bytes),
    };
    let result: T;
    try {
      result = await act(session);
    } catch (error) {
      // If the rollback fails too, the connection is closed; the first error counts.
      if (!this.#host.broken.has(this.#client)) await this.query(plain("rollback")).catch(() => {});
      if (codeOf(error) === ABORTED) await Promise.all(deferred);
      throw error;
    }
    await this.#commit(deferred);
    return result;
  }

  /**
   * Ends a transaction. Throws `UnknownOutcomeError` if its outcome is unknown, `ConflictError` if a worker of
   * a cluster refused the commit. `hasBegun` is false as long as an error of the server means that nothing was
   * written.
   */
  async #finish<T>(act: () => Promise<T>, hasBegun = () => true): Promise<T> {
    const client = this.#client;
    const warnings: unknown[] = [];
    const onNotice = (notice: unknown): void => {
      if (isDoubtful(notice)) warnings.push(notice);
    };
    client.on("notice", onNotice);
    let result: T;
    try {
      result = await act();
    } catch (error) {
      if (failureOf(error) !== "unavailable" || (isOfServer(error) && !hasBegun())) throw error;
      const refusal = warnings.find((warning) => failureOf(warning) === "conflict");
      const isLost = warnings.some((warning) => failureOf(warning) === "unavailable");
      if (refusal === undefined || isLost || !isOfServer(error))
        throw new UnknownOutcomeError(error);
      throw new ConflictError(messageOf(refusal));
    } finally {
      client.off("notice", onNotice);
    }
    if (warnings.length > 0) throw new UnknownOutcomeError(warnings[0]);
    return result;
  }

  /** Ends a transaction after everything that was sent; fails with the first error. */
  async #commit(sent: readonly Promise<unknown>[]): Promise<void> {
    // A statement that could not be sent is missing; without a commit the server rolls back.
    if (this.#host.broken.has(this.#client)) await Promise.all(sent);
    let failed: { readonly error: unknown } | undefined;
    await this.#finish(async () => {
      const committed = this.query(plain("commit"));
      committed.catch(() => {});
      try {
        await Promise.all(sent);
      } catch (error) {
        await committed.catch(() => {});
        // An error of the server means a rollback; without an answer the outcome is unknown.
        if (error instanceof DisconnectedError) throw error;
        failed = { error };
        return;
      }
      await committed;
    });
    if (failed !== undefined) throw (failed as { readonly error: unknown }).error; // set meanwhile
  }

  /** @param send gets the milliseconds after which the connection is closed */
  async #send<R>(send: (left: number | undefined) => Promise<R>): Promise<R> {
    try {
      return await send(timeLeft(this.#until));
    } catch (error) {
      if (!isOfServer(error)) this.#host.broken.add(this.#client);
      return refuseDisconnected(error);
    }
  }
}

/** Milliseconds until plans are renewed: tables grow, and old plans assume few rows. */
const PLANS_KEPT = 10_000;
const plannedSince: WeakMap<object, number> = new WeakMap();

function arePlansOld(client: object): boolean {
  const now = performance.now();
  const since = plannedSince.get(client);
  if (since !== undefined && now - since < PLANS_KEPT) return false;
  plannedSince.set(client, now);
  return since !== undefined;
}

/**
 * Whether a notice after a commit means that the write may be lost: a primary that stops waiting for its standby
 * warns (01000, 57P01), as does a coordinator whose worker failed or refused to commit.
 */
function isDoubtful(notice: unknown): boolean {
  const { severity, code } = notice as { readonly severity?: unknown; readonly code?: unknown };
  if (/^(?:NOTICE|INFO|LOG|DEBUG)/.test(String(severity))) return false;
  return typeof code !== "string" || code === "01000" || failureOf(notice) !== undefined;
}

/** Whether the server reports the error of a statement, not of the connection. */
function isOfServer(error: unknown): boolean {
  return error instanceof Error && "severity" in error && "code" in error;
}
