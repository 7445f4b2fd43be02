import { refuse, shorten, TwinbaseError } from "../../errors.js";
import { CANCELED, codeOf, DisconnectedError, failureOf, withoutPlaces } from "../failure.js";
import { TOO_MANY_CHANGES } from "./views.js";

/** Converts a timeout in the writes of a statement; rethrows other errors. */
export async function refuseTimeout<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (codeOf(error) === CANCELED) refuseLate(path);
    throw error;
  }
}

/**
 * Converts the errors of reading a statement, before it runs. They are all the same if the statement may
 * name schemas or roles: PostgreSQL looks them up while it parses, so that one with a name that exists would
 * be refused for its next fault.
 */
export async function refuseReading<T>(
  path: string,
  text: string,
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await refuseFailure(path, act);
  } catch (error) {
    const isRefused = error instanceof TwinbaseError && error.code === "invalid_request";
    if (isRefused && mayName(text)) refuseName(path);
    throw error;
  }
}

function mayName(text: string): boolean {
  return NAMES.test(text) || (CATALOGS.test(text) && /[="]/.test(text));
}

/**
 * Words that name schemas and roles, and literals that can hide such words: with escapes, or of
 * several parts.
 */
const NAMES = /regnamespace|regrole|acl|public|U&['"]|\\|'\s*--|'[^\S\n\r]*[\n\r]\s*'/i;

/** Their rows contain names, which can have quotes inside, and access rights, such as `role=r`. */
const CATALOGS = /pg_(?!catalog\b|temp\b)/i;

function refuseName(path: string): never {
  refuse("invalid_request", FORBIDDEN_NAME, { path, rule: "E-3" });
}

/** Converts the database's error about a statement; rethrows others. */
export async function refuseFailure<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    // Some functions cannot be interrupted.
    if (error instanceof DisconnectedError && error.isLate) refuseLate(path);
    if (!(error instanceof Error) || !("code" in error) || !("severity" in error)) throw error;
    const details = { path, rule: error.code === TOO_MANY_CHANGES ? "L-11" : "E-3" };
    if (error.code === CANCELED) refuseLate(path);
    const failure = failureOf(error);
    if (failure === "conflict") throw error;
    if (failure === "unavailable" && !TOO_LARGE.has(String(error.code))) throw error;
    refuse("invalid_request", shorten(readable(error.code, error.message), MAX_MESSAGE), details);
  }
}

/** A message may contain a value of any length. */
export const MAX_MESSAGE = 1000;

/** Throws for a statement that ran or waited too long. */
export function refuseLate(path: string): never {
  refuse("query_timeout", "the statement takes too long", { path, rule: "L-10" });
}

/** Out of memory or disk quota: a retry would not help. */
const TOO_LARGE: ReadonlySet<string> = new Set(["53200", "53400"]);

/** Hides internal objects and schemas: forbidden ones look like missing ones. */
function readable(code: unknown, message: string): string {
  if (/unquoted SQL function body/.test(message)) {
    return "expected select, insert, update, delete or merge";
  }
  if (
    code === "3F000" ||
    (MISSING.has(code) && namesSchema(message)) ||
    / FROM-clause entry for /.test(message) || // a column's schema that does not exist
    /^(?:permission denied for schema|role|constant of the type regrole) /.test(message)
  ) {
    return FORBIDDEN_NAME;
  }
  return withoutPlaces(message.replaceAll(/\bpg_temp(?:_\d+)?\./g, ""));
}

/** Whether a message may name a schema that is not the system's. */
function namesSchema(message: string): boolean {
  if (message.length >= MAX_MESSAGE) return true; // it may be cut
  return message.replaceAll(OF_SYSTEM, "").includes(".");
}

/** Schemas of PostgreSQL, as qualifiers. */
const OF_SYSTEM =
  /(?<=^|[\s"(,])(?:pg_catalog|pg_temp(?:_\d+)?|pg_toast|information_schema)"?\s*\./g;

/** For schemas, roles and qualified names, whether they exist or not. */
export const FORBIDDEN_NAME = "permission denied, or nothing of that name";

/** Missing table, function, operator or other object. */
const MISSING: ReadonlySet<unknown> = new Set(["42P01", "42883", "42704"]);
