import { describe, type ErrorCode, pointer, refuse, shorten, TwinbaseError } from "../errors.js";
import { requireKnownKeys, requireObject } from "../shape/fields.js";
import { isPlainObject } from "../value/json.js";
import { MAX_NAME_LENGTH } from "../value/names.js";
import { requireString } from "./record-options.js";

export interface RecordOperation {
  readonly kind: string;
  readonly table: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly at: string;
}

const OPERATION_KEYS: Readonly<Record<string, readonly string[]>> = {
  insert: ["table", "record", "ifVersion", "createOnly", "columns"],
  update: ["table", "id", "fields", "ifVersion", "upsert", "columns"],
  delete: ["table", "id", "failIfMissing", "columns"],
  get: ["table", "id", "columns"],
};

/** Reads an operation; throws `invalid_request` (rules X-3, E-3). */
export function readRecordOperation(request: unknown, at: string): RecordOperation {
  const operation = isPlainObject(request) ? request : {};
  const keys = Object.keys(operation).filter((key) => operation[key] !== undefined);
  const [kind = ""] = keys;
  if (keys.length !== 1 || !Object.hasOwn(OPERATION_KEYS, kind)) {
    const found =
      operation === request ? keys.slice(0, 5).map(describe).join(", ") : describe(request);
    const key = keys.find((each) => !Object.hasOwn(OPERATION_KEYS, each));
    const reason = key === undefined ? undefined : ({ kind: "unknown_key", key } as const);
    refuse(
      "invalid_request",
      `expected one of insert, update, delete, get, found ${found || "nothing"}`,
      { path: at, rule: "X-3", reason },
    );
  }
  const fields = operation[kind];
  const place = pointer(at, kind);
  requireObject(fields, { what: kind, path: place, rule: "X-3" });
  requireKnownKeys(fields, OPERATION_KEYS[kind]!, { path: place });
  const { table } = fields;
  requireString(table, pointer(place, "table"));
  return { kind, table, fields, at: place };
}

/** Prefixes an error with the table, and adds its path in the request (rules X-3, E-1). */
export function placeRefusal(
  error: TwinbaseError,
  { kind, table, at }: RecordOperation,
): TwinbaseError {
  const head = `table [${shorten(table, MAX_NAME_LENGTH)}]: `;
  const message = error.message.startsWith(head) ? error.message : head + error.message;
  const { code, path = pointer(at, addressKey(code, kind)), rule, status, reason } = error;
  return new TwinbaseError(code, message, { path, rule, status, reason, table });
}

function addressKey(code: ErrorCode, kind: string): string {
  switch (code) {
    case "invalid_name":
    case "table_not_found":
      return "table";
    case "version_conflict":
      return "ifVersion";
    default:
      return kind === "insert" ? "record" : "id";
  }
}
