/** The HTTP status of each code (E-1). */
export const STATUS_BY_CODE = {
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
} as const;

/** The codes of all errors (E-1). */
export type ErrorCode = keyof typeof STATUS_BY_CODE;

/** Optional parts of an error. */
export interface ErrorDetails {
  /** JSON Pointer (RFC 6901) into the request; absent if the error concerns no part of it. */
  readonly path?: string | undefined;
  /** The rule that the request breaks, such as `F-12`. */
  readonly rule?: string | undefined;
  /** The invalid members of a batch with their index, in order, at most 100. */
  readonly errors?: readonly BatchFault[] | undefined;
  /** The kind of members that `errors` lists. */
  readonly batchOf?: "records" | "operations" | undefined;
  /** The number of invalid members that `errors` leaves out (L-9). */
  readonly more?: number | undefined;
  /** A suggestion; the message ends with it, after a semicolon. */
  readonly hint?: string | undefined;
  /** The kind of error and the names in it, for other wordings than `message` (E-8). */
  readonly reason?: Reason | undefined;
  /** The table of an operation of a transaction. */
  readonly table?: string | undefined;
  /** Overrides the status of the code, such as 400 for a branch named in a body. */
  readonly status?: number | undefined;
  /** The error that led to this one; never part of an answer over HTTP. */
  readonly cause?: unknown;
}

/** An invalid member of a batch or transaction. */
export interface BatchFault extends Pick<ErrorDetails, "path" | "rule" | "reason" | "table"> {
  /** Zero-based index in the batch. */
  readonly index: number;
  readonly message: string;
  readonly code: ErrorCode;
}

/** The part of a query that names a column. */
export type Clause = "filter" | "columns";

/** The kind of an error and the names that its text needs (E-8). Columns are paths with dots. */
export type Reason =
  | { readonly kind: "not_unique"; readonly column: string }
  | {
      readonly kind: "unknown_column";
      /** Absent for a record. */
      readonly clause?: Clause | undefined;
      /** The linked table that lacks the column, which is then relative to it. */
      readonly table?: string | undefined;
      readonly column: string;
    }
  | {
      readonly kind: "type_mismatch";
      readonly column: string;
      /** A column type. */
      readonly expected: string;
    }
  /** The key is the operator or column whose condition is empty. */
  | { readonly kind: "empty_filter" | "unknown_key"; readonly key: string }
  | { readonly kind: "version" }
  /** The name is qualified, such as `shop:main/pets`. */
  | { readonly kind: "not_found"; readonly what: string; readonly name: string }
  /** Any other error of a record: its message without the table. */
  | { readonly kind: "record"; readonly text: string };

/** Maximum length of a message (L-9). */
const MAX_MESSAGE_LENGTH = 2000;

/** The error thrown by every invalid call; such a call changes nothing (E-1, E-5). */
export class TwinbaseError extends Error implements ErrorDetails {
  override readonly name = "TwinbaseError";
  /** The kind of error (E-1). */
  readonly code: ErrorCode;
  /** The HTTP status of the error. */
  readonly status: number;
  readonly path: string | undefined;
  readonly rule: string | undefined;
  readonly errors: readonly BatchFault[] | undefined;
  readonly batchOf: "records" | "operations" | undefined;
  readonly more: number | undefined;
  readonly hint: string | undefined;
  readonly reason: Reason | undefined;
  readonly table: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(shorten(message, MAX_MESSAGE_LENGTH - 1), details);
    this.code = code;
    this.status = details.status ?? STATUS_BY_CODE[code];
    this.path = details.path;
    this.rule = details.rule;
    this.errors = details.errors;
    this.batchOf = details.batchOf;
    this.more = details.more;
    this.hint = details.hint;
    this.reason = details.reason;
    this.table = details.table;
  }
}

/** Throws a {@link TwinbaseError}; an expression, so it can end a `??` chain. */
export function refuse(
  code: ErrorCode,
  message: string,
  { path, ...details }: Refusal = {},
): never {
  throw new TwinbaseError(code, message, { ...details, path: path && pointerTo(path) });
}

/** Throws an error of a record; the message begins with its table. */
export function refuseRecord(
  table: string,
  code: ErrorCode,
  text: string,
  details: Refusal,
): never {
  const reason: Reason = { kind: "record", text };
  refuse(code, `table [${table}]: ${text}`, { reason, ...details });
}

interface Refusal extends Omit<ErrorDetails, "path"> {
  readonly path?: At | undefined;
}

/** Whether an error refuses a part of a request; a timeout ends the whole request (L-10). */
export function isRefusal(error: unknown): error is TwinbaseError {
  return error instanceof TwinbaseError && error.code !== "query_timeout";
}

/** Calls `act`; of a refusal that it throws, replaces details. */
export function changeErrors<T>(act: () => T, change: (error: TwinbaseError) => ErrorDetails): T {
  try {
    return act();
  } catch (error) {
    if (!isRefusal(error)) throw error;
    throw new TwinbaseError(error.code, error.message, { ...error, ...change(error) });
  }
}

/** Checks an invariant of this package; a failure is a bug in it, not in the call (E-4). */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`twinbase: broken invariant: ${message}`);
}

/** Appends a key to a JSON Pointer (RFC 6901). */
export function pointer(base: string, key: string | number): string {
  return typeof key === "number" || !/[~/]/.test(key)
    ? `${base}/${key}`
    : `${base}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

/** Splits a JSON Pointer into its keys. */
export function splitPointer(pointer: string): string[] {
  const steps = pointer.split("/").slice(1);
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** Returns the value at a JSON Pointer; undefined if there is none. */
export function readPointer(value: unknown, pointer: string): unknown {
  let at = value;
  for (const key of splitPointer(pointer)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as { readonly [key: string]: unknown })[key]; // an own key of an object or array
  }
  return at;
}

/** A lazy JSON Pointer: text, or a key below another. */
export type At = string | { readonly above: At; readonly key: string | number };

export const ROOT: At = "";

/** Appends a key to a lazy JSON Pointer; the text is built only for errors. */
export function below(above: At, key: string | number): At {
  return { above, key };
}

export function pointerTo(at: At): string {
  return typeof at === "string" ? at : pointer(pointerTo(at.above), at.key);
}

/** Truncates text with an ellipsis. */
export function shorten(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}…` : text;
}

/** Returns a short, safe description of a value for an error message. */
export function describe(value: unknown): string {
  if (value === null) return "null";
  if (value instanceof Date) return "a Date";
  if (Array.isArray(value)) return `an array of ${String(value.length)}`;
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

/** Whether an object has a prototype other than `Object.prototype` and null. */
function isInstance(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== null && Object.getPrototypeOf(prototype) !== null;
}

/**
 * Escapes control characters as `\u001b`, for terminals; keeps line feeds, tabs, and JSON's
 * meaning.
 */
export function escapeControls(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, (control) => {
    return `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
