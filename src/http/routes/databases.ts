import type { AnyDatabase } from "../../engine/database.js";
import { refuse, TwinbaseError } from "../../errors.js";
import { type Address, findControlDatabase, findControlWorkspace } from "../address.js";
import { placesIn } from "../branch-stats.js";
import { readNewName, unchecked } from "../fields.js";
import { objectOf, refer, TEXT } from "../openapi/schema.js";
import { defineRoute, type Route } from "../route.js";

const DATABASE = "/workspaces/{workspace_id}/dbs/{db_name}";

/** The databases of a workspace (rules D-1 … D-4). */
export const DATABASE_ROUTES: readonly Route[] = [
  defineRoute({
    method: "GET",
    path: "/workspaces/{workspace_id}/dbs",
    plane: "control",
    touches: "catalog",
    operation: "getDatabaseList",
    summary: "The databases of a workspace.",
    answers: { 200: refer("DatabaseList") },
    find: findControlWorkspace,
    handle: (workspace) => ({ status: 200, body: { databases: workspace.databases() } }),
  }),
  defineRoute({
    method: "PUT",
    path: DATABASE,
    plane: "control",
    touches: "catalog",
    operation: "createDatabase",
    summary: "Makes a database with one empty branch.",
    body: refer("DatabaseOptions"),
    answers: { 201: refer("DatabaseMade") },
    find: (address) => ({ workspace: findControlWorkspace(address), stats: address.stats }),
    handle: ({ workspace, stats }, { names, body, region }) => {
      const given = region === undefined ? body : { region, ...body };
      const database = workspace.createDatabase(names.db_name!, unchecked(given));
      const [branch] = database.branches();
      stats.forget(placesIn(workspace.id, database.name) + branch!.name);
      return {
        status: 201,
        body: { databaseName: database.name, branchName: branch!.name, status: "completed" },
      };
    },
  }),
  defineRoute({
    method: "GET",
    path: DATABASE,
    plane: "control",
    touches: "catalog",
    operation: "getDatabaseMetadata",
    summary: "Name, region, time of creation and colour of a database.",
    answers: { 200: refer("Database") },
    find: findControlDatabase,
    handle: (database) => ({ status: 200, body: database.metadata() }),
  }),
  defineRoute({
    method: "PATCH",
    path: DATABASE,
    plane: "control",
    touches: "catalog",
    operation: "updateDatabaseMetadata",
    summary: "Sets the colour of a database.",
    body: objectOf({ ui: objectOf({ color: TEXT }) }),
    answers: { 200: refer("Database") },
    find: findColoured,
    handle: (database, { body }) => ({ status: 200, body: database.update(unchecked(body)) }),
  }),
  defineRoute({
    method: "DELETE",
    path: DATABASE,
    plane: "control",
    touches: "catalog",
    operation: "deleteDatabase",
    summary: "Deletes a database with all that is in it.",
    answers: { 200: refer("Completed") },
    find: (address) => ({
      workspace: findControlWorkspace(address),
      database: findControlDatabase(address),
    }),
    handle: ({ workspace, database }) => {
      workspace.deleteDatabase(database.name);
      return { status: 200, body: { status: "completed" } };
    },
  }),
  defineRoute({
    method: "POST",
    path: `${DATABASE}/rename`,
    plane: "control",
    touches: "catalog",
    operation: "renameDatabase",
    summary: "Gives a database another name.",
    body: objectOf({ newName: TEXT }),
    answers: { 200: refer("Database") },
    find: (address) => ({
      workspace: findControlWorkspace(address),
      database: findControlDatabase(address),
      stats: address.stats,
    }),
    handle: ({ workspace, database, stats }, { body }) => {
      const name = readNewName(body, "database", "D-7", "newName");
      workspace.renameDatabase(database.name, name);
      stats.move(placesIn(workspace.id, database.name), placesIn(workspace.id, name));
      return { status: 200, body: workspace.database(name).metadata() };
    },
  }),
];

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
