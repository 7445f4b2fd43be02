import { refuse } from "../errors.js";

/**
 * What it means that the database failed: `stale`, the catalog that a statement was made by is not
 * the present one; `conflict`, another transaction was in the way, and running again may help;
 * `unavailable`, it cannot be reached or does not answer in time.
 */
export type Failure = "stale" | "conflict" | "unavailable";

/** A process found that another has changed the catalog since. */
export class StaleCatalogError extends Error {
  override readonly name = "StaleCatalogError";
}

/** What was in the way is gone: running again helps. */
export class ConflictError extends Error {
  override readonly name = "ConflictError";
}

/** A connection could not be had, or broke. */
export class DisconnectedError extends Error {
  override readonly name = "DisconnectedError";
  /** Whether the server took longer than a statement may. */
  readonly isLate: boolean;

  constructor(cause: unknown) {
    super("the connection to the database failed", { cause });
    this.isLate = messageOf(cause) === "Query read timeout"; // as `pg` says it
  }
}

/** A write was ending when the connection broke, or where it was not known to be safe in time. */
export class UnknownOutcomeError extends Error {
  override readonly name = "UnknownOutcomeError";

  constructor(cause: unknown) {
    super("the write may have been done, or not", { cause });
  }
}

/** What it means that a statement failed; undefined for what is no failure of the database. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof StaleCatalogError) return "stale";
  if (error instanceof ConflictError) return "conflict";
  if (error instanceof DisconnectedError || error instanceof UnknownOutcomeError)
    return "unavailable";
  const code = codeOf(error);
  if (code === undefined) return undefined;
  if (STALE.has(code) || isOldPlan(error)) return "stale";
  if (CONFLICTS.has(code)) return "conflict";
  if (code === INTERNAL && LOST_WORKER.test(messageOf(error))) return "unavailable";
  return UNAVAILABLE.test(code) ? "unavailable" : undefined;
}

/** Whether a prepared statement would give other columns than it did. */
function isOldPlan(error: unknown): boolean {
  const { code, routine } = error as { readonly code?: unknown; readonly routine?: unknown };
  return code === NOT_SUPPORTED && routine === "RevalidateCachedQuery";
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** A table, a column or a schema is gone. */
const STALE: ReadonlySet<string> = new Set(["42P01", "42703", "3F000"]);

const NOT_SUPPORTED = "0A000";
const INTERNAL = "XX000";

/** How a coordinator says, without a code of its own, that a worker was lost in a transaction. */
const LOST_WORKER = /^failure on connection marked as essential/;

/** A value is taken, a transaction could not be put in a row, a deadlock, a lock not had in time. */
const CONFLICTS: ReadonlySet<string> = new Set(["23505", "40001", "40P01", "55P03"]);

/**
 * Connections that fail (class 08), a server without resources (53), one that is stopped or starts,
 * or took too long (57), or one that only reads (25006).
 */
const UNAVAILABLE = /^(?:08\w{3}|53\w{3}|57\w{3}|25006)$/;

/** Refuses what a database has no room for by its own limits (class 54), or does not support. */
export function refuseByServer(error: unknown): void {
  const code = codeOf(error);
  if (code === NOT_SUPPORTED && !isOldPlan(error)) {
    refuse("not_implemented", `PostgreSQL: ${withoutPlaces(messageOf(error))}`);
  }
  if (code === "54000") refuse("invalid_record", `too large for PostgreSQL: ${messageOf(error)}`);
  if (code?.startsWith("54")) refuse("invalid_request", `PostgreSQL: ${messageOf(error)}`);
}

/** A message of the database that names no place of the tables of a branch. */
export function withoutPlaces(message: string): string {
  return message.replaceAll(/\btb_\d+\.t\d+\b/g, "a table");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
