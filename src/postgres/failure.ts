import { refuse, TwinbaseError } from "../errors.js";

/**
 * `stale`: outdated catalog; `conflict`: another transaction; `unavailable`: no connection,
 * timeout.
 */
export type Failure = "stale" | "conflict" | "unavailable";

export class StaleCatalogError extends Error {
  override readonly name = "StaleCatalogError";
}

export class ConflictError extends Error {
  override readonly name = "ConflictError";
}

export class DisconnectedError extends Error {
  override readonly name = "DisconnectedError";
  readonly isLate: boolean;

  constructor(cause: unknown) {
    super("the connection to the database failed", { cause });
    this.isLate = messageOf(cause) === LATE;
  }
}

/** The message of `pg` for a statement without an answer. */
export const LATE = "Query read timeout";

/** All connections that a request may use are in use. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

/** The connection broke during a commit, so its outcome is unknown. */
export class UnknownOutcomeError extends Error {
  override readonly name = "UnknownOutcomeError";

  constructor(cause: unknown) {
    super("the write may have been done, or not", { cause });
  }
}

/** Classifies an error; undefined if it is not the database's. */
export function failureOf(error: unknown): Failure | undefined {
  if (error instanceof StaleCatalogError) return "stale";
  if (error instanceof ConflictError) return "conflict";
  if (LOST.some((lost) => error instanceof lost)) return "unavailable";
  const code = codeOf(error);
  if (code === undefined) return undefined;
  if (STALE.has(code) || isOldPlan(error)) return "stale";
  if (CONFLICTS.test(code)) return "conflict";
  return UNAVAILABLE.test(code) ? "unavailable" : undefined;
}

const LOST = [DisconnectedError, UnknownOutcomeError, BusyError];

/** Whether a prepared statement's result type has changed. */
function isOldPlan(error: unknown): boolean {
  const { routine } = error as { readonly routine?: unknown };
  return codeOf(error) === NOT_SUPPORTED && routine === "RevalidateCachedQuery";
}

/** The SQLSTATE of an error, or the code of another one. */
export function codeOf(error: unknown): string | undefined {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : undefined;
}

/** Missing table, column or schema. */
const STALE: ReadonlySet<string> = new Set(["42P01", "42703", "3F000"]);

/** Division by zero: statements fail by it if a row or the catalog has changed. */
export const CHECK_FAILED = "22012";

const NOT_SUPPORTED = "0A000";
/** A link names no record, or a deleted record has links: foreign keys (T-18). */
export const NO_TARGET = "23503";

/**
 * Constraints (23), rollbacks (40), an object in use, not ready or locked (55, also a node of a cluster while
 * it is replaced), a role that another process creates.
 */
const CONFLICTS = /^(?:23(?:001|503|505|P01)|40(?!003)\w{3}|55\w{3}|42710)$/;

/**
 * Connection (08), login (28, 3D), resources (53), shutdown, startup, cancellation (57), system (58, F0), internal
 * (XX, also for a worker that a coordinator lost), read-only (25006), idle or too long transactions, and a
 * commit of unknown outcome.
 */
const UNAVAILABLE = /^(?:(?:08|28|3D|53|57|58|F0|XX)\w{3}|25006|25P0[34]|40003)$/;

/** By `statement_timeout`, or another session. */
export const CANCELED = "57014";

/** Missing privilege. */
export const NO_RIGHT = "42501";

/** Rejects what exceeds PostgreSQL's own limits (class 54), or is unsupported. */
export function refuseByServer(error: unknown): void {
  const code = codeOf(error);
  if (code === NOT_SUPPORTED && !isOldPlan(error)) {
    refuse("not_implemented", `PostgreSQL: ${withoutPlaces(messageOf(error))}`, { cause: error });
  }
  if (code === NO_RIGHT) {
    refuse("unavailable", "the database denies a right that is needed", { cause: error });
  }
  if (code === "54000") refuse("invalid_record", `too large for PostgreSQL: ${messageOf(error)}`);
  if (code?.startsWith("54")) refuse("invalid_request", `PostgreSQL: ${messageOf(error)}`);
}

/** Gives the reason of the server or the network why a database cannot be opened. */
export function refuseOpening(error: unknown): never {
  const root = rootOf(error);
  const isExplained = root instanceof TwinbaseError;
  if (isExplained || (root === error && codeOf(error) === undefined)) throw error;
  refuse("unavailable", `cannot open the database: ${messageOf(root)}`, { cause: error });
}

/** The first cause of an error. */
export function rootOf(error: unknown): unknown {
  // A host with several addresses fails with an error for each.
  const cause = error instanceof AggregateError ? error.errors[0] : (error as Error | null)?.cause;
  return cause === undefined ? error : rootOf(cause);
}

export function withoutPlaces(message: string): string {
  return message.replaceAll(/\btb_\d+\.t\d+\b/g, "a table");
}

export function messageOf(error: unknown): string {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return typeof message === "string" ? message : String(error);
}
