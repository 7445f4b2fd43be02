import type { CatalogState, DatabaseState, TableKey } from "../catalog/state.js";
import type { EngineContents } from "../engine/setup.js";
import { createTableVersion, type TableVersion } from "../storage/table.js";
import { mapValues } from "./documents.js";
import { databasesOf } from "./schema-change.js";

type Tables = EngineContents["tables"];

/** Removes the rows of tables in changed databases, which then share no table values. */
export function withoutRows(
  state: CatalogState,
  tables: Tables,
  changed: ReadonlyMap<string, DatabaseState>,
): Tables {
  const kept = new Map<TableKey, TableVersion>();
  for (const [key, { branches }] of databasesOf(state)) {
    for (const branch of branches.values()) {
      for (const table of branch.tables.values()) {
        const version = tables.get(table)!; // the catalog only has keys of these
        kept.set(table, changed.has(key) ? withoutRowsOf(version) : version);
      }
    }
  }
  return kept;
}

export function separate(
  { database, tables }: { readonly database: DatabaseState; readonly tables: Tables },
  add: (version: TableVersion) => TableKey,
): DatabaseState {
  const branches = mapValues(database.branches, (branch) => ({
    ...branch,
    tables: mapValues(branch.tables, (key) => add(withoutRowsOf(tables.get(key)!))),
  }));
  return { ...database, branches };
}

function withoutRowsOf({ identity, schema }: TableVersion): TableVersion {
  return createTableVersion(identity, schema);
}
