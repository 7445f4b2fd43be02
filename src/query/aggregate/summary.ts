import { describe, pointer, refuse } from "../../errors.js";
import type { LeafType } from "../../schema/columns.js";
import { recordNames } from "../../schema/record-names.js";
import { NUMERIC_TYPES, typesWith } from "../../schema/traits.js";
import { readChoice, requireObject } from "../../shape/fields.js";
import { isColumnName } from "../../value/names.js";
import { bindTypedColumn } from "../bind/column-list.js";
import type { Scope } from "../bind/scope.js";
import { type ColumnRef, isInternal, TRUE } from "../bound/bound-query.js";
import type { Measure } from "./measures.js";

/** Types with a minimum and a maximum. */
const ORDERED_TYPES = typesWith(({ operators }) => operators === "text" || operators === "range");

/** Types of the columns that an operator takes. */
const OPERANDS = {
  count: typesWith(() => true),
  min: ORDERED_TYPES,
  max: ORDERED_TYPES,
  sum: NUMERIC_TYPES,
  average: NUMERIC_TYPES,
} as const;

const OPERATORS = Object.keys(OPERANDS) as (keyof typeof OPERANDS)[]; // keyed by the type's own keys

const MAX_SUMMARIES = 200;

/** Binds summaries by name; throws `invalid_request`, `unknown_column` (rule X-6). */
export function bindSummaries(
  scope: Scope,
  summaries: unknown = {},
  columns: readonly ColumnRef[],
): Map<string, Measure> {
  requireObject(summaries, { path: "/summaries", rule: "X-6" });
  const names = Object.keys(summaries);
  if (names.length > MAX_SUMMARIES) {
    const message = `summaries: at most ${MAX_SUMMARIES}, found ${names.length}`;
    refuse("invalid_request", message, { path: "/summaries", rule: "L-8" });
  }
  const taken = new Set(recordNames(scope.run.profile));
  for (const { path } of columns) taken.add(path.split(".")[0]!);
  const bound = new Map<string, Measure>();
  for (const name of names) {
    if (summaries[name] === undefined) continue;
    const at = pointer("/summaries", name);
    if (!isColumnName(name) || taken.has(name)) {
      const why = taken.has(name) ? "is the name of a column" : "cannot name a summary";
      const message = `summaries: ${describe(name)} ${why}`;
      refuse("invalid_request", message, { path: at, rule: "X-6" });
    }
    bound.set(name, bindSummary(scope, summaries[name], at));
  }
  return bound;
}

function bindSummary(scope: Scope, expression: unknown, at: string): Measure {
  const [kind, path] = readChoice(expression, OPERATORS, { path: at, rule: "X-6" });
  if (kind === "count" && path === "*") return { kind, predicate: TRUE };
  const operandAt = pointer(at, kind);
  const column = bindTypedColumn(scope, path, OPERANDS[kind], operandAt);
  requireOperand(scope, column, operandAt);
  if (kind !== "count") return { kind, column };
  return { kind, predicate: { kind: "null", column, isNull: false } };
}

/** The service summarizes no ids and metadata. */
function requireOperand({ run }: Scope, column: ColumnRef, at: string): void {
  if (!run.profile.storeAggregates || !isInternal(column)) return;
  const message = `column [${column.path}]: a summary is not of an id or metadata`;
  refuse("invalid_request", message, { path: at, rule: "X-6" });
}

/** Returns the type of a summary. */
export function typeOfSummary(measure: Measure): LeafType {
  if (measure.kind === "average") return "float";
  return "column" in measure ? leafType(measure.column) : "int";
}

/** In groups, ids are strings. */
export function leafType({ type }: ColumnRef): LeafType {
  return type === "id" || type === "item" ? "string" : type;
}
