import type { StoredValue } from "../../schema/columns.js";
import type { OPERATORS, OperatorName } from "../../schema/operators.js";
import type { ColumnRef } from "./column-ref.js";

/**
 * A parsed filter. It can be unknown for a record with nulls (rule F-30); normalized, it is a
 * {@link Predicate}, which never is.
 */
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

/**
 * A filter that is true or false for each record: its leaves are negated and decide about null.
 */
export type Predicate = Constant | NullTest | Combination | Leaf;

export interface Constant {
  readonly kind: "constant";
  readonly value: boolean;
}

/** Whether a column is null, or is not (rule F-4). */
export interface NullTest {
  readonly kind: "null";
  readonly column: ColumnRef;
  readonly isNull: boolean;
}

/** `all` of nothing is true, `any` of nothing is false (rule F-2). */
export interface Combination {
  readonly kind: "all" | "any";
  readonly parts: readonly Predicate[];
}

/** A test of one column. */
export interface Leaf {
  readonly kind: "leaf";
  readonly column: ColumnRef;
  readonly test: Test;
  /** Whether a value matches when the test does not hold for it. */
  readonly negated: boolean;
  /** Whether null matches (rules F-14, F-30). */
  readonly nullMatches: boolean;
}

/** A test of a value that is not null. `Node` is a condition on an item of a list. */
export type Test<Node = Predicate> =
  | { readonly kind: "equals"; readonly value: StoredValue }
  | { readonly kind: "among"; readonly values: readonly StoredValue[] }
  | RangeTest
  | { readonly kind: "text"; readonly operator: TextOperator; readonly operand: string }
  | { readonly kind: "items"; readonly quantifier: "some" | "every"; readonly item: Node };

export interface RangeTest {
  readonly kind: "range";
  readonly low: Bound | undefined;
  readonly high: Bound | undefined;
}

/** One end of a range. */
export interface Bound {
  readonly value: StoredValue;
  readonly inclusive: boolean;
}

/** The operators whose operand is a text, without their `$`. */
export type TextOperator = {
  [Name in OperatorName]: (typeof OPERATORS)[Name] extends { operand: "text" | "pattern" }
    ? WithoutSign<Name>
    : never;
}[OperatorName];

type WithoutSign<Name> = Name extends `$${infer Rest}` ? Rest : never;

export const TRUE: Constant = { kind: "constant", value: true };
export const FALSE: Constant = { kind: "constant", value: false };

/** Combines predicates: folds constants, flattens a combination within one of its kind. */
export function combine(kind: "all" | "any", parts: readonly Predicate[]): Predicate {
  const neutral = kind === "all";
  const rest: Predicate[] = [];
  for (const part of parts) {
    if (part.kind === kind) for (const inner of part.parts) rest.push(inner);
    else if (part.kind !== "constant") rest.push(part);
    else if (part.value !== neutral) return part; // it decides alone
  }
  if (rest.length === 0) return neutral ? TRUE : FALSE;
  return rest.length === 1 ? rest[0]! : { kind, parts: rest };
}
