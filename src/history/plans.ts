import type { AnyBranch } from "../engine/branch.js";
import { changeErrors, pointer } from "../errors.js";
import type { SchemaEdit } from "../schema/compare-columns.js";
import { readBySchema } from "../shape/read.js";
import * as s from "../shape/schema.js";
import type { ColumnDefinition } from "../types.js";
import { updateSchema } from "./branch-history.js";
import { findDefinition, type TableSchema } from "./edits.js";
import type { Migration } from "./migrations.js";

const COLUMNS = s.arrayOf(s.ANYTHING);

const PLAN_SHAPE = s.reading(
  s.objectOf(
    {},
    {
      id: s.ANYTHING,
      parentID: s.TEXT,
      status: s.ANYTHING,
      title: s.ANYTHING,
      lastGitRevision: s.ANYTHING,
      localChanges: s.ANYTHING,
      createdAt: s.ANYTHING,
      renamedTables: s.arrayOf(s.ANYTHING),
      removedTables: s.arrayOf(s.TEXT),
      newTables: s.dictionaryOf(s.openObject({}, { columns: COLUMNS })),
      tableMigrations: s.dictionaryOf(
        s.objectOf(
          {},
          {
            removedColumns: COLUMNS,
            modifiedColumns: s.arrayOf(s.objectOf({}, { old: s.ANYTHING, new: s.ANYTHING })),
            newColumns: s.dictionaryOf(s.ANY_OBJECT),
            newColumnOrder: s.ANYTHING,
          },
        ),
      ),
      newTableOrder: s.ANYTHING,
    },
  ),
  { what: "migration", rule: "K-1" },
);

/** A plan; its steps are validated when they are executed. */
export const PLAN: s.Schema<object> = PLAN_SHAPE;

interface TableChanges {
  readonly newColumns: Record<string, ColumnDefinition>;
  modifiedColumns?: {
    readonly old: ColumnDefinition | undefined;
    readonly new: ColumnDefinition;
  }[];
  readonly removedColumns: string[];
  readonly newColumnOrder: string[];
}

/** Describes the differences from a schema as added, modified and removed columns of tables. */
export function describeDifference(
  before: readonly TableSchema[],
  edits: readonly SchemaEdit[],
  newTableOrder: readonly string[],
  migration?: Migration,
): object {
  const newTables = new Map<string, { name: string; columns: ColumnDefinition[] }>();
  const removedTables: string[] = [];
  const tableMigrations = new Map<string, TableChanges>();
  const changesOf = (table: string): TableChanges => {
    const changes = tableMigrations.get(table) ?? {
      newColumns: {},
      removedColumns: [],
      newColumnOrder: [],
    };
    tableMigrations.set(table, changes);
    return changes;
  };
  for (const edit of edits) {
    if ("addTable" in edit) {
      const { table } = edit.addTable;
      newTables.set(table, { name: table, columns: [] });
    } else if ("removeTable" in edit) removedTables.push(edit.removeTable.table);
    else if ("addColumn" in edit) {
      const { table, column } = edit.addColumn;
      const made = newTables.get(table);
      if (made !== undefined) made.columns.push(column);
      else {
        const changes = changesOf(table);
        changes.newColumns[column.name] = column;
        changes.newColumnOrder.push(column.name);
      }
    } else if ("alterColumn" in edit) {
      const { table, column } = edit.alterColumn;
      const { columns = [] } = before.find(({ name }) => name === table) ?? {};
      const altered = { old: findDefinition(columns, column.name), new: column };
      const changes = changesOf(table);
      changes.modifiedColumns = [...(changes.modifiedColumns ?? []), altered];
    } else if ("removeColumn" in edit) {
      changesOf(edit.removeColumn.table).removedColumns.push(edit.removeColumn.column);
    }
  }
  const { id, parentID, title, createdAt } = migration ?? {};
  return {
    ...(id !== undefined && { id }),
    ...(parentID !== undefined && { parentID }),
    ...(title !== undefined && { title }),
    ...(createdAt !== undefined && { createdAt }),
    status: migration === undefined ? "pending" : "completed",
    localChanges: false,
    newTables: Object.fromEntries(newTables),
    removedTables,
    tableMigrations: Object.fromEntries(tableMigrations),
    newTableOrder,
  };
}

interface Plan {
  readonly parentID: string | undefined;
  readonly steps: readonly Step[];
}

/** A step, validated when it is executed, and its path in the plan. */
type Step = readonly [at: string, step: object];

/** Executes a plan atomically. Errors have the path in the plan, which is at `/migration`. */
export function executePlan(branch: AnyBranch, migration: unknown): void {
  const { parentID, steps } = readPlan(migration);
  const operations = steps.map(([, step]) => step) as readonly SchemaEdit[]; // validated when executed
  changeErrors(
    () => updateSchema(branch, { parentID, operations }, "/steps"),
    ({ path = "" }) => {
      const [, list, index] = path.split("/");
      return { path: list === "steps" ? steps[Number(index)]?.[0] : `/migration${path}` };
    },
  );
}

function readPlan(migration: unknown): Plan {
  const { parentID, ...plan } = readBySchema(PLAN_SHAPE, migration, "/migration");
  const { renamedTables = [], removedTables = [], newTables = {}, tableMigrations = {} } = plan;
  const steps = [
    ...renamedTables.map(
      (renameTable, index): Step => [`/migration/renamedTables/${index}`, { renameTable }],
    ),
    ...removedTables.map(
      (table, index): Step => [`/migration/removedTables/${index}`, { removeTable: { table } }],
    ),
    ...Object.entries(newTables).flatMap(([table, { columns = [] }]): Step[] => {
      const at = pointer("/migration/newTables", table);
      return [
        [at, { addTable: { table } }],
        ...columns.map(
          (column, index): Step => [`${at}/columns/${index}`, { addColumn: { table, column } }],
        ),
      ];
    }),
    ...Object.entries(tableMigrations).flatMap(([table, changes]): Step[] => {
      const at = pointer("/migration/tableMigrations", table);
      const { removedColumns = [], modifiedColumns = [], newColumns = {} } = changes;
      const modified = modifiedColumns.map(({ old, new: column }, index) => {
        const here = `${at}/modifiedColumns/${index}`;
        return modify(table, old, column).map((step): Step => [here, step]);
      });
      return [
        ...removedColumns.map(
          (column, index): Step => [
            `${at}/removedColumns/${index}`,
            { removeColumn: { table, column } },
          ],
        ),
        ...modified.filter((own) => own.length > 1).flat(),
        ...Object.entries(newColumns).map(
          ([name, column]): Step => [
            pointer(`${at}/newColumns`, name),
            { addColumn: { table, column } },
          ],
        ),
        // The options of an object may require a value in its new columns.
        ...modified.filter((own) => own.length === 1).flat(),
      ];
    }),
  ];
  return { parentID, steps };
}

/** A modified column keeps its values, unless its type changes (rule K-5). */
function modify(table: string, old: unknown, column: unknown): object[] {
  const [before, after] = [Object(old), Object(column)] as Partial<ColumnDefinition>[];
  if (before?.type !== after?.type) {
    return [{ removeColumn: { table, column: before?.name } }, { addColumn: { table, column } }];
  }
  const [oldName, newName] = [before?.name, after?.name];
  const alter = { alterColumn: { table, column } };
  if (oldName === newName) return [alter];
  return [{ renameColumn: { table, oldName, newName: newName?.split(".").at(-1) } }, alter];
}
