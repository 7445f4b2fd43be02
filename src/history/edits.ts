import { type AnyBranch, Branch } from "../engine/branch.js";
import type { EngineOptions } from "../engine/options.js";
import { createEngine } from "../engine.js";
import { changeErrors, pointer, refuse } from "../errors.js";
import { MAX_LIMITS, type Profile } from "../profile.js";
import { compareColumns, type SchemaEdit } from "../schema/compare-columns.js";
import { compileSchema, describeSchema } from "../schema/declare.js";
import { refuseValue } from "../shape/fields.js";
import { readBySchema } from "../shape/read.js";
import type { ColumnDefinition } from "../types.js";
import { isArray } from "../value/json.js";
import { readGeneratedTables } from "./generated-tables.js";
import type { Migration } from "./migrations.js";
import { SCHEMA, SCHEMA_EDIT } from "./shapes.js";

/** A table in a schema. */
export interface TableSchema {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
}

/**
 * Returns the tables of a branch with their columns, in the order of creation.
 *
 * @param among the names of tables to return; default all
 */
export function describeTables(branch: AnyBranch, among?: ReadonlySet<string>): TableSchema[] {
  const { context, address } = Branch.sourceOf(branch);
  const { tables } = context.readBranch(address);
  const names =
    among === undefined ? [...tables.keys()] : [...among].filter((name) => tables.has(name));
  return names.map((name) => {
    context.time.check();
    return { name, ...branch.table(name).schema() };
  });
}

/** Returns the definition at a path; its name is the path. */
export function findDefinition(
  columns: readonly ColumnDefinition[],
  path: string,
): ColumnDefinition | undefined {
  let siblings: readonly ColumnDefinition[] | undefined = columns;
  let column: ColumnDefinition | undefined;
  for (const name of path.split(".")) {
    column = siblings?.find((other) => other.name === name);
    siblings = column?.columns;
  }
  return column && { ...column, name: path };
}

/** Returns the steps from `source` to `target`, ignoring the order of tables and columns. */
export function compareSchemas(
  source: readonly TableSchema[],
  target: readonly TableSchema[],
  checkTime: () => void = () => {},
): SchemaEdit[] {
  const columnsByTable = new Map(source.map(({ name, columns }) => [name, columns]));
  const names = new Set(target.map(({ name }) => name));
  const added = target.filter(({ name }) => !columnsByTable.has(name));
  const removed = source.filter(({ name }) => !names.has(name));
  // N-6: a table that only changes its case is removed first.
  const folded = new Set(added.map(({ name }) => name.toLowerCase()));
  const isFirst = ({ name }: TableSchema): boolean => folded.has(name.toLowerCase());
  const remove = ({ name }: TableSchema): SchemaEdit => ({ removeTable: { table: name } });
  return [
    ...removed.filter(isFirst).map(remove),
    ...added.map(({ name }) => ({ addTable: { table: name } })),
    ...target.flatMap(({ name, columns }) => {
      checkTime();
      return compareColumns(name, columnsByTable.get(name) ?? [], columns);
    }),
    ...removed.filter((table) => !isFirst(table)).map(remove),
  ];
}

/**
 * Reads a schema in a client's format; ignores `revLinks`, `tablesOrder` and the `id` of tables.
 * Throws `invalid_request`, `invalid_name`, `invalid_schema`.
 */
export function readSchema(
  value: unknown,
  profile: Profile,
  at: string,
  checkTime: () => void = () => {},
): TableSchema[] {
  const { tables } = readBySchema(SCHEMA, readGeneratedTables(value, profile), at);
  const { branchTables = tables.length } = MAX_LIMITS;
  if (tables.length > branchTables) {
    const message = `a branch has at most ${branchTables} tables`;
    refuse("invalid_schema", message, { path: pointer(at, "tables"), rule: "L-13" });
  }
  const names = new Set<string>();
  return tables.map(({ name, columns = [] }, index) => {
    checkTime();
    const path = `${at}/tables/${index}`;
    if (names.has(name)) {
      const message = `table [${name}]: the name is taken`;
      refuse("invalid_schema", message, { path: `${path}/name`, rule: "X-4" });
    }
    names.add(name);
    return { name, columns: describeSchema(compileSchema(columns, profile, `${path}/columns`)) };
  });
}

/**
 * Returns the schema that results from steps on another (K-2), without changing anything. The
 * branch determines the profile; `at` is the JSON Pointer of the steps. Throws the error of a step,
 * with status 400.
 */
export function replay(
  branch: AnyBranch,
  tables: readonly TableSchema[],
  operations: readonly SchemaEdit[],
  at: string,
): TableSchema[] {
  const made = openEmpty(branch, Branch.sourceOf(branch).context.limits);
  made.createTables(Object.fromEntries(tables.map(({ name, columns }) => [name, columns])));
  applyEdits(made, operations, at, checkOf(branch));
  return describeTables(made);
}

