import { type BranchAddress, tableAt } from "../catalog/address.js";
import type { CatalogState } from "../catalog/state.js";
import type { EngineContext } from "../engine/context.js";
import { type AnyEngine, Engine } from "../engine.js";
import { refuse, TwinbaseError } from "../errors.js";
import type { TableVersion } from "../storage/table.js";
import type { Backend } from "./backend.js";
import { requireVersion } from "./backend.js";
import { plain, type Session } from "./driver.js";
import { failureOf, StaleCatalogError } from "./failure.js";
import { flushRows } from "./flush.js";
import { CATALOG, databaseKey } from "./layout.js";
import { type Placement, tableIn } from "./placement.js";
import { encodeRows, holdRows, storedColumns } from "./rows.js";
import { retry } from "./retry.js";

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
