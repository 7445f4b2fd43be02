import { describe, pointer, refuse } from "../errors.js";
import type { Json } from "../types.js";
import { copyJson, isPlainObject } from "../value/json.js";
import { findNearest } from "../value/nearest.js";
import { countCodePoints, isWellFormed } from "../value/text.js";

/** An object of JSON values. */
export type JsonObject = Readonly<Record<string, Json>>;

/** Where in a request a value stands, and which rule asks for it. */
export interface Place {
  /** What the value is, as messages put it. */
  readonly what: string;
  /** JSON pointer to it; the root by default. */
  readonly path?: string | undefined;
  readonly rule: string;
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
  place: Place,
): { readonly [key in K]?: unknown } {
  const { what, path = "" } = place;
  if (value === undefined) return {};
  if (!isPlainObject(value)) refuseValue(value, "an object", place);
  const fields: { [key in K]?: unknown } = {};
  for (const [key, field] of Object.entries(value)) {
    if (!isOneOf(known, key)) refuseKey(key, known, what, path);
    if (field !== undefined) fields[key] = field;
  }
  return fields;
}

/** A string of `min` to `max` characters; throws `invalid_request` for anything else. */
export function readString(value: unknown, min: number, max: number, place: Place): string {
  if (typeof value === "string" && value.length <= 2 * max && isWellFormed(value)) {
    const length = countCodePoints(value);
    if (length >= min && length <= max) return value;
  }
  refuseValue(value, `a string of ${min}–${max} characters`, place);
}

/** An array of strings; throws `invalid_request` for anything else. */
export function readStrings(value: unknown, place: Place): readonly string[] {
  if (!Array.isArray(value)) refuseValue(value, "an array of strings", place);
  return value.map((member: unknown, index) => {
    if (typeof member === "string") return member;
    return refuseValue(member, "a string", { ...place, path: pointer(place.path ?? "", index) });
  });
}

/** A copy of an object of JSON values; throws `invalid_request` for what is none. */
export function readJsonObject(value: unknown, place: Place): JsonObject {
  if (value === undefined) return {};
  if (!isPlainObject(value)) refuseValue(value, "an object", place);
  const copy = copyJson(value);
  if ("fault" in copy) {
    refuse("invalid_request", `${place.what}: expected a JSON value, found ${copy.fault}`, {
      path: `${place.path ?? ""}${copy.at}`,
      rule: place.rule,
    });
  }
  return copy.value as JsonObject; // the copy of an object is one
}

/** Refuses a value of a request: says what was expected at its place, and what was found. */
export function refuseValue(value: unknown, expected: string, place: Place): never {
  refuse("invalid_request", `${place.what}: expected ${expected}, found ${describe(value)}`, {
    path: place.path ?? "",
    rule: place.rule,
  });
}

function isOneOf<K extends string>(known: readonly K[], key: string): key is K {
  return (known as readonly string[]).includes(key);
}

function refuseKey(key: string, known: readonly string[], what: string, path: string): never {
  const nearest = findNearest(key, known);
  const hint = nearest === undefined ? "" : `; did you mean ${nearest}?`;
  refuse("invalid_request", `${what}: unknown key ${describe(key)}${hint}`, {
    path: pointer(path, key),
    rule: "E-3",
  });
}