/** Returns an empty branch with the names of another. */
function openEmpty(branch: AnyBranch, limits: EngineOptions["limits"]): AnyBranch {
  const { context, address } = Branch.sourceOf(branch);
  return createEngine({ profile: context.profile, limits, now: 0, seed: 0 })
    .createWorkspace(address.workspace)
    .createDatabase(address.database, { branchName: address.branch })
    .branch(address.branch);
}

/** Returns a function that throws after the time limit of the running call (L-10). */
export function checkOf(branch: AnyBranch): () => void {
  return Branch.sourceOf(branch).context.time.check;
}

/** The schema after a migration, and its differences from the one before. */
export interface MigrationStep {
  /** The tables that the migration changed, before it. */
  readonly before: readonly TableSchema[];
  readonly edits: readonly SchemaEdit[];
  /** The names of all tables; the same array as before if they did not change. */
  readonly names: readonly string[];
}

/** Replays a branch's migrations, oldest first, and compares the tables that each one changed. */
export function* walkSchemas(
  branch: AnyBranch,
  migrations: readonly Pick<Migration, "operations">[],
): Generator<MigrationStep> {
  const made = openEmpty(branch, MAX_LIMITS); // limits may have been higher
  let names: readonly string[] = [];
  for (const { operations } of migrations) {
    const touched = touchedTables(operations);
    const before = describeTables(made, touched);
    applyEdits(made, operations, "", checkOf(branch));
    const edits = compareSchemas(before, describeTables(made, touched), checkOf(branch));
    if (
      touched === undefined ||
      operations.some((edit) => "addTable" in edit || "removeTable" in edit)
    ) {
      names = made.tables().map(({ name }) => name);
    }
    yield { before, edits, names };
  }
}

/** The tables whose columns a migration changes; undefined for all, because links follow renames. */
function touchedTables(operations: readonly SchemaEdit[]): ReadonlySet<string> | undefined {
  const touched = new Set<string>();
  for (const edit of operations) {
    if ("renameTable" in edit) return undefined;
    const [{ table }] = Object.values(edit) as [{ table: string }]; // all others name a table
    touched.add(table);
  }
  return touched;
}

/**
 * Reads steps in a client's format, for a branch. Columns are validated when the steps are applied.
 * Throws `invalid_request`, also for too many (L-13).
 */
export function readEdits(branch: AnyBranch, operations: unknown, at: string): SchemaEdit[] {
  if (!isArray(operations)) {
    refuseValue(operations, "an array", { what: "operations", path: at, rule: "X-4" });
  }
  const { schemaOperations: most } = Branch.sourceOf(branch).context.limits;
  if (operations.length > most) {
    const message = `a change has at most ${most} operations (limits.schemaOperations), found ${operations.length}`;
    refuse("invalid_request", message, { path: at, rule: "L-13" });
  }
  return Array.from(operations as readonly unknown[], (operation, index) =>
    readBySchema(SCHEMA_EDIT, operation ?? null, pointer(at, index)),
  );
}

/**
 * Throws the error of a step with status 400, as for every batch (E-1).
 *
 * @param allow called before each step; throws if the step is not permitted
 */
export function applyEdits(
  branch: AnyBranch,
  edits: readonly SchemaEdit[],
  at: string,
  allow: (edit: SchemaEdit) => void = checkOf(branch),
): void {
  const { context } = Branch.sourceOf(branch);
  context.changeTogether(() => {
    for (const [index, edit] of edits.entries()) {
      allow(edit);
      changeErrors(
        () => applyEdit(branch, edit),
        ({ path: inside }) => {
          const path = pointer(at, index) + placeIn(edit, inside);
          return { path, status: 400, hint: undefined, reason: undefined };
        },
      );
    }
  });
}

/** Returns the path of an invalid column in its step. */
function placeIn(edit: SchemaEdit, path: string | undefined): string {
  const [step = ""] = Object.keys(edit);
  return /^(?:add|alter)Column$/.test(step) && path !== undefined ? `/${step}/column${path}` : "";
}

function applyEdit(branch: AnyBranch, edit: SchemaEdit): void {
  if ("addTable" in edit) branch.createTable(edit.addTable.table);
  else if ("removeTable" in edit) branch.deleteTable(edit.removeTable.table);
  else if ("renameTable" in edit) {
    branch.renameTable(edit.renameTable.oldName, edit.renameTable.newName);
  } else if ("addColumn" in edit) {
    branch.table(edit.addColumn.table).addColumn(edit.addColumn.column);
  } else if ("alterColumn" in edit) {
    branch.table(edit.alterColumn.table).alterColumn(edit.alterColumn.column);
  } else if ("removeColumn" in edit) {
    branch.table(edit.removeColumn.table).removeColumn(edit.removeColumn.column);
  } else {
    const { table, oldName, newName } = edit.renameColumn;
    branch.table(table).renameColumn(oldName, newName);
  }
}
