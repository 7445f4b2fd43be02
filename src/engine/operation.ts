import { below, type ErrorCode, pointer, shorten, TwinbaseError } from "../errors.js";
import {
  type RequestPart,
  readChoice,
  readFlag,
  refuseValue,
  requireKnownKeys,
  requireObject,
} from "../shape/fields.js";
import type { WriteConditions } from "../storage/writer.js";
import { MAX_NAME_LENGTH } from "../value/names.js";
import { readIfVersion } from "./record-options.js";

/** The kind and table of an operation, with its unread fields. */
export interface OperationHead {
  readonly kind: keyof typeof OPERATION_KEYS;
  readonly table: string;
  readonly fields: Readonly<Record<string, unknown>>;
  /** JSON Pointer of the fields. */
  readonly at: string;
}

export interface RecordOperation extends Omit<OperationHead, "fields">, WriteConditions {
  /** Empty for an insert: its record has the id. */
  readonly id: string;
  /** The record of an insert, or the fields of an update. */
  readonly record: unknown;
  readonly columns: unknown;
  readonly upsert: boolean | undefined;
  readonly failIfMissing: boolean | undefined;
}

const OPERATION_KEYS = {
  insert: ["table", "record", "ifVersion", "createOnly", "columns"],
  update: ["table", "id", "fields", "ifVersion", "upsert", "columns"],
  delete: ["table", "id", "failIfMissing", "columns"],
  get: ["table", "id", "columns"],
} as const;

const KINDS = Object.keys(OPERATION_KEYS) as (keyof typeof OPERATION_KEYS)[]; // keyed by the type's own keys

/** Reads kind and table of an operation; throws `invalid_request` (rules X-3, E-3). */
export function readOperationHead(request: unknown, path: string): OperationHead {
  const [kind, fields] = readChoice(request, KINDS, { path, rule: "X-3" });
  const at = pointer(path, kind);
  requireObject(fields, { what: kind, path: at, rule: "X-3" });
  requireKnownKeys(fields, OPERATION_KEYS[kind], { path: at });
  return { kind, table: readText(fields, "table", at), fields, at };
}

/** Reads the fields of an operation, in the order of rule E-6: before its table is looked up. */
export function readRecordOperation({ kind, table, fields, at }: OperationHead): RecordOperation {
  const { [kind === "insert" ? "record" : "fields"]: record, columns } = fields;
  const flagAt = (key: string): boolean | undefined => readFlag(fields[key], partOf(key, at));
  const id = kind === "insert" ? "" : readText(fields, "id", at);
  const ifVersion = readIfVersion(fields.ifVersion, below(at, "ifVersion"));
  const [createOnly, upsert] = [flagAt("createOnly"), flagAt("upsert")];
  const failIfMissing = flagAt("failIfMissing");
  return { kind, table, id, record, columns, ifVersion, createOnly, upsert, failIfMissing, at };
}

function readText(fields: OperationHead["fields"], key: string, at: string): string {
  const { [key]: text } = fields;
  return typeof text === "string" ? text : refuseValue(text, "a string", partOf(key, at));
}

function partOf(key: string, at: string): RequestPart {
  return { what: key, path: below(at, key), rule: "E-3" };
}

/** Prefixes an error with the table, and adds its path in the request (rules X-3, E-1). */
export function placeRefusal(
  error: TwinbaseError,
  { kind, table, at }: OperationHead,
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
