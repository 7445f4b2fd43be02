import { describe, refuse } from "../errors.js";
import type { WriteConditions } from "../storage/writer.js";
import { refuseValue, requireKnownKeys, requireObject } from "../value/fields.js";

/** Conditions and selection of a call that writes or reads one record. */
export interface RecordOptions extends WriteConditions {
  /** Which columns of the record to give back; absent, all (rule P-1). */
  readonly columns?: unknown;
}

/**
 * Reads the options of a call on records.
 *
 * @throws TwinbaseError `invalid_request` for an unknown key or a wrong value (rule E-3)
 */
export function readRecordOptions(
  options: unknown,
  known: readonly ("ifVersion" | "createOnly" | "columns")[],
): RecordOptions {
  if (options === undefined) return {};
  requireObject(options, { what: "options", rule: "E-3" });
  requireKnownKeys(options, known);
  const { ifVersion, createOnly, columns } = options;
  requireVersion(ifVersion, "/ifVersion");
  requireBoolean(createOnly, "/createOnly");
  return { ifVersion, createOnly, columns };
}

export function requireVersion(value: unknown, at: string): asserts value is number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= 0)) return;
  refuseValue(value, "a whole number from 0 up", { what: "ifVersion", path: at, rule: "X-1" });
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

/** The last key of a JSON pointer. */
function keyOf(at: string): string {
  return at.slice(at.lastIndexOf("/") + 1);
}

/** Whether a selection that is good may follow links; a path through an object looks the same. */
export function followsLinks(columns: unknown): boolean {
  const members: readonly unknown[] = Array.isArray(columns) ? columns : [];
  return members.some((member) => typeof member !== "string" || member.includes("."));
}

/** Refuses what cannot be a column's path, so that no column has it (rule X-4). */
export function requireColumnPath(table: string, path: unknown): void {
  if (typeof path === "string") return;
  refuse("column_not_found", `table [${table}]: column ${describe(path)} not found`, {
    rule: "X-4",
  });
}
