import fc from "fast-check";
import type { Json } from "../../types.js";
import type { JsonObject } from "../oracle/model.js";
import { choose, chooseWeighted, derive, happens, several } from "./choice.js";
import { enterJson, type QueriedSchema, type Scope, walkPath, walkTo } from "./paths.js";
import { isComparable, makePredicate } from "./predicate.js";

export interface FilterPlan {
  readonly seed: number;
  readonly parts: readonly FilterPlan[];
}

export function filterPlanArbitrary(levels = 3): fc.Arbitrary<FilterPlan> {
  const leaf: fc.Arbitrary<FilterPlan> = fc.record({ seed: fc.nat(), parts: fc.constant([]) });
  if (levels === 0) return leaf;
  const parts = fc.array(filterPlanArbitrary(levels - 1), { minLength: 1, maxLength: 3 });
  return fc.oneof({ weight: 2, arbitrary: leaf }, fc.record({ seed: fc.nat(), parts }));
}

export function renderFilter(
  branch: QueriedSchema,
  scope: Scope,
  plan: FilterPlan,
  relative = false,
): JsonObject {
  if (plan.parts.length === 0) return renderLeaf(branch, scope, plan.seed, relative);
  const under = happens(plan.seed, "under", 0.35)
    ? walkTo(branch, scope, derive(plan.seed, "path"), (path) => path.next !== undefined)
    : undefined;
  if (under?.next === undefined) {
    const parts = plan.parts.map((part) => renderFilter(branch, scope, part, relative));
    return combine(plan.seed, parts, relative);
  }
  const { next } = under;
  const parts = plan.parts.map((part) => renderFilter(branch, next, part, true));
  // F-7: a plain array holds relative filters too.
  const condition = happens(plan.seed, "array", 0.15) ? parts : combine(plan.seed, parts, true);
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
  if (!relative && happens(seed, "nothing", 0.02)) {
    return choose<JsonObject>(seed, "which", [{ $any: [] }, { $all: [] }, { $not: [] }]);
  }
  const walked = walkPath(branch, scope, derive(seed, "path"));
  const enters = walked.column.type === "json" && happens(seed, "enter json", 0.75);
  const path = enters ? enterJson(walked, seed) : walked;
  if (!isComparable(path) || happens(seed, "exists", 0.1)) {
    const operator = choose(seed, "exists or not", ["$exists", "$notExists"]);
    const others = several(seed, "others", 0, 2, (own) =>
      walkPath(branch, scope, own).names.join("."),
    );
    const named = path.names.join(".");
    return { [operator]: happens(seed, "several", 0.3) ? [named, ...others] : named };
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
