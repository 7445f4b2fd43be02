import type { ValueType } from "./values.js";

/**
 * What an index holds to be unique of the values of a column: of a text a hash, since an index takes no
 * long ones. Undefined for lists and JSON, which have none.
 */
export function uniqueExpression(type: ValueType, value: string): string | undefined {
  switch (type) {
    case "string":
    case "text":
    case "email":
    case "link":
      return `md5(${value})`;
    case "bool":
    case "int":
    case "float":
    case "datetime":
      return value;
    default:
      return undefined;
  }
}

/** The condition that a unique value equals a literal, as the index has it. */
export function equalsUnique(type: ValueType, value: string, literal: string): string {
  const same = `${value} = ${literal}`;
  const expression = uniqueExpression(type, value);
  if (expression === undefined || expression === value) return same;
  return `(${expression} = md5(${literal}) and ${same})`;
}

/** The condition that a unique value is one of an array, as the index has it. */
export function amongUnique(type: ValueType, value: string, array: string): string {
  const among = `${value} = any(${array})`;
  const expression = uniqueExpression(type, value);
  if (expression === undefined || expression === value) return among;
  return `(${expression} = any(array(select md5(v) from unnest(${array}) v)) and ${among})`;
}
