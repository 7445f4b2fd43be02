import { checkName } from "../../catalog/names.js";
import { readFields } from "../../value/fields.js";
import { findBranch, findTableOnBranch } from "../address.js";
import { readNewName } from "../fields.js";
import { NO_KEYS, objectOf, refer, TEXT } from "../openapi/schema.js";
import { defineRoute, type Route } from "../route.js";
import { completeMigration } from "../schema-version.js";

const TABLE = "/db/{db_branch_name}/tables/{table_name}";

/** Making, renaming and deleting tables (rules M-1 … M-3). */
export const TABLE_ROUTES: readonly Route[] = [
  defineRoute({
    method: "PUT",
    path: TABLE,
    plane: "workspace",
    touches: "catalog",
    operation: "createTable",
    summary: "Makes a table without columns.",
    body: NO_KEYS,
    answers: { 201: refer("TableMade") },
    find: findBranch,
    handle: (branch, { names, body }) => {
      const name = names.table_name!;
      checkName("table", name);
      // A name that is taken comes before what the body holds (rule E-6).
      const isTaken = branch.tables().some((table) => table.name === name);
      if (!isTaken) readFields(body, [], { what: "table", rule: "M-1" });
      branch.createTable(name);
      const branchName = `${branch.database}:${branch.name}`;
      return { status: 201, body: { branchName, tableName: name, status: "completed" } };
    },
  }),
  defineRoute({
    method: "PATCH",
    path: TABLE,
    plane: "workspace",
    touches: "catalog",
    operation: "updateTable",
    summary: "Renames a table.",
    body: objectOf({ name: TEXT }),
    answers: { 200: refer("Migration") },
    find: findTableOnBranch,
    handle: ({ branch, table }, { body }) => {
      const name = readNewName(body, "table", "M-3");
      return { status: 200, body: completeMigration(branch, () => table.rename(name)) };
    },
  }),
  defineRoute({
    method: "DELETE",
    path: TABLE,
    plane: "workspace",
    touches: "catalog",
    operation: "deleteTable",
    summary: "Deletes a table.",
    answers: { 200: refer("Completed") },
    find: findTableOnBranch,
    handle: ({ branch, table }) => {
      branch.deleteTable(table.name);
      return { status: 200, body: { status: "completed" } };
    },
  }),
];
