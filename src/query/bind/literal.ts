import { type At, describe, pointerTo, refuse } from "../../errors.js";
import type { Profile } from "../../profile.js";
import { coerceValue, expectationOf, parseJson } from "../../schema/coerce.js";
import type { StoredValue } from "../../schema/columns.js";
import { TRAITS } from "../../schema/traits.js";
import { formatDate } from "../../value/datetime.js";
import { copyJson } from "../../value/json.js";
import { isWellFormed } from "../../value/text.js";
import type { ColumnRef, Ref } from "../bound/column-ref.js";

/**
 * Coerces a literal of a filter to its column's type.
 *
 * @throws TwinbaseError `invalid_filter` (rule F-16)
 */
export function coerceLiteral(
  ref: ColumnRef,
  profile: Profile,
  given: unknown,
  at: At,
): StoredValue {
  const value = given instanceof Date ? formatDate(given) : given;
  const { type, dimension } = ref;
  const { stored } = TRAITS[type];
  // A string that no record could hold is still a string: it matches nothing.
  if (type === "id" || type === "item" || stored === "text") {
    return isText(value) ? value : refuseLiteral(ref, `${type} (a string)`, value, at);
  }
  if (type === "json") return coerceJson(ref, profile, value, at);
  if (stored === "list" && isText(value)) return value; // an item (F-8)
  const column = { type, dimension };
  const coerced = coerceValue(column, value, false);
  return coerced ?? refuseLiteral(ref, expectationOf(column).expected, value, at);
}

/** A value for a `json` column; under `xata` a string for the whole column holds JSON (T-11). */
function coerceJson(ref: ColumnRef, profile: Profile, value: unknown, at: At): StoredValue {
  const asText = profile.base === "xata" && !isJsonPath(ref);
  const read = asText && typeof value === "string" ? parseJson(value) : { value };
  const copy = read === undefined ? undefined : copyJson(read.value);
  if (copy === undefined || "fault" in copy)
    return refuseLiteral(ref, "json (a JSON value)", value, at);
  return copy.value;
}

/** Refuses a literal of the wrong type. */
export function refuseLiteral(
  ref: Ref,
  expected: string,
  value: unknown,
  at: At,
  rule = "F-16",
): never {
  refuseFilter(`column [${ref.path}]: expected ${expected}, found ${describe(value)}`, at, rule);
}

/** Refuses a filter for a part of it. */
export function refuseFilter(message: string, at: At, rule: string): never {
  refuse("invalid_filter", message, { path: pointerTo(at), rule });
}

/** Whether a value is a string that text can be compared with. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && isWellFormed(value);
}

/** Whether a column takes the operators of strings (rule F-18). */
export function isTextType(type: Ref["type"]): boolean {
  return TRAITS[type].operators === "text";
}

/** Whether a column is a path into `json`, which has all operators (rule F-18). */
export function isJsonPath(ref: Ref): boolean {
  return ref.type === "json" && ref.keys !== undefined;
}
