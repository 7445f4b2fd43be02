import { type At, describe } from "../../errors.js";
import type { Profile } from "../../profile.js";
import type { StoredValue } from "../../schema/columns.js";
import { TRAITS } from "../../schema/traits.js";
import { compilePattern } from "../../value/pattern.js";
import type { ColumnRef, Ref } from "../bound/column-ref.js";
import type { Bound, Condition, Test, TextOperator } from "../bound/condition.js";
import {
  coerceLiteral,
  isJsonPath,
  isText,
  isTextType,
  refuseFilter,
  refuseLiteral,
} from "./literal.js";

/** Operators on strings (rules F-10, F-11). */
export const TEXT_OPERATORS: ReadonlySet<string> = new Set([
  "$contains",
  "$iContains",
  "$startsWith",
  "$endsWith",
  "$pattern",
  "$iPattern",
]);

/** Operators on what has an order (rule F-12). */
export const RANGE_OPERATORS: ReadonlySet<string> = new Set(["$gt", "$ge", "$lt", "$le"]);

/** Every operator that goes under a column. */
export const OPERATORS: ReadonlySet<string> = new Set([
  ...["$is", "$isNot", "$any", "$all", "$not", "$none"],
  ...TEXT_OPERATORS,
  ...RANGE_OPERATORS,
  ...["$includes", "$includesAny", "$includesAll", "$includesNone"],
]);

/** The test of an operator on strings. */
export function bindText(ref: ColumnRef, name: string, operand: unknown, at: At): Test<Condition> {
  if (!(isTextType(ref.type) || isJsonPath(ref))) return refuseForType(ref, name, at);
  if (!isText(operand)) return refuseLiteral(ref, "a string", operand, at, "F-10");
  const operator = name.slice(1) as TextOperator; // the names are those of the operators
  const isPattern = operator === "pattern" || operator === "iPattern";
  if (isPattern && compilePattern(operand) === undefined) {
    refuseFilter(`column [${ref.path}]: the pattern ends with a lone backslash`, at, "F-11");
  }
  return { kind: "text", operator, operand };
}

/** The test of an operator on what has an order. */
export function bindRange(
  ref: ColumnRef,
  profile: Profile,
  operator: string,
  operand: unknown,
  at: At,
): Test<Condition> {
  const takesStrings = profile.base === "xata";
  const isOrdered = TRAITS[ref.type].operators === "range" || isJsonPath(ref);
  if (!isOrdered && !(takesStrings && isTextType(ref.type)))
    return refuseForType(ref, operator, at);
  const bound: Bound = {
    value: isJsonPath(ref)
      ? jsonBound(ref, operand, takesStrings, at)
      : coerceLiteral(ref, profile, operand, at),
    inclusive: operator === "$ge" || operator === "$le",
  };
  const isLow = operator === "$gt" || operator === "$ge";
  return { kind: "range", low: isLow ? bound : undefined, high: isLow ? undefined : bound };
}

/** A bound for a path into `json`: what it means goes by its own type (rule F-18). */
function jsonBound(ref: ColumnRef, operand: unknown, takesStrings: boolean, at: At): StoredValue {
  if (typeof operand === "number" && Number.isFinite(operand)) return operand + 0;
  if (takesStrings && isText(operand)) return operand;
  const expected = takesStrings ? "a number or a string" : "a number";
  return refuseLiteral(ref, expected, operand, at, "F-12");
}

/** Refuses comparing what is stored as given (rule F-18). */
export function requireComparable(ref: Ref, operator: string, at: At): void {
  if (TRAITS[ref.type].operators === "none") refuseForType(ref, operator, at);
}

/** Refuses an operator that a type does not have (rules F-12, F-18). */
export function refuseForType(ref: Ref, operator: string, at: At): never {
  const rule = RANGE_OPERATORS.has(operator) ? "F-12" : "F-18";
  const shown = OPERATORS.has(operator) ? operator : describe(operator);
  refuseFilter(`column [${ref.path}]: ${shown} does not go with type ${ref.type}`, at, rule);
}
