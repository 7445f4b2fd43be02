import { type At, below, refuse } from "../errors.js";
import type { Profile } from "../profile.js";
import { isObject } from "../schema/coerce.js";
import type { Column } from "../schema/columns.js";
import { bindNull } from "./binding.js";
import { coerceLiteral, refuseLiteral } from "./literal.js";
import { requireComparable } from "./operators.js";
import { combine, type Predicate } from "./predicate.js";
import { type ObjectRef, refTo } from "./scope.js";

/** Equality of objects: all sub-columns, null equal to null (rule F-8). */
export function bindObject(
  ref: ObjectRef,
  profile: Profile,
  value: unknown,
  negated: boolean,
  at: At,
): Predicate {
  if (!isObject(value)) return refuseLiteral(ref, "object", value, at, "F-8");
  const equal = combine("all", compareColumns(ref, profile, value, negated, at), negated);
  if (isNull(ref.columns, value)) return bindNull(ref, !negated);
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
    return compareColumn(ref, profile, column, given, negated, below(at, column.name));
  });
}

/** One sub-column: within an object null is a value like any other. */
function compareColumn(
  ref: ObjectRef,
  profile: Profile,
  column: Column,
  given: unknown,
  negated: boolean,
  at: At,
): Predicate {
  const path = `${ref.path}.${column.name}`;
  if (column.type === "object") {
    const inner: ObjectRef = { type: "object", path, columns: column.columns, hops: ref.hops };
    if (given === null) return bindNull(inner, !negated);
    if (!isObject(given)) return refuseLiteral(inner, "object", given, at, "F-8");
    return combine("all", compareColumns(inner, profile, given, negated, at), negated);
  }
  const leaf = refTo(column, ref.hops, path);
  if (given === null) return bindNull(leaf, !negated);
  requireComparable(leaf, "$is", at);
  const test = { kind: "equals", value: coerceLiteral(leaf, profile, given, at) } as const;
  return { kind: "leaf", column: leaf, test, negated, nullMatches: negated };
}

/** Whether an object given for comparison has no value in it (rule T-14). */
function isNull(columns: readonly Column[], value: Readonly<Record<string, unknown>>): boolean {
  return columns.every((column) => {
    const given = value[column.name] ?? null;
    if (given === null) return true;
    return column.type === "object" && isObject(given) && isNull(column.columns, given);
  });
}
