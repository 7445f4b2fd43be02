import { refuse } from "../../errors.js";
import { DisconnectedError, failureOf, withoutPlaces } from "../failure.js";

/**
 * Refuses with the database's own words what it says of a statement.
 *
 * @throws what is no fault of the statement, as it is
 */
export async function refuseStatement<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    // Some functions are not interrupted, however long they take.
    if (error instanceof DisconnectedError && error.isLate) refuseLate(path);
    if (!(error instanceof Error) || !("code" in error) || !("severity" in error)) throw error;
    const details = { path, rule: "E-3" };
    if (error.code === TIMED_OUT) refuseLate(path);
    const failure = failureOf(error);
    if (failure === "conflict") throw error;
    if (failure === "unavailable" && !TOO_LARGE.has(String(error.code))) throw error;
    refuse("invalid_request", readable(error.code, error.message), details);
  }
}

/** Refuses a statement that ran, or waits for others of its request, for too long. */
export function refuseLate(path: string): never {
  refuse("query_timeout", "the statement takes too long", { path, rule: "L-10" });
}

/** A statement was ended by `statement_timeout`. */
const TIMED_OUT = "57014";

/** A statement needs more memory or files than it may have: to send it again would not help. */
const TOO_LARGE: ReadonlySet<string> = new Set(["53200", "53400"]);

/**
 * What statements are made of here is no concern of who wrote them, nor which schemas there are: one
 * that may not be used is as one that does not exist.
 */
function readable(code: unknown, message: string): string {
  if (/unquoted SQL function body/.test(message)) {
    return "expected select, insert, update, delete or merge";
  }
  const [, schema] = (MISSING.has(code) ? /"?([^\s".]+)\.[^\s"]/.exec(message) : undefined) ?? [];
  const isOfSchema = schema !== undefined && !/^(?:pg_|information_schema$)/.test(schema);
  if (
    code === "3F000" ||
    isOfSchema ||
    /^(?:permission denied for schema|role|constant of the type regrole) /.test(message)
  ) {
    return FORBIDDEN_NAME;
  }
  return withoutPlaces(message.replaceAll(/\bpg_temp(?:_\d+)?\./g, ""));
}

/** Of a schema or a role, or a name in a schema, whether it is there or not. */
export const FORBIDDEN_NAME = "permission denied, or nothing of that name";

/** There is no such table, function or operator, or other object. */
const MISSING: ReadonlySet<unknown> = new Set(["42P01", "42883", "42704"]);
