import { findDatabase } from "../catalog/find.js";
import type { MigrationRequestState } from "../catalog/state.js";
import { type AnyDatabase, Database } from "../engine/database.js";
import { changeErrors, refuse } from "../errors.js";
import { partAt, refuseValue } from "../shape/fields.js";
import { readBySchema } from "../shape/read.js";
import * as s from "../shape/schema.js";
import type { DropOptions } from "../typed/options.js";
import { formatInstant, type Instant } from "../value/datetime.js";
import { listMigrations, mergeMigrations, missingMigrations } from "./branch-history.js";
import type { Migration } from "./migrations.js";

/** A request to merge one branch's schema changes into another (K-3). */
export interface MigrationRequest {
  /** Identifies the request in its database; from 1. */
  readonly number: number;
  /** The branch with the changes. */
  readonly source: string;
  /** The branch to change. */
  readonly target: string;
  /** A short name. */
  readonly title: string;
  /** A description. */
  readonly body: string;
  readonly status: "open" | "closed" | "merged";
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  /** RFC 3339, UTC. */
  readonly modifiedAt: string;
  /** RFC 3339, UTC; absent while open. */
  readonly closedAt?: string;
  /** RFC 3339, UTC; absent unless merged. */
  readonly mergedAt?: string;
}

/** Options of {@link createMigrationRequest}. */
export interface MigrationRequestOptions {
  /** The branch with the changes. */
  readonly source: string;
  /** The branch to change. */
  readonly target: string;
  /** 1–255 characters. */
  readonly title: string;
  /** At most 65,536 characters; default none. */
  readonly body?: string | undefined;
}

/** Changes to a migration request. */
export interface MigrationRequestChanges {
  /** A short name. */
  readonly title?: string | undefined;
  /** A description. */
  readonly body?: string | undefined;
  /** Closes or reopens the request. */
  readonly status?: "open" | "closed" | undefined;
}

const BRANCH = s.reading(s.TEXT, { expected: "the name of a branch" });
const TITLE = s.textOf(1, 255);
const BODY = s.textOf(0, 65_536);
const ABOUT = { what: "migration request", rule: "K-3" };

export const REQUEST_OPTIONS: s.Schema<MigrationRequestOptions> = s.reading(
  s.objectOf({ source: BRANCH, target: BRANCH, title: TITLE }, { body: BODY }),
  ABOUT,
);

const CHANGES = s.reading(
  s.objectOf({}, { title: TITLE, body: BODY, status: s.oneOf(["open", "closed"]) }),
  ABOUT,
);
export const REQUEST_CHANGES: s.Schema<MigrationRequestChanges> = CHANGES;

/**
 * Creates a request to merge one branch's schema changes into another. Returns its number. Throws
 * `invalid_request`, `branch_not_found` (400).
 */
export function createMigrationRequest(
  database: AnyDatabase,
  options: MigrationRequestOptions,
): number {
  const { title, body = "", ...branches } = readBySchema(REQUEST_OPTIONS, options);
  const source = readBranch(database, branches.source, "source");
  const target = readBranch(database, branches.target, "target");
  if (source === target) {
    refuseValue(target, "another branch than source", partAt("target", "K-3"));
  }
  const now = Database.sourceOf(database).context.now();
  const { length } = readRequests(database);
  writeRequest(database, length + 1, {
    source,
    target,
    title,
    body,
    status: "open",
    createdAt: now,
    modifiedAt: now,
  });
  return length + 1;
}

/** Returns all migration requests of a database, by number. */
export function listMigrationRequests(database: AnyDatabase): MigrationRequest[] {
  return readRequests(database).map((request, index) => describe(request, index + 1));
}

/** Returns a migration request; throws `migration_request_not_found`. */
export function getMigrationRequest(database: AnyDatabase, number: number): MigrationRequest {
  return describe(requireRequest(database, number), number);
}

