import { isRuleId, TIERS } from "../rules.js";
import type { Check } from "./checks.js";

/** Weight of an operation or an operator; a rule has weight 1. */
const OPERATION_WEIGHT = 0.3;
/** Weight of a pair of features: they follow the rules. */
const PAIR_WEIGHT = 0.03;

/**
 * Orders checks greedily by new coverage per request, so that errors show early. Each subject
 * counts half as much every time it was covered before, and a third in each tier above the first.
 */
export function orderChecks(
  checks: readonly Check[],
  isSkipped: (check: Check) => boolean,
): Check[] {
  const seen = new Map<string, number>();
  const opened = new Set<object>();
  const gainOf = ({ covers, features = 0, tier, requests, shared }: Check): number => {
    let gain = features * PAIR_WEIGHT;
    for (const subject of covers) {
      gain += (isRuleId(subject) ? 1 : OPERATION_WEIGHT) / (1 + (seen.get(subject) ?? 0));
    }
    const opening = shared === undefined || opened.has(shared.fixture) ? 0 : shared.requests;
    return gain / 3 ** TIERS.indexOf(tier) / (requests + opening);
  };
  const ordered: Check[] = [];
  const left = checks
    .filter((check) => !isSkipped(check))
    .map((check) => ({ check, gain: gainOf(check) }));
  while (left.length > 0) {
    const best = left.reduce((a, b) => (b.gain > a.gain ? b : a));
    left.splice(left.indexOf(best), 1);
    const { check } = best;
    ordered.push(check);
    for (const subject of check.covers) seen.set(subject, (seen.get(subject) ?? 0) + 1);
    const { shared } = check;
    if (shared !== undefined) opened.add(shared.fixture);
    for (const each of left) {
      const { covers } = each.check;
      const isTouched =
        each.check.shared?.fixture === shared?.fixture ||
        covers.some((subject) => check.covers.includes(subject));
      if (isTouched) each.gain = gainOf(each.check);
    }
  }
  return [...ordered, ...checks.filter(isSkipped)];
}
