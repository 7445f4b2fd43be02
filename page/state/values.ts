import {
  findOperator,
  hasOperator,
  OPERATOR_NAMES,
  OPERATORS,
  type Operator,
} from "../../src/schema/operators.js";
import type { AnyType } from "../../src/schema/traits.js";

/** The types that are written as JSON. */
const AS_JSON: ReadonlySet<AnyType> = new Set([
  "multiple",
  "json",
  "vector",
  "file",
  "file[]",
  "object",
]);
const AS_NUMBER: ReadonlySet<AnyType> = new Set(["int", "float"]);

/** Whether values of a type are edited as JSON. */
export function isJsonType(type: AnyType): boolean {
  return AS_JSON.has(type);
}

/** A value as it is edited. */
export function toInput(type: AnyType, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (AS_JSON.has(type)) return JSON.stringify(value);
  if (type === "link")
    return typeof value === "string" ? value : String((value as { id: unknown }).id);
  return String(value);
}

/**
 * The value that a text means for a type. What cannot be one is given as it is: the service says
 * what is wrong with it.
 */
export function fromInput(type: AnyType, text: string): unknown {
  if (AS_NUMBER.has(type)) {
    const number = Number(text);
    return text.trim() === "" || Number.isNaN(number) ? text : number;
  }
  if (type === "bool") return text === "true" ? true : text === "false" ? false : text;
  if (AS_JSON.has(type)) {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  }
  return text;
}

/** The operators that the explorer offers for each type: those that have a label. */
export function operatorsOf(type: AnyType): readonly string[] {
  return OPERATOR_NAMES.filter((name) => {
    const operator: Operator = OPERATORS[name];
    // JSON is edited as one value, not as a list of them.
    if (type === "json" && operator.operand === "conditions") return false;
    return operator.label !== undefined && hasOperator(type, operator, "documented");
  });
}

/** An operator's name in the explorer. */
export function labelOf(name: string): string {
  return findOperator(name)?.label ?? name;
}
