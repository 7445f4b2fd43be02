import type { StoredValue } from "../../schema/columns.js";
import type { ColumnRef } from "../bind/scope.js";

/**
 * A bound filter: what remains when paths are resolved, literals coerced and negations pushed down
 * to the leaves. Each node is true or false for a record; what null does is settled in its leaves.
 */
export type Predicate = Constant | Combination | Leaf;

export interface Constant {
  readonly kind: "constant";
  readonly value: boolean;
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
  /** Whether null matches (rules F-14, F-15, F-30). */
  readonly nullMatches: boolean;
}

/** What a leaf asks of a value that is not null. */
export type Test =
  | { readonly kind: "never" }
  | { readonly kind: "equals"; readonly value: StoredValue }
  | { readonly kind: "among"; readonly values: readonly StoredValue[] }
  | { readonly kind: "range"; readonly low: Bound | undefined; readonly high: Bound | undefined }
  | { readonly kind: "text"; readonly operator: TextOperator; readonly operand: string }
  | { readonly kind: "items"; readonly quantifier: "some" | "every"; readonly item: Predicate };

/** One end of a range. */
export interface Bound {
  readonly value: StoredValue;
  readonly inclusive: boolean;
}

export type TextOperator =
  | "contains"
  | "iContains"
  | "startsWith"
  | "endsWith"
  | "pattern"
  | "iPattern";

export const TRUE: Predicate = { kind: "constant", value: true };
const FALSE: Predicate = { kind: "constant", value: false };

/** Puts parts together; a negation around them has been pushed into the parts already. */
export function combine(
  kind: "all" | "any",
  parts: readonly Predicate[],
  negated = false,
): Predicate {
  const effective = (kind === "all") !== negated ? "all" : "any";
  const neutral = effective === "all";
  const rest: Predicate[] = [];
  for (const part of parts) {
    if (part.kind === effective) for (const inner of part.parts) rest.push(inner);
    else if (part.kind !== "constant") rest.push(part);
    else if (part.value !== neutral) return part; // it decides alone
  }
  if (rest.length === 0) return neutral ? TRUE : FALSE;
  return rest.length === 1 ? rest[0]! : { kind: effective, parts: rest };
}

/** Whether the column is null, or the contrary (rule F-4). */
export function nullLeaf(column: ColumnRef, isNull: boolean): Leaf {
  return { kind: "leaf", column, test: { kind: "never" }, negated: !isNull, nullMatches: isNull };
}
