import { describe, refuse } from "../errors.js";
import { type Column, groupColumns } from "./columns.js";

/** Edits the sub-columns of the object column at `names`; without names, the table's columns. */
export function changeColumns(
  columns: readonly Column[],
  names: readonly string[],
  table: string,
  change: (siblings: readonly Column[]) => readonly Column[],
): readonly Column[] {
  const [name, ...rest] = names;
  if (name === undefined) return change(columns);
  const column = requireColumn(columns, name, names.join("."), table);
  if (column.type !== "object") return refuseMissing(names.join("."), table);
  const inner = changeColumns(column.columns, rest, table, change);
  const changed: Column = { ...column, ...groupColumns(inner) };
  return replaced(columns, column, changed);
}

export function replaced(columns: readonly Column[], column: Column, by: Column): Column[] {
  return columns.map((other) => (other === column ? by : other));
}

export function requireColumn(
  columns: readonly Column[],
  name: string,
  path: string,
  table: string,
): Column {
  return columns.find((column) => column.name === name) ?? refuseMissing(path, table);
}

/** Column paths are strings (rule X-4). */
export function requirePath(path: unknown, table: string): asserts path is string {
  if (typeof path !== "string") refuseMissing(path, table);
}

function refuseMissing(path: unknown, table: string): never {
  return refuse("column_not_found", `table [${table}]: column ${describe(path)} not found`, {
    rule: "X-4",
  });
}

/** Renames a column, and the paths below it; `prefix` precedes the name. */
export function renamed(column: Column, name: string, prefix: string): Column {
  const path = prefix + name;
  const definition = { ...column.definition, name };
  if (column.type !== "object") return { ...column, name, path, definition };
  const columns = column.columns.map((sub) => renamed(sub, sub.name, `${path}.`));
  return { ...column, name, path, definition, ...groupColumns(columns) };
}
