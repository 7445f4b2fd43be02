import {
  type BranchState,
  type CatalogState,
  type DatabaseState,
  TableCell,
} from "../catalog/state.js";
import { createTableVersion } from "../storage/table.js";
import { SharedMap } from "../value/shared-map.js";
import { mapValues } from "./documents.js";
import { databaseKey } from "./layout.js";

/** A state in which the databases that have changed hold no rows, and share no values. */
export function withoutRows(
  state: CatalogState,
  changed: ReadonlyMap<string, DatabaseState>,
): CatalogState {
  const workspaces = SharedMap.of(
    Array.from(state.workspaces, ([id, workspace]) => {
      const databases = SharedMap.of(
        Array.from(
          workspace.databases,
          ([name, database]) =>
            [name, changed.has(databaseKey(id, name)) ? separate(database) : database] as const,
        ),
      );
      return [id, { ...workspace, databases }] as const;
    }),
  );
  return { ...state, workspaces };
}

/** A database whose branches have values of their own for each table, without rows. */
export function separate(database: DatabaseState): DatabaseState {
  const generation = Symbol("separate");
  const tablesOf = ({ tables }: BranchState): SharedMap<TableCell> =>
    mapValues(tables, ({ value: { identity, schema } }) => {
      return new TableCell(createTableVersion(identity, schema), generation);
    });
  const branches = Array.from(database.branches, ([name, branch]) => {
    return [name, { ...branch, tables: tablesOf(branch) }] as const;
  });
  return { ...database, branches: SharedMap.of(branches) };
}
