import { below } from "../errors.js";
import { type RequestPart, readFields, refuseValue } from "../shape/fields.js";
import { findNearest } from "../value/nearest.js";
import { decodeSegment } from "./body.js";
import type { RoutedRequest } from "./match.js";
import { METHODS } from "./route.js";
import { type Operation, ROUTE_TABLE } from "./routes.js";

/** A request, described by its address. */
export interface Call {
  /** The HTTP method. */
  readonly method: string;
  /** Percent-encoded, without the query string. */
  readonly path: string;
  /** The query string without its question mark. */
  readonly search: string;
  /** The operation, such as `queryTable`; absent for an unknown route. */
  readonly operation?: string | undefined;
  /** The workspace id. */
  readonly workspace?: string | undefined;
  /** The database in the address, if any. */
  readonly database?: string | undefined;
  /** The branch in the address, if any. */
  readonly branch?: string | undefined;
  /** The table in the address, if any. */
  readonly table?: string | undefined;
  /** The record in the address, if any. */
  readonly record?: string | undefined;
}

/** Selects calls that match all given members. */
export interface CallPattern
  extends Pick<Call, "workspace" | "database" | "branch" | "table" | "record"> {
  /** The HTTP method. */
  readonly method?: string | undefined;
  /** A part of the path, or a pattern. */
  readonly path?: string | RegExp | undefined;
  /** The operation's name in `/openapi.json`. */
  readonly operation?: Operation | undefined;
}

/** Describes a request by its address, even if it is invalid. */
export function describeCall({ request, workspace, found }: RoutedRequest): Call {
  const { method, path, search } = request;
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
  if (member === "workspace") return found?.toLowerCase() === String(wanted).toLowerCase(); // D-5
  if (member !== "path" || found === undefined) return found === wanted;
  return wanted instanceof RegExp
    ? new RegExp(wanted, wanted.flags.replace(/[gy]/g, "")).test(found) // without `lastIndex`
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

/** Rejects a pattern with a misspelt key or operation, which no call can match. */
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
    if (key === "method") requireName(value, [...METHODS, "HEAD", "OPTIONS"], at);
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

function decode(segment: string): string {
  try {
    return decodeSegment(segment);
  } catch {
    return segment; // the request fails later
  }
}
