import type { BranchOptions } from "../../catalog/branches.js";
import type { AnyDatabase } from "../../engine/database.js";
import { refuse, TwinbaseError } from "../../errors.js";
import { copyRecords, describeTables, lastMigrationId } from "../../history.js";
import { readFields, refuseValue } from "../../value/fields.js";
import { type Address, findBranch, findBranchPlace, findDatabase } from "../address.js";
import { placeOf } from "../branch-stats.js";
import { unchecked } from "../fields.js";
import type { RequestBody } from "../message.js";
import { ANY_OBJECT, objectOf, refer, TEXT } from "../openapi/schema.js";
import { textParameter } from "../parameters.js";
import { defineRoute, type Route } from "../route.js";

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
    find: (address) => ({ ...findBranchPlace(address), address }),
    handle: (place, { parameters: { from }, body }) => ({
      status: 201,
      body: createBranch(place, readBranchOptions(body, from)),
    }),
  }),
  defineRoute({
    method: "PUT",
    path: `${BRANCH}/async`,
    plane: "workspace",
    touches: "catalog",
    operation: "createBranchAsync",
    summary: "Makes a branch as PUT without async does.",
    parameters: { from: textParameter("The branch to start from.") },
    body: objectOf({ from: TEXT, metadata: refer("BranchMetadata") }, []),
    answers: { 202: refer("BranchMade") },
    find: (address) => ({ ...findBranchPlace(address), address }),
    handle: (place, { parameters: { from }, body }) => ({
      status: 202,
      body: createBranch(place, readBranchOptions(body, from)),
    }),
  }),
  defineRoute({
    method: "POST",
    path: `${BRANCH}/copy`,
    plane: "workspace",
    touches: "records",
    operation: "copyBranch",
    summary: "Copies records into a branch of equal schema.",
    body: objectOf({ destinationBranch: TEXT, limit: { type: "integer", minimum: 1 } }, [
      "destinationBranch",
    ]),
    answers: { 200: objectOf({ branchName: TEXT, dbBranchID: TEXT, copyID: TEXT }) },
    find: (address) => ({ ...findBranchPlace(address), source: findBranch(address) }),
    handle: ({ database, source }, { engine, body }) => {
      const part = { what: "copy", rule: "K-4" };
      const { destinationBranch, limit } = readFields(body, ["destinationBranch", "limit"], part);
      if (limit !== undefined && !(Number.isSafeInteger(limit) && Number(limit) >= 1)) {
        refuseValue(limit, "a whole number from 1 up", { ...part, path: "/limit" });
      }
      const destination = findDestination(database, destinationBranch);
      copyRecords(source, destination, limit as number | undefined); // checked above
      const branchName = destination.name;
      return {
        status: 200,
        body: {
          branchName,
          dbBranchID: `${database.name}:${branchName}`,
          copyID: `copy_${engine.drawSecret(16)}`,
        },
      };
    },
  }),
  defineRoute({
    method: "GET",
    path: `${BRANCH}/stats`,
    plane: "workspace",
    touches: "query",
    operation: "getBranchStats",
    summary:
      "How many records a branch has, and what came over HTTP was read and written by hours.",
    answers: { 200: refer("BranchStats") },
    find: (address) => ({ address, branch: findBranch(address) }),
    handle: ({ address, branch }, { engine }) => {
      const counts = branch.tables().map(({ name }) => branch.table(name).count());
      const records = counts.reduce((sum, count) => sum + count, 0);
      const stats = address.stats.describe(placeOf(address), records, engine.clock.now());
      return { status: 200, body: stats };
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
          lastMigrationID: lastMigrationId(found),
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
    keepsNulls: true,
    answers: { 200: ANY_OBJECT },
    find: findDatabase,
    handle: (database, { body }) => ({
      status: 200,
      body: database.updateSettings(unchecked(body)),
    }),
  }),
];

/** Makes a branch, of which nothing is counted yet. */
function createBranch(
  { database, branch, address }: { database: AnyDatabase; branch: string; address: Address },
  options: BranchOptions,
): object {
  database.createBranch(branch, options);
  address.stats.forget(placeOf(address));
  return { databaseName: database.name, branchName: branch, status: "completed" };
}

/** What a request says of a branch to be made: `from` in the address, in the body, or alike in both. */
function readBranchOptions(body: RequestBody, from: string | undefined): BranchOptions {
  const place = { what: "branch", rule: "B-1" };
  const fields = readFields(body, ["from", "metadata"], place);
  if (from === undefined) return unchecked(fields);
  if (fields.from !== undefined && fields.from !== from) {
    refuseValue(fields.from, "the branch that the address names", { ...place, path: "/from" });
  }
  return unchecked({ ...fields, from });
}

/** A branch named in a body, not in the address, is a bad request: 400 (rule E-1). */
function findDestination(database: AnyDatabase, name: unknown): ReturnType<AnyDatabase["branch"]> {
  const part = { what: "destinationBranch", path: "/destinationBranch", rule: "K-4" };
  if (typeof name !== "string") return refuseValue(name, "the name of a branch", part);
  try {
    return database.branch(name);
  } catch (error) {
    if (!(error instanceof TwinbaseError)) throw error;
    return refuse(error.code, error.message, { ...part, status: 400, hint: error.hint });
  }
}
