import type { ColumnDefinition, Filter, Json } from "../../types.js";
import {
  isObject,
  type JsonObject,
  type OracleDatabase,
  type OracleRecord,
  ownValue,
  requireTable,
} from "./model.js";
import { comparable, compareKeys } from "./order.js";
import { followPath, type PathValue, plainValue, recordValue } from "./path.js";
import {
  equalJson,
  equalValues,
  isNullColumn,
  lowerCase,
  matchesPattern,
  subColumns,
} from "./values.js";

/** Three-valued logic; null is unknown (F-30). */
type Truth = boolean | null;

/** Whether a record matches a valid filter (section F). */
export function matches(
  db: OracleDatabase,
  tableName: string,
  filter: Filter,
  record: OracleRecord,
): boolean {
  const place = recordValue(requireTable(db, tableName), record);
  return conditionHolds(db, place, filter as JsonObject) === true;
}

/** Evaluates a filter, a predicate, the nested form, or a plain value (F-1, F-5, F-7). */
function conditionHolds(db: OracleDatabase, place: PathValue, condition: Json): Truth {
  if (isPlainValue(place, condition)) return isEqual(db, place, condition);
  // An array under an object or link contains filters, otherwise values (F-7, F-8).
  if (Array.isArray(condition)) return or(condition.map((part) => conditionHolds(db, place, part)));
  // F-1: the keys are AND-ed.
  const keys = Object.entries(condition as JsonObject);
  return and(keys.map(([key, operand]) => keyHolds(db, place, key, operand)));
}

function isPlainValue(place: PathValue, condition: Json): boolean {
  if (Array.isArray(condition)) return holdsLists(place);
  if (!isObject(condition)) return true;
  return holdsJson(place) && !Object.keys(condition).some((key) => key.startsWith("$"));
}

function holdsJson(place: PathValue): boolean {
  return place.type === "json" || place.type === "json path";
}

function holdsLists(place: PathValue): boolean {
  return place.type === "multiple" || holdsJson(place);
}

function keyHolds(db: OracleDatabase, place: PathValue, key: string, operand: Json): Truth {
  const parts = (): Truth[] =>
    partsOf(place, operand).map((part) => conditionHolds(db, place, part));
  switch (key) {
    case "$all":
      return and(parts());
    case "$any":
      return or(parts());
    case "$not":
      return not(and(parts()));
    case "$none":
      return not(or(parts()));
    // F-4, F-7: the path is relative to this one.
    case "$exists":
      return listOf(operand).every((path) => !isNull(followPath(db, place, String(path))));
    case "$notExists":
    case "$existsNot":
      return listOf(operand).every((path) => isNull(followPath(db, place, String(path))));
    default:
      if (key.startsWith("$")) return operatorHolds(db, place, key, operand);
      return conditionHolds(db, followPath(db, place, key), operand);
  }
}

/** F-2: an array's parts are its members, an object's its keys, a plain value is one part. */
function partsOf(place: PathValue, operand: Json): readonly Json[] {
  if (Array.isArray(operand)) return operand;
  if (!isObject(operand) || isPlainValue(place, operand)) return [operand];
  return Object.entries(operand).map(([key, value]) => ({ [key]: value }));
}

function operatorHolds(
  db: OracleDatabase,
  place: PathValue,
  operator: string,
  operand: Json,
): Truth {
  switch (operator) {
    case "$is":
      return isEqual(db, place, operand);
    case "$isNot":
      return not(isEqual(db, place, operand));
    case "$includes":
    case "$includesAny":
    case "$includesAll":
    case "$includesNone":
      return includes(db, place, operator, operand);
    default:
      // F-30: a null column satisfies no positive predicate.
      if (isNull(place)) return unknown(db);
      return scalarHolds(place, operator, operand);
  }
}

