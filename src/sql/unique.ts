import { TRAITS } from "../schema/traits.js";
import type { SqlValueType } from "./values.js";

/** Texts are hashed, as they may exceed an index entry. Undefined for lists and JSON. */
export function uniqueExpression(type: SqlValueType, value: string): string | undefined {
  const { stored } = TRAITS[type];
  if (stored === "text" || stored === "code") return `md5(${value})`;
  return stored === "list" || stored === "value" ? undefined : value;
}

/** Lists and JSON have none. */
export function hasUniqueIndex(type: SqlValueType): boolean {
  return uniqueExpression(type, "") !== undefined;
}

export function equalsUnique(type: SqlValueType, value: string, literal: string): string {
  const same = `${value} = ${literal}`;
  const expression = uniqueExpression(type, value);
  if (expression === undefined || expression === value) return same;
  return `(${expression} = md5(${literal}) and ${same})`;
}

/** The indexed form of membership in an array. */
export function amongUnique(type: SqlValueType, value: string, array: string): string {
  const among = `${value} = any(${array})`;
  const expression = uniqueExpression(type, value);
  if (expression === undefined || expression === value) return among;
  return `(${expression} = any(array(select md5(v) from unnest(${array}) v)) and ${among})`;
}
