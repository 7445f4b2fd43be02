import fc from "fast-check";
import type { Filter, Json } from "../../types.js";
import { matchingRecords } from "../oracle/evaluate.js";
import { type JsonObject, type OracleDatabase, requireTable } from "../oracle/model.js";
import { choose, chooseWeighted, derive, happens, several } from "./choice.js";
import { isInTier } from "./levels.js";
import { enterJson, type QueriedSchema, type Scope, walkPath, walkTo } from "./paths.js";
import { isComparable, makePredicate } from "./predicate.js";
import { seedArbitrary } from "./shrinking.js";

export interface FilterPlan {
  readonly seed: number;
  readonly parts: readonly FilterPlan[];
}

export function filterPlanArbitrary(levels = 3): fc.Arbitrary<FilterPlan> {
  const leaf: fc.Arbitrary<FilterPlan> = fc.record({
    seed: seedArbitrary(),
    parts: fc.constant([]),
  });
  if (levels === 0) return leaf;
  const parts = fc.array(filterPlanArbitrary(levels - 1), { minLength: 1, maxLength: 3 });
  return fc.oneof({ weight: 2, arbitrary: leaf }, fc.record({ seed: seedArbitrary(), parts }));
}

/** A plan of the same form. */
export function varyPlan({ seed, parts }: FilterPlan, label: string): FilterPlan {
  return { seed: derive(seed, label), parts: parts.map((part) => varyPlan(part, label)) };
}

export function renderFilter(
  branch: QueriedSchema,
  scope: Scope,
  plan: FilterPlan,
  relative = false,
): JsonObject {
  if (plan.parts.length === 0) return renderLeaf(branch, scope, plan.seed, relative);
  const under = happens(plan.seed, "under", 0.35)
    ? walkTo(branch, scope, derive(plan.seed, "path"), ({ next, column }) =>
        column.type === "link" ? isInTier("path link", branch.tier) : next !== undefined,
      )
    : undefined;
  if (under?.next === undefined) {
    const parts = plan.parts.map((part) => renderFilter(branch, scope, part, relative));
    return combine(plan.seed, parts, relative);
  }
  const { next } = under;
  const parts = plan.parts.map((part) => renderFilter(branch, next, part, true));
  // F-7: a plain array holds relative filters too.
  const isArray = isInTier("literal list", branch.tier) && happens(plan.seed, "array", 0.15);
  const condition = isArray ? parts : combine(plan.seed, parts, true);
  return atPath(under.names, condition, plan.seed);
}

/** F-2, F-3: the parts as keys of one object, or in an array, AND-ed, OR-ed or negated. */
function combine(seed: number, parts: readonly JsonObject[], relative: boolean): JsonObject {
  const merged = mergeKeys(parts, relative);
  const connective = choose(seed, "connective", ["$all", "$any", "$not", "$none"]);
  const form = chooseWeighted(seed, "form", {
    merged: merged === undefined ? 0 : 35,
    object: merged === undefined ? 0 : 25,
    array: 40,
  });
  if (merged !== undefined && form === "merged") return merged;
  if (merged !== undefined && form === "object") return { [connective]: merged };
  return { [connective]: parts };
}

function mergeKeys(parts: readonly JsonObject[], relative: boolean): JsonObject | undefined {
  const keys = parts.flatMap((part) => Object.keys(part));
  const operators = keys.filter((key) => key.startsWith("$"));
  // F-7: operators and columns don't mix under a path.
  const mixed = operators.length > 0 && operators.length < keys.length;
  if (new Set(keys).size < keys.length || (relative && mixed)) return undefined;
  return Object.assign({}, ...parts);
}

function renderLeaf(
  branch: QueriedSchema,
  scope: Scope,
  seed: number,
  relative: boolean,
): JsonObject {
  if (!relative && isInTier("literal empty", branch.tier) && happens(seed, "nothing", 0.02)) {
    return choose<JsonObject>(seed, "which", [{ $any: [] }, { $all: [] }, { $not: [] }]);
  }
  const walked = walkPath(branch, scope, derive(seed, "path"));
  const enters = walked.column.type === "json" && happens(seed, "enter json", 0.75);
  const path = enters ? enterJson(walked, seed) : walked;
  if (!isComparable(path) || happens(seed, "exists", 0.2)) {
    const operator = choose(seed, "exists or not", ["$exists", "$notExists"]);
    const others = several(seed, "others", 0, 2, (own) =>
      walkPath(branch, scope, own).names.join("."),
    );
    // Also of the objects and links before the end.
    const start = path.kind === "metadata" ? 0 : derive(seed, "shorter") % path.names.length;
    const named = path.names.slice(0, path.names.length - start).join(".");
    const isList = isInTier("literal list", branch.tier) && happens(seed, "several", 0.3);
    return { [operator]: isList ? [named, ...others] : named };
  }
  return atPath(path.names, makePredicate(branch, path, derive(seed, "predicate")), seed);
}

/** F-6: a condition at a path, dotted and nested in any mixture. */
export function atPath(names: readonly string[], condition: Json, seed: number): JsonObject {
  const [name = "", ...rest] = names;
  if (rest.length === 0) return { [name]: condition };
  const inner = atPath(rest, condition, seed);
  if (happens(seed, `nest at ${rest.length}`, 0.35)) return { [name]: inner };
  return Object.fromEntries(Object.entries(inner).map(([key, value]) => [`${name}.${key}`, value]));
}

/** Chooses one of some filters that matches some records and not others, if there is one. */
export function chooseFilter(
  db: OracleDatabase,
  table: string,
  make: (label: string) => JsonObject,
): JsonObject {
  const filters = ["a", "b", "c", "d", "e", "f"].map(make);
  const all = requireTable(db, table).records.length;
  const counts = filters.map((filter) => matchingRecords(db, table, filter as Filter).length); // as its type allows
  const place = [1, 2, 3, 4, 5].map((count) => counts.indexOf(all - count)).find((at) => at >= 0);
  return filters[place ?? 0] ?? {};
}
