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

/**
 * Binds a filter; absent, all records match.
 *
 * @throws TwinbaseError `invalid_filter`, `unknown_column`, `invalid_request` (section F, L-3)
 */
export function bindFilter(scope: Scope, filter: unknown, at: At): Predicate {
  if (filter === undefined) return TRUE;
  return normalize(parseFilter(scope, filter, at), scope.context.profile.nullComparison);
}

/**
 * Pushes negations to the leaves (De Morgan), and decides for each leaf whether null matches (rule
 * F-30). Under `complement` a negation matches exactly what the negated part does not; under `sql`
 * a test of null is unknown, stays so, and does not match.
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