/** Updates a migration request; throws `schema_conflict` if it was merged. */
export function updateMigrationRequest(
  database: AnyDatabase,
  number: number,
  changes: MigrationRequestChanges,
): MigrationRequest {
  const request = requireRequest(database, number);
  const { status, ...texts } = readBySchema(CHANGES, changes);
  if (status !== undefined && request.status === "merged") refuseState(number, "merged");
  const now = Database.sourceOf(database).context.now();
  const { closedAt: _, ...open } = request;
  const updated: MigrationRequestState = status === "open" ? { ...open, status } : request;
  writeRequest(database, number, {
    ...updated,
    ...texts,
    ...(status === "closed" && { status, closedAt: now }),
    modifiedAt: now,
  });
  return getMigrationRequest(database, number);
}

/** Returns the migrations that merging applies, or has applied, to the target; oldest first. */
export function listRequestMigrations(database: AnyDatabase, number: number): Migration[] {
  const { source, target, status, migration } = requireRequest(database, number);
  const [from, to] = [database.branch(source), database.branch(target)];
  if (status !== "merged") return missingMigrations(from, to);
  const brought = new Set(listMigrations(to).find(({ id }) => id === migration)?.merged);
  return listMigrations(from).filter(({ id }) => brought.has(id));
}

const MERGE = s.reading(s.objectOf({}, { dropValues: s.FLAG }), { what: "merge", rule: "K-3" });
export const MERGE_OPTIONS: s.Schema<DropOptions> = MERGE;

/**
 * Merges a request: applies its source's missing migrations to its target, as one migration (K-3).
 * Throws `schema_conflict` for a conflict, if values of the target would be lost (K-5), and for a
 * request that is not open; `branch_not_found`.
 */
export function mergeMigrationRequest(
  database: AnyDatabase,
  number: number,
  options: DropOptions = {},
): Migration | undefined {
  const mergeOptions = readBySchema(MERGE, options);
  const request = requireRequest(database, number);
  const { source, target, title, body, status } = request;
  if (status !== "open") refuseState(number, status);
  const [from, to] = [database.branch(source), database.branch(target)];
  const before = listMigrations(to).length;
  mergeMigrations(from, to, { title, ...(body !== "" && { message: body }) }, mergeOptions);
  const made = listMigrations(to)[before];
  const now = Database.sourceOf(database).context.now();
  writeRequest(database, number, {
    ...request,
    status: "merged",
    modifiedAt: now,
    closedAt: now,
    mergedAt: now,
    ...(made !== undefined && { migration: made.id }),
  });
  return made;
}

function readBranch(database: AnyDatabase, name: string, key: string): string {
  // 400: the branch is in a body, not in the address (E-1).
  const part = { path: `/${key}`, rule: "K-3", status: 400 };
  return changeErrors(
    () => database.branch(name).name,
    () => part,
  );
}

function readRequests(database: AnyDatabase): readonly MigrationRequestState[] {
  const { context, address } = Database.sourceOf(database);
  return findDatabase(context.state, address).migrationRequests;
}

function requireRequest(database: AnyDatabase, number: number): MigrationRequestState {
  if (typeof number !== "number") {
    refuseValue(number, "the number of a migration request", { path: "/number", rule: "K-3" });
  }
  const request = readRequests(database)[number - 1];
  if (request !== undefined) return request;
  return refuse("migration_request_not_found", `migration request ${number} not found`, {
    rule: "K-3",
  });
}

/** Adds or replaces one request. */
function writeRequest(database: AnyDatabase, number: number, request: MigrationRequestState): void {
  const { context, address } = Database.sourceOf(database);
  const at = [address.workspace, address.database];
  context.change(() => [{ kind: "request", at, index: number - 1, request }]);
}

function describe(request: MigrationRequestState, number: number): MigrationRequest {
  const { createdAt, modifiedAt, closedAt, mergedAt, migration: _, ...rest } = request;
  return {
    number,
    ...rest,
    createdAt: format(createdAt),
    modifiedAt: format(modifiedAt),
    ...(closedAt !== undefined && { closedAt: format(closedAt) }),
    ...(mergedAt !== undefined && { mergedAt: format(mergedAt) }),
  };
}

function format({ ms, micros }: Instant): string {
  return formatInstant(ms, micros);
}

function refuseState(number: number, status: string): never {
  refuse("schema_conflict", `migration request ${number} is ${status}`, { rule: "K-3" });
}
