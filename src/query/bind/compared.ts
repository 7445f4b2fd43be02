import type { At } from "../../errors.js";
import type { StoredValue } from "../../schema/columns.js";
import { type ColumnRef, plainRef, type Ref } from "../bound/column-ref.js";
import type { Condition, Test } from "../bound/condition.js";
import { refuseFilter } from "./literal.js";

export function isOperator(key: string): boolean {
  return key.startsWith("$");
}

/** Whether a value can be compared by one test with others of its kind. */
export function isPlain({ type }: Ref, value: unknown, relative: boolean): boolean {
  if (typeof value !== "object" || value === null || value instanceof Date) return true;
  if (Array.isArray(value)) return type === "json" || type === "multiple";
  if (type === "json") return !Object.keys(value).some(isOperator);
  return type === "link" && !relative;
}

/** A test for any of those values; on `multiple` a string means an item (rule F-8). */
export function oneOf(ref: Ref, values: readonly StoredValue[]): Condition {
  const column = ref as ColumnRef; // objects are taken apart before
  const test: Test<Condition> =
    values.length === 1 ? { kind: "equals", value: values[0]! } : { kind: "among", values };
  if (column.type !== "multiple" || Array.isArray(values[0])) return testOf(column, test);
  return testOf(column, { kind: "items", quantifier: "some", item: testOf(itemOf(column), test) });
}

/**
 * One member of a column's list: the column of a predicate without a column (rule F-13). Inside a
 * `json` value members are of any type.
 */
export function itemOf({ type, path }: ColumnRef): ColumnRef {
  return type === "multiple" ? plainRef("item", path, -1) : plainRef("json", path, -1, [], []);
}

export function testOf(column: ColumnRef, test: Test<Condition>): Condition {
  // F-14: to the list operators null is a list without items, in both null modes.
  const ofNull = test.kind === "items" ? test.quantifier === "every" : undefined;
  return { kind: "test", column, test, ofNull };
}

/** Refuses null where a value has to be (rule F-15). */
export function refuseNull(ref: Ref, at: At): never {
  refuseFilter(`column [${ref.path}]: null goes with $is and $isNot only`, at, "F-15");
}
