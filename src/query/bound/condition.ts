import type { StoredValue } from "../../schema/columns.js";
import type { OPERATORS, OperatorName } from "../../schema/operators.js";
import type { ColumnRef } from "./column-ref.js";

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

/** A normalized filter: true or false for every record. */
export type Predicate = Constant | NullTest | Combination | Leaf;

export interface Constant {
  readonly kind: "constant";
  readonly value: boolean;
}

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

export interface Leaf {
  readonly kind: "leaf";
  readonly column: ColumnRef;
  readonly test: Test;
  /** Matches values for which the test fails. */
  readonly negated: boolean;
  readonly nullMatches: boolean;
}

/** A test of a value other than null; `Node` is the condition on a list's item. */
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

export interface Bound {
  readonly value: StoredValue;
  readonly inclusive: boolean;
}

/** Operators with a text operand, without `$`. */
export type TextOperator = {
  [Name in OperatorName]: (typeof OPERATORS)[Name] extends { operand: "text" | "pattern" }
    ? WithoutSign<Name>
    : never;
}[OperatorName];

type WithoutSign<Name> = Name extends `$${infer Rest}` ? Rest : never;

export const TRUE: Constant = { kind: "constant", value: true };
export const FALSE: Constant = { kind: "constant", value: false };

/** Folds constants and flattens nested combinations. */
export function combine(kind: "all" | "any", parts: readonly Predicate[]): Predicate {
  const neutral = kind === "all";
  const rest: Predicate[] = [];
  for (const part of parts) {
    if (part.kind === kind) for (const inner of part.parts) rest.push(inner);
    else if (part.kind !== "constant") rest.push(part);
    else if (part.value !== neutral) return part; // absorbing constant
  }
  if (rest.length === 0) return neutral ? TRUE : FALSE;
  return rest.length === 1 ? rest[0]! : { kind, parts: rest };
}
