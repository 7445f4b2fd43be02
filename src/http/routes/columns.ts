import type { AnyBranch } from "../../engine/branch.js";
import { describe, refuse } from "../../errors.js";
import { changeColumn } from "../../history/branch-history.js";
import { findDefinition } from "../../history/edits.js";
import { COLUMN, COLUMN_CHANGES, COLUMNS_OF_TABLE } from "../../history/shapes.js";
import type { AnyTable } from "../../typed/table.js";
import type { ColumnDefinition } from "../../types.js";
import { type Address, findTableOnBranch, tableHandle } from "../address.js";
import { defineRoute, type Routes } from "../route.js";
import { completeMigration } from "../schema-version.js";
import { MIGRATION_ANSWER } from "../schemas/tables.js";

const TABLE = "/db/{db_branch_name}/tables/{table_name}";
const COLUMN_AT = `${TABLE}/columns/{column_name}` as const;

export const COLUMN_ROUTES: Routes<
  | "getTableSchema"
  | "setTableSchema"
  | "getTableColumns"
  | "addTableColumn"
  | "getColumn"
  | "updateColumn"
  | "deleteColumn"
> = {
  getTableSchema: defineRoute({
    at: `GET ${TABLE}/schema`,
    summary: "The columns of a table, as declared.",
    answers: { 200: COLUMNS_OF_TABLE },
    find: tableHandle,
    act: (table) => table.schema(),
  }),
  setTableSchema: defineRoute({
    at: `PUT ${TABLE}/schema`,
    summary: "Replaces a table's columns; those of equal path and type keep their values.",
    body: COLUMNS_OF_TABLE,
    answers: { 200: MIGRATION_ANSWER },
    find: findTableOnBranch,
    act: ({ branch, table }, { body }) =>
      completeMigration(branch, () => table.setSchema(body, { dropValues: true })),
  }),
  getTableColumns: defineRoute({
    at: `GET ${TABLE}/columns`,
    summary: "The columns of a table; those inside objects have dotted names.",
    answers: { 200: COLUMNS_OF_TABLE },
    find: tableHandle,
    act: (table) => ({
      columns: table.schema().columns.flatMap((column) => flattenColumn(column)),
    }),
  }),
  addTableColumn: defineRoute({
    at: `POST ${TABLE}/columns`,
    summary: "Adds a column; a dotted name puts it inside an object column.",
    body: COLUMN,
    answers: { 200: MIGRATION_ANSWER },
    find: findTableOnBranch,
    act: ({ branch, table }, { body }) => completeMigration(branch, () => table.addColumn(body)),
  }),
  getColumn: defineRoute({
    at: `GET ${COLUMN_AT}`,
    summary: "The definition of a column.",
    answers: { 200: COLUMN },
    find: findColumn,
    act: ({ column }) => column,
  }),
  updateColumn: defineRoute({
    at: `PATCH ${COLUMN_AT}`,
    summary: "Renames a column, or changes its options; it keeps its values.",
    body: COLUMN_CHANGES,
    keepsNulls: true,
    answers: { 200: MIGRATION_ANSWER },
    find: findColumn,
    act: ({ branch, table, column }, { body }) =>
      completeMigration(branch, () => changeColumn(branch, table.name, column, body)),
  }),
  deleteColumn: defineRoute({
    at: `DELETE ${COLUMN_AT}`,
    summary: "Removes a column with its values.",
    answers: { 200: MIGRATION_ANSWER },
    find: findColumn,
    act: ({ branch, table, column }) =>
      completeMigration(branch, () => table.removeColumn(column.name)),
  }),
};

/** Describes a column; its name is its path. */
function findColumn(address: Address): {
  branch: AnyBranch;
  table: AnyTable;
  column: ColumnDefinition;
} {
  const { branch, table } = findTableOnBranch(address);
  const path = address.names.column_name ?? "";
  const column = findDefinition(table.schema().columns, path);
  if (column === undefined) {
    refuse("column_not_found", `table [${table.name}]: column ${describe(path)} not found`, {
      rule: "X-4",
    });
  }
  return { branch, table, column };
}

/** Lists leaf columns by path, and empty objects. */
function flattenColumn(column: ColumnDefinition, parent = ""): ColumnDefinition[] {
  const name = parent + column.name;
  if (column.columns === undefined || column.columns.length === 0) return [{ ...column, name }];
  return column.columns.flatMap((inner) => flattenColumn(inner, `${name}.`));
}
