import { isRuleId, TIERS } from "../rules.js";
import type { Check } from "./checks.js";

/** Weight of an operation or an operator; a rule has weight 1. */
const SHARE_OF_A_WAY = 0.3;

/**
 * Orders checks greedily by new coverage per request, so that errors show early. Each subject
 * counts half as much every time it was covered before, and in each tier above the first.
 */
export function orderChecks(
  checks: readonly Check[],
  isSkipped: (check: Check) => boolean,
): Check[] {
  const seen = new Map<string, number>();
  const opened = new Set<object>();
  const newsOf = ({ looksAt, tier, requests, shared }: Check): number => {
    let news = 0;
    for (const subject of looksAt) {
      news += (isRuleId(subject) ? 1 : SHARE_OF_A_WAY) / (1 + (seen.get(subject) ?? 0));
    }
    const opening = shared === undefined || opened.has(shared.fixture) ? 0 : shared.requests;
    return news / 2 ** TIERS.indexOf(tier) / (requests + opening);
  };
  const ordered: Check[] = [];
  const left = checks
    .filter((check) => !isSkipped(check))
    .map((check) => ({ check, news: newsOf(check) }));
  while (left.length > 0) {
    const best = left.reduce((a, b) => (b.news > a.news ? b : a));
    left.splice(left.indexOf(best), 1);
    const { check } = best;
    ordered.push(check);
    for (const subject of check.looksAt) seen.set(subject, (seen.get(subject) ?? 0) + 1);
    const { shared } = check;
    if (shared !== undefined) opened.add(shared.fixture);
    for (const each of left) {
      const { looksAt } = each.check;
      const isTouched =
        each.check.shared?.fixture === shared?.fixture ||
        looksAt.some((subject) => check.looksAt.includes(subject));
      if (isTouched) each.news = newsOf(each.check);
    }
  }
  return [...ordered, ...checks.filter(isSkipped)];
}
