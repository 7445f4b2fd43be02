import {
  partAt,
  readNumber,
  refuseValue,
  requireKnownKeys,
  requireObject,
} from "../shape/fields.js";
import type { WriteConditions } from "../storage/writer.js";
import { isArray } from "../value/json.js";

export interface RecordOptions extends WriteConditions {
  /** Columns to return; default all (rule P-1). */
  readonly columns?: unknown;
  /** Maximum number of written records; default all. */
  readonly limit?: number | undefined;
}

export function readRecordOptions(
  options: unknown,
  known: readonly ("ifVersion" | "createOnly" | "columns" | "limit")[],
): RecordOptions {
  if (options === undefined) return {};
  requireObject(options, { what: "options", rule: "E-3" });
  requireKnownKeys(options, known);
  const { ifVersion, createOnly, columns, limit } = options;
  requireIfVersion(ifVersion, "/ifVersion");
  requireBoolean(createOnly, "/createOnly");
  if (limit !== undefined) readNumber(limit, [0], partAt("limit"));
  return { ifVersion, createOnly, columns, limit: limit as number | undefined };
}

export function requireIfVersion(value: unknown, at: string): asserts value is number | undefined {
  if (value === undefined) return;
  readNumber(value, [0], { what: "ifVersion", path: at, rule: "X-1" });
}

export function requireBoolean(value: unknown, at: string): asserts value is boolean | undefined {
  if (value !== undefined && typeof value !== "boolean") {
    refuseValue(value, "true or false", { what: keyOf(at), path: at, rule: "E-3" });
  }
}

export function requireString(value: unknown, at: string): asserts value is string {
  if (typeof value !== "string") {
    refuseValue(value, "a string", { what: keyOf(at), path: at, rule: "E-3" });
  }
}

function keyOf(at: string): string {
  return at.slice(at.lastIndexOf("/") + 1);
}

/** Whether a valid selection may follow links; object paths look the same. */
export function followsLinks(columns: unknown): boolean {
  const members: readonly unknown[] = isArray(columns) ? columns : [];
  return members.some((member) => typeof member !== "string" || member.includes("."));
}
