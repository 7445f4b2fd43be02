import { describe, pointer, refuse } from "../../errors.js";
import type { LeafType } from "../../schema/columns.js";
import { NUMERIC_TYPES, typesWith } from "../../schema/traits.js";
import { requireObject } from "../../value/fields.js";
import { isPlainObject } from "../../value/json.js";
import { isColumnName } from "../../value/names.js";
import { bindColumn, bindTypedColumn } from "../bind/column-list.js";
import type { Scope } from "../bind/scope.js";
import { type ColumnRef, isInternal } from "../bound/column-ref.js";
import { TRUE } from "../bound/condition.js";
import type { Measure } from "./measures.js";

/** Types with a minimum and a maximum. */
const ORDERED_TYPES = typesWith(({ operators }) => operators === "text" || operators === "range");

const MAX_SUMMARIES = 200;

/** Binds summaries by name; throws `invalid_request`, `unknown_column` (rule X-6). */
export function bindSummaries(
  scope: Scope,
  summaries: unknown,
  columns: readonly ColumnRef[],
): Map<string, Measure> {
  const given = summaries === undefined ? {} : summaries;
  requireObject(given, { path: "/summaries", rule: "X-6" });
  const count = Object.keys(given).length;
  if (count > MAX_SUMMARIES) {
    const message = `summaries: at most ${MAX_SUMMARIES}, found ${count}`;
    refuse("invalid_request", message, { path: "/summaries", rule: "L-8" });
  }
  const { metadataColumn } = scope.context.profile;
  const taken = new Set(["id", metadataColumn, ...columns.map(({ path }) => path.split(".")[0])]);
  return new Map(
    Object.entries(given)
      .filter(([, expression]) => expression !== undefined)
      .map(([name, expression]) => {
        const at = pointer("/summaries", name);
        if (!isColumnName(name) || taken.has(name)) {
          const why = taken.has(name) ? "is the name of a column" : "cannot name a summary";
          const message = `summaries: ${describe(name)} ${why}`;
          refuse("invalid_request", message, { path: at, rule: "X-6" });
        }
        return [name, bindSummary(scope, expression, at)];
      }),
  );
}

function bindSummary(scope: Scope, expression: unknown, at: string): Measure {
  const [[kind, path] = [], ...others] = isPlainObject(expression)
    ? Object.entries(expression)
    : [];
  if (kind === "count" && path === "*" && others.length === 0) {
    return { kind, predicate: TRUE };
  }
  const one = others.length === 0 ? kind : undefined;
  const place = pointer(at, kind ?? "");
  switch (one) {
    case "count":
      return {
        kind: "present",
        column: requireOperand(scope, bindColumn(scope, path, place), place),
      };
    case "min":
    case "max": {
      const column = bindTypedColumn(scope, path, ORDERED_TYPES, place);
      const isNumeric = NUMERIC_TYPES.has(column.type);
      return { kind: one, column: requireOperand(scope, column, place), isNumeric };
    }
    case "sum":
    case "average": {
      const column = bindTypedColumn(scope, path, NUMERIC_TYPES, place);
      return { kind: one, column: requireOperand(scope, column, place) };
    }
    default: {
      const found = describe(kind ?? expression);
      const message = `expected one of count, min, max, sum, average, found ${found}`;
      const reason = one === undefined ? undefined : ({ kind: "unknown_key", key: one } as const);
      return refuse("invalid_request", message, { path: at, rule: "X-6", reason });
    }
  }
}

/** in profile `xata`, ids and metadata are not summarized. */
function requireOperand({ context }: Scope, column: ColumnRef, at: string): ColumnRef {
  if (context.profile.base !== "xata" || !isInternal(column)) return column;
  const message = `column [${column.path}]: a summary is not of an id or metadata`;
  return refuse("invalid_request", message, { path: at, rule: "X-6" });
}

/** Returns the type of a summary. */
export function typeOfSummary(measure: Measure): LeafType {
  if (measure.kind === "average") return "float";
  return "column" in measure && measure.kind !== "present" ? leafType(measure.column) : "int";
}

/** In groups, ids are strings. */
export function leafType({ type }: ColumnRef): LeafType {
  return type === "id" || type === "item" ? "string" : type;
}
