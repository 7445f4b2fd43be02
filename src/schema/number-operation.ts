import { isPlainObject } from "../value/json.js";
import { coercePlain } from "./coerce.js";
import type { LeafColumn } from "./columns.js";
import { TRAITS } from "./traits.js";

/** `{"$increment": n}` and similar (rule X-2). */
export interface NumberOperation {
  readonly operator: "$increment" | "$decrement" | "$multiply" | "$divide";
  readonly operand: number;
}

const OPERATIONS: Readonly<
  Record<NumberOperation["operator"], (value: number, operand: number) => number>
> = {
  $increment: (value, operand) => value + operand,
  $decrement: (value, operand) => value - operand,
  $multiply: (value, operand) => value * operand,
  $divide: (value, operand) => value / operand,
};

export function readNumberOperation(
  column: LeafColumn,
  value: unknown,
): NumberOperation | undefined {
  if (TRAITS[column.type].stored !== "number" || !isPlainObject(value)) return undefined;
  const keys = Object.keys(value);
  const operator = keys[0];
  if (keys.length !== 1 || operator === undefined) return undefined;
  if (!Object.hasOwn(OPERATIONS, operator)) return undefined;
  const operand = value[operator];
  if (typeof operand !== "number" || !Number.isFinite(operand)) return undefined;
  return { operator: operator as NumberOperation["operator"], operand }; // a key of OPERATIONS
}

/** Returns undefined if the column cannot store the result, such as of 1 / 0 (rule X-2). */
export function applyOperation(
  column: LeafColumn,
  value: number,
  { operator, operand }: NumberOperation,
): number | undefined {
  const stored = coercePlain(column, OPERATIONS[operator](value, operand));
  return typeof stored === "number" ? stored : undefined;
}
