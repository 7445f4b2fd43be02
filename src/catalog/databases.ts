import { current } from "immer";
import { refuse } from "../errors.js";
import { formatInstant, type Instant } from "../value/datetime.js";
import { readFields, readString, refuseValue } from "../value/fields.js";
import type { DatabaseAddress } from "./address.js";
import { createBranchState, dropTables } from "./branches.js";
import { asDraft, type CatalogDraft, type ChangeContext, renameKey } from "./draft.js";
import { findDatabase, findWorkspace } from "./find.js";
import { checkName } from "./names.js";
import { mergeSettings } from "./settings.js";
import type { CatalogState, DatabaseState } from "./state.js";

/** A database's description (rule D-2). */
export interface DatabaseMetadata {
  name: string;
  /** Has no effect. */
  region: string;
  /** RFC 3339, UTC. */
  createdAt: string;
  /** Only if set. */
  ui?: { color: string };
}

/** Options of a new database (rule D-1). */
export interface DatabaseOptions {
  /** Default `us-east-1`. */
  readonly region?: string | undefined;
  /** Name of the first branch; default `main` (rule B-1). */
  readonly branchName?: string | undefined;
  /** For lists of databases. */
  readonly ui?: { readonly color?: string | undefined } | undefined;
}

/** An update of a database (rule D-3). */
export interface DatabaseChanges {
  /** 1–32 characters. */
  readonly ui: { readonly color: string };
}

const DEFAULT_REGION = "us-east-1";
const DEFAULT_BRANCH = "main";

export function addDatabase(
  draft: CatalogDraft,
  address: DatabaseAddress,
  options: unknown,
  createdAt: Instant,
): void {
  const { workspace, database } = address;
  checkName("database", database);
  const { databases } = findWorkspace(draft, workspace);
  if (databases.has(database)) refuseTaken(database, "D-1");
  const fields = readFields(options, ["region", "branchName", "ui"], {
    what: "database",
    rule: "D-1",
  });
  const region = readRegion(fields.region);
  const { branchName: branch = DEFAULT_BRANCH } = fields;
  checkName("branch", branch, "/branchName");
  const added: DatabaseState = {
    region,
    createdAt,
    color: readColor(fields.ui, "D-1"),
    branches: new Map([[branch, createBranchState(createdAt)]]),
    branchesByGitBranch: new Map(),
    migrationRequests: [],
    settings: {},
  };
  databases.set(database, asDraft(added));
}

export function renameDatabase(
  draft: CatalogDraft,
  address: DatabaseAddress,
  name: unknown,
  context: ChangeContext,
): void {
  const { workspace: id, database: from } = address;
  const workspace = findWorkspace(draft, id);
  findDatabase(draft, address);
  checkName("database", name, "/name");
  if (workspace.databases.has(name)) refuseTaken(name, "D-7", "/name");
  workspace.databases = renameKey(workspace.databases, from, name);
  context.noteRename({ path: ["workspaces", id, "databases"], from, to: name });
}

export function removeDatabase(
  draft: CatalogDraft,
  address: DatabaseAddress,
  context: ChangeContext,
): void {
  const { branches } = current(findDatabase(draft, address));
  dropTables(branches.values(), context);
  findWorkspace(draft, address.workspace).databases.delete(address.database);
}

export function changeDatabase(
  draft: CatalogDraft,
  address: DatabaseAddress,
  changes: unknown,
): void {
  const database = findDatabase(draft, address);
  const place = { what: "database", rule: "D-3" };
  const { ui } = readFields(changes, ["ui"], place);
  const color = readColor(ui, "D-3");
  if (color === undefined) refuseValue(undefined, "a color", { ...place, path: "/ui/color" });
  database.color = color;
}

export function changeDatabaseSettings(
  draft: CatalogDraft,
  address: DatabaseAddress,
  changes: unknown,
): void {
  const database = findDatabase(draft, address);
  database.settings = asDraft(mergeSettings(current(database).settings, changes));
}

export function describeDatabase(name: string, database: DatabaseState): DatabaseMetadata {
  const { region, createdAt, color } = database;
  return {
    name,
    region,
    createdAt: formatInstant(createdAt.ms, createdAt.micros),
    ...(color !== undefined && { ui: { color } }),
  };
}

export function listDatabases(state: CatalogState, workspace: string): DatabaseMetadata[] {
  return Array.from(findWorkspace(state, workspace).databases, ([name, database]) =>
    describeDatabase(name, database),
  );
}

function readRegion(region: unknown): string {
  if (region === undefined) return DEFAULT_REGION;
  return readString(region, 1, 255, { what: "region", path: "/region", rule: "D-1" });
}

function readColor(ui: unknown, rule: string): string | undefined {
  const { color } = readFields(ui, ["color"], { what: "ui", path: "/ui", rule });
  if (color === undefined) return undefined;
  return readString(color, 1, 32, { what: "color", path: "/ui/color", rule: "D-3" });
}

function refuseTaken(name: string, rule: string, path?: string): never {
  refuse("database_exists", `database [${name}] already exists`, { rule, path });
}
