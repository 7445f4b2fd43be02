import type { BranchMetadata } from "../../catalog/state.js";
import { Branch } from "../../engine/branch.js";
import { changeErrors } from "../../errors.js";
import { SCHEMA } from "../../history/shapes.js";
import { copyRecords, describeTables, lastMigrationId, listMigrations } from "../../history.js";
import { type JsonObject, refuseValue } from "../../shape/fields.js";
import * as s from "../../shape/schema.js";
import { formatInstant } from "../../value/datetime.js";
import { branchHandle, databaseHandle, findBranchPlace } from "../address.js";
import { placeOf } from "../branch-stats.js";
import { DONE, defineRoute, type Routes, type UnnamedRoute } from "../route.js";

const BRANCH = "/db/{db_branch_name}";
const SETTINGS = "/dbs/{db_name}/settings";

const BRANCH_LIST = s.named(
  "BranchList",
  s.objectOf({
    databaseName: s.TEXT,
    branches: s.arrayOf(s.objectOf({ name: s.TEXT, createdAt: s.TIME, state: s.TEXT })),
  }),
);
const NOTE = s.textOf(0, 1024);
export const BRANCH_METADATA: s.Schema<BranchMetadata> = s.named(
  "BranchMetadata",
  s.described(
    s.objectOf({}, { repository: NOTE, branch: NOTE, stage: NOTE, labels: s.arrayOf(s.TEXT) }),
  ),
);
const BRANCH_OPTIONS = s.reading(
  s.objectOf({}, { from: s.described(s.TEXT), metadata: BRANCH_METADATA }),
  { what: "branch", rule: "B-1" },
);
const BRANCH_MADE = s.named(
  "BranchMade",
  s.objectOf({ databaseName: s.TEXT, branchName: s.TEXT, status: s.COMPLETED }),
);
export const COPY_REQUEST: s.Schema<{
  readonly destinationBranch: string;
  readonly limit?: number;
}> = s.reading(
  s.objectOf(
    { destinationBranch: s.reading(s.TEXT, { expected: "the name of a branch" }) },
    { limit: s.wholeOf(1) },
  ),
  { what: "copy", rule: "K-4" },
);
const POINTS = s.arrayOf(s.named("Datapoint", s.objectOf({ timestamp: s.TIME, value: s.INTEGER })));
const STATS = s.named(
  "BranchStats",
  s.objectOf({
    timestamp: s.TIME,
    interval: s.TEXT,
    resolution: s.TEXT,
    numberOfRecords: POINTS,
    readsOverTime: POINTS,
    writesOverTime: POINTS,
  }),
);
const DETAILS = s.named(
  "Branch",
  s.objectOf(
    {
      databaseName: s.TEXT,
      branchName: s.TEXT,
      createdAt: s.TIME,
      id: s.TEXT,
      version: s.INTEGER,
      state: s.TEXT,
      lastMigrationID: s.TEXT,
      metadata: BRANCH_METADATA,
      schema: SCHEMA,
    },
    { startedFrom: s.objectOf({ branchName: s.TEXT, dbBranchID: s.TEXT, migrationID: s.TEXT }) },
  ),
);

export const BRANCH_ROUTES: Routes<
  | "getBranchList"
  | "createBranch"
  | "createBranchAsync"
  | "copyBranch"
  | "getBranchStats"
  | "getBranchDetails"
  | "deleteBranch"
  | "getBranchMetadata"
  | "updateBranchMetadata"
  | "deleteBranchMetadata"
  | "getDatabaseSettings"
  | "updateDatabaseSettings"
