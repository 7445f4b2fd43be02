import { type At, describe } from "../../errors.js";
import { isFileType } from "../../schema/files.js";
import { isPlainObject } from "../../value/json.js";
import { type Condition, type Predicate, TRUE } from "../bound/condition.js";
import {
  bindExistence,
  CONTROLS,
  type Filter,
  negateIf,
  refuseOperator,
  requireLevel,
  type Site,
  siteBelow,
  together,
} from "./binding.js";
import { refuseFilter } from "./literal.js";
import { OPERATORS } from "./operators.js";
import { resolvePath, type Scope } from "./scope.js";
import { settle } from "./settle.js";
import { bindValue } from "./value.js";

const KEYS: readonly string[] = [...CONTROLS.keys(), "$exists", "$notExists"];

/**
 * Binds a filter; absent, all records match. It checks its shape, resolves paths and coerces literals in the order of the
 * request, so that the first thing wrong in it is the one reported (rule E-6); then settles it.
 *
 * @throws TwinbaseError `invalid_filter`, `unknown_column`, `invalid_request` (section F, L-3)
 */
export function bindFilter(scope: Scope, filter: unknown, at: At): Predicate {
  if (filter === undefined) return TRUE;
  const { context } = scope;
  const binding = { context, predicates: 0, bindKeys };
  const condition = bindConditions(scope, filter, { binding, at, level: 1 });
  return settle(condition, context.profile.nullComparison);
}

/** A filter object: its keys, all of them (rule F-1). */
function bindConditions(scope: Scope, filter: unknown, site: Site): Condition {
  if (isPlainObject(filter)) return bindKeys(scope, "all", filter, site);
  return refuseFilter(`expected a filter object, found ${describe(filter)}`, site.at, "F-1");
}

/** The keys of a filter object, each a condition. */
function bindKeys(scope: Scope, kind: "all" | "any", filter: Filter, site: Site): Condition {
  requireLevel(site);
  const parts: Condition[] = [];
  for (const key of Object.keys(filter)) {
    if (filter[key] === undefined) continue;
    parts.push(bindKey(scope, key, filter[key], siteBelow(site, key, 1)));
  }
  return together(kind, parts);
}

function bindKey(scope: Scope, key: string, value: unknown, site: Site): Condition {
  const control = CONTROLS.get(key);
  if (control !== undefined) {
    const { kind, not } = control;
    return negateIf(not, bindControl(scope, kind, value, site));
  }
  if (key === "$exists" || key === "$notExists") return bindExistence(scope, key, value, site);
  if (key.startsWith("$")) refuseOperator(key, KEYS, OPERATORS, site.at);
  const resolved = resolvePath(scope, key, site.at);
  const { ref, inner } = resolved;
  if (ref.type === "link" && inner === undefined && isPlainObject(value)) {
    const [name] = Object.keys(value);
    // T-17: a path through a link whose table is missing, which leads nowhere.
    if (name !== undefined && !name.startsWith("$")) {
      resolvePath(scope, `${key}.${name}`, siteBelow(site, name).at);
    }
  }
  // F-7: the members of a file are named dotted only.
  const isFile = isFileType(ref.type);
  return bindValue(isFile ? { ...resolved, inner: undefined } : resolved, value, site);
}

/** The keys of an object, or the members of an array (rules F-2, F-3). */
function bindControl(scope: Scope, kind: "all" | "any", value: unknown, site: Site): Condition {
  if (isPlainObject(value)) return bindKeys(scope, kind, value, site);
  if (!Array.isArray(value)) {
    const expected = "a filter object or an array of them";
    return refuseFilter(`expected ${expected}, found ${describe(value)}`, site.at, "F-2");
  }
  const parts: Condition[] = [];
  // Not `map`, which would pass over the holes of an array.
  for (let index = 0; index < value.length; index++) {
    parts.push(bindConditions(scope, value[index], siteBelow(site, index)));
  }
  return together(kind, parts);
}
