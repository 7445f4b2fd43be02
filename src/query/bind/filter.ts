import type { At } from "../../errors.js";
import type { Profile } from "../../profile.js";
import {
  type Condition,
  combine,
  FALSE,
  type Predicate,
  type Test,
  TRUE,
} from "../bound/condition.js";
import { parseFilter } from "./parse-filter.js";
import type { Scope } from "./scope.js";

/** Binds a filter (section F, rule L-3); without one, all records match. */
export function bindFilter(scope: Scope, filter: unknown, at: At): Predicate {
  if (filter === undefined) return TRUE;
  return normalize(parseFilter(scope, filter, at), scope.run.profile.nullComparison);
}

/** Binds a filter of a search or an aggregation, which the profile may limit (rule Q-7). */
export function bindStoreFilter(scope: Scope, filter: unknown, at: At): Predicate {
  if (filter === undefined) return TRUE;
  const { nullComparison, searchStore } = scope.run.profile;
  return normalize(parseFilter(scope, filter, at, searchStore === "limited"), nullComparison);
}

/**
 * Pushes negations to the leaves (De Morgan) and decides whether null matches each leaf (F-30).
 * In null mode `sql`, a negated test of null stays unknown, so it never matches.
 */
function normalize(
  condition: Condition,
  nulls: Profile["nullComparison"],
  negated = false,
): Predicate {
  switch (condition.kind) {
    case "constant":
      return condition.value === negated ? FALSE : TRUE;
    case "null":
      return negated ? { ...condition, isNull: !condition.isNull } : condition;
    case "not":
      return normalize(condition.part, nulls, !negated);
    case "where": {
      const { known, part } = condition;
      if (!negated || nulls === "complement") return normalize(part, nulls, negated);
      return normalize({ kind: "all", parts: [known, { kind: "not", part }] }, nulls);
    }
    case "test": {
      const { column, ofNull } = condition;
      const test: Test =
        condition.test.kind === "items"
          ? { ...condition.test, item: normalize(condition.test.item, nulls) }
          : condition.test;
      const nullMatches =
        ofNull === undefined ? negated && nulls === "complement" : ofNull !== negated;
      return { kind: "leaf", column, test, negated, nullMatches };
    }
    case "all":
    case "any": {
      const parts: Predicate[] = [];
      for (const part of condition.parts) parts.push(normalize(part, nulls, negated));
      return combine((condition.kind === "all") === negated ? "any" : "all", parts);
    }
  }
}
