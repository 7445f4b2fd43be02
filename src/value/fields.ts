import { describe, type ErrorCode, pointer, refuse } from "../errors.js";
import type { Json } from "../types.js";
import { copyJson, isPlainObject } from "./json.js";
import { suggest } from "./nearest.js";
import { countCodePoints, isWellFormed } from "./text.js";

/** An object of JSON values. */
export type JsonObject = Readonly<Record<string, Json>>;

/** A part of a request, as refusals tell of it. */
export interface RequestPart {
  /** What it is, as messages put it; absent where that is plain. */
  readonly what?: string | undefined;
  /** JSON pointer to it; the whole request by default. */
  readonly path?: string | undefined;
  /** The rule that asks for it. */
  readonly rule: string;
  /** Default `invalid_request`. */
  readonly code?: ErrorCode | undefined;
}

/**
 * The fields of an object of a request. Absent counts as empty, and an undefined field as absent
 * (rule R-9). Only the object's own fields count.
 *
 * @throws TwinbaseError `invalid_request` for what is no plain object, or an unknown key (E-3).
 */
export function readFields<K extends string>(
  value: unknown,
  known: readonly K[],
  part: RequestPart,
): { readonly [key in K]?: unknown } {
  if (value === undefined) return {};
  requireObject(value, part);
  requireKnownKeys(value, known, part);
  const fields: { [key in K]?: unknown } = {};
  for (const key of known) {
    const field = Object.hasOwn(value, key) ? value[key] : undefined;
    if (field !== undefined) fields[key] = field;
  }
  return fields;
}

/** Refuses what is no plain object. */
export function requireObject(
  value: unknown,
  part: RequestPart,
): asserts value is Readonly<Record<string, unknown>> {
  if (!isPlainObject(value)) refuseValue(value, "an object", part);
}

/** Refuses a key that is not known, naming the nearest that is (rule E-3). */
export function requireKnownKeys(
  object: Readonly<Record<string, unknown>>,
  known: readonly string[],
  { what, path = "", code = "invalid_request" }: Partial<RequestPart> = {},
): void {
  for (const key of Object.keys(object)) {
    if (known.includes(key) || object[key] === undefined) continue;
    const message = `${prefix(what)}unknown key ${describe(key)}${suggest(key, known)}`;
    refuse(code, message, { path: pointer(path, key), rule: "E-3" });
  }
}

/** A string of `min` to `max` characters; throws `invalid_request` for anything else. */
export function readString(value: unknown, min: number, max: number, part: RequestPart): string {
  if (typeof value === "string" && value.length <= 2 * max && isWellFormed(value)) {
    const length = countCodePoints(value);
    if (length >= min && length <= max) return value;
  }
  refuseValue(value, `a string of ${min}–${max} characters`, part);
}

/** An array of strings; throws `invalid_request` for anything else. */
export function readStrings(value: unknown, part: RequestPart): readonly string[] {
  if (!Array.isArray(value)) refuseValue(value, "an array of strings", part);
  // A hole counts as a member.
  return Array.from(value as readonly unknown[], (member, index) => {
    if (typeof member === "string") return member;
    return refuseValue(member, "a string", { ...part, path: pointer(part.path ?? "", index) });
  });
}

/** A copy of an object of JSON values; throws `invalid_request` for what is none. */
export function readJsonObject(value: unknown, part: RequestPart): JsonObject {
  if (value === undefined) return {};
  requireObject(value, part);
  const copy = copyJson(value);
  if ("fault" in copy) {
    refuse("invalid_request", `${prefix(part.what)}expected a JSON value, found ${copy.fault}`, {
      path: `${part.path ?? ""}${copy.at}`,
      rule: part.rule,
    });
  }
  return copy.value as JsonObject; // the copy of an object is one
}

/** Refuses a value of a request: says what was expected there, and what was found. */
export function refuseValue(
  value: unknown,
  expected: string,
  { what, path = "", rule, code = "invalid_request" }: RequestPart,
): never {
  refuse(code, `${prefix(what)}expected ${expected}, found ${describe(value)}`, { path, rule });
}

function prefix(what: string | undefined): string {
  return what === undefined ? "" : `${what}: `;
}
