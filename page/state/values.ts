import { PROFILES } from "../../src/profile.js";
import {
  hasOperator,
  OPERATOR_NAMES,
  OPERATORS,
  type Operator,
  type OperatorName,
} from "../../src/schema/operators.js";
import type { AnyType } from "../../src/schema/traits.js";
import { idOf } from "../../src/value/id.js";

/** Types edited as JSON. */
const AS_JSON: ReadonlySet<AnyType> = new Set([
  "multiple",
  "json",
  "vector",
  "file",
  "file[]",
  "object",
]);
const AS_NUMBER: ReadonlySet<AnyType> = new Set(["int", "float"]);

export function isJsonType(type: AnyType): boolean {
  return AS_JSON.has(type);
}

/** Formats a value for editing. */
export function toInput(type: AnyType, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (AS_JSON.has(type)) return JSON.stringify(value);
  if (type === "link") return typeof value === "string" ? value : idOf(value);
  return String(value);
}

/** Parses a text for a column type. Invalid text is returned as is: the service reports the error. */
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

/** Labels of the offered operators. */
const LABELS: { readonly [name in OperatorName]?: string } = {
  $is: "is",
  $isNot: "is not",
  $any: "is one of",
  $none: "is none of",
  $contains: "contains",
  $startsWith: "starts with",
  $endsWith: "ends with",
  $iContains: "contains (any case)",
  $pattern: "matches * ?",
  $iPattern: "matches * ? (any case)",
  $gt: ">",
  $ge: "≥",
  $lt: "<",
  $le: "≤",
  $includes: "includes",
  $includesAll: "all items are",
  $includesNone: "includes none of",
  $exists: "is not null",
  $notExists: "is null",
};

/** Operators offered by type. */
export function operatorsOf(type: AnyType): readonly string[] {
  return OPERATOR_NAMES.filter((name) => {
    const operator: Operator = OPERATORS[name];
    // JSON is a single value, not a list.
    if (type === "json" && operator.operand === "conditions") return false;
    return name in LABELS && hasOperator(type, operator, PROFILES.documented);
  });
}

/** The label of an operator. */
export function labelOf(name: string): string {
  return Object.hasOwn(LABELS, name) ? LABELS[name as OperatorName]! : name; // one of the labels
}
