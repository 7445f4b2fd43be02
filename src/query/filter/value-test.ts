import type { StoredValue } from "../../schema/columns.js";
import { TRAITS } from "../../schema/traits.js";
import type { Json } from "../../types.js";
import { compareNumbers, compareStrings } from "../../value/compare.js";
import { compareInstants, type Instant } from "../../value/datetime.js";
import { CHECKED_UNITS, createSearch } from "../../value/find-text.js";
import { canonicalJson, equalJson } from "../../value/json.js";
import { compilePattern, matchPattern } from "../../value/pattern.js";
import { foldCase } from "../../value/text.js";
import type { ColumnRef, Predicate, Test, TextOperator } from "../bound/query.js";
import type { TableView } from "../query-run.js";

/** Tests a value other than null. */
export type ValueTest = (value: Exclude<StoredValue, null>) => boolean;

/** Used by kernels and by row-wise matching. */
export function compileTest(test: Test, type: ColumnRef["type"], view: TableView): ValueTest {
  switch (test.kind) {
    case "equals":
      return compileEquality(test.value, type);
    case "among":
      return compileAmong(test.values, type);
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
export function compileItem(predicate: Predicate, view: TableView): (item: Json) => boolean {
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
export function compileText(
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
  switch (operator) {
    case "contains":
      return compileContains(operand, checkTime);
    case "startsWith":
      return (text) => text.startsWith(operand);
    case "endsWith":
      return (text) => text.endsWith(operand);
    case "iContains": {
      const contains = compileContains(foldCase(operand), checkTime);
      return (text) => contains(foldCase(text));
    }
    case "pattern":
    case "iPattern": {
      const ignoreCase = operator === "iPattern";
      const pattern = compilePattern(ignoreCase ? foldCase(operand) : operand, derived, checkTime);
      return ignoreCase
        ? (text) => matchPattern(pattern, foldCase(text), checkTime)
        : (text) => matchPattern(pattern, text, checkTime);
    }
  }
}

function compileContains(operand: string, checkTime?: () => void): (text: string) => boolean {
  const find = createSearch(operand, checkTime);
  return (text) => find(text, 0) >= 0;
}

/** Rule F-8. */
function compileEquality(wanted: StoredValue, type: ColumnRef["type"]): ValueTest {
  switch (TRAITS[type].stored) {
    case "instant":
      return (value) => compareInstants(value as Instant, wanted as Instant) === 0; // stored as instants
    case "value":
    case "list":
      return (value) => equalJson(value as Json, wanted as Json); // lists of strings are JSON too
    default:
      return (value) => value === wanted;
  }
}

/** Tests membership in constant time per value. */
function compileAmong(values: readonly StoredValue[], type: ColumnRef["type"]): ValueTest {
  if (TRAITS[type].stored === "instant") {
    const keys = new Set((values as readonly Instant[]).map(instantKey)); // stored as instants
    return (value) => keys.has(instantKey(value as Instant));
  }
  const scalars: ReadonlySet<StoredValue> = new Set(
    values.filter((value) => typeof value !== "object"),
  );
  // Lists and objects are compared by canonical JSON.
  const texts: ReadonlySet<string> = new Set(
    values
      .filter((value) => typeof value === "object")
      .map((value) => canonicalJson(value as Json)),
  );
  return (value) =>
    typeof value === "object"
      ? texts.size > 0 && texts.has(canonicalJson(value as Json))
      : scalars.has(value);
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
