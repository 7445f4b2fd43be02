import type { BranchAddress } from "../catalog/address.js";
import type { EngineContext } from "../engine/context.js";
import { refuse, TwinbaseError } from "../errors.js";
import type { Row } from "../sql/project.js";
import { type Statement, statementOf } from "../sql/statement.js";
import type { Advisor } from "./advisor.js";
import type { Catalog } from "./catalog.js";
import { type Counts, counted, createCounts } from "./counts.js";
import { type Driver, deadlineOf, type Session, type TransactionRunner } from "./driver.js";
import { CHECK_FAILED, ConflictError, codeOf, failureOf, StaleCatalogError } from "./failure.js";
import type { RowForm } from "./flush.js";
import type { IdBlocks } from "./id-blocks.js";
import { databaseKey, gateOf } from "./layout.js";
import type { Placement } from "./placement.js";
import { backOff, retry } from "./retry.js";
import type { Workers } from "./workers.js";

/** The resources of a database, shared by its requests; {@link limitTo} limits those of one request. */
export interface Backend {
  readonly driver: Driver;
  readonly catalog: Catalog;
  readonly ids: IdBlocks;
  readonly advisor: Advisor;
  readonly stats: Counts;
  readonly workers: Workers;
}

/** Gives a request a deadline, and the share of the connections of its worker or database. */
export function limitTo(backend: Backend, at: DatabaseAddress | undefined): Backend {
  const owner = at && backend.workers.ownerOf(databaseKey(at.workspace, at.database));
  const until = deadlineOf(backend.driver);
  return { ...backend, driver: backend.driver.within({ owner, until }) };
}

type DatabaseAddress = Pick<BranchAddress, "workspace" | "database">;

export function countingOf(backend: Backend): Backend {
  const stats = createCounts();
  return { ...backend, driver: counted(backend.driver, stats), stats };
}

/** A branch in the cached catalog, with the location of its rows. */
export interface OpenBranch {
  readonly address: BranchAddress;
  readonly context: EngineContext;
  readonly placement: Placement;
  readonly rowForm: RowForm;
  readonly ids: IdBlocks;
}

/** Waits of up to 250 ms between them: enough for a hundred schema changes at once. */
const MAX_RELOADS = 100;

/** Runs `act` with the cached catalog, again after reloading an outdated one. */
export async function withCatalog<T>(backend: Backend, act: () => Promise<T>): Promise<T> {
  const { advisor, catalog, stats } = backend;
  for (let reload = 0; ; reload++) {
    const { version } = catalog;
    try {
      return await retry(async (run) => {
        stats.runs++;
        if (run > 0) stats.reruns++;
        try {
          return await act();
        } catch (error) {
          if (await advisor.dropUnfit(error))
            throw new ConflictError("an index that rejected a value was dropped");
          throw error;
        }
      });
    } catch (error) {
      if (error instanceof TwinbaseError && error.code === "query_timeout") throw error;
      const isStale = failureOf(error) === "stale";
      if (!isStale && !(error instanceof TwinbaseError && error.code !== "unavailable"))
        throw error;
      await retry(() => catalog.refresh());
      // Another call of this process may have reloaded it meanwhile.
      if (!isStale && catalog.version === version) throw error;
      if (reload === MAX_RELOADS)
        refuse("unavailable", "too many schema changes at once: try again");
      stats.reloads++;
      if (reload > 0) await backOff(reload);
    }
  }
}

/** Reads from a standby if the request allows it, else or on failure from the primary. */
export async function readFor<T>(
  { driver }: Backend,
  { consistency }: { readonly consistency?: unknown },
  read: (access: TransactionRunner) => Promise<T>,
): Promise<T> {
  const standby = consistency === "eventual" ? driver.standby() : undefined;
  if (standby === undefined) return read(driver);
  try {
    return await read(standby);
  } catch (error) {
    if (failureOf(error) === undefined) throw error;
    return read(driver);
  }
}

export function openBranch({ catalog, ids }: Backend, address: BranchAddress): OpenBranch {
  const context = catalog.context.fork();
  context.readBranch(address);
  const placement = catalog.placementOf(address);
  if (placement === undefined) throw new StaleCatalogError("a database that is not stored");
  return { address, context, placement, rowForm: catalog.rowForm, ids };
}

/**
 * Locks the catalog's version until the end of the transaction; fails with division by zero (22012) if it
 * differs. Comes before statements on tables: schema changes lock in this order.
 */
export function guardOf({ schema, version }: Placement): Statement {
  return statementOf(
    (bind) =>
      `select 1 / (version = ${bind(String(version), "bigint")})::int from ${gateOf(schema)}`,
  );
}

/** Locks the catalog's version until the end of the transaction. */
export async function requireVersion(
  session: Session,
  placement: Placement,
  guard: Statement = guardOf(placement),
): Promise<void> {
  try {
    await session.query(guard);
  } catch (error) {
    if (codeOf(error) === CHECK_FAILED) throw new StaleCatalogError("the catalog has changed");
    throw error;
  }
}

/**
 * Locks the catalog's version in a transaction with one snapshot, which is older than the lock: to lock the row
 * fails (40001) if a schema change was committed between. `lock table` would lock all nodes of a cluster.
 */
export function requireRevision(session: Session, placement: Placement): Promise<void> {
  const guard = guardOf(placement);
  return requireVersion(session, placement, { ...guard, text: `${guard.text} for key share` });
}

/** Checks the catalog's version in the same statement. The first value is never null. */
export async function queryAt(
  session: Session,
  placement: Placement,
  statement: Statement,
): Promise<Row[]> {
  const rows = await session.query(gated(placement, statement));
  if (Number(rows[0]?.at(-1)) !== placement.version)
    throw new StaleCatalogError("the catalog has changed");
  return rows.filter(([first]) => first != null);
}

export function gated({ schema }: Placement, statement: Statement): Statement {
  const { text } = statement;
  return {
    ...statement,
    text: `select r.*, g.version from ${gateOf(schema)} g left join (${text}) r on true`,
  };
}
