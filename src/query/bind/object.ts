import { type At, below, pointerTo, refuse } from "../../errors.js";
import type { Profile } from "../../profile.js";
import { isPlainObject } from "../../value/json.js";
import { type ObjectRef, type Ref, refBelow } from "../bound/column-ref.js";
import type { Condition } from "../bound/condition.js";
import { bindNull } from "./binding.js";
import { coerceLiteral, refuseLiteral } from "./literal.js";
import { requireComparable } from "./operators.js";

/** Equality of objects: all sub-columns, null equal to null (rule F-8). */
export function bindObject(ref: ObjectRef, profile: Profile, value: unknown, at: At): Condition {
  // F-30: a comparison with a null object is undecided.
  return { kind: "where", known: bindNull(ref, false), part: compareWith(ref, profile, value, at) };
}

/** Equality of what a path leads to: within an object null is a value like any other. */
function compareWith(ref: Ref, profile: Profile, given: unknown, at: At): Condition {
  if (given === null) return bindNull(ref, true);
  if (ref.type === "object") {
    if (!isPlainObject(given)) return refuseLiteral(ref, "object", given, at, "F-8");
    return { kind: "all", parts: compareColumns(ref, profile, given, at) };
  }
  requireComparable(ref, "$is", at);
  const test = { kind: "equals", value: coerceLiteral(ref, profile, given, at) } as const;
  return { kind: "test", column: ref, test, ofNull: false };
}

function compareColumns(
  ref: ObjectRef,
  profile: Profile,
  value: Readonly<Record<string, unknown>>,
  at: At,
): Condition[] {
  const names = new Set(ref.columns.map(({ name }) => name));
  for (const key of Object.keys(value)) {
    if (names.has(key) || value[key] === undefined) continue;
    refuse("unknown_column", `column [${ref.path}.${key}] does not exist`, {
      path: pointerTo(below(at, key)),
      rule: "F-16",
    });
  }
  return ref.columns.map((column) => {
    const given = value[column.name] ?? null;
    return compareWith(refBelow(ref, column), profile, given, below(at, column.name));
  });
}
