import type { Profile } from "../profile.js";
import { suggest } from "../value/nearest.js";
import { type AnyType, TRAITS, type Traits } from "./traits.js";

/** One operator of filters (rules F-2 … F-18). */
export type Operator = {
  /** Columns that support the operator: all, comparable, or with one trait (F-18). */
  readonly columns: "all" | "comparable" | Exclude<Traits["operators"], "equality" | "none">;
  /** Negates the preceding operator with the same operand. */
  readonly negated?: boolean;
  /** Equivalents in other query languages, for messages. */
  readonly foreign?: readonly string[];
  /** Whether profile `documented` lacks the operator. */
  readonly isHosted?: boolean;
} & (
  | { readonly operand: "conditions"; readonly combine: "all" | "any" }
  | { readonly operand: "bound"; readonly isLow: boolean; readonly inclusive: boolean }
  | { readonly operand: "items"; readonly quantifier: "some" | "every" }
  | { readonly operand: "literal" | "text" | "pattern" | "paths" }
);

/** The comments appear in completions and `docs/query-language.md`. */
export const OPERATORS = {
  /** Equals the operand, or one member of an array operand; `null` matches null. */
  $is: { columns: "comparable", operand: "literal", foreign: ["$eq"] },
  /** Does not equal the operand, nor a member of an array operand. */
  $isNot: { columns: "comparable", operand: "literal", negated: true, foreign: ["$ne"] },
  /** Matches at least one of the values or conditions. */
  $any: { columns: "comparable", operand: "conditions", combine: "any", foreign: ["$in", "$or"] },
  /** Matches all conditions. */
  $all: { columns: "comparable", operand: "conditions", combine: "all", foreign: ["$and"] },
  /** Does not match all of the conditions. */
  $not: { columns: "comparable", operand: "conditions", combine: "all", negated: true },
  /** Matches none of the values or conditions. */
  $none: {
    columns: "comparable",
    operand: "conditions",
    combine: "any",
    negated: true,
    foreign: ["$nin", "$nor"],
  },
  /** Contains the text. */
  $contains: { columns: "text", operand: "text" },
  /** Starts with the text. */
  $startsWith: { columns: "text", operand: "text" },
  /** Ends with the text. */
  $endsWith: { columns: "text", operand: "text" },
  /** Contains the text, ignoring case. */
  $iContains: { columns: "text", operand: "text" },
  /** Matches the whole text: `*` is any text, `?` one character, `\` escapes the next one. */
  $pattern: { columns: "text", operand: "pattern", foreign: ["$regex", "$like"] },
  /** Like `$pattern`, ignoring case. */
  $iPattern: { columns: "text", operand: "pattern" },
  /** Is greater or later. */
  $gt: { columns: "range", operand: "bound", isLow: true, inclusive: false },
  /** Is greater, later or equal. */
  $ge: { columns: "range", operand: "bound", isLow: true, inclusive: true, foreign: ["$gte"] },
  /** Is less or earlier. */
  $lt: { columns: "range", operand: "bound", isLow: false, inclusive: false },
  /** Is less, earlier or equal. */
  $le: { columns: "range", operand: "bound", isLow: false, inclusive: true, foreign: ["$lte"] },
  /** Has an item that matches. */
  $includes: { columns: "list", operand: "items", quantifier: "some" },
  /** Same as `$includes`. */
  $includesAny: { columns: "list", operand: "items", quantifier: "some" },
  /** Every item matches. */
  $includesAll: { columns: "list", operand: "items", quantifier: "every" },
  /** Has no item that matches. */
  $includesNone: { columns: "list", operand: "items", quantifier: "some", negated: true },
  /** The column is not null; with an array, none of the columns is null. */
  $exists: { columns: "all", operand: "paths" },
  /** The column is null; with an array, all of the columns are null. */
  $notExists: { columns: "all", operand: "paths", negated: true },
  /** Same as `$notExists`; not in profile `documented`. */
  $existsNot: { columns: "all", operand: "paths", negated: true, isHosted: true },
} as const;
OPERATORS satisfies Readonly<Record<string, Operator>>;

export type OperatorName = keyof typeof OPERATORS;

export const OPERATOR_NAMES = Object.keys(OPERATORS) as readonly OperatorName[]; // keyed by the type's own keys

export function findOperator(name: string, base: Profile["base"]): Operator | undefined {
  if (!Object.hasOwn(OPERATORS, name)) return undefined;
  const operator: Operator = OPERATORS[name as OperatorName];
  return !operator.isHosted || base !== "documented" ? operator : undefined;
}

/** A hint for an unknown name: a better position, an equivalent, or the nearest. */
export function suggestOperator(name: string, base: Profile["base"], isBelow: boolean): string {
  if (findOperator(name, base) !== undefined) {
    return isBelow ? ` here; write {"${name}": column}` : " here; use it under a column";
  }
  const names = OPERATOR_NAMES.filter((key) => {
    const operand = findOperator(key, base)?.operand;
    if (operand === undefined) return false;
    return isBelow ? operand !== "paths" : operand === "paths" || operand === "conditions";
  });
  const same = OPERATOR_NAMES.filter((key) => findOperator(key, base)?.foreign?.includes(name));
  return suggest(name, names, same[0]);
}

/** Whether a type supports an operator (F-12, F-18). */
export function hasOperator(
  type: AnyType,
  { columns }: Operator,
  { textRanges }: Pick<Profile, "textRanges">,
): boolean {
  const { operators } = TRAITS[type];
  if (columns === "all") return true;
  if (columns === "comparable") return operators !== "none";
  return operators === columns || (columns === "range" && operators === "text" && textRanges);
}
