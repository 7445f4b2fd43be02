import type { StoredValue } from "../../schema/columns.js";
import { TRAITS } from "../../schema/traits.js";
import type { Json } from "../../types.js";
import { compareNumbers, compareStrings } from "../../value/compare.js";
import { compareInstants, type Instant } from "../../value/datetime.js";
import { CHECKED_UNITS, createSearch } from "../../value/find-text.js";
import { canonicalJson, equalJson } from "../../value/json.js";
import { memoize } from "../../value/memory.js";
import { compilePattern, matchPattern, type Pattern } from "../../value/pattern.js";
import { foldCase } from "../../value/text.js";
import type { ColumnRef, Predicate, Test, TextOperator } from "../bound/bound-query.js";
import type { TableView } from "../query-run.js";

/** Tests a value other than null. */
export type ValueTest = (value: Exclude<StoredValue, null>) => boolean;

/** Used by kernels and by row-wise matching. */
export function compileTest(test: Test, type: ColumnRef["type"], view: TableView): ValueTest {
  switch (test.kind) {
    case "equals":
      return compileEquality(test.value, type);
    case "among":
      return compileAmong(test.values, type, view);
    case "range":
      return compileRange(test, type);
    case "text": {
      const matches = compileText(test.operator, test.operand, view);
      // F-17: inside json, only strings match text operators.
      return (value) => typeof value === "string" && matches(value);
    }
    case "items": {
      const matches = compileItem(test.item, view);
      // F-17: inside json, only arrays have items.
      return test.quantifier === "some"
        ? (value) => Array.isArray(value) && value.some(matches)
        : (value) => Array.isArray(value) && value.every(matches);
    }
  }
}

/** A condition on an item (rule F-13). */
function compileItem(predicate: Predicate, view: TableView): (item: Json) => boolean {
  switch (predicate.kind) {
    case "constant":
      return () => predicate.value;
    case "all": {
      const parts = predicate.parts.map((part) => compileItem(part, view));
      return (item) => parts.every((part) => part(item));
    }
    case "any": {
      const parts = predicate.parts.map((part) => compileItem(part, view));
      return (item) => parts.some((part) => part(item));
    }
    case "null":
      return (item) => (item === null) === predicate.isNull;
    case "leaf": {
      const test = compileTest(predicate.test, predicate.column.type, view);
      const { negated, nullMatches } = predicate;
      return (item) => (item === null ? nullMatches : test(item) !== negated);
    }
  }
}

/** Rules F-10, F-11. Checks the time limit by the length of the texts (rule L-10). */
function compileText(
  operator: TextOperator,
  operand: string,
  view: TableView,
): (text: string) => boolean {
  const matches = compileTextTest(operator, operand, view);
  const { checkTime } = view;
  let units = 0;
  return (text) => {
    units += text.length;
    if (units > CHECKED_UNITS) checkTime?.();
    units %= CHECKED_UNITS;
    return matches(text);
  };
}

function compileTextTest(
  operator: TextOperator,
  operand: string,
  { checkTime, derived }: TableView,
): (text: string) => boolean {
  const fold = operator[0] === "i" ? foldCase : same;
  const folded = fold(operand);
  switch (operator) {
    case "startsWith":
      return (text) => text.startsWith(folded);
    case "endsWith":
      return (text) => text.endsWith(folded);
    case "contains":
    case "iContains": {
      const find = createSearch(folded, checkTime);
      return (text) => find(fold(text), 0) >= 0;
    }
    case "pattern":
    case "iPattern": {
      const compile = (): Pattern => compilePattern(folded, derived, checkTime);
      const pattern = memoize(derived, PATTERN_BYTES * folded.length, compile);
      return (text) => matchPattern(pattern(), fold(text), checkTime);
    }
  }
}

function same<T>(value: T): T {
  return value;
}

/** Rule F-8. */
function compileEquality(operand: StoredValue, type: ColumnRef["type"]): ValueTest {
  switch (TRAITS[type].stored) {
    case "instant":
      return (value) => compareInstants(value as Instant, operand as Instant) === 0; // stored as instants
    case "value":
    case "list":
      return (value) => equalJson(value as Json, operand as Json); // lists of strings are JSON too
    default:
      return (value) => value === operand;
  }
}

/** Bytes of a code unit of a compiled pattern. */
const PATTERN_BYTES = 16;

/** Tests membership in constant time per value. */
function compileAmong(
  values: readonly StoredValue[],
  type: ColumnRef["type"],
  { derived }: TableView,
): ValueTest {
  const isInstant = TRAITS[type].stored === "instant";
  const keyOf = (value: StoredValue): StoredValue => {
    if (typeof value !== "object") return value;
    // Other objects are compared by canonical JSON. No stored text has a lone surrogate (T-4).
    return isInstant ? instantKey(value as Instant) : `\uD800${canonicalJson(value as Json)}`;
  };
  // A value takes 40 bytes of a set.
  const keys = memoize(derived, 40 * values.length, () => new Set(values.map(keyOf)));
  return (value) => keys().has(keyOf(value));
}

function instantKey({ ms, micros }: Instant): string {
  return `${ms}.${micros}`;
}

function compileRange(
  { low, high }: Extract<Test, { kind: "range" }>,
  type: ColumnRef["type"],
): ValueTest {
  const isInstant = TRAITS[type].stored === "instant";
  const compare = (a: StoredValue, b: StoredValue): number => {
    if (isInstant) return compareInstants(a as Instant, b as Instant); // stored as instants
    if (typeof a === "number" && typeof b === "number") return compareNumbers(a, b);
    if (typeof a === "string" && typeof b === "string") return compareStrings(a, b);
    return Number.NaN; // F-17: other types never match, as comparisons with NaN are false
  };
  return (value) => {
    if (low !== undefined) {
      const order = compare(value, low.value);
      if (!(low.inclusive ? order >= 0 : order > 0)) return false;
    }
    if (high === undefined) return true;
    const order = compare(value, high.value);
    return high.inclusive ? order <= 0 : order < 0;
  };
}
