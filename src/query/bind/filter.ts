import { type At, describe, refuse } from "../../errors.js";
import { isObject } from "../../schema/coerce.js";
import type { Condition, Predicate } from "../bound/condition.js";
import {
  type Binding,
  bindExistence,
  CONTROLS,
  deeper,
  negateIf,
  refuseOperator,
  requireLevel,
  type Site,
  siteBelow,
} from "./binding.js";
import { OPERATORS } from "./operators.js";
import { resolvePath, type Scope } from "./scope.js";
import { settle } from "./settle.js";
import { bindValue } from "./value.js";

const KEYS: readonly string[] = [...CONTROLS.keys(), "$exists", "$notExists"];

/**
 * Binds a filter: checks its shape, resolves paths and coerces literals in the order of the
 * request, so that the first thing wrong in it is the one reported (rule E-6); then settles it.
 *
 * @throws TwinbaseError `invalid_filter`, `unknown_column`, `invalid_request` (section F, L-3)
 */
export function bindFilter(scope: Scope, filter: unknown, at: At): Predicate {
  const binding: Binding = { context: scope.context, predicates: 0, bindKeys };
  const condition = bindConditions(binding, scope, filter, { at, level: 1 });
  return settle(condition, scope.context.profile.nullComparison);
}

/** A filter object: its keys, all of them (rule F-1). */
function bindConditions(binding: Binding, scope: Scope, filter: unknown, site: Site): Condition {
  if (!isObject(filter)) {
    refuse("invalid_filter", `expected a filter object, found ${describe(filter)}`, {
      path: site.at(),
      rule: "F-1",
    });
  }
  return bindKeys(binding, scope, "all", filter, site);
}

/** The keys of a filter object, each a condition. */
function bindKeys(
  binding: Binding,
  scope: Scope,
  kind: "all" | "any",
  filter: Readonly<Record<string, unknown>>,
  site: Site,
): Condition {
  requireLevel(binding, site);
  const parts: Condition[] = [];
  for (const key of Object.keys(filter)) {
    if (filter[key] === undefined) continue;
    parts.push(bindKey(binding, scope, key, filter[key], siteBelow(site, key)));
  }
  return { kind, parts };
}

function bindKey(
  binding: Binding,
  scope: Scope,
  key: string,
  value: unknown,
  site: Site,
): Condition {
  const control = CONTROLS.get(key);
  if (control !== undefined) {
    const { kind, not } = control;
    return negateIf(not, bindControl(binding, scope, kind, value, deeper(site)));
  }
  if (key === "$exists" || key === "$notExists") {
    return bindExistence(binding, scope, key, value, site);
  }
  if (key.startsWith("$")) refuseOperator(key, KEYS, OPERATORS, site.at);
  const { ref, inner } = resolvePath(scope, key, site.at);
  return bindValue({ binding, ref, inner }, value, deeper(site));
}

/** The keys of an object, or the members of an array (rules F-2, F-3). */
function bindControl(
  binding: Binding,
  scope: Scope,
  kind: "all" | "any",
  value: unknown,
  site: Site,
): Condition {
  if (Array.isArray(value)) {
    // Not `map`, which would pass over the holes of an array.
    const parts = Array.from(value as readonly unknown[], (member, index) =>
      bindConditions(binding, scope, member, siteBelow(site, index)),
    );
    return { kind, parts };
  }
  if (!isObject(value)) {
    refuse(
      "invalid_filter",
      `expected a filter object or an array of them, found ${describe(value)}`,
      { path: site.at(), rule: "F-2" },
    );
  }
  return bindKeys(binding, scope, kind, value, site);
}
