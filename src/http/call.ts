import { below } from "../errors.js";
import { type RequestPart, readFields, refuseValue } from "../value/fields.js";
import { findNearest } from "../value/nearest.js";
import { decodeSegment } from "./body.js";
import type { Target } from "./match.js";
import type { IncomingRequest } from "./message.js";
import { type Operation, ROUTE_TABLE } from "./routes.js";

/** A request, described by its address. */
export interface Call {
  /** The HTTP method. */
  readonly method: string;
  /** Percent-encoded, without the query string. */
  readonly path: string;
  /** The query string without its question mark. */
  readonly search: string;
  /** The name of the route, such as `queryTable`; absent for an unknown one. */
  readonly operation?: string | undefined;
  /** As the address names it. */
  readonly workspace?: string | undefined;
  /** The database in its address, if any. */
  readonly database?: string | undefined;
  /** The branch in its address, if any. */
  readonly branch?: string | undefined;
  /** The table in its address, if any. */
  readonly table?: string | undefined;
  /** The record in its address, if any. */
  readonly record?: string | undefined;
}

/** Matches the calls that have every given member. */
export interface CallPattern {
  /** The HTTP method. */
  readonly method?: string | undefined;
  /** A part of the path, or a pattern. */
  readonly path?: string | RegExp | undefined;
  /** The operation's name in `/openapi.json`. */
  readonly operation?: Operation | undefined;
  /** The workspace it means. */
  readonly workspace?: string | undefined;
  /** The database in the address. */
  readonly database?: string | undefined;
  /** The branch in the address. */
  readonly branch?: string | undefined;
  /** The table in the address. */
  readonly table?: string | undefined;
  /** The record in the address. */
  readonly record?: string | undefined;
}

/** Describes a request by its address, also one that will be refused. */
export function describeCall(
  { method, path, search }: IncomingRequest,
  { workspace, found }: Target,
): Call {
  const names = new Map(found?.names.map(([name, segment]) => [name, decode(segment)]));
  const [database, branch] = (names.get("db_branch_name") ?? names.get("db_name") ?? "").split(":");
  return {
    method,
    path,
    search,
    operation: found?.routes.get(method)?.operation,
    workspace: names.get("workspace_id") ?? (workspace && decode(workspace)),
    database: database === "" ? undefined : database,
    branch,
    table: names.get("table_name"),
    record: names.get("record_id"),
  };
}

export function matchesMember(call: Call, member: keyof CallPattern, wanted: unknown): boolean {
  if (wanted === undefined) return true;
  const found = call[member];
  if (member !== "path" || found === undefined) return found === wanted;
  return wanted instanceof RegExp
    ? new RegExp(wanted, wanted.flags.replace(/[gy]/g, "")).test(found) // as if it had not been used before
    : found.includes(String(wanted));
}

export function matchesCall(call: Call, pattern: CallPattern): boolean {
  return CALL_MEMBERS.every((member) => matchesMember(call, member, pattern[member]));
}

export const CALL_MEMBERS: readonly (keyof CallPattern)[] = [
  "operation",
  "workspace",
  "database",
  "branch",
  "table",
  "record",
  "method",
  "path",
];

/**
 * Refuses a pattern that no call can match because a key or a name in it is misspelt, with the
 * nearest there is.
 *
 * @param known the keys that the pattern may have
 * @throws TwinbaseError `invalid_request`
 */
export function checkCallPattern(
  given: unknown,
  known: readonly string[],
  part: RequestPart,
): void {
  const pattern = readFields(given, known, part);
  for (const [key, value] of Object.entries(pattern)) {
    if (!CALL_KEYS.includes(key)) continue;
    const at = { what: key, path: below(part.path ?? "", key), rule: part.rule };
    const isText = typeof value === "string" || (key === "path" && value instanceof RegExp);
    if (!isText) refuseValue(value, key === "path" ? "a string or a RegExp" : "a string", at);
    if (key === "operation") requireName(value, OPERATIONS, at);
    if (key === "method") requireName(value, METHODS, at);
  }
}

function requireName(value: unknown, names: readonly string[], part: RequestPart): void {
  if (typeof value !== "string" || names.includes(value)) return;
  const nearest = findNearest(value, names);
  const expected =
    nearest === undefined ? "the name of one" : `the name of one, such as ${nearest}`;
  refuseValue(value, expected, part);
}

const CALL_KEYS: readonly string[] = CALL_MEMBERS;
const OPERATIONS = ROUTE_TABLE.routes.map(({ operation }) => operation).sort();
/** Clients may send methods that no route has. */
const METHODS: readonly string[] = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

function decode(segment: string): string {
  try {
    return decodeSegment(segment);
  } catch {
    return segment; // the request is refused for it
  }
}