> = {
  getBranchList: defineRoute({
    at: "GET /dbs/{db_name}",
    summary: "The branches of a database, oldest first.",
    answers: { 200: BRANCH_LIST },
    find: databaseHandle,
    act: (database) => ({
      databaseName: database.name,
      branches: database.branches().map((branch) => ({ ...branch, state: "active" })),
    }),
  }),
  createBranch: defineMaking(BRANCH, 201, "Creates a branch, empty or from another."),
  createBranchAsync: defineMaking(`${BRANCH}/async`, 202, "Creates a branch at once, like PUT."),
  copyBranch: defineRoute({
    at: `POST ${BRANCH}/copy`,
    summary: "Copies records into a branch of equal schema.",
    usesRecords: true,
    body: COPY_REQUEST,
    answers: { 200: s.objectOf({ branchName: s.TEXT, dbBranchID: s.TEXT, copyID: s.TEXT }) },
    find: (address) => ({ ...findBranchPlace(address), source: branchHandle(address) }),
    act: ({ database, source }, { engine, body: { destinationBranch, limit } }) => {
      const destination = changeErrors(
        () => database.branch(destinationBranch),
        () => UNKNOWN_DESTINATION,
      );
      copyRecords(source, destination, limit);
      const branchName = destination.name;
      const dbBranchID = `${database.name}:${branchName}`;
      return { branchName, dbBranchID, copyID: `copy_${engine.drawSecret(16)}` };
    },
  }),
  getBranchStats: defineRoute({
    at: `GET ${BRANCH}/stats`,
    summary: "Numbers of records, and of reads and writes over HTTP by hour.",
    answers: { 200: STATS },
    find: branchHandle,
    act: (branch, input) => {
      const counts = branch.tables().map(({ name }) => branch.table(name).count());
      const records = counts.reduce((sum, count) => sum + count, 0);
      return input.stats.describe(placeOf(input), records, input.engine.clock.now());
    },
  }),
  getBranchDetails: defineRoute({
    at: `GET ${BRANCH}`,
    summary: "A branch with its schema.",
    answers: { 200: DETAILS },
    find: (address) => ({ ...findBranchPlace(address), found: branchHandle(address) }),
    act: ({ database, branch, found }) => {
      const { context, address } = Branch.sourceOf(found);
      const { createdAt, startedFrom } = context.readBranch(address);
      return {
        databaseName: database.name,
        branchName: branch,
        createdAt: formatInstant(createdAt.ms, createdAt.micros),
        id: `${database.name}:${branch}`,
        version: 1,
        state: "active",
        lastMigrationID: lastMigrationId(found),
        metadata: found.metadata(),
        ...(startedFrom && {
          startedFrom: {
            branchName: startedFrom.branch,
            dbBranchID: `${database.name}:${startedFrom.branch}`,
            migrationID: listMigrations(found)[startedFrom.migrations - 1]?.id ?? "",
          },
        }),
        schema: { tables: describeTables(found) },
      };
    },
  }),
  deleteBranch: defineRoute({
    at: `DELETE ${BRANCH}`,
    summary: "Deletes a branch and its contents.",
    answers: { 200: DONE },
    find: findBranchPlace,
    act: ({ database, branch }, { stats, ...address }) => {
      database.deleteBranch(branch);
      stats.forget(placeOf(address));
    },
  }),
  getBranchMetadata: defineRoute({
    at: `GET ${BRANCH}/metadata`,
    summary: "The metadata of a branch.",
    answers: { 200: BRANCH_METADATA },
    find: branchHandle,
    act: (branch) => branch.metadata(),
  }),
  updateBranchMetadata: defineRoute({
    at: `PUT ${BRANCH}/metadata`,
    summary: "Replaces the metadata of a branch.",
    body: BRANCH_METADATA,
    answers: { 204: null },
    find: branchHandle,
    act: (branch, { body }) => branch.setMetadata(body),
  }),
  deleteBranchMetadata: defineRoute({
    at: `DELETE ${BRANCH}/metadata`,
    summary: "Empties the metadata of a branch.",
    answers: { 204: null },
    find: branchHandle,
    act: (branch) => branch.setMetadata({}),
  }),
  getDatabaseSettings: defineRoute({
    at: `GET ${SETTINGS}`,
    summary: "The settings of a database.",
    answers: { 200: s.ANY_OBJECT },
    find: databaseHandle,
    act: (database) => database.settings(),
  }),
  updateDatabaseSettings: defineRoute({
    at: `PATCH ${SETTINGS}`,
    summary: "Merges settings of a database.",
    body: s.anyObject<JsonObject>(),
    keepsNulls: true,
    answers: { 200: s.ANY_OBJECT },
    find: databaseHandle,
    act: (database, { body }) => database.updateSettings(body),
  }),
};

/** Defines both routes that create a branch; their status differs (rule K-4). */
function defineMaking(path: string, status: number, summary: string): UnnamedRoute {
  return defineRoute({
    at: `PUT ${path}`,
    summary,
    parameters: s.objectOf({}, { from: { ...s.TEXT, description: "The branch to copy from." } }),
    body: BRANCH_OPTIONS,
    isLocated: true,
    answers: { [status]: BRANCH_MADE },
    find: findBranchPlace,
    act: ({ database, branch }, { parameters: { from }, body, stats, ...address }) => {
      if (from !== undefined && body.from !== undefined && body.from !== from) {
        const part = { what: "branch", path: "/from", rule: "B-1" };
        refuseValue(body.from, "the branch that the address names", part);
      }
      database.createBranch(branch, { ...body, ...(from !== undefined && { from }) });
      stats.forget(placeOf(address));
      return { databaseName: database.name, branchName: branch, status: "completed" };
    },
  });
}

/** Details of an unknown branch in a body, not in the address (rule E-1). */
const UNKNOWN_DESTINATION = { path: "/destinationBranch", rule: "K-4", status: 400 };
