import type { BranchAddress } from "../catalog/address.js";
import type { EngineContext } from "../engine/context.js";
import { refuse, TwinbaseError } from "../errors.js";
import type { Row } from "../sql/project.js";
import type { Statement } from "../sql/statement.js";
import type { Advisor } from "./advisor.js";
import type { Catalog } from "./catalog.js";
import { type Counts, counted, createCounts } from "./counts.js";
import { type Access, type Driver, plain, type Session } from "./driver.js";
import { ConflictError, failureOf, StaleCatalogError } from "./failure.js";
import type { RowForm } from "./flush.js";
import type { IdBlocks } from "./id-blocks.js";
import { gateOf } from "./layout.js";
import type { Placement } from "./placement.js";
import { retry } from "./retry.js";

/** What every call works with. */
export interface Backend {
  readonly driver: Driver;
  readonly catalog: Catalog;
  readonly ids: IdBlocks;
  readonly advisor: Advisor;
  /** Counted for who looks after it. */
  readonly stats: Counts;
}

/** The same backend, which counts apart what is done for one request. */
export function countingOf(backend: Backend): Backend {
  const stats = createCounts();
  return { ...backend, driver: counted(backend.driver, stats), stats };
}

/** A branch as it is known, and where its rows are. */
export interface OpenBranch {
  readonly address: BranchAddress;
  /** An engine whose tables have no records; no other call sees what is done to it. */
  readonly context: EngineContext;
  readonly placement: Placement;
  readonly rowForm: RowForm;
}

/** How often the catalog may turn out to be an older one. */
const MAX_RELOADS = 20;

/**
 * Does what `act` does by the catalog as it is known. Where the database shows that another process
 * has changed it, or `act` is refused by what has changed since, it is read and `act` run again.
 */
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
          if (await advisor.dropUnfit(error)) throw new ConflictError("an index had no room");
          throw error;
        }
      });
    } catch (error) {
      const isStale = failureOf(error) === "stale";
      if (!isStale && !(error instanceof TwinbaseError && error.code !== "unavailable"))
        throw error;
      await retry(() => catalog.refresh());
      // Another call of this process may have read it in the meantime.
      if (!isStale && catalog.version === version) throw error;
      if (reload === MAX_RELOADS)
        refuse("unavailable", "the schema changes all the time: try again");
      stats.reloads++;
    }
  }
}

/**
 * Reads where a request allows it: what may be old (`consistency: "eventual"`) from a host that
 * follows. What fails there, or was made by another catalog, is read from the one that is written to.
 */
export async function readFor<T>(
  { driver }: Backend,
  { consistency }: { readonly consistency?: unknown },
  read: (access: Access) => Promise<T>,
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

/** Opens a branch; throws `…_not_found` (rule M-4). */
export function openBranch({ catalog }: Backend, address: BranchAddress): OpenBranch {
  const context = catalog.context.fork();
  context.readBranch(address);
  const placement = catalog.placementOf(address);
  if (placement === undefined) throw new StaleCatalogError("a database without a place");
  return { address, context, placement, rowForm: catalog.rowForm };
}

/** Sees to it in a transaction that the catalog stays as it is known to its end. */
export async function requireVersion(
  session: Session,
  { schema, version }: Placement,
): Promise<void> {
  const [row] = await session.query(plain(`select version from ${gateOf(schema)}`));
  requireSame(row?.[0], version);
}

/**
 * The rows of a statement whose first value is never null, if the catalog is as it is known: both are
 * asked in one statement.
 */
export async function queryAt(
  session: Session,
  placement: Placement,
  statement: Statement,
): Promise<Row[]> {
  const rows = await session.query(gated(placement, statement));
  requireSame(rows[0]?.at(-1), placement.version);
  return rows.filter(([first]) => first != null);
}

/** A statement that gives the version of the catalog along with each row. */
export function gated({ schema }: Placement, statement: Statement): Statement {
  const { text } = statement;
  return {
    ...statement,
    text: `select r.*, g.version from ${gateOf(schema)} g left join (${text}) r on true`,
  };
}

function requireSame(found: string | null | undefined, version: number): void {
  if (Number(found) !== version) throw new StaleCatalogError("the catalog has changed");
}
