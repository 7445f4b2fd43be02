import { type At, below, describe, type Reason, refuse } from "../../errors.js";
import type { Profile } from "../../profile.js";
import { coercePlain, coerceValue, expectationOf } from "../../schema/coerce.js";
import { leavesOf, type StoredValue } from "../../schema/columns.js";
import { suggestOperator } from "../../schema/operators.js";
import { TRAITS } from "../../schema/traits.js";
import { formatDate } from "../../value/datetime.js";
import { isArray, isPlainObject } from "../../value/json.js";
import { endsInEscape } from "../../value/pattern.js";
import { isText } from "../../value/text.js";
import {
  type ColumnRef,
  type Constant,
  combine,
  FALSE,
  isJsonPath,
  type NullTest,
  type ObjectRef,
  type Predicate,
  plainRef,
  type Ref,
  refBelow,
  type Test,
  type TextOperator,
  TRUE,
} from "../bound/bound-query.js";

/** A parsed filter in three-valued logic (rule F-30); normalized to a {@link Predicate}. */
export type Condition =
  | Constant
  | NullTest
  | { readonly kind: "all" | "any"; readonly parts: readonly Condition[] }
  | { readonly kind: "not"; readonly part: Condition }
  /** `part`, but unknown where `known` is false. */
  | { readonly kind: "where"; readonly known: Condition; readonly part: Condition }
  | {
      readonly kind: "test";
      readonly column: ColumnRef;
      readonly test: Test<Condition>;
      /** The result for null; undefined means unknown. */
      readonly ofNull: boolean | undefined;
    };

/** Coerces a literal to its column's type; throws `invalid_filter` (rules F-8, F-16). */
export function coerceLiteral(ref: Ref, profile: Profile, literal: unknown, at: At): StoredValue {
  if (ref.type === "object") return refuseLiteral(ref, "object", literal, at, "F-8");
  const value = literal instanceof Date ? formatDate(literal) : literal;
  const { type, dimension } = ref;
  const { stored } = TRAITS[type];
  // A string that no record can hold is accepted, and matches nothing.
  if (type === "id" || type === "item" || stored === "text") {
    return isText(value) ? value : refuseLiteral(ref, `${type} (a string)`, value, at);
  }
  if (stored === "list" && isText(value)) return value; // an item (F-8)
  const column = { type, dimension };
  const coerced = isJsonPath(ref)
    ? coercePlain(column, value)
    : coerceValue(column, value, profile);
  if (coerced !== undefined) return coerced; // null is JSON
  return refuseLiteral(ref, expectationOf(column).expected, value, at);
}

/** Rules F-12, F-18. */
export function coerceBound(
  ref: ColumnRef,
  profile: Profile,
  operand: unknown,
  at: At,
): StoredValue {
  if (!isJsonPath(ref)) return coerceLiteral(ref, profile, operand, at);
  if (typeof operand === "number" && Number.isFinite(operand)) return operand + 0; // no -0
  const takesText = profile.textRanges;
  if (takesText && isText(operand)) return operand;
  const expected = takesText ? "a number or a string" : "a number";
  refuseFilter(
    `column [${ref.path}]: expected ${expected}, found ${describe(operand)}`,
    at,
    "F-12",
  );
}

export function textTest(ref: ColumnRef, name: string, operand: unknown, at: At): Test<Condition> {
  if (!isText(operand)) return refuseLiteral(ref, "a string", operand, at, "F-10");
  const operator = name.slice(1) as TextOperator; // literal names match operator names
  const isPattern = operator === "pattern" || operator === "iPattern";
  if (isPattern && endsInEscape(operand)) {
    refuseFilter(`column [${ref.path}]: the pattern ends with a lone backslash`, at, "F-11");
  }
  return { kind: "text", operator, operand };
}

/** Equality with a value other than null (rule F-8). */
export function equals(ref: Ref, profile: Profile, value: unknown, at: At): Condition {
  if (ref.type === "object") {
    // F-30: a comparison with a null object is unknown.
    const part = equalsWithin(ref, profile, value, at);
    return { kind: "where", known: isNull(ref, false), part };
  }
  const literal = coerceLiteral(ref, profile, value, at);
  return literal === null ? isNull(ref) : equalsAny(ref, [literal]); // T-11: JSON text `null`
}

/** Equality inside an object: null equals null. */
function equalsWithin(ref: Ref, profile: Profile, value: unknown, at: At): Condition {
  if (value === null) return isNull(ref);
  if (ref.type !== "object") {
    requireComparable(ref, "$is", at);
    const test = { kind: "equals", value: coerceLiteral(ref, profile, value, at) } as const;
    return { kind: "test", column: ref, test, ofNull: false };
  }
  if (!isPlainObject(value)) return refuseLiteral(ref, "object", value, at, "F-8");
  requireColumns(ref, value, at);
  const parts = ref.columns.map((column) =>
    equalsWithin(
      refBelow(ref, column),
      profile,
      value[column.name] ?? null,
      below(at, column.name),
    ),
  );
  return { kind: "all", parts };
}

function requireColumns(ref: ObjectRef, value: object, at: At): void {
  const names = new Set(ref.columns.map(({ name }) => name));
  for (const [key, member] of Object.entries(value)) {
    if (names.has(key) || member === undefined) continue;
    const column = `${ref.path}.${key}`;
    refuse("unknown_column", `column [${column}] does not exist`, {
      path: below(at, key),
      rule: "F-16",
      reason: { kind: "unknown_column", clause: "filter", column },
    });
  }
}

