import { type At, below, describe, refuse } from "../../errors.js";
import { isObject } from "../../schema/coerce.js";
import { combine, type Predicate } from "../bound/predicate.js";
import { bindValue } from "./bind-predicate.js";
import { type Binding, bindExistence, refuseOperator, requireLevel } from "./binding.js";
import { OPERATORS } from "./operators.js";
import { resolvePath, type Scope } from "./scope.js";

const CONTROLS: readonly string[] = ["$all", "$any", "$not", "$none", "$exists", "$notExists"];

/**
 * Binds a filter: checks its shape, resolves paths, coerces literals and pushes negation down, in
 * the order of the request, so that the first thing wrong in it is the one reported (rule E-6).
 *
 * @throws TwinbaseError `invalid_filter`, `unknown_column`, `invalid_request` (section F, L-3)
 */
export function bindFilter(scope: Scope, filter: unknown, at: At): Predicate {
  const binding: Binding = { context: scope.context, predicates: 0, bindRelative };
  return bindConditions(binding, scope, filter, false, at, 1);
}

/** A filter object: its keys, all of them (rule F-1). */
function bindConditions(
  binding: Binding,
  scope: Scope,
  filter: unknown,
  negated: boolean,
  at: At,
  level: number,
): Predicate {
  if (!isObject(filter)) {
    refuse("invalid_filter", `expected a filter object, found ${describe(filter)}`, {
      path: at(),
      rule: "F-1",
    });
  }
  return bindRelative(binding, scope, "all", filter, negated, at, level);
}

/** A filter whose names are relative to an object or link column (rule F-7). */
function bindRelative(
  binding: Binding,
  scope: Scope,
  kind: "all" | "any",
  filter: Readonly<Record<string, unknown>>,
  negated: boolean,
  at: At,
  level: number,
): Predicate {
  requireLevel(binding, level, at);
  return combine(kind, bindKeys(binding, scope, filter, negated, at, level), negated);
}

/** One predicate for each key of a filter object. */
function bindKeys(
  binding: Binding,
  scope: Scope,
  filter: Readonly<Record<string, unknown>>,
  negated: boolean,
  at: At,
  level: number,
): Predicate[] {
  const parts: Predicate[] = [];
  for (const key of Object.keys(filter)) {
    if (filter[key] === undefined) continue;
    parts.push(bindKey(binding, scope, key, filter[key], negated, below(at, key), level));
  }
  return parts;
}

function bindKey(
  binding: Binding,
  scope: Scope,
  key: string,
  value: unknown,
  negated: boolean,
  at: At,
  level: number,
): Predicate {
  switch (key) {
    case "$all":
    case "$any":
      return bindControl(binding, scope, key, value, negated, at, level);
    case "$not":
      return bindControl(binding, scope, "$all", value, !negated, at, level);
    case "$none":
      return bindControl(binding, scope, "$any", value, !negated, at, level);
    case "$exists":
    case "$notExists":
      return bindExistence(binding, scope, value, (key === "$exists") === negated, negated, at);
    default: {
      if (key.startsWith("$")) refuseOperator(key, CONTROLS, OPERATORS, at);
      const { ref, inner } = resolvePath(scope, key, at);
      return bindValue(binding, ref, inner, value, negated, at, level + 1);
    }
  }
}

/** `$all` and `$any`: the keys of an object, or the members of an array (rules F-2, F-3). */
function bindControl(
  binding: Binding,
  scope: Scope,
  control: "$all" | "$any",
  value: unknown,
  negated: boolean,
  at: At,
  level: number,
): Predicate {
  const kind = control === "$all" ? "all" : "any";
  if (Array.isArray(value)) {
    // Not `map`, which would pass over the holes of an array.
    const parts = Array.from(value as readonly unknown[], (member, index) =>
      bindConditions(binding, scope, member, negated, below(at, index), level + 1),
    );
    return combine(kind, parts, negated);
  }
  if (!isObject(value)) {
    refuse(
      "invalid_filter",
      `expected a filter object or an array of them, found ${describe(value)}`,
      {
        path: at(),
        rule: "F-2",
      },
    );
  }
  return bindRelative(binding, scope, kind, value, negated, at, level + 1);
}
