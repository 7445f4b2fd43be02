import { refuse } from "../errors.js";
import { partAt, readFields, readFlag, readString, refuseValue } from "../shape/fields.js";
import { formatInstant, type Instant } from "../value/datetime.js";
import type { DatabaseAddress } from "./address.js";
import { readBranchMetadata } from "./branches.js";
import { type CatalogEvent, changed, created, deleted, type Entities, ownOf } from "./events.js";
import { findDatabase, findWorkspace } from "./find.js";
import { checkName } from "./names.js";
import { mergeSettings } from "./settings.js";
import type { BranchMetadata, CatalogState, DatabaseState } from "./state.js";

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
  /** Metadata of the first branch. */
  readonly metadata?: BranchMetadata | undefined;
  /** Has no effect. */
  readonly postgresEnabled?: boolean | undefined;
}

/** An update of a database (rule D-3). */
export interface DatabaseChanges {
  /** 1–32 characters. */
  readonly ui: { readonly color: string };
}

export const DEFAULT_REGION = "us-east-1";
const DEFAULT_BRANCH = "main";

export function addDatabase(
  state: CatalogState,
  address: DatabaseAddress,
  options: unknown,
  createdAt: Instant,
): CatalogEvent[] {
  const { workspace, database } = address;
  checkName("database", database);
  const { databases } = findWorkspace(state, workspace);
  if (databases.has(database)) refuseTaken(database, "D-1");
  const keys = ["region", "branchName", "ui", "metadata", "postgresEnabled"] as const;
  const fields = readFields(options, keys, { what: "database", rule: "D-1" });
  const { region: chosenRegion = DEFAULT_REGION, branchName: branch = DEFAULT_BRANCH } = fields;
  const region = readString(chosenRegion, 1, 255, partAt("region", "D-1"));
  checkName("branch", branch, "/branchName");
  const color = readColor(fields.ui, "D-1");
  const metadata = readBranchMetadata(fields.metadata, "/metadata");
  readFlag(fields.postgresEnabled, partAt("postgresEnabled", "D-1"));
  const shown = color === undefined ? {} : { color };
  return [
    created("database", [workspace, database], { region, createdAt, ...shown, settings: {} }),
    created("branch", [workspace, database, branch], { createdAt, metadata }),
  ];
}

export function renameDatabase(
  state: CatalogState,
  address: DatabaseAddress,
  name: unknown,
): CatalogEvent[] {
  const { workspace, database } = address;
  const { databases } = findWorkspace(state, workspace);
  findDatabase(state, address);
  checkName("database", name, "/name");
  if (databases.has(name)) refuseTaken(name, "D-7", "/name");
  return [{ kind: "renamed", entity: "database", at: [workspace, database], to: name }];
}

export function removeDatabase(state: CatalogState, address: DatabaseAddress): CatalogEvent[] {
  findDatabase(state, address);
  return [deleted("database", address.workspace, address.database)];
}

export function changeDatabase(
  state: CatalogState,
  address: DatabaseAddress,
  changes: unknown,
): CatalogEvent[] {
  findDatabase(state, address);
  const part = { what: "database", rule: "D-3" };
  const { ui } = readFields(changes, ["ui"], part);
  const color = readColor(ui, "D-3");
  if (color === undefined) refuseValue(undefined, "a color", { ...part, path: "/ui/color" });
  return changeOwn(state, address, { color });
}

export function changeDatabaseSettings(
  state: CatalogState,
  address: DatabaseAddress,
  changes: unknown,
): CatalogEvent[] {
  const { settings } = findDatabase(state, address);
  return changeOwn(state, address, { settings: mergeSettings(settings, changes) });
}

function changeOwn(
  state: CatalogState,
  address: DatabaseAddress,
  changes: Partial<Entities["database"]>,
): CatalogEvent[] {
  const settings = ownOf("database", findDatabase(state, address));
  return [changed("database", [address.workspace, address.database], { ...settings, ...changes })];
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

function readColor(ui: unknown, rule: string): string | undefined {
  const { color } = readFields(ui, ["color"], partAt("ui", rule));
  if (color === undefined) return undefined;
  return readString(color, 1, 32, { what: "color", path: "/ui/color", rule: "D-3" });
}

function refuseTaken(name: string, rule: string, path?: string): never {
  refuse("database_exists", `database [${name}] already exists`, { rule, path });
}