/** An object is null if all its columns are (T-14). */
export function isNull(ref: Ref, expected = true): Condition {
  if (ref.type !== "object") return { kind: "null", column: ref, isNull: expected };
  const parts = ref.columns.map((column) => isNull(refBelow(ref, column), expected));
  return { kind: expected ? "all" : "any", parts };
}

export function equalsAny(column: ColumnRef, values: readonly StoredValue[]): Condition {
  const test: Test<Condition> =
    values.length === 1 ? { kind: "equals", value: values[0]! } : { kind: "among", values };
  if (column.type !== "multiple" || isArray(values[0])) return testOf(column, test);
  return testOf(column, { kind: "items", quantifier: "some", item: testOf(itemOf(column), test) });
}

/** Describes a list's item as a column (rule F-13); an item of JSON has any type. */
export function itemOf({ type, path }: ColumnRef): ColumnRef {
  return type === "multiple" ? plainRef("item", path, -1) : plainRef("json", path, -1, [], []);
}

export function testOf(column: ColumnRef, test: Test<Condition>): Condition {
  // F-14: list operators treat null as an empty list, in both null modes.
  const ofNull = test.kind === "items" ? test.quantifier === "every" : undefined;
  return { kind: "test", column, test, ofNull };
}

export function requireComparable(ref: Ref, operator: string, at: At): void {
  if (TRAITS[ref.type].operators === "none") refuseForType(ref, operator, "F-18", at);
}

export function refuseForType(ref: Ref, operator: string, rule: "F-12" | "F-18", at: At): never {
  refuseFilter(`column [${ref.path}]: ${operator} cannot be used with type ${ref.type}`, at, rule);
}

function refuseLiteral(ref: Ref, expected: string, value: unknown, at: At, rule = "F-16"): never {
  const message = `column [${ref.path}]: expected ${expected}, found ${describe(value)}`;
  const type = ref.type === "id" || ref.type === "item" ? "string" : ref.type;
  refuseFilter(message, at, rule, {
    kind: "type_mismatch",
    column: ref.path,
    expected: type,
  });
}

export function refuseFilter(message: string, at: At, rule: string, reason?: Reason): never {
  refuse("invalid_filter", message, { path: at, rule, reason });
}

export function refuseNull({ path }: Ref, at: At): never {
  refuseFilter(`column [${path}]: only $is and $isNot take null`, at, "F-15");
}

export function refuseOperator(
  name: string,
  base: Profile["base"],
  ref: Ref | undefined,
  at: At,
): never {
  const hint = suggestOperator(name, base, ref !== undefined);
  refuseFilter(`${describe(name)} is not an operator${hint}`, at, "F-1");
}

/** Throws for paths that a search store lacks: through links and into json (rule Q-7). */
export function requireReach(ref: Ref, at: At): void {
  const kind = ref.hops.length > 0 ? "through a link" : isJsonPath(ref) ? "into json" : undefined;
  if (kind === undefined) return;
  refuseFilter(`column [${ref.path}]: a search or aggregation takes no path ${kind}`, at, "Q-7");
}

/** Throws for an object with a list, which is compared with it (rule Q-7). */
export function requireNoListIn(ref: Ref, at: At): void {
  if (ref.type !== "object") return;
  for (const leaf of ref.columns.flatMap(leavesOf)) requireNoList(leaf, at);
}

/** Throws for a list: a search store only knows whether it is null (rule Q-7). */
export function requireNoList(
  { type, path }: { readonly type: string; readonly path: string },
  at: At,
): void {
  if (type !== "multiple") return;
  const expected = "of a list, a search or aggregation takes only $exists and $notExists";
  refuseFilter(`column [${path}]: ${expected}`, at, "Q-7");
}

/**
 * Pushes negations to the leaves (De Morgan) and decides whether null matches each leaf (F-30).
 * In null mode `sql`, a negated test of null stays unknown, so it never matches.
 */
export function normalize(
  condition: Condition,
  nulls: Profile["nullComparison"],
  negated = false,
): Predicate {
  switch (condition.kind) {
    case "constant":
      return condition.value === negated ? FALSE : TRUE;
    case "null":
      return negated ? { ...condition, isNull: !condition.isNull } : condition;
    case "not":
      return normalize(condition.part, nulls, !negated);
    case "where": {
      const { known, part } = condition;
      if (!negated || nulls === "complement") return normalize(part, nulls, negated);
      return normalize({ kind: "all", parts: [known, { kind: "not", part }] }, nulls);
    }
    case "test": {
      const { column, ofNull } = condition;
      const test: Test =
        condition.test.kind === "items"
          ? { ...condition.test, item: normalize(condition.test.item, nulls) }
          : condition.test;
      const nullMatches =
        ofNull === undefined ? negated && nulls === "complement" : ofNull !== negated;
      return { kind: "leaf", column, test, negated, nullMatches };
    }
    case "all":
    case "any": {
      const parts: Predicate[] = [];
      for (const part of condition.parts) parts.push(normalize(part, nulls, negated));
      return combine((condition.kind === "all") === negated ? "any" : "all", parts);
    }
  }
}