const RANGES: { readonly [operator: string]: (order: number) => boolean } = {
  $gt: (order) => order > 0,
  $ge: (order) => order >= 0,
  $lt: (order) => order < 0,
  $le: (order) => order <= 0,
};

const TEXTS: { readonly [operator: string]: (text: string, wanted: string) => boolean } = {
  $contains: (text, wanted) => text.includes(wanted),
  $startsWith: (text, wanted) => text.startsWith(wanted),
  $endsWith: (text, wanted) => text.endsWith(wanted),
  $iContains: (text, wanted) => lowerCase(text).includes(lowerCase(wanted)),
  $pattern: (text, wanted) => matchesPattern(wanted, text),
  $iPattern: (text, wanted) => matchesPattern(lowerCase(wanted), lowerCase(text)),
};

function scalarHolds({ type, value }: PathValue, operator: string, operand: Json): boolean {
  const [inRange, matchesText] = [RANGES[operator], TEXTS[operator]];
  // F-17: a json value of another type than the literal compares false.
  if (typeof value !== typeof operand) return false;
  if (inRange) return inRange(compareKeys(comparable(type, value), comparable(type, operand)));
  if (matchesText) return matchesText(String(value), String(operand));
  throw new Error(`oracle: unknown operator ${operator}`);
}

/** `$is` (rules F-8, F-15). */
function isEqual(db: OracleDatabase, place: PathValue, operand: Json): Truth {
  if (Array.isArray(operand) && !holdsLists(place)) {
    return or(operand.map((member) => isEqual(db, place, member)));
  }
  if (place.type === "multiple" && typeof operand === "string") {
    return includes(db, place, "$includesAny", operand);
  }
  const literal = place.type === "json path" ? operand : readLiteral(db, place.column, operand);
  if (isNullColumn(place.column, literal)) return isNull(place);
  if (isNull(place)) return unknown(db);
  if (place.type === "json path") return equalJson(place.value, literal);
  return equalValues(place.column, place.value, literal);
}

/** T-11: xata parses a string given for a whole json column. */
function readLiteral(db: OracleDatabase, column: ColumnDefinition, operand: Json): Json {
  if (column.type === "object" && isObject(operand)) {
    const literals = subColumns(column).map((sub): [string, Json] => [
      sub.name,
      readLiteral(db, sub, ownValue(operand, sub.name)),
    ]);
    return Object.fromEntries(literals);
  }
  const reads =
    column.type === "json" && db.profile.base !== "documented" && typeof operand === "string";
  return reads ? (JSON.parse(operand) as Json) : operand;
}

/** F-13, F-14: always true or false, and a null list has no items. */
function includes(db: OracleDatabase, place: PathValue, operator: string, operand: Json): boolean {
  // F-17: a json value that is no list has no items.
  if (!isNull(place) && !Array.isArray(place.value)) return operator === "$includesNone";
  const items = (place.value ?? []) as readonly Json[];
  const type = place.type === "multiple" ? "text" : "json path";
  const conditions = listOf(operand);
  const fits = (item: Json): boolean =>
    conditions.some((condition) => conditionHolds(db, plainValue(type, item), condition) === true);
  if (operator === "$includesAll") return items.every(fits);
  if (operator === "$includesNone") return !items.some(fits);
  return items.some(fits);
}

function isNull(place: PathValue): boolean {
  return place.value === null;
}

function listOf(operand: Json): readonly Json[] {
  return Array.isArray(operand) ? operand : [operand];
}

/** F-30: under `complement` a negation matches all that its operand does not. */
function unknown(db: OracleDatabase): Truth {
  return db.profile.nullComparison === "complement" ? false : null;
}

function not(truth: Truth): Truth {
  return truth === null ? null : !truth;
}

function and(truths: readonly Truth[]): Truth {
  if (truths.includes(false)) return false;
  return truths.includes(null) ? null : true;
}

function or(truths: readonly Truth[]): Truth {
  if (truths.includes(true)) return true;
  return truths.includes(null) ? null : false;
}
