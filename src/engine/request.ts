import { describe, pointer, refuse } from "../errors.js";
import { isObject } from "../schema/coerce.js";
import type { WriteConditions } from "../storage/writer.js";
import { findNearest } from "../value/nearest.js";

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
  if (!isObject(options))
    refuse("invalid_request", `options: expected an object, found ${describe(options)}`, {
      path: "",
      rule: "E-3",
    });
  requireKnownKeys(options, known, "");
  const { ifVersion, createOnly, columns } = options;
  requireVersion(ifVersion, "/ifVersion");
  requireBoolean(createOnly, "/createOnly");
  return { ifVersion, createOnly, columns };
}

/** Refuses keys that are not known, naming the nearest that is (rule E-3). */
export function requireKnownKeys(
  object: Readonly<Record<string, unknown>>,
  known: readonly string[],
  at: string,
): void {
  for (const key of Object.keys(object)) {
    if (known.includes(key) || object[key] === undefined) continue;
    const near = findNearest(key, known);
    refuse(
      "invalid_request",
      `unknown key ${describe(key)}${near === undefined ? "" : `; did you mean ${near}?`}`,
      {
        path: pointer(at, key),
        rule: "E-3",
      },
    );
  }
}

export function requireVersion(value: unknown, at: string): asserts value is number | undefined {
  if (value !== undefined && !(Number.isSafeInteger(value) && (value as number) >= 0)) {
    refuse(
      "invalid_request",
      `ifVersion: expected a whole number from 0 up, found ${describe(value)}`,
      { path: at, rule: "X-1" },
    );
  }
}

export function requireBoolean(value: unknown, at: string): asserts value is boolean | undefined {
  if (value !== undefined && typeof value !== "boolean") {
    refuse(
      "invalid_request",
      `${at.slice(at.lastIndexOf("/") + 1)}: expected true or false, found ${describe(value)}`,
      {
        path: at,
        rule: "E-3",
      },
    );
  }
}

export function requireString(value: unknown, at: string): asserts value is string {
  if (typeof value !== "string") {
    refuse(
      "invalid_request",
      `${at.slice(at.lastIndexOf("/") + 1)}: expected a string, found ${describe(value)}`,
      {
        path: at,
        rule: "E-3",
      },
    );
  }
}
