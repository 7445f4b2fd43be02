import type { AnyBranch } from "../../engine/branch.js";
import { pointer, TwinbaseError } from "../../errors.js";
import {
  compareSchemas,
  describeTables,
  lastMigrationId,
  listMigrations,
  type Migration,
  readSchema,
  replay,
  type SchemaEdit,
  updateSchema,
} from "../../history.js";
import type { ColumnDefinition } from "../../types.js";
import { readFields, readStrings, refuseValue } from "../../value/fields.js";
import { isPlainObject } from "../../value/json.js";
import { findBranch } from "../address.js";
import { unchecked } from "../fields.js";
import { ANY_OBJECT, arrayOf, objectOf, refer, WHOLE } from "../openapi/schema.js";
import { defineRoute, type Route } from "../route.js";
import { completeMigration } from "../schema-version.js";

const MIGRATIONS = "/db/{db_branch_name}/migrations";

/** The history of a schema in the words of earlier clients: what tables gain and lose (rule K-1). */
export const MIGRATION_ROUTES: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: MIGRATIONS,
    plane: "workspace",
    touches: "catalog",
    operation: "getBranchMigrationHistory",
    summary: "Every change of a branch's schema, the latest first.",
    answers: { 200: objectOf({ migrations: arrayOf(ANY_OBJECT) }) },
    find: findBranch,
    handle: (branch) => {
      let tables: ReturnType<typeof describeTables> = [];
      const described = listMigrations(branch).map((migration) => {
        const before = tables;
        tables = replay(branch, before, migration.operations, "");
        return describeDifference(compareSchemas(before, tables), tables.map(nameOf), migration);
      });
      return { status: 200, body: { migrations: described.reverse() } };
    },
  }),
  defineRoute({
    method: "POST",
    path: `${MIGRATIONS}/plan`,
    plane: "workspace",
    touches: "catalog",
    operation: "getBranchMigrationPlan",
    summary: "What would make the schema given of the branch's own.",
    body: refer("Schema"),
    answers: { 200: objectOf({ version: WHOLE, migration: ANY_OBJECT }) },
    find: findBranch,
    handle: (branch, { engine, body }) => {
      const target = readSchema(body, engine.profile, "");
      const edits = compareSchemas(describeTables(branch), target);
      const parentID = lastMigrationId(branch);
      const migration = describeDifference(edits, target.map(nameOf));
      return {
        status: 200,
        body: {
          version: VERSION,
          migration: { ...migration, ...(parentID !== "" && { parentID }) },
        },
      };
    },
  }),
  defineRoute({
    method: "POST",
    path: `${MIGRATIONS}/execute`,
    plane: "workspace",
    touches: "catalog",
    operation: "executeBranchMigrationPlan",
    summary: "Does what a plan says, all or none.",
    body: objectOf({ version: WHOLE, migration: ANY_OBJECT }),
    answers: { 200: refer("Migration") },
    find: findBranch,
    handle: (branch, { body }) => {
      const part = { what: "plan", rule: "K-1" };
      const { version, migration } = readFields(body, ["version", "migration"], part);
      if (version !== VERSION) {
        refuseValue(version, String(VERSION), { what: "version", path: "/version", rule: "K-1" });
      }
      const plan = readPlan(migration);
      return { status: 200, body: completeMigration(branch, () => doPlan(branch, plan)) };
    },
  }),
];

/** Of plans, as they are written here. */
const VERSION = 1;

const PLAN_KEYS = [
  ...["id", "parentID", "status", "title", "lastGitRevision", "localChanges", "createdAt"],
  ...["newTables", "removedTables", "renamedTables", "tableMigrations", "newTableOrder"],
] as const;

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

/** Steps as what tables gain and lose. */
function describeDifference(
  edits: readonly SchemaEdit[],
  newTableOrder: readonly string[],
  migration?: Migration,
): object {
  const newTables: Record<string, { name: string; columns: ColumnDefinition[] }> = {};
  const removedTables: string[] = [];
  const tableMigrations: Record<
    string,
    {
      newColumns: Record<string, ColumnDefinition>;
      removedColumns: string[];
      newColumnOrder: string[];
    }
  > = {};
  const changesOf = (table: string) =>
    (tableMigrations[table] ??= { newColumns: {}, removedColumns: [], newColumnOrder: [] });
  for (const edit of edits) {
    if ("addTable" in edit) {
      newTables[edit.addTable.table] = { name: edit.addTable.table, columns: [] };
    } else if ("removeTable" in edit) removedTables.push(edit.removeTable.table);
    else if ("addColumn" in edit) {
      const { table, column } = edit.addColumn;
      const made = newTables[table];
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
    newTables,
    removedTables,
    tableMigrations,
    newTableOrder,
  };
}

/** What a plan asks for: steps, and where in the plan each of them is. */
interface Plan {
  readonly parentID: string | undefined;
  readonly steps: readonly Step[];
}

/** A step, as it is read again when it is done. */
type Step = readonly [at: string, step: object];

/** Does the steps of a plan; what is wrong with one is told at its place in the plan. */
function doPlan(branch: AnyBranch, { parentID, steps }: Plan): void {
  const operations = steps.map(([, step]) => step);
  try {
    updateSchema(branch, { parentID, operations: unchecked(operations) }, "/steps");
  } catch (error) {
    if (!(error instanceof TwinbaseError)) throw error;
    const { code, message, rule, status, path = "" } = error;
    const [, list, index] = path.split("/");
    const at = list === "steps" ? steps[Number(index)]?.[0] : `/migration${path}`;
    throw new TwinbaseError(code, message, { path: at, rule, status });
  }
}

/** What tables gain and lose, as steps. */
function readPlan(migration: unknown): Plan {
  const part = { what: "migration", path: "/migration", rule: "K-1" };
  if (migration === undefined) refuseValue(migration, "an object", part);
  const plan = readFields(migration, PLAN_KEYS as readonly string[], part) as Record<
    string,
    unknown
  >;
  const { parentID } = plan;
  if (parentID !== undefined && typeof parentID !== "string") {
    refuseValue(parentID, "a string", { ...part, path: "/migration/parentID" });
  }
  const list = (value: unknown, path: string): readonly unknown[] =>
    value === undefined || Array.isArray(value)
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
    ...readStrings(plan.removedTables ?? [], { ...part, path: "/migration/removedTables" }).map(
      (table, index): Step => [`/migration/removedTables/${index}`, { removeTable: { table } }],
    ),
  ];
  return { parentID, steps };
}
