/** The HTTP statuses that errors answer with. */
type Status = 400 | 401 | 403 | 404 | 405 | 408 | 413 | 422 | 500 | 501 | 503;

/** Every way a call can be refused (rule E-1). A code without a status does not compile. */
export type ErrorCode =
  | "invalid_request"
  | "invalid_name"
  | "invalid_schema"
  | "invalid_record"
  | "invalid_filter"
  | "invalid_sort"
  | "invalid_page"
  | "invalid_cursor"
  | "unknown_column"
  | "unauthorized"
  | "forbidden"
  | "workspace_not_found"
  | "workspace_member_not_found"
  | "invite_not_found"
  | "key_not_found"
  | "database_not_found"
  | "branch_not_found"
  | "table_not_found"
  | "column_not_found"
  | "record_not_found"
  | "file_not_found"
  | "git_branch_not_found"
  | "migration_request_not_found"
  | "route_not_found"
  | "method_not_allowed"
  | "query_timeout"
  | "payload_too_large"
  | "database_exists"
  | "branch_exists"
  | "table_exists"
  | "column_exists"
  | "id_in_use"
  | "key_exists"
  | "version_conflict"
  | "schema_conflict"
  | "last_branch"
  | "internal"
  | "not_implemented"
  | "unavailable";

/** The closed table of codes and the status each answers with over HTTP (rule E-1). */
export const STATUS_BY_CODE: Readonly<Record<ErrorCode, Status>> = {
  invalid_request: 400,
  invalid_name: 400,
  invalid_schema: 400,
  invalid_record: 400,
  invalid_filter: 400,
  invalid_sort: 400,
  invalid_page: 400,
  invalid_cursor: 400,
  unknown_column: 400,
  unauthorized: 401,
  forbidden: 403,
  workspace_not_found: 404,
  workspace_member_not_found: 404,
  invite_not_found: 404,
  key_not_found: 404,
  database_not_found: 404,
  branch_not_found: 404,
  table_not_found: 404,
  column_not_found: 404,
  record_not_found: 404,
  file_not_found: 404,
  git_branch_not_found: 404,
  migration_request_not_found: 404,
  route_not_found: 404,
  method_not_allowed: 405,
  query_timeout: 408,
  payload_too_large: 413,
  database_exists: 422,
  branch_exists: 422,
  table_exists: 422,
  column_exists: 422,
  id_in_use: 422,
  key_exists: 422,
  version_conflict: 422,
  schema_conflict: 422,
  last_branch: 422,
  internal: 500,
  not_implemented: 501,
  unavailable: 503,
};

/** What is wrong, where, and which rule says so. */
export interface ErrorDetails {
  /** JSON pointer (RFC 6901) into what the caller gave; absent where no place is meant. */
  readonly path?: string | undefined;
  /** Number of the rule that refuses, such as `F-12`. */
  readonly rule?: string | undefined;
  /** For a refused batch: its bad members with their index, in order (rule R-5), at most 100. */
  readonly errors?: readonly BatchFault[] | undefined;
  /** How many more bad members there are than `errors` lists (rule L-9). */
  readonly more?: number | undefined;
  /** What may have been meant; the message ends with it, after a semicolon. */
  readonly hint?: string | undefined;
  /** Where the code's own status does not hold, such as 400 for a branch named in a body. */
  readonly status?: number | undefined;
}

/** One bad member of a refused batch or transaction (rule R-5). */
export interface BatchFault {
  /** Its place in the batch, from 0. */
  readonly index: number;
  /** What was expected and what was found. */
  readonly message: string;
  /** What kind of fault it is (rule E-1). */
  readonly code: ErrorCode;
  /** JSON pointer (RFC 6901) into what the caller gave. */
  readonly path?: string | undefined;
  /** Number of the rule that refuses. */
  readonly rule?: string | undefined;
}

/** Characters of a message, at most (rule L-9). */
const MAX_MESSAGE_LENGTH = 2000;

/**
 * The one error that the engine throws for a call it refuses; nothing has changed when it is
 * thrown (rules E-1, E-5). `status` is the HTTP status of `code`.
 */
export class TwinbaseError extends Error {
  /** Always `TwinbaseError`. */
  override readonly name = "TwinbaseError";
  /** What kind of refusal it is (rule E-1). */
  readonly code: ErrorCode;
  /** The HTTP status that goes with it. */
  readonly status: number;
  /** JSON pointer (RFC 6901) into what the caller gave; undefined where no place is meant. */
  readonly path: string | undefined;
  /** Number of the rule that refuses, such as `F-12`. */
  readonly rule: string | undefined;
  /** For a refused batch, its bad members in order, at most 100 (rule R-5). */
  readonly errors: readonly BatchFault[] | undefined;
  /** How many more bad members there are than `errors` lists (rule L-9). */
  readonly more: number | undefined;
  /** What may have been meant; the message ends with it, after a semicolon. */
  readonly hint: string | undefined;

  /** Makes an error of a code, with what is wrong in a sentence and, if known, where. */
  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(shorten(message, MAX_MESSAGE_LENGTH - 1));
    this.code = code;
    this.status = details.status ?? STATUS_BY_CODE[code];
    this.path = details.path;
    this.rule = details.rule;
    this.errors = details.errors;
    this.more = details.more;
    this.hint = details.hint;
  }
}

/** Throws a {@link TwinbaseError}; as an expression, so that it can end a `??` chain. */
export function refuse(code: ErrorCode, message: string, details?: ErrorDetails): never {
  throw new TwinbaseError(code, message, details);
}

/** Holds an invariant of this project; a breach is our own bug, never the caller's (rule E-4). */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`twinbase: broken invariant: ${message}`);
}

/** A JSON pointer one step further (RFC 6901). */
export function pointer(base: string, key: string | number): string {
  return typeof key === "number"
    ? `${base}/${key}`
    : `${base}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** A place in a request: a JSON pointer, or a step below another place. */
export type At = string | { readonly above: At; readonly key: string | number };

/** The whole of what was given. */
export const ROOT: At = "";

/** A place one step below another, written out only when something is wrong there. */
export function below(above: At, key: string | number): At {
  return { above, key };
}

/** The JSON pointer to a place. */
export function pointerTo(at: At): string {
  return typeof at === "string" ? at : pointer(pointerTo(at.above), at.key);
}

/** The text, or what it begins with: no message is as long as a caller wants it to be. */
export function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** A short, safe rendering of a value found where another was expected. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (value instanceof Date) return "a Date";
  if (Array.isArray(value)) return `an array of ${value.length}`;
  switch (typeof value) {
    case "string":
      return JSON.stringify(shorten(value, 40));
    case "number":
    case "boolean":
      return String(value);
    case "bigint":
      return value === BigInt.asIntN(64, value) ? String(value) : "a bigint";
    case "undefined":
      return "nothing";
    case "object":
      return isInstance(value) ? "an instance of a class" : "an object";
    default:
      return `a ${typeof value}`;
  }
}

/** Whether an object is more than its keys, so that it is not taken for one that has them. */
function isInstance(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

/**
 * The text with its control characters written as `\u001b`, but for line feeds and tabs: a terminal acts on
 * none of it. Of JSON the value stays the same.
 */
export function escapeControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, (control) => {
    return `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
