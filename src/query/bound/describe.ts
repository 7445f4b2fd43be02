import type { Profile } from "../../profile.js";
import type { StoredValue } from "../../schema/columns.js";
import { TRAITS } from "../../schema/traits.js";
import type { Json } from "../../types.js";
import { compareStrings } from "../../value/compare.js";
import { formatInstant, type Instant } from "../../value/datetime.js";
import { canonicalJson } from "../../value/json.js";
import type { ColumnRef, Order, Predicate, Test } from "./bound-query.js";
import { isOwnId } from "./order.js";

export function describeOrder(
  { keys, seed }: Order,
  { idColumn }: Pick<Profile, "idColumn">,
): readonly string[] {
  const columns = keys.map(
    ({ column, descending }) => `${column.path} ${descending ? "desc" : "asc"}`,
  );
  if (seed !== undefined) columns.push("* random");
  if (!keys.some(isOwnId)) columns.push(`${idColumn} asc`);
  return columns;
}

/** Returns a predicate as plain data, independent of the order of its parts. */
export function describePredicate(predicate: Predicate): Json {
  switch (predicate.kind) {
    case "constant":
      return predicate.value;
    case "all":
    case "any": {
      const parts = predicate.parts.map(describePredicate);
      const texts = new Map(parts.map((part) => [canonicalJson(part), part]));
      return { [predicate.kind]: [...texts.keys()].sort().map((text) => texts.get(text) ?? null) };
    }
    case "null":
      return { column: predicate.column.path, exists: !predicate.isNull };
    case "leaf": {
      const { column, test, negated, nullMatches } = predicate;
      return {
        column: column.path,
        ...describeTest(test, column.type),
        ...(negated ? { not: true } : {}),
        ...(nullMatches ? { orNull: true } : {}),
      };
    }
  }
}

function describeTest(test: Test, type: ColumnRef["type"]): Readonly<Record<string, Json>> {
  const show = (value: StoredValue): Json => describeValue(value, type);
  switch (test.kind) {
    case "equals":
      return { equals: show(test.value) };
    case "among":
      return { among: test.values.map(show).sort(compareTexts) };
    case "range":
      return {
        ...(test.low === undefined
          ? {}
          : { [test.low.inclusive ? "ge" : "gt"]: show(test.low.value) }),
        ...(test.high === undefined
          ? {}
          : { [test.high.inclusive ? "le" : "lt"]: show(test.high.value) }),
      };
    case "text":
      return { [test.operator]: test.operand };
    case "items":
      return {
        [test.quantifier === "some" ? "someItem" : "everyItem"]: describePredicate(test.item),
      };
  }
}

function compareTexts(a: Json, b: Json): number {
  return compareStrings(canonicalJson(a), canonicalJson(b));
}

function describeValue(value: StoredValue, type: ColumnRef["type"]): Json {
  if (TRAITS[type].stored !== "instant" || value === null) return value as Json; // only instants are not stored as JSON
  const { ms, micros } = value as Instant; // datetimes are stored as instants
  return formatInstant(ms, micros);
}
