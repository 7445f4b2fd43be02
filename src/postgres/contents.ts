import { type BranchAddress, tableAt } from "../catalog/address.js";
import type { TableKey } from "../catalog/state.js";
import { type AnyEngine, Engine } from "../engine.js";
import { assert } from "../errors.js";
import { exportWith } from "../persist/contexts.js";
import { StatementWriter } from "../sql/statement.js";
import type { TableVersion } from "../storage/table.js";
import { type Backend, type OpenBranch, withCatalog } from "./backend.js";
import { plain, type Session } from "./driver.js";
import { StaleCatalogError } from "./failure.js";
import { CATALOG, databaseKey } from "./layout.js";
import { type Placement, tableIn } from "./placement.js";
import { holdRows, storedColumns } from "./rows.js";
import type { Held } from "./schema-change.js";

/** A table with the address of its branch. */
export interface PlacedTable {
  readonly address: BranchAddress;
  readonly name: string;
  readonly key: TableKey;
  readonly value: TableVersion;
  /** Its name in the database. */
  readonly full: string;
}

/** The tables of all branches of a catalog. */
export function* tablesOf(
  { state: { workspaces }, tables: versions }: Held,
  placements: (address: BranchAddress) => Placement | undefined,
): Generator<PlacedTable> {
  for (const [workspace, { databases }] of workspaces) {
    for (const [database, { branches }] of databases) {
      for (const [branch, { tables }] of branches) {
        const address = { workspace, database, branch };
        for (const [name, key] of tables) {
          const value = versions.get(key)!; // the catalog has keys of these alone
          const placement = placements(address);
          if (placement === undefined) throw new StaleCatalogError("a database without a place");
          yield { address, name, key, value, full: tableIn(placement, address, value.identity) };
        }
      }
    }
  }
}

/** Finds where databases are by their keys. */
export function placementsBy(
  placements: ReadonlyMap<string, Placement>,
): (address: BranchAddress) => Placement | undefined {
  return ({ workspace, database }) => placements.get(databaseKey(workspace, database));
}

/** Characters that are read at a time, about. */
const BATCH_LENGTH = 2 ** 21;
const MAX_BATCH = 2000;
const FIRST_BATCH = 64;

/** The records of a table in the order of ids, some at a time. */
export async function* readInBatches(
  session: Session,
  full: string,
  table: TableVersion,
): AsyncGenerator<TableVersion> {
  const columns = storedColumns(table.schema).map((column) => column.name);
  let limit = FIRST_BATCH;
  let last: string | null = null;
  for (;;) {
    const writer = new StatementWriter();
    const after: string = last === null ? "" : ` where id > ${writer.bind(last, "text")}`;
    const most = writer.bind(String(limit), "bigint");
    const rows = await session.query(
      writer.finish(`select ${columns.join(", ")} from ${full}${after} order by id limit ${most}`),
    );
    if (rows.length > 0) yield holdRows(table, rows);
    if (rows.length < limit) return;
    let length = 1;
    for (const row of rows) for (const text of row) length += text?.length ?? 0;
    limit = Math.max(1, Math.min(MAX_BATCH, Math.floor((rows.length * BATCH_LENGTH) / length)));
    last = rows.at(-1)?.[0] ?? null;
  }
}

/**
 * Lets `act` read the export of all that a database holds at one moment, as often as it does; of the
 * records no more than some are held.
 */
export function exportDatabase<T>(
  backend: Backend,
  act: (read: () => AsyncIterable<string>) => Promise<T>,
): Promise<T> {
  return atOneMoment(backend, (session, { context }) => {
    const places = new Map<TableKey, string>();
    const { catalog } = backend;
    for (const { key, full } of tablesOf(context, (at) => catalog.placementOf(at))) {
      places.set(key, full);
    }
    return act(() =>
      exportWith(context, (key, table) => {
        const full = places.get(key);
        assert(full !== undefined, "an export is of the tables that there are");
        return readInBatches(session, full, table);
      }),
    );
  });
}

/** An engine in memory of all that a database holds, as it is at one moment. */
export function readDatabase(backend: Backend): Promise<AnyEngine> {
  const { catalog } = backend;
  return atOneMoment(backend, async (session, { context }) => {
    const tables = [...tablesOf(context, (at) => catalog.placementOf(at))];
    for (const { address, name, value, full } of tables) {
      context.writeTable(tableAt(address, name), await readRows(session, full, value));
    }
    return new Engine(context);
  });
}

/** Reads in a transaction that sees one moment, with the catalog of that moment. */
function atOneMoment<T>(
  backend: Backend,
  act: (session: Session, opened: Pick<OpenBranch, "context">) => Promise<T>,
): Promise<T> {
  const { catalog, driver, ids } = backend;
  return withCatalog(backend, async () => {
    await catalog.refresh();
    const context = catalog.context.fork();
    // Ids that the engine makes come after those that were made here.
    context.nextId = ids.take(context.clock.now());
    return driver.transact("snapshot", async (session) => {
      const [row] = await session.query(plain(`select version from ${CATALOG}`));
      if (Number(row?.[0]) !== catalog.version) throw new StaleCatalogError("it has changed");
      return act(session, { context });
    });
  });
}

async function readRows(
  session: Session,
  name: string,
  table: TableVersion,
): Promise<TableVersion> {
  const columns = storedColumns(table.schema).map((column) => column.name);
  const rows = await session.query(plain(`select ${columns.join(", ")} from ${name} order by id`));
  return holdRows(table, rows);
}
