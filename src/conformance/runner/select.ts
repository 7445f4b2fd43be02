import { isRuleId, isWithinTier, TIERS, type Tier } from "../rules.js";
import type { Sandbox } from "../target/sandbox.js";
import { ConformanceUsageError } from "../target/target.js";
import type { Check } from "./checks.js";

export interface Selection {
  /** Default all: `core`, `complete`, `strict`. */
  readonly tiers?: readonly Tier[] | undefined;
  /** Rules, sections, kinds or ids of checks to run: `F-12`, `G`, `law`, `law:filters-equal-the-oracle`. */
  readonly only?: readonly string[] | undefined;
  /** Rules, sections, kinds or ids of checks to skip. */
  readonly skip?: readonly string[] | undefined;
}

export function selectChecks(checks: readonly Check[], options: Selection): Check[] {
  const { only, skip = [], tiers } = options;
  const known = (name: string): boolean =>
    checks.some((check) => names(check, name)) || isRuleId(name) || /^[A-Z]$/.test(name);
  for (const name of [...(only ?? []), ...skip]) {
    if (!known(name)) throw new ConformanceUsageError(`unknown rule or check ${name}`);
  }
  const limit = highestTier(tiers);
  return checks.filter(
    (check) =>
      isWithinTier(check.tier, limit) &&
      (only === undefined || only.some((name) => names(check, name))) &&
      !skip.some((name) => names(check, name)),
  );
}

function names(check: Check, name: string): boolean {
  return (
    name === check.id ||
    name === check.kind ||
    check.rules.some((rule) => rule === name || rule.startsWith(`${name}-`))
  );
}

export function highestTier(tiers: readonly Tier[] | undefined): Tier {
  if (tiers === undefined) return "strict";
  const highest = [...TIERS].reverse().find((tier) => tiers.includes(tier));
  if (highest === undefined) throw new ConformanceUsageError("expected at least one tier");
  return highest;
}

/** Returns the features of a check that the target lacks; undefined if it can run. */
export function reasonToSkip(check: Check, { connection }: Sandbox): string | undefined {
  const { when, needs } = check;
  const { profile, auth, capabilities, lacks } = connection;
  const lack =
    needs.map((name) => `operation ${name}`).find((name) => lacks.has(name)) ??
    check.findLack?.(lacks);
  if (lack !== undefined) return `not supported: ${lack}`;
  const conditions = [
    [when.base, profile.base, "profile "],
    [when.nullComparison, profile.nullComparison, "null comparison "],
    [when.branchCopies, profile.branchCopies, "branches that copy "],
    [when.links, profile.links, "", " links"],
    [when.auth, auth, "", " services"],
  ];
  const missing = needs.filter((name) => !capabilities.has(name));
  const reasons = conditions.flatMap(([wanted, found, before = "", after = ""]) =>
    wanted === undefined || wanted === found ? [] : [`for ${before}${wanted}${after}`],
  );
  if (missing.length > 0) reasons.push(`needs ${missing.join(", ")}`);
  return reasons.length === 0 ? undefined : reasons.join("; ");
}
