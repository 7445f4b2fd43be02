import type { AnyBranch } from "../engine/branch.js";
import { changeErrors, pointer } from "../errors.js";
import type { SchemaEdit } from "../schema/compare-columns.js";
import type { ColumnDefinition } from "../types.js";
import { readFields, readStrings, refuseValue } from "../value/fields.js";
import { isArray, isPlainObject } from "../value/json.js";
import { updateSchema } from "./branch-history.js";
import type { Migration } from "./migrations.js";

const PLAN_KEYS = [
  ...["id", "parentID", "status", "title", "lastGitRevision", "localChanges", "createdAt"],
  ...["newTables", "removedTables", "renamedTables", "tableMigrations", "newTableOrder"],
] as const;

interface TableChanges {
  readonly newColumns: Record<string, ColumnDefinition>;
  readonly removedColumns: string[];
  readonly newColumnOrder: string[];
}

/** Describes schema changes as added and removed columns of tables. */
export function describeDifference(
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
  const part = { what: "migration", path: "/migration", rule: "K-1" };
  const plan = readFields(migration, PLAN_KEYS as readonly string[], part) as Record<
    string,
    unknown
  >;
  const { parentID } = plan;
  if (parentID !== undefined && typeof parentID !== "string") {
    refuseValue(parentID, "a string", { ...part, path: "/migration/parentID" });
  }
  const list = (value: unknown, path: string): readonly unknown[] =>
    value === undefined || isArray(value)
      ? (value ?? [])
      : refuseValue(value, "an array", { ...part, path });
  const entries = (value: unknown, path: string): [string, Record<string, unknown>][] => {
    if (value === undefined) return [];
    if (!isPlainObject(value)) refuseValue(value, "an object", { ...part, path });
    return Object.entries(value).map(([key, member]) =>
      isPlainObject(member)
        ? [key, member]
        : refuseValue(member, "an object", { ...part, path: pointer(path, key) }),
    );
  };
  const steps = [
    ...list(plan.renamedTables, "/migration/renamedTables").map(
      (renameTable, index): Step => [`/migration/renamedTables/${index}`, { renameTable }],
    ),
    ...readStrings(plan.removedTables ?? [], { ...part, path: "/migration/removedTables" }).map(
      (table, index): Step => [`/migration/removedTables/${index}`, { removeTable: { table } }],
    ),
    ...entries(plan.newTables, "/migration/newTables").flatMap(([table, { columns }]): Step[] => {
      const at = pointer("/migration/newTables", table);
      return [
        [at, { addTable: { table } }],
        ...list(columns, `${at}/columns`).map(
          (column, index): Step => [`${at}/columns/${index}`, { addColumn: { table, column } }],
        ),
      ];
    }),
    ...entries(plan.tableMigrations, "/migration/tableMigrations").flatMap(([table, changes]) => {
      const at = pointer("/migration/tableMigrations", table);
      const keys = ["newColumns", "removedColumns", "modifiedColumns", "newColumnOrder"] as const;
      const fields = readFields(changes, keys, { ...part, path: at });
      const modified = list(fields.modifiedColumns, `${at}/modifiedColumns`).map((given, index) =>
        readFields(given, ["old", "new"], { ...part, path: `${at}/modifiedColumns/${index}` }),
      );
      const nameIn = (column: unknown): unknown =>
        isPlainObject(column) ? column.name : undefined;
      return [
        ...list(fields.removedColumns, `${at}/removedColumns`).map(
          (column, index): Step => [
            `${at}/removedColumns/${index}`,
            { removeColumn: { table, column } },
          ],
        ),
        ...modified.flatMap(({ old, new: column }, index): Step[] => [
          [`${at}/modifiedColumns/${index}`, { removeColumn: { table, column: nameIn(old) } }],
          [`${at}/modifiedColumns/${index}`, { addColumn: { table, column } }],
        ]),
        ...entries(fields.newColumns, `${at}/newColumns`).map(
          ([name, column]): Step => [
            pointer(`${at}/newColumns`, name),
            { addColumn: { table, column } },
          ],
        ),
      ];
    }),
  ];
  return { parentID, steps };
}
