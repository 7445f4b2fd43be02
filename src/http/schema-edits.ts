import { checkName } from "../catalog/names.js";
import type { AnyBranch } from "../engine/branch.js";
import type { AnyEngine } from "../engine.js";
import { pointer, refuse, TwinbaseError } from "../errors.js";
import type { Profile } from "../profile.js";
import { isObject } from "../schema/coerce.js";
import { compileSchema, describeSchema } from "../schema/declare.js";
import type { ColumnDefinition, Json } from "../types.js";
import { readFields, refuseValue } from "../value/fields.js";
import { canonicalJson } from "../value/json.js";
import { unchecked } from "./fields.js";
import type { TableSchema } from "./schema-version.js";

/** One step from a schema to another (rule X-4). */
export type SchemaEdit =
  | { readonly addTable: { readonly table: string } }
  | { readonly removeTable: { readonly table: string } }
  | { readonly addColumn: { readonly table: string; readonly column: ColumnDefinition } }
  | { readonly removeColumn: { readonly table: string; readonly column: string } };

/**
 * The steps that make the schema `target` of `source`. Order counts for nothing: neither that of
 * tables nor that of columns.
 */
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
      compareColumns(name, columnsByTable.get(name) ?? [], columns, ""),
    ),
    ...removed.map(({ name }) => ({ removeTable: { table: name } })),
  ];
}

/**
 * Reads a schema as a client writes it; `revLinks`, a table's `id` and `tablesOrder` are ignored.
 *
 * @throws TwinbaseError `invalid_request`, `invalid_name`, `invalid_schema`.
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
 * Applies steps to the schema of a branch, all or none.
 *
 * @throws TwinbaseError of the step that is refused, with status 400 as every batch (rule E-1)
 */
export function applyEdits(
  engine: AnyEngine,
  branch: AnyBranch,
  operations: unknown,
  at: string,
): void {
  if (!Array.isArray(operations)) {
    refuseValue(operations, "an array", { what: "operations", path: at, rule: "X-4" });
  }
  const saved = engine.snapshot();
  let place = at;
  try {
    for (const [index, operation] of (operations as readonly unknown[]).entries()) {
      place = pointer(at, index);
      applyEdit(branch, operation, place);
    }
  } catch (error) {
    engine.restore(saved);
    throw error instanceof TwinbaseError
      ? new TwinbaseError(error.code, error.message, { path: place, rule: error.rule, status: 400 })
      : error;
  }
}

function compareColumns(
  table: string,
  source: readonly ColumnDefinition[],
  target: readonly ColumnDefinition[],
  parent: string,
): SchemaEdit[] {
  const remove = ({ name }: ColumnDefinition): SchemaEdit => ({
    removeColumn: { table, column: parent + name },
  });
  const add = (column: ColumnDefinition): SchemaEdit => ({
    addColumn: { table, column: { ...column, name: parent + column.name } },
  });
  const sourceByName = new Map(source.map((column) => [column.name, column]));
  const names = new Set(target.map(({ name }) => name));
  const removed = source.filter(({ name }) => !names.has(name));
  return [
    ...removed.map(remove),
    ...target.flatMap((column) => {
      const known = sourceByName.get(column.name);
      if (known === undefined) return [add(column)];
      if (isSame(withoutColumns(known), withoutColumns(column))) {
        const path = `${parent}${column.name}.`;
        return compareColumns(table, known.columns ?? [], column.columns ?? [], path);
      }
      return [remove(known), add(column)];
    }),
  ];
}

function withoutColumns({ columns: _, ...rest }: ColumnDefinition): object {
  return rest;
}

function isSame(a: object, b: object): boolean {
  return canonicalJson(a as Json) === canonicalJson(b as Json); // definitions are JSON
}

/** The keys of each step. */
const EDIT_KEYS: Readonly<Record<string, readonly string[]>> = {
  addTable: ["table"],
  removeTable: ["table"],
  renameTable: ["oldName", "newName"],
  addColumn: ["table", "column"],
  removeColumn: ["table", "column"],
  renameColumn: ["table", "oldName", "newName"],
};

function applyEdit(branch: AnyBranch, operation: unknown, at: string): void {
  const keys = isObject(operation) ? Object.keys(operation) : [];
  const [kind = ""] = keys;
  if (!isObject(operation) || keys.length !== 1 || !Object.hasOwn(EDIT_KEYS, kind)) {
    const expected = `one of ${Object.keys(EDIT_KEYS).join(", ")}`;
    refuseValue(operation, expected, { what: "operation", path: at, rule: "X-4" });
  }
  const place = { what: kind, path: pointer(at, kind), rule: "X-4" };
  const fields = readFields(operation[kind], EDIT_KEYS[kind] ?? [], place);
  const text = (key: string): string => {
    const value = fields[key];
    return typeof value === "string"
      ? value
      : refuseValue(value, "a string", { ...place, path: pointer(place.path, key) });
  };
  switch (kind) {
    case "addTable":
      branch.createTable(text("table"));
      break;
    case "removeTable":
      branch.deleteTable(text("table"));
      break;
    case "renameTable":
      branch.renameTable(text("oldName"), text("newName"));
      break;
    case "addColumn":
      branch.table(text("table")).addColumn(unchecked(fields.column));
      break;
    case "removeColumn":
      branch.table(text("table")).removeColumn(text("column"));
      break;
    default:
      branch.table(text("table")).renameColumn(text("oldName"), text("newName"));
  }
}
