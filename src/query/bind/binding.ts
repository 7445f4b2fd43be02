import { type At, below, describe, pointerTo, refuse } from "../../errors.js";
import { type Column, leavesOf } from "../../schema/columns.js";
import { suggest } from "../../value/nearest.js";
import { type Ref, refBelow } from "../bound/column-ref.js";
import type { Condition } from "../bound/condition.js";
import { refuseFilter } from "./literal.js";
import { type BindContext, resolvePath, type Scope } from "./scope.js";

/** What is bound of one filter, and where in it: for errors, and how deep it is nested (L-3). */
export interface Site {
  readonly binding: Binding;
  readonly at: At;
  readonly level: number;
}

/** One step further in the request, and so many levels deeper in the filter. */
export function siteBelow({ binding, at, level }: Site, key: string | number, levels = 0): Site {
  return { binding, at: below(at, key), level: level + levels };
}

/** One level deeper in the filter, at the same place of the request. */
export function deeper({ binding, at, level }: Site): Site {
  return { binding, at, level: level + 1 };
}

/** The binding of one filter. */
interface Binding {
  readonly context: BindContext;
  /** Predicates met so far (rule L-3). */
  predicates: number;
  /** Binds the keys of a filter object, whose names are those of a scope (rule F-7). */
  readonly bindKeys: (scope: Scope, kind: "all" | "any", filter: Filter, site: Site) => Condition;
}

/** An object whose keys are conditions. */
export type Filter = Readonly<Record<string, unknown>>;

/** The operators that put conditions together, and how (rules F-2, F-3). */
export const CONTROLS: ReadonlyMap<
  string,
  { readonly kind: "all" | "any"; readonly not: boolean }
> = new Map([
  ["$all", { kind: "all", not: false }],
  ["$any", { kind: "any", not: false }],
  ["$not", { kind: "all", not: true }],
  ["$none", { kind: "any", not: true }],
]);

/** A condition, or its negation. */
export function negateIf(isNegated: boolean, part: Condition): Condition {
  return isNegated ? { kind: "not", part } : part;
}

/** Conditions put together; of one alone the kind does not matter. */
export function together(kind: "all" | "any", parts: readonly Condition[]): Condition {
  return parts.length === 1 ? parts[0]! : { kind, parts };
}

/** Counts a predicate (rule L-3), on an object as many as it compares columns (L-7). */
export function countPredicate({ binding, at }: Site, ref?: Ref): void {
  binding.predicates += ref?.type === "object" ? Math.max(1, countLeaves(ref.columns)) : 1;
  const { filterPredicates } = binding.context.limits;
  requireFew(binding.predicates, filterPredicates, "a filter", "predicates", at);
}

function countLeaves(columns: readonly Column[]): number {
  return columns.reduce((count, column) => count + leavesOf(column).length, 0);
}

/** Bounds how deep a filter nests (rule L-3). */
export function requireLevel({ binding, at, level }: Site): void {
  requireFew(level, binding.context.limits.filterLevels, "a filter", "levels", at);
}

/** Bounds how many there are of something in a filter (rule L-3). */
export function requireFew(count: number, most: number, of: string, what: string, at: At): void {
  if (count <= most) return;
  refuse("invalid_request", `${of} has at most ${most} ${what}`, {
    path: pointerTo(at),
    rule: "L-3",
  });
}

/** `$exists` and `$notExists` with a path or an array of paths (rule F-4). */
export function bindExistence(
  scope: Scope,
  operator: "$exists" | "$notExists",
  paths: unknown,
  site: Site,
): Condition {
  const given = Array.isArray(paths) ? (paths as readonly unknown[]) : [paths];
  const parts = Array.from(given, (path, index) => {
    const place = Array.isArray(paths) ? siteBelow(site, index) : site;
    if (typeof path !== "string") {
      return refuseFilter(`expected a column path, found ${describe(path)}`, place.at, "F-4");
    }
    const { ref } = resolvePath(scope, path, place.at);
    countPredicate(place, ref);
    return bindNull(ref, operator === "$notExists");
  });
  return { kind: "all", parts };
}

/** Whether what a path leads to is null, or is not; an object is null whole (rule T-14). */
export function bindNull(ref: Ref, isNull: boolean): Condition {
  if (ref.type !== "object") return { kind: "null", column: ref, isNull };
  const parts = ref.columns.map((column) => bindNull(refBelow(ref, column), isNull));
  return { kind: isNull ? "all" : "any", parts };
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
  const foreign = FOREIGN.get(key);
  const hint = elsewhere.has(key) ? " here; it goes under a column" : suggest(key, known, foreign);
  refuseFilter(`${describe(key)} is no operator${hint}`, at, "F-1");
}
