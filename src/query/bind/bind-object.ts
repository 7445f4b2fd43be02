import { type At, below, refuse } from "../../errors.js";
import type { Profile } from "../../profile.js";
import { isObject } from "../../schema/coerce.js";
import { combine, type Predicate } from "../bound/predicate.js";
import { bindNull } from "./binding.js";
import { coerceLiteral, refuseLiteral } from "./literal.js";
import { requireComparable } from "./operators.js";
import { type ObjectRef, type Ref, refBelow } from "./scope.js";

/** Equality of objects: all sub-columns, null equal to null (rule F-8). */
export function bindObject(
  ref: ObjectRef,
  profile: Profile,
  value: unknown,
  negated: boolean,
  at: At,
): Predicate {
  const equal = compareWith(ref, profile, value, negated, at);
  if (!negated || profile.nullComparison === "complement") return equal;
  // F-30: a comparison with a null object stays undecided under negation.
  return combine("all", [bindNull(ref, false), equal]);
}

function compareColumns(
  ref: ObjectRef,
  profile: Profile,
  value: Readonly<Record<string, unknown>>,
  negated: boolean,
  at: At,
): Predicate[] {
  const names = new Set(ref.columns.map(({ name }) => name));
  for (const key of Object.keys(value)) {
    if (names.has(key) || value[key] === undefined) continue;
    refuse("unknown_column", `column [${ref.path}.${key}] does not exist`, {
      path: below(at, key)(),
      rule: "F-16",
    });
  }
  return ref.columns.map((column) => {
    const given = value[column.name] ?? null;
    return compareWith(refBelow(ref, column), profile, given, negated, below(at, column.name));
  });
}

/** Equality of what a path leads to: within an object null is a value like any other. */
function compareWith(
  ref: Ref,
  profile: Profile,
  given: unknown,
  negated: boolean,
  at: At,
): Predicate {
  if (given === null) return bindNull(ref, !negated);
  if (ref.type === "object") {
    if (!isObject(given)) return refuseLiteral(ref, "object", given, at, "F-8");
    return combine("all", compareColumns(ref, profile, given, negated, at), negated);
  }
  requireComparable(ref, "$is", at);
  const test = { kind: "equals", value: coerceLiteral(ref, profile, given, at) } as const;
  return { kind: "leaf", column: ref, test, negated, nullMatches: negated };
}
