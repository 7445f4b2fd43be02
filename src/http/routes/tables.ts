import { checkName } from "../../catalog/names.js";
import type { AnyBranch } from "../../engine/branch.js";
import * as s from "../../shape/schema.js";
import { type Address, branchHandle, findTableOnBranch } from "../address.js";
import { DONE, defineRoute, type Routes } from "../route.js";
import { completeMigration } from "../schema-version.js";
import { MIGRATION_ANSWER, NEW_NAME } from "../schemas/tables.js";

const TABLE = "/db/{db_branch_name}/tables/{table_name}";

const TABLE_MADE = s.named(
  "TableMade",
  s.objectOf({ branchName: s.TEXT, tableName: s.TEXT, status: s.COMPLETED }),
);

export const TABLE_ROUTES: Routes<"createTable" | "updateTable" | "deleteTable"> = {
  createTable: defineRoute({
    at: `PUT ${TABLE}`,
    summary: "Creates a table without columns.",
    body: s.reading(s.NO_KEYS, { what: "table", rule: "M-1" }),
    isLocated: true,
    answers: { 201: TABLE_MADE },
    find: findFreeName,
    act: (branch, { names: { table_name: name } }) => {
      branch.createTable(name);
      const branchName = `${branch.database}:${branch.name}`;
      return { branchName, tableName: name, status: "completed" };
    },
  }),
  updateTable: defineRoute({
    at: `PATCH ${TABLE}`,
    summary: "Renames a table.",
    body: s.reading(s.objectOf({ name: NEW_NAME }), { what: "table", rule: "M-3" }),
    answers: { 200: MIGRATION_ANSWER },
    find: findTableOnBranch,
    act: ({ branch, table }, { body: { name } }) =>
      completeMigration(branch, () => table.rename(name)),
  }),
  deleteTable: defineRoute({
    at: `DELETE ${TABLE}`,
    summary: "Deletes a table.",
    answers: { 200: DONE },
    find: findTableOnBranch,
    act: ({ branch, table }) => branch.deleteTable(table.name),
  }),
};

/** An existing name is reported before errors in the body (rule E-6). */
function findFreeName(address: Address): AnyBranch {
  const branch = branchHandle(address);
  const name = address.names.table_name ?? "";
  checkName("table", name);
  const isTaken = branch.tables().some((table) => table.name === name);
  if (isTaken) branch.createTable(name); // throws
  return branch;
}
