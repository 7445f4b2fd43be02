import type { DatabaseChanges, DatabaseOptions } from "../../catalog/databases.js";
import type { AnyDatabase } from "../../engine/database.js";
import type { AnyWorkspace } from "../../engine/workspace.js";
import { refuse, TwinbaseError } from "../../errors.js";
import { type Address, findControlDatabase, findControlWorkspace } from "../address.js";
import { placesIn } from "../branch-stats.js";
import { defineRoute, type Route } from "../route.js";
import {
  arrayOf,
  byEngine,
  COMPLETED,
  named,
  objectOf,
  reading,
  TEXT,
  TIME,
  textOf,
} from "../schema.js";
import { DONE, NEW_NAME } from "../schemas/tables.js";

const DATABASE = "/workspaces/{workspace_id}/dbs/{db_name}";

const COLOR = { color: textOf(1, 32) };
const UI = objectOf(COLOR);
const DATABASE_OPTIONS = named(
  "DatabaseOptions",
  byEngine<DatabaseOptions>(
    objectOf({}, { region: textOf(1, 255), branchName: TEXT, ui: objectOf({}, COLOR) }),
  ),
);
const DATABASE_MADE = named(
  "DatabaseMade",
  objectOf({ databaseName: TEXT, branchName: TEXT, status: COMPLETED }),
);
const METADATA = named(
  "Database",
  objectOf({ name: TEXT, region: TEXT, createdAt: TIME }, { ui: UI }),
);

/** The databases of a workspace (rules D-1 … D-4). */
export const DATABASE_ROUTES: readonly Route<
  | "getDatabaseList"
  | "createDatabase"
  | "getDatabaseMetadata"
  | "updateDatabaseMetadata"
  | "deleteDatabase"
  | "renameDatabase"
>[] = [
  defineRoute({
    at: "GET /workspaces/{workspace_id}/dbs",
    operation: "getDatabaseList",
    summary: "The databases of a workspace.",
    answers: { 200: named("DatabaseList", objectOf({ databases: arrayOf(METADATA) })) },
    find: findControlWorkspace,
    act: (workspace) => ({ databases: workspace.databases() }),
  }),
  defineRoute({
    at: `PUT ${DATABASE}`,
    operation: "createDatabase",
    summary: "Makes a database with one empty branch.",
    body: DATABASE_OPTIONS,
    answers: { 201: DATABASE_MADE },
    find: findControlWorkspace,
    act: (workspace, { names, body, region, stats }) => {
      const given = region === undefined ? body : { region, ...body };
      const database = workspace.createDatabase(names.db_name, given);
      const branchName = database.branches()[0]!.name; // the one just made
      stats.forget(placesIn(workspace.id, database.name) + branchName);
      return { databaseName: database.name, branchName, status: "completed" };
    },
  }),
  defineRoute({
    at: `GET ${DATABASE}`,
    operation: "getDatabaseMetadata",
    summary: "Name, region, time of creation and colour of a database.",
    answers: { 200: METADATA },
    find: findControlDatabase,
    act: (database) => database.metadata(),
  }),
  defineRoute({
    at: `PATCH ${DATABASE}`,
    operation: "updateDatabaseMetadata",
    summary: "Sets the colour of a database.",
    body: byEngine<DatabaseChanges>(objectOf({ ui: UI })),
    answers: { 200: METADATA },
    find: findColoured,
    act: (database, { body }) => database.update(body),
  }),
  defineRoute({
    at: `DELETE ${DATABASE}`,
    operation: "deleteDatabase",
    summary: "Deletes a database and its contents.",
    answers: { 200: DONE },
    find: findInWorkspace,
    act: ({ workspace, database }) => {
      workspace.deleteDatabase(database.name);
      return { status: "completed" };
    },
  }),
  defineRoute({
    at: `POST ${DATABASE}/rename`,
    operation: "renameDatabase",
    summary: "Gives a database another name.",
    body: reading(objectOf({ newName: NEW_NAME }), { what: "database", rule: "D-7" }),
    answers: { 200: METADATA },
    find: findInWorkspace,
    act: ({ workspace, database }, { body: { newName }, stats }) => {
      workspace.renameDatabase(database.name, newName);
      stats.move(placesIn(workspace.id, database.name), placesIn(workspace.id, newName));
      return workspace.database(newName).metadata();
    },
  }),
];

function findInWorkspace(address: Address): { workspace: AnyWorkspace; database: AnyDatabase } {
  return { workspace: findControlWorkspace(address), database: findControlDatabase(address) };
}

/** Under `xata` a database that does not exist is a bad request here (rule D-3). */
function findColoured(address: Address): AnyDatabase {
  try {
    return findControlDatabase(address);
  } catch (error) {
    const isMissing = error instanceof TwinbaseError && error.code === "database_not_found";
    if (!isMissing || address.engine.profile.base !== "xata") throw error;
    return refuse(error.code, error.message, { rule: "D-3", status: 400, hint: error.hint });
  }
}
