import { findBranch, findBranchPlace, findDatabase } from "../address.js";
import { unchecked } from "../fields.js";
import { ANY_OBJECT, objectOf, refer, TEXT } from "../openapi/schema.js";
import { textParameter } from "../parameters.js";
import { defineRoute, type Route } from "../route.js";
import { describeTables, schemaVersion } from "../schema-version.js";

const BRANCH = "/db/{db_branch_name}";

/** The branches of a database, their metadata, and the settings of a database (rules B-1, X-5). */
export const BRANCH_ROUTES: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/dbs/{db_name}",
    plane: "workspace",
    touches: "catalog",
    operation: "getBranchList",
    summary: "The branches of a database, oldest first.",
    answers: { 200: refer("BranchList") },
    find: findDatabase,
    handle: (database) => ({
      status: 200,
      body: {
        databaseName: database.name,
        branches: database.branches().map((branch) => ({ ...branch, state: "active" })),
      },
    }),
  }),
  defineRoute({
    method: "PUT",
    path: BRANCH,
    plane: "workspace",
    touches: "catalog",
    operation: "createBranch",
    summary: "Makes a branch, empty or from another.",
    parameters: { from: textParameter("The branch to start from.") },
    body: objectOf({ from: TEXT, metadata: refer("BranchMetadata") }, []),
    answers: { 201: refer("BranchMade") },
    find: findBranchPlace,
    handle: ({ database, branch }, { parameters: { from }, body }) => {
      database.createBranch(branch, unchecked(from === undefined ? body : { from, ...body }));
      return {
        status: 201,
        body: { databaseName: database.name, branchName: branch, status: "completed" },
      };
    },
  }),
  defineRoute({
    method: "GET",
    path: BRANCH,
    plane: "workspace",
    touches: "catalog",
    operation: "getBranchDetails",
    summary: "A branch with its schema.",
    answers: { 200: refer("Branch") },
    find: (address) => ({ ...findBranchPlace(address), found: findBranch(address) }),
    handle: ({ database, branch, found }) => {
      const { createdAt } = database.branches().find(({ name }) => name === branch)!; // was found
      return {
        status: 200,
        body: {
          databaseName: database.name,
          branchName: branch,
          createdAt,
          id: `${database.name}:${branch}`,
          version: 1,
          state: "active",
          lastMigrationID: schemaVersion(found),
          metadata: found.metadata(),
          schema: { tables: describeTables(found) },
        },
      };
    },
  }),
  defineRoute({
    method: "DELETE",
    path: BRANCH,
    plane: "workspace",
    touches: "catalog",
    operation: "deleteBranch",
    summary: "Deletes a branch with all that is in it.",
    answers: { 200: refer("Completed") },
    find: findBranchPlace,
    handle: ({ database, branch }) => {
      database.deleteBranch(branch);
      return { status: 200, body: { status: "completed" } };
    },
  }),
  defineRoute({
    method: "GET",
    path: `${BRANCH}/metadata`,
    plane: "workspace",
    touches: "catalog",
    operation: "getBranchMetadata",
    summary: "What is noted of a branch.",
    answers: { 200: refer("BranchMetadata") },
    find: findBranch,
    handle: (branch) => ({ status: 200, body: branch.metadata() }),
  }),
  defineRoute({
    method: "PUT",
    path: `${BRANCH}/metadata`,
    plane: "workspace",
    touches: "catalog",
    operation: "updateBranchMetadata",
    summary: "Replaces what is noted of a branch.",
    body: refer("BranchMetadata"),
    answers: { 204: null },
    find: findBranch,
    handle: (branch, { body }) => {
      branch.setMetadata(unchecked(body));
      return { status: 204 };
    },
  }),
  defineRoute({
    method: "DELETE",
    path: `${BRANCH}/metadata`,
    plane: "workspace",
    touches: "catalog",
    operation: "deleteBranchMetadata",
    summary: "Forgets what is noted of a branch.",
    answers: { 204: null },
    find: findBranch,
    handle: (branch) => {
      branch.setMetadata({});
      return { status: 204 };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/dbs/{db_name}/settings",
    plane: "workspace",
    touches: "catalog",
    operation: "getDatabaseSettings",
    summary: "The settings of a database.",
    answers: { 200: ANY_OBJECT },
    find: findDatabase,
    handle: (database) => ({ status: 200, body: database.settings() }),
  }),
  defineRoute({
    method: "PATCH",
    path: "/dbs/{db_name}/settings",
    plane: "workspace",
    touches: "catalog",
    operation: "updateDatabaseSettings",
    summary: "Stores settings of a database; those not given stay.",
    body: ANY_OBJECT,
    answers: { 200: ANY_OBJECT },
    find: findDatabase,
    handle: (database, { body }) => ({
      status: 200,
      body: database.updateSettings(unchecked(body)),
    }),
  }),
];
