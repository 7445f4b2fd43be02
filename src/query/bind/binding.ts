import { type At, below, describe, refuse } from "../../errors.js";
import { findNearest } from "../../value/nearest.js";
import { combine, nullLeaf, type Predicate } from "../bound/predicate.js";
import { type QueryContext, type Ref, refBelow, resolvePath, type Scope } from "./scope.js";

/** What goes along while one filter is bound. */
export interface Binding {
  readonly context: QueryContext;
  /** Predicates met so far (rule L-3). */
  predicates: number;
  /** Binds a filter that stands under an object or link column. */
  readonly bindRelative: (
    binding: Binding,
    scope: Scope,
    kind: "all" | "any",
    filter: Readonly<Record<string, unknown>>,
    negated: boolean,
    at: At,
    level: number,
  ) => Predicate;
}

/** Counts a predicate (rule L-3). */
export function countPredicate(binding: Binding, at: At): void {
  binding.predicates++;
  const { filterPredicates } = binding.context.limits;
  if (binding.predicates > filterPredicates) {
    refuse("invalid_request", `a filter has at most ${filterPredicates} predicates`, {
      path: at(),
      rule: "L-3",
    });
  }
}

/** Bounds how deep a filter nests (rule L-3). */
export function requireLevel(binding: Binding, level: number, at: At): void {
  const { filterLevels } = binding.context.limits;
  if (level > filterLevels) {
    refuse("invalid_request", `a filter has at most ${filterLevels} levels`, {
      path: at(),
      rule: "L-3",
    });
  }
}

/** `$exists` and `$notExists` with a path or an array of paths (rule F-4). */
export function bindExistence(
  binding: Binding,
  scope: Scope,
  paths: unknown,
  isNull: boolean,
  negated: boolean,
  at: At,
): Predicate {
  const given = Array.isArray(paths) ? (paths as readonly unknown[]) : [paths];
  const parts = Array.from(given, (path, index) => {
    const place = Array.isArray(paths) ? below(at, index) : at;
    countPredicate(binding, place);
    if (typeof path !== "string") {
      refuse("invalid_filter", `expected a column path, found ${describe(path)}`, {
        path: place(),
        rule: "F-4",
      });
    }
    return bindNull(resolvePath(scope, path, place).ref, isNull);
  });
  return combine("all", parts, negated);
}

/** Whether what a path leads to is null, or the contrary; an object is null whole (rule T-14). */
export function bindNull(ref: Ref, isNull: boolean): Predicate {
  if (ref.type !== "object") return nullLeaf(ref, isNull);
  const parts = ref.columns.map((column) => bindNull(refBelow(ref, column), isNull));
  return combine(isNull ? "all" : "any", parts);
}

/** What other query languages call the operators. */
const FOREIGN: ReadonlyMap<string, string> = new Map([
  ["$eq", "$is"],
  ["$ne", "$isNot"],
  ["$gte", "$ge"],
  ["$lte", "$le"],
  ["$in", "$any"],
  ["$nin", "$none"],
  ["$and", "$all"],
  ["$or", "$any"],
  ["$nor", "$none"],
  ["$regex", "$pattern"],
  ["$like", "$pattern"],
]);

/**
 * Refuses a key that is no operator here, naming the nearest that is one (rule F-1).
 *
 * @param elsewhere operators that only go under a column
 */
export function refuseOperator(
  key: string,
  known: readonly string[],
  elsewhere: ReadonlySet<string>,
  at: At,
): never {
  const near = FOREIGN.get(key) ?? findNearest(key, known);
  const hint = elsewhere.has(key)
    ? " here; it goes under a column"
    : near === undefined
      ? ""
      : `; did you mean ${near}?`;
  refuse("invalid_filter", `${describe(key)} is no operator${hint}`, { path: at(), rule: "F-1" });
}
