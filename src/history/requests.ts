import { findDatabase } from "../catalog/find.js";
import type { MigrationRequestState } from "../catalog/state.js";
import { type AnyDatabase, Database } from "../engine/database.js";
import { refuse, TwinbaseError } from "../errors.js";
import { formatInstant, type Instant } from "../value/datetime.js";
import { readFields, readString, refuseValue } from "../value/fields.js";
import { listMigrations, mergeMigrations, missingMigrations } from "./branch-history.js";
import type { Migration } from "./migrations.js";

/** A request to bring the changes of one branch's schema into another (rule K-3). */
export interface MigrationRequest {
  /** Names it in calls; from 1 up in its database. */
  readonly number: number;
  /** The branch whose schema is wanted. */
  readonly source: string;
  /** The branch that is to have it. */
  readonly target: string;
  /** A short name. */
  readonly title: string;
  /** What it is for, as text. */
  readonly body: string;
  /** Open, closed, or what its merging came to. */
  readonly status: "open" | "closed" | "merged";
  /** RFC 3339, UTC, as the other times. */
  readonly createdAt: string;
  /** RFC 3339. */
  readonly modifiedAt: string;
  /** RFC 3339; null while it is open. */
  readonly closedAt?: string;
  /** RFC 3339; null unless it was merged. */
  readonly mergedAt?: string;
}

/** How a migration request is made. */
export interface MigrationRequestOptions {
  /** The branch whose schema is wanted. */
  readonly source: string;
  /** The branch that is to have it. */
  readonly target: string;
  /** 1–255 characters. */
  readonly title: string;
  /** At most 65,536 characters; default none. */
  readonly body?: string | undefined;
}

/** What of a migration request can be changed. */
export interface MigrationRequestChanges {
  /** A short name. */
  readonly title?: string | undefined;
  /** What it is for, as text. */
  readonly body?: string | undefined;
  /** Closes it, or opens it again. */
  readonly status?: "open" | "closed" | undefined;
}

/**
 * Asks for the changes of one branch to be brought into another; gives the request's number.
 *
 * @throws TwinbaseError `invalid_request`, `branch_not_found` (400).
 */
export function createMigrationRequest(
  database: AnyDatabase,
  options: MigrationRequestOptions,
): number {
  const keys = ["source", "target", "title", "body"] as const;
  const fields = readFields(options, keys, { what: "migration request", rule: "K-3" });
  const source = readBranch(database, fields.source, "source");
  const target = readBranch(database, fields.target, "target");
  if (source === target) {
    refuseValue(target, "another branch than source", {
      what: "target",
      path: "/target",
      rule: "K-3",
    });
  }
  const now = Database.sourceOf(database).context.now();
  const requests = readRequests(database);
  writeRequests(database, [
    ...requests,
    {
      source,
      target,
      title: readTitle(fields.title),
      body: readBody(fields.body ?? ""),
      status: "open",
      createdAt: now,
      modifiedAt: now,
    },
  ]);
  return requests.length + 1;
}

/** Every migration request of a database, by number. */
export function listMigrationRequests(database: AnyDatabase): MigrationRequest[] {
  return readRequests(database).map((request, index) => describe(request, index + 1));
}

/** The migration request of that number; throws `migration_request_not_found`. */
export function getMigrationRequest(database: AnyDatabase, number: number): MigrationRequest {
  return describe(requireRequest(database, number), number);
}

/** Changes a migration request; throws `schema_conflict` for one that was merged. */
export function updateMigrationRequest(
  database: AnyDatabase,
  number: number,
  changes: MigrationRequestChanges,
): MigrationRequest {
  const request = requireRequest(database, number);
  const part = { what: "migration request", rule: "K-3" };
  const { title, body, status } = readFields(changes, ["title", "body", "status"], part);
  if (status !== undefined && status !== "open" && status !== "closed") {
    refuseValue(status, "open or closed", { what: "status", path: "/status", rule: "K-3" });
  }
  if (status !== undefined && request.status === "merged") refuseState(number, "merged");
  const now = Database.sourceOf(database).context.now();
  const { closedAt: _, ...open } = request;
  const kept: MigrationRequestState = status === "open" ? { ...open, status } : request;
  replaceRequest(database, number, {
    ...kept,
    ...(title !== undefined && { title: readTitle(title) }),
    ...(body !== undefined && { body: readBody(body) }),
    ...(status === "closed" && { status, closedAt: now }),
    modifiedAt: now,
  });
  return getMigrationRequest(database, number);
}

/** What merging a request would bring, or has brought, to its target; oldest first. */
export function listRequestMigrations(database: AnyDatabase, number: number): Migration[] {
  const { source, target, status, migration } = requireRequest(database, number);
  const [from, to] = [database.branch(source), database.branch(target)];
  if (status !== "merged") return missingMigrations(from, to);
  const brought = new Set(listMigrations(to).find(({ id }) => id === migration)?.merged);
  return listMigrations(from).filter(({ id }) => brought.has(id));
}

/**
 * Brings to the target of a request what its source has and it lacks, since their common ancestor,
 * as one migration (rule K-3).
 *
 * @throws TwinbaseError `schema_conflict` for what clashes, and a request that is not open;
 * `branch_not_found`; nothing has changed then.
 */
export function mergeMigrationRequest(
  database: AnyDatabase,
  number: number,
): Migration | undefined {
  const request = requireRequest(database, number);
  const { source, target, title, body, status } = request;
  if (status !== "open") refuseState(number, status);
  const [from, to] = [database.branch(source), database.branch(target)];
  const before = listMigrations(to).length;
  mergeMigrations(from, to, { title, ...(body !== "" && { message: body }) });
  const made = listMigrations(to)[before];
  const now = Database.sourceOf(database).context.now();
  replaceRequest(database, number, {
    ...request,
    status: "merged",
    modifiedAt: now,
    closedAt: now,
    mergedAt: now,
    ...(made !== undefined && { migration: made.id }),
  });
  return made;
}

function readBranch(database: AnyDatabase, name: unknown, key: string): string {
  if (typeof name !== "string") {
    return refuseValue(name, "the name of a branch", { what: key, path: `/${key}`, rule: "K-3" });
  }
  try {
    return database.branch(name).name;
  } catch (error) {
    if (!(error instanceof TwinbaseError)) throw error;
    // Named in a body, not in the address (rule E-1).
    return refuse(error.code, error.message, {
      path: `/${key}`,
      rule: "K-3",
      status: 400,
      hint: error.hint,
    });
  }
}

function readTitle(title: unknown): string {
  return readString(title, 1, 255, { what: "title", path: "/title", rule: "K-3" });
}

function readBody(body: unknown): string {
  return readString(body, 0, 65_536, { what: "body", path: "/body", rule: "K-3" });
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

function replaceRequest(
  database: AnyDatabase,
  number: number,
  request: MigrationRequestState,
): void {
  const requests = readRequests(database);
  writeRequests(
    database,
    requests.map((other, index) => (index === number - 1 ? request : other)),
  );
}

function writeRequests(database: AnyDatabase, requests: readonly MigrationRequestState[]): void {
  const { context, address } = Database.sourceOf(database);
  context.changeCatalog((draft) => {
    findDatabase(draft, address).migrationRequests = [...requests];
  });
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
