import type { Profile } from "../../profile.js";
import {
  type Condition,
  combine,
  FALSE,
  type Predicate,
  type Test,
  TRUE,
} from "../bound/condition.js";

/**
 * Settles a condition: negations are pushed to the leaves (De Morgan), and each leaf is told what
 * null does under them (rule F-30). Under `complement` a negation matches exactly what the thing
 * negated does not; under `sql` a test that null leaves undecided stays so, and does not match.
 */
export function settle(condition: Condition, nulls: Profile["nullComparison"]): Predicate {
  return settlePart(condition, false, nulls);
}

function settlePart(
  condition: Condition,
  negated: boolean,
  nulls: Profile["nullComparison"],
): Predicate {
  switch (condition.kind) {
    case "constant":
      return condition.value === negated ? FALSE : TRUE;
    case "null":
      return negated ? { ...condition, isNull: !condition.isNull } : condition;
    case "not":
      return settlePart(condition.part, !negated, nulls);
    case "where": {
      const part = settlePart(condition.part, negated, nulls);
      if (!negated || nulls === "complement") return part;
      return combine("all", [settlePart(condition.known, false, nulls), part]);
    }
    case "all":
    case "any": {
      const parts: Predicate[] = [];
      for (const part of condition.parts) parts.push(settlePart(part, negated, nulls));
      return combine((condition.kind === "all") === negated ? "any" : "all", parts);
    }
    case "test": {
      const { column, ofNull } = condition;
      const nullMatches =
        ofNull === undefined ? negated && nulls === "complement" : ofNull !== negated;
      const test = settleTest(condition.test, nulls);
      return { kind: "leaf", column, test, negated, nullMatches };
    }
  }
}

function settleTest(test: Test<Condition>, nulls: Profile["nullComparison"]): Test {
  return test.kind === "items" ? { ...test, item: settlePart(test.item, false, nulls) } : test;
}
