import { isPlainObject } from "../value/json.js";
import { coerceValue } from "./coerce.js";
import type { LeafColumn } from "./columns.js";
import { TRAITS } from "./traits.js";

/** `{"$increment": n}` and similar (rule X-2). */
export interface NumberOperation {
  readonly operator: "$increment" | "$decrement" | "$multiply" | "$divide";
  readonly operand: number;
}

const OPERATORS: ReadonlySet<string> = new Set([
  "$increment",
  "$decrement",
  "$multiply",
  "$divide",
]);

export function readOperation(column: LeafColumn, value: unknown): NumberOperation | undefined {
  if (TRAITS[column.type].stored !== "number" || !isPlainObject(value)) return undefined;
  const keys = Object.keys(value);
  const operator = keys[0];
  if (keys.length !== 1 || operator === undefined || !OPERATORS.has(operator)) return undefined;
  const operand = value[operator];
  if (typeof operand !== "number" || !Number.isFinite(operand)) return undefined;
  return { operator: operator as NumberOperation["operator"], operand }; // a member of OPERATORS
}

/** Undefined if the column cannot hold the result (rule X-2). */
export function applyOperation(
  column: LeafColumn,
  value: number,
  { operator, operand }: NumberOperation,
): number | undefined {
  const result =
    operator === "$increment"
      ? value + operand
      : operator === "$decrement"
        ? value - operand
        : operator === "$multiply"
          ? value * operand
          : value / operand;
  if (operator === "$divide" && operand === 0) return undefined;
  const stored = coerceValue(column, result, false);
  return typeof stored === "number" ? stored : undefined;
}
