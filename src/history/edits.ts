import { checkName } from "../catalog/names.js";
import { type AnyBranch, Branch } from "../engine/branch.js";
import { createEngine } from "../engine.js";
import { pointer, refuse, TwinbaseError } from "../errors.js";
import type { Profile } from "../profile.js";
import { compareColumns, type SchemaEdit } from "../schema/compare-columns.js";
import { compileSchema, describeSchema } from "../schema/declare.js";
import type { ColumnDefinition } from "../types.js";
import { readFields, refuseValue } from "../value/fields.js";
import { copyJson, isPlainObject } from "../value/json.js";

/** A table in a schema. */
export interface TableSchema {
  readonly name: string;
  readonly columns: readonly ColumnDefinition[];
}

/** Returns the tables of a branch with their columns, in the order of creation. */
export function describeTables(branch: AnyBranch): TableSchema[] {
  return branch.tables().map(({ name }) => ({ name, ...branch.table(name).schema() }));
}

/** Returns the steps from `source` to `target`, ignoring the order of tables and columns. */
export function compareSchemas(
  source: readonly TableSchema[],
  target: readonly TableSchema[],
): SchemaEdit[] {
  const columnsByTable = new Map(source.map(({ name, columns }) => [name, columns]));
  const names = new Set(target.map(({ name }) => name));
  const added = target.filter(({ name }) => !columnsByTable.has(name));
  const removed = source.filter(({ name }) => !names.has(name));
  return [
    ...added.map(({ name }) => ({ addTable: { table: name } })),
    ...target.flatMap(({ name, columns }) =>
      compareColumns(name, columnsByTable.get(name) ?? [], columns),
    ),
    ...removed.map(({ name }) => ({ removeTable: { table: name } })),
  ];
}

/**
 * Reads a schema in a client's format; ignores `revLinks`, `tablesOrder` and the `id` of tables.
 * Throws `invalid_request`, `invalid_name`, `invalid_schema`.
 */
export function readSchema(given: unknown, profile: Profile, at: string): TableSchema[] {
  const place = { what: "schema", path: at, rule: "X-4" };
  const { tables } = readFields(given, ["tables", "tablesOrder"], place);
  if (!Array.isArray(tables)) {
    refuseValue(tables, "an array of tables", { ...place, path: pointer(at, "tables") });
  }
  const names = new Set<string>();
  return tables.map((table: unknown, index) => {
    const path = `${at}/tables/${index}`;
    const fields = readFields(table, ["name", "columns", "id", "revLinks"], { ...place, path });
    const { name } = fields;
    checkName("table", name, `${path}/name`);
    if (names.has(name)) {
      refuse("invalid_schema", `table [${name}]: the name is taken`, {
        path: `${path}/name`,
        rule: "X-4",
      });
    }
    names.add(name);
    const columns = compileSchema(fields.columns ?? [], profile, `${path}/columns`);
    return { name, columns: describeSchema(columns) };
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
  const { context, address } = Branch.sourceOf(branch);
  const made = createEngine({ profile: context.profile, now: 0, seed: 0 })
    .createWorkspace(address.workspace)
    .createDatabase(address.database, { branchName: address.branch })
    .branch(address.branch);
  made.createTables(Object.fromEntries(tables.map(({ name, columns }) => [name, columns])));
  applyEdits(made, operations, at);
  return describeTables(made);
}

const EDIT_KEYS: Readonly<Record<string, readonly string[]>> = {
  addTable: ["table"],
  removeTable: ["table"],
  renameTable: ["oldName", "newName"],
  addColumn: ["table", "column"],
  removeColumn: ["table", "column"],
  renameColumn: ["table", "oldName", "newName"],
};

/** Reads steps in a client's format. Columns are validated when the steps are applied. */
export function readEdits(operations: unknown, at: string): SchemaEdit[] {
  if (!Array.isArray(operations)) {
    refuseValue(operations, "an array", { what: "operations", path: at, rule: "X-4" });
  }
  return operations.map((operation: unknown, index) => readEdit(operation, pointer(at, index)));
}

function readEdit(operation: unknown, at: string): SchemaEdit {
  const keys = isPlainObject(operation) ? Object.keys(operation) : [];
  const [kind = ""] = keys;
  if (!isPlainObject(operation) || keys.length !== 1 || !Object.hasOwn(EDIT_KEYS, kind)) {
    const expected = `one of ${Object.keys(EDIT_KEYS).join(", ")}`;
    refuseValue(operation, expected, { what: "operation", path: at, rule: "X-4" });
  }
  const place = { what: kind, path: pointer(at, kind), rule: "X-4" };
  const fields = readFields(operation[kind], EDIT_KEYS[kind] ?? [], place);
  for (const key of EDIT_KEYS[kind] ?? []) {
    if (kind === "addColumn" && key === "column") continue;
    if (typeof fields[key] === "string") continue;
    refuseValue(fields[key], "a string", { ...place, path: pointer(place.path, key) });
  }
  const copy = copyJson({ [kind]: fields });
  if ("fault" in copy) refuseValue(operation, "a JSON value", { ...place, path: at });
  return copy.value as unknown as SchemaEdit; // its keys were read; columns are validated on creation
}

/** Throws the error of a step with status 400, as for every batch (E-1). */
export function applyEdits(branch: AnyBranch, edits: readonly SchemaEdit[], at: string): void {
  for (const [index, edit] of edits.entries()) {
    try {
      applyEdit(branch, edit);
    } catch (error) {
      if (!(error instanceof TwinbaseError)) throw error;
      const { code, message, rule, path } = error;
      const place = pointer(at, index) + placeIn(edit, path);
      throw new TwinbaseError(code, message, { path: place, rule, status: 400 });
    }
  }
}

/** Returns the path of an invalid column in its step. */
function placeIn(edit: SchemaEdit, path: string | undefined): string {
  return "addColumn" in edit && path !== undefined ? `/addColumn/column${path}` : "";
}

function applyEdit(branch: AnyBranch, edit: SchemaEdit): void {
  if ("addTable" in edit) branch.createTable(edit.addTable.table);
  else if ("removeTable" in edit) branch.deleteTable(edit.removeTable.table);
  else if ("renameTable" in edit) {
    branch.renameTable(edit.renameTable.oldName, edit.renameTable.newName);
  } else if ("addColumn" in edit) {
    branch.table(edit.addColumn.table).addColumn(edit.addColumn.column);
  } else if ("removeColumn" in edit) {
    branch.table(edit.removeColumn.table).removeColumn(edit.removeColumn.column);
  } else {
    const { table, oldName, newName } = edit.renameColumn;
    branch.table(table).renameColumn(oldName, newName);
  }
}
