import type { AnyDatabase } from "../../engine/database.js";
import type { AnyWorkspace } from "../../engine/workspace.js";
import { changeErrors } from "../../errors.js";
import * as s from "../../shape/schema.js";
import { type Address, findControlDatabase, findControlWorkspace } from "../address.js";
import { placesIn } from "../branch-stats.js";
import { DONE, defineRoute, type Routes } from "../route.js";
import { NEW_NAME } from "../schemas/tables.js";
import { BRANCH_METADATA } from "./branches.js";

const DATABASE = "/workspaces/{workspace_id}/dbs/{db_name}";

const COLOR = { color: s.textOf(1, 32) };
const UI = s.objectOf(COLOR);
const DATABASE_OPTIONS = s.named(
  "DatabaseOptions",
  s.described(
    s.objectOf(
      {},
      {
        region: s.textOf(1, 255),
        branchName: s.TEXT,
        ui: s.objectOf({}, COLOR),
        metadata: BRANCH_METADATA,
        postgresEnabled: s.FLAG,
      },
    ),
  ),
);
const DATABASE_MADE = s.named(
  "DatabaseMade",
  s.objectOf({ databaseName: s.TEXT, branchName: s.TEXT, status: s.COMPLETED }),
);
const METADATA = s.named(
  "Database",
  s.objectOf({ name: s.TEXT, region: s.TEXT, createdAt: s.TIME }, { ui: UI }),
);

export const DATABASE_ROUTES: Routes<
  | "getDatabaseList"
  | "createDatabase"
  | "getDatabaseMetadata"
  | "updateDatabaseMetadata"
  | "deleteDatabase"
  | "renameDatabase"
> = {
  getDatabaseList: defineRoute({
    at: "GET /workspaces/{workspace_id}/dbs",
    summary: "The databases of a workspace.",
    answers: { 200: s.named("DatabaseList", s.objectOf({ databases: s.arrayOf(METADATA) })) },
    find: findControlWorkspace,
    act: (workspace) => ({ databases: workspace.databases() }),
  }),
  createDatabase: defineRoute({
    at: `PUT ${DATABASE}`,
    summary: "Creates a database with one empty branch.",
    body: DATABASE_OPTIONS,
    isLocated: true,
    answers: { 201: DATABASE_MADE },
    find: findControlWorkspace,
    act: (workspace, { names, body, region, stats }) => {
      const fields = region === undefined ? body : { region, ...body };
      const database = workspace.createDatabase(names.db_name, fields);
      const branchName = database.branches()[0]!.name; // just created
      stats.forget(placesIn(workspace.id, database.name));
      return { databaseName: database.name, branchName, status: "completed" };
    },
  }),
  getDatabaseMetadata: defineRoute({
    at: `GET ${DATABASE}`,
    summary: "The metadata of a database.",
    answers: { 200: METADATA },
    find: findControlDatabase,
    act: (database) => database.metadata(),
  }),
  updateDatabaseMetadata: defineRoute({
    at: `PATCH ${DATABASE}`,
    summary: "Sets the colour of a database.",
    body: s.described(s.objectOf({ ui: UI })),
    answers: { 200: METADATA },
    find: findColoured,
    act: (database, { body }) => database.update(body),
  }),
  deleteDatabase: defineRoute({
    at: `DELETE ${DATABASE}`,
    summary: "Deletes a database and its contents.",
    answers: { 200: DONE },
    find: findInWorkspace,
    act: ({ workspace, database }, { stats }) => {
      workspace.deleteDatabase(database.name);
      stats.forget(placesIn(workspace.id, database.name));
    },
  }),
  renameDatabase: defineRoute({
    at: `POST ${DATABASE}/rename`,
    summary: "Renames a database.",
    body: s.reading(s.objectOf({ newName: NEW_NAME }), { what: "database", rule: "D-7" }),
    answers: { 200: METADATA },
    find: findInWorkspace,
    act: ({ workspace, database }, { body: { newName }, stats }) => {
      workspace.renameDatabase(database.name, newName);
      stats.move(placesIn(workspace.id, database.name), placesIn(workspace.id, newName));
      return workspace.database(newName).metadata();
    },
  }),
};

function findInWorkspace(address: Address): { workspace: AnyWorkspace; database: AnyDatabase } {
  return { workspace: findControlWorkspace(address), database: findControlDatabase(address) };
}

function findColoured(address: Address): AnyDatabase {
  return changeErrors(
    () => findControlDatabase(address),
    ({ code }) =>
      code === "database_not_found" && address.engine.profile.serviceErrors
        ? { rule: "D-3", status: 400 }
        : {},
  );
}
