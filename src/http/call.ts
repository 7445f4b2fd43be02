import { refuseValue } from "../shape/fields.js";
import * as s from "../shape/schema.js";
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

export function matchesMember(call: Call, member: keyof CallPattern, expected: unknown): boolean {
  if (expected === undefined) return true;
  const found = call[member];
  if (member === "workspace") return found?.toLowerCase() === String(expected).toLowerCase(); // D-5
  if (member !== "path" || found === undefined) return found === expected;
  return expected instanceof RegExp
    ? new RegExp(expected, expected.flags.replace(/[gy]/g, "")).test(found) // without `lastIndex`
    : found.includes(String(expected));
}

export function matchesCall(call: Call, pattern: CallPattern): boolean {
  return CALL_MEMBERS.every((member) => matchesMember(call, member, pattern[member]));
}

/** One of these names; suggests the nearest. */
function nameOf(names: readonly string[]): s.Schema<string> {
  return s.mapped(s.TEXT, (name, part) => {
    if (names.includes(name)) return name;
    const nearest = findNearest(name, names);
    return refuseValue(
      name,
      nearest === undefined ? "the name of one" : `the name of one, such as ${nearest}`,
      part,
    );
  });
}

const OPERATIONS = ROUTE_TABLE.routes.map(({ operation }) => operation).sort();

/** The members of a pattern. A misspelt operation or method, which no call can match, is refused. */
export const CALL_PATTERN: { readonly [member: string]: s.Schema } = {
  operation: nameOf(OPERATIONS),
  workspace: s.TEXT,
  database: s.TEXT,
  branch: s.TEXT,
  table: s.TEXT,
  record: s.TEXT,
  method: nameOf([...METHODS, "HEAD", "OPTIONS"]),
  path: s.parsed(s.TEXT, "a string or a RegExp", (path) =>
    typeof path === "string" || path instanceof RegExp ? path : undefined,
  ),
} satisfies { readonly [member in keyof CallPattern]-?: unknown };

export const CALL_MEMBERS = Object.keys(CALL_PATTERN) as readonly (keyof CallPattern)[]; // keyed by the type's own keys

function decode(segment: string): string {
  try {
    return decodeSegment(segment);
  } catch {
    return segment; // the request fails later
  }
}
