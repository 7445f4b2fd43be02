import type { AnyBranch } from "../../engine/branch.js";
import { describe, refuse } from "../../errors.js";
import type { AnyTable } from "../../typed/table.js";
import type { ColumnDefinition } from "../../types.js";
import { type Address, findTable, findTableOnBranch } from "../address.js";
import { readNewName, unchecked } from "../fields.js";
import { arrayOf, objectOf, refer, TEXT } from "../openapi/schema.js";
import { defineRoute, type Route } from "../route.js";
import { completeMigration } from "../schema-version.js";

const TABLE = "/db/{db_branch_name}/tables/{table_name}";
const COLUMN = `${TABLE}/columns/{column_name}`;

/** The columns of a table, as a whole and one by one (rule X-4). */
export const COLUMN_ROUTES: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: `${TABLE}/schema`,
    plane: "workspace",
    touches: "catalog",
    operation: "getTableSchema",
    summary: "The columns of a table, as they would be declared.",
    answers: { 200: objectOf({ columns: arrayOf(refer("Column")) }) },
    find: findTable,
    handle: (table) => ({ status: 200, body: table.schema() }),
  }),
  defineRoute({
    method: "PUT",
    path: `${TABLE}/schema`,
    plane: "workspace",
    touches: "catalog",
    operation: "setTableSchema",
    summary: "Gives a table other columns; those alike in path and type keep their values.",
    body: objectOf({ columns: arrayOf(refer("Column")) }),
    answers: { 200: refer("Migration") },
    find: findTableOnBranch,
    handle: ({ branch, table }, { body }) => ({
      status: 200,
      body: completeMigration(branch, () => table.setSchema(unchecked(body))),
    }),
  }),
  defineRoute({
    method: "GET",
    path: `${TABLE}/columns`,
    plane: "workspace",
    touches: "catalog",
    operation: "getTableColumns",
    summary: "The columns of a table; those inside objects under their dotted names.",
    answers: { 200: objectOf({ columns: arrayOf(refer("Column")) }) },
    find: findTable,
    handle: (table) => ({
      status: 200,
      body: { columns: table.schema().columns.flatMap((column) => flattenColumn(column)) },
    }),
  }),
  defineRoute({
    method: "POST",
    path: `${TABLE}/columns`,
    plane: "workspace",
    touches: "catalog",
    operation: "addTableColumn",
    summary: "Adds a column; a dotted name puts it inside an object column.",
    body: refer("Column"),
    answers: { 200: refer("Migration") },
    find: findTableOnBranch,
    handle: ({ branch, table }, { body }) => ({
      status: 200,
      body: completeMigration(branch, () => table.addColumn(unchecked(body))),
    }),
  }),
  defineRoute({
    method: "GET",
    path: COLUMN,
    plane: "workspace",
    touches: "catalog",
    operation: "getColumn",
    summary: "The definition of a column.",
    answers: { 200: refer("Column") },
    find: findColumn,
    handle: ({ column }) => ({ status: 200, body: column }),
  }),
  defineRoute({
    method: "PATCH",
    path: COLUMN,
    plane: "workspace",
    touches: "catalog",
    operation: "updateColumn",
    summary: "Renames a column.",
    body: objectOf({ name: TEXT }),
    answers: { 200: refer("Migration") },
    find: findColumn,
    handle: ({ branch, table, path }, { body }) => {
      const name = readNewName(body, "column", "X-4");
      return {
        status: 200,
        body: completeMigration(branch, () => table.renameColumn(path, name)),
      };
    },
  }),
  defineRoute({
    method: "DELETE",
    path: COLUMN,
    plane: "workspace",
    touches: "catalog",
    operation: "deleteColumn",
    summary: "Removes a column with its values.",
    answers: { 200: refer("Migration") },
    find: findColumn,
    handle: ({ branch, table, path }) => ({
      status: 200,
      body: completeMigration(branch, () => table.removeColumn(path)),
    }),
  }),
];

function findColumn(address: Address): {
  branch: AnyBranch;
  table: AnyTable;
  path: string;
  column: ColumnDefinition;
} {
  const { branch, table } = findTableOnBranch(address);
  const path = address.names.column_name ?? "";
  let columns: readonly ColumnDefinition[] | undefined = table.schema().columns;
  let column: ColumnDefinition | undefined;
  for (const name of path.split(".")) {
    column = columns?.find((other) => other.name === name);
    columns = column?.columns;
  }
  if (column === undefined) {
    refuse("column_not_found", `table [${table.name}]: column ${describe(path)} not found`, {
      rule: "X-4",
    });
  }
  return { branch, table, path, column: { ...column, name: path } };
}

/** The columns that hold values, under their paths; an empty object is listed itself. */
function flattenColumn(column: ColumnDefinition, parent = ""): ColumnDefinition[] {
  const name = parent + column.name;
  if (column.columns === undefined || column.columns.length === 0) return [{ ...column, name }];
  return column.columns.flatMap((inner) => flattenColumn(inner, `${name}.`));
}
