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

/** The operators of a filter that each type has, in the order they are offered. */
export function operatorsOf(type: AnyType, operators: string): readonly string[] {
  const equality = ["$is", "$isNot", "$any", "$none", "$exists", "$notExists"];
  switch (operators) {
    case "text":
      return [
        "$is",
        "$contains",
        "$iContains",
        "$startsWith",
        "$endsWith",
        "$pattern",
        "$iPattern",
        ...equality.slice(1),
      ];
    case "range":
      return ["$is", "$gt", "$ge", "$lt", "$le", ...equality.slice(1)];
    case "list":
      return ["$includes", "$includesAll", "$includesNone", ...equality];
    case "none":
      return ["$exists", "$notExists"];
    default:
      return type === "json" ? ["$is", "$isNot", "$exists", "$notExists"] : equality;
  }
}

export const OPERATOR_LABELS: Readonly<Record<string, string>> = {
  $is: "is",
  $isNot: "is not",
  $any: "is one of",
  $none: "is none of",
  $contains: "contains",
  $iContains: "contains (any case)",
  $startsWith: "starts with",
  $endsWith: "ends with",
  $pattern: "matches * ?",
  $iPattern: "matches * ? (any case)",
  $gt: ">",
  $ge: "≥",
  $lt: "<",
  $le: "≤",
  $includes: "includes",
  $includesAny: "includes any",
  $includesAll: "all items are",
  $includesNone: "includes none of",
  $exists: "is not null",
  $notExists: "is null",
};
