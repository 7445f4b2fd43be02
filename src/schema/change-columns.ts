import { describe, refuse } from "../errors.js";
import { type Column, groupColumns } from "./columns.js";

/** Changes the columns inside the object column that names lead to, or those of the table. */
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
  return columns.map((other) => (other === column ? changed : other));
}

/** The column of a name; throws `column_not_found`. */
export function requireColumn(
  columns: readonly Column[],
  name: string,
  path: string,
  table: string,
): Column {
  return columns.find((column) => column.name === name) ?? refuseMissing(path, table);
}

function refuseMissing(path: string, table: string): never {
  return refuse("column_not_found", `table [${table}]: column ${describe(path)} not found`, {
    rule: "X-4",
  });
}

/**
 * A column under another name, the paths below it too.
 *
 * @param prefix what its path begins with, up to the name
 */
export function renamed(column: Column, name: string, prefix: string): Column {
  const path = prefix + name;
  const definition = { ...column.definition, name };
  if (column.type !== "object") return { ...column, name, path, definition };
  const columns = column.columns.map((sub) => renamed(sub, sub.name, `${path}.`));
  return { ...column, name, path, definition, ...groupColumns(columns) };
}
