import { type BranchAddress, tableAt } from "../catalog/address.js";
import type { CatalogState } from "../catalog/state.js";
import { requireAlike } from "../engine/snapshot.js";
import { type AnyEngine, Engine } from "../engine.js";
import { assert, refuse } from "../errors.js";
import type { TableVersion } from "../storage/table.js";
import { type Backend, withCatalog } from "./backend.js";
import { plain, type Session } from "./driver.js";
import { failureOf, StaleCatalogError } from "./failure.js";
import { flushRows } from "./flush.js";
import { CATALOG, databaseKey } from "./layout.js";
import { tableIn } from "./placement.js";
import { encodeRows, holdRows, storedColumns } from "./rows.js";

/** A table with the address of its branch. */
interface PlacedTable {
  readonly address: BranchAddress;
  readonly name: string;
  readonly value: TableVersion;
}

function* tablesOf({ workspaces }: CatalogState): Generator<PlacedTable> {
  for (const [workspace, { databases }] of workspaces) {
    for (const [database, { branches }] of databases) {
      for (const [branch, { tables }] of branches) {
        const address = { workspace, database, branch };
        for (const [name, { value }] of tables) yield { address, name, value };
      }
    }
  }
}

/** How much was copied. */
export interface CopiedCounts {
  /** Of all branches. */
  readonly tables: number;
  readonly records: number;
}

/**
 * Puts all that an engine holds into a database that holds nothing, in one transaction: it is read
 * again, and compared, before that ends.
 *
 * @throws TwinbaseError `invalid_request` where there is something, or an engine's profile is another;
 * with the table, where a record cannot be held
 */
export async function fillDatabase({ catalog }: Backend, engine: AnyEngine): Promise<CopiedCounts> {
  const source = Engine.contextOf(engine);
  requireAlike("fill", source.profile, catalog.context.profile);
  const { state, tablesMade } = source.share();
  const tables = [...tablesOf(state)];
  await catalog.adopt({ state, tablesMade }, async (session, placements) => {
    for (const { address, name, value } of tables) {
      const placement = placements.get(databaseKey(address.workspace, address.database));
      assert(placement !== undefined, "a database that was made has a place");
      const { workspace, database, branch } = address;
      const place = `workspace [${workspace}], database [${database}:${branch}], table [${name}]`;
      const full = tableIn(placement, address, value.identity);
      await naming(place, () => writeRows(session, full, value));
      if (!isSame(value, await readRows(session, full, value))) {
        refuse("invalid_request", `${place}: what was written was not read again`);
      }
    }
  });
  return countOf(tables);
}

/** An engine in memory of all that a database holds, as it is at one moment. */
export function readDatabase(backend: Backend): Promise<AnyEngine> {
  const { catalog, driver, ids } = backend;
  return withCatalog(backend, async () => {
    await catalog.refresh();
    const context = catalog.context.fork();
    await driver.transact("snapshot", async (session) => {
      const [row] = await session.query(plain(`select version from ${CATALOG}`));
      if (Number(row?.[0]) !== catalog.version) throw new StaleCatalogError("it has changed");
      for (const { address, name, value } of [...tablesOf(context.state)]) {
        const placement = catalog.placementOf(address);
        if (placement === undefined) throw new StaleCatalogError("a database without a place");
        const full = tableIn(placement, address, value.identity);
        context.writeTable(tableAt(address, name), await readRows(session, full, value));
      }
    });
    // Ids that the engine makes come after those that were made here.
    context.nextId = ids.take(context.clock.now());
    return new Engine(context);
  });
}

function countOf(tables: readonly PlacedTable[]): CopiedCounts {
  const records = tables.reduce((sum, { value }) => sum + value.size, 0);
  return { tables: tables.length, records };
}

async function writeRows(session: Session, name: string, table: TableVersion): Promise<void> {
  const none = holdRows(table, []);
  for (const statement of flushRows(name, none, table)) await session.query(statement);
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

function isSame(one: TableVersion, other: TableVersion): boolean {
  const [a, b] = [encodeRows(one), encodeRows(other)];
  if (a.size !== b.size) return false;
  for (const [id, row] of a) {
    const found = b.get(id);
    if (found === undefined || row.some((text, i) => text !== found[i])) return false;
  }
  return true;
}

/** Says of what fails for what the database says of a record where that was. */
async function naming(place: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (failureOf(error) !== undefined || !(error instanceof Error)) throw error;
    refuse("invalid_request", `${place}: ${error.message}`);
  }
}
