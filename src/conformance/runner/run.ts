import { LAWS } from "../laws/all.js";
import { type Deviation, findDeviation } from "../report/deviations.js";
import { redactDivergence } from "../report/redact.js";
import type {
  CheckResult,
  ConformanceReport,
  Divergence,
  RuleResult,
  Verdict,
} from "../report/report.js";
import { isRuleId, isWithinTier, RULES, TIERS, type Tier } from "../rules.js";
import { NoAnswerError } from "../target/connection.js";
import { openTarget } from "../target/open.js";
import { type Sandbox, SeedingError } from "../target/sandbox.js";
import { ConformanceUsageError, type Target } from "../target/target.js";
import { loadVectors } from "../vectors/load.js";
import { createVectorRunner } from "../vectors/run.js";
import type { VectorFile } from "../vectors/vector.js";
import {
  type Check,
  type CheckContext,
  type CheckOutcome,
  lawChecks,
  vectorChecks,
} from "./checks.js";

/** How to run. */
export interface ConformanceOptions {
  /** Default 1: the same cases every time. */
  readonly seed?: number | undefined;
  /** Cases of each law; default 25. */
  readonly runs?: number | undefined;
  /** Milliseconds for all laws together, in place of `runs`. */
  readonly time?: number | undefined;
  /** How far to go; default all of `core`, `complete`, `strict`. */
  readonly tiers?: readonly Tier[] | undefined;
  /** Rules, sections or check ids to keep to, such as `F-12`, `G` or `law:de-morgan`. */
  readonly only?: readonly string[] | undefined;
  /** Rules, sections or check ids to leave out. */
  readonly skip?: readonly string[] | undefined;
  /** Where the case of a law lies that a report names, together with its seed and `only`. */
  readonly path?: string | undefined;
  /** Divergences that are known. */
  readonly deviations?: readonly Deviation[] | undefined;
  /** The day that decides whether a deviation has expired, as `YYYY-MM-DD`; default today. */
  readonly today?: string | undefined;
  /** Ends the run early; what was made is deleted, and what did not run is undecided. */
  readonly signal?: AbortSignal | undefined;
  /** Vectors in place of those that come with the package. */
  readonly vectors?: readonly VectorFile[] | undefined;
  /** Told of each divergence as it is found. */
  readonly onDivergence?: ((divergence: Divergence) => void) | undefined;
  /** Told of each check as it ends. */
  readonly onResult?: ((result: CheckResult, done: number, all: number) => void) | undefined;
}

/**
 * Checks a target: every vector and law within the tiers, each until its first divergence. What
 * is made there is deleted at the end, also of a run that fails or is ended.
 *
 * @throws ConformanceUsageError for options that name nothing, or a service not to be written to
 */
export async function runConformance(
  target: Target,
  options: ConformanceOptions = {},
): Promise<ConformanceReport> {
  const files = options.vectors ?? loadVectors();
  const checks = selectChecks([...vectorChecks(files), ...lawChecks(LAWS)], options);
  const sandbox = openTarget(target);
  const run = createRun(sandbox, options);
  try {
    for (const [i, check] of checks.entries()) {
      const result = await run.take(check);
      options.onResult?.(result, i + 1, checks.length);
    }
  } finally {
    await sandbox.clean();
  }
  return run.report();
}

/** The checks that a run keeps to, within its tiers. */
export function selectChecks(checks: readonly Check[], options: ConformanceOptions): Check[] {
  const { only, skip = [], tiers } = options;
  const known = (name: string): boolean =>
    checks.some((check) => names(check, name)) || isRuleId(name) || /^[A-Z]$/.test(name);
  for (const name of [...(only ?? []), ...skip]) {
    if (!known(name)) throw new ConformanceUsageError(`there is no rule or check ${name}`);
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
    name === check.id || check.rules.some((rule) => rule === name || rule.startsWith(`${name}-`))
  );
}

function highestTier(tiers: readonly Tier[] | undefined): Tier {
  if (tiers === undefined) return "strict";
  const highest = [...TIERS].reverse().find((tier) => tiers.includes(tier));
  if (highest === undefined) throw new ConformanceUsageError("name a tier to go to");
  return highest;
}

const MOST_PER_CHECK = 20_000;

function createRun(
  sandbox: Sandbox,
  options: ConformanceOptions,
): { take(check: Check): Promise<CheckResult>; report(): ConformanceReport } {
  const { seed = 1, runs = 25, time, path, deviations = [], signal } = options;
  const today = options.today ?? new Date().toISOString().slice(0, 10);
  const limit = highestTier(options.tiers);
  const strict = limit === "strict";
  const vectorRunner = createVectorRunner(sandbox);
  const results: CheckResult[] = [];
  const divergences: Divergence[] = [];
  /** The deviations that some check was looked at for, and whether one of these diverged. */
  const applied = new Map<Deviation, boolean>();
  const context: CheckContext = {
    sandbox,
    runVector: (vector, fixture) => vectorRunner.run(vector, fixture, strict),
    seed,
    path,
    strict,
    signal,
    runs: time === undefined ? runs : 1_000_000,
    timeLimit: time === undefined ? MOST_PER_CHECK : time / LAWS.length,
  };
  const decide = async (
    check: Check,
  ): Promise<{ verdict: Verdict; runs: number; reason?: string }> => {
    const skipped = reasonToSkip(check, sandbox);
    if (skipped !== undefined) return { verdict: "skipped", runs: 0, reason: skipped };
    const outcome = await runCheck(check, context);
    const deviation = findDeviation(deviations, check, today);
    if (outcome.verdict === "undecided") {
      const reason = outcome.reason.replace(sandbox.names, "a database");
      return { verdict: "undecided", runs: 0, reason };
    }
    if (outcome.verdict === "passed") {
      if (deviation !== undefined) applied.set(deviation, applied.get(deviation) ?? false);
      return outcome;
    }
    if (deviation !== undefined) applied.set(deviation, true);
    if (deviation !== undefined) return { verdict: "known", runs: 1, reason: deviation.reason };
    const { profile } = sandbox.connection;
    const divergence = redactDivergence(outcome.divergence, profile, sandbox.names);
    divergences.push(divergence);
    options.onDivergence?.(divergence);
    return { verdict: "diverged", runs: 1 };
  };
  return {
    async take(check) {
      const { id, kind, title, rules, tier } = check;
      const result = { id, kind, title, rules, tier, ...(await decide(check)) };
      results.push(result);
      return result;
    },
    report() {
      const undecided = results.filter(({ verdict }) => verdict === "undecided");
      const rules = describeRules(results, limit);
      return {
        conforms: divergences.length === 0 && undecided.length === 0,
        seed,
        runs: time === undefined ? runs : 0,
        profile: { ...sandbox.connection.profile },
        tiers: TIERS.filter((tier) => isWithinTier(tier, limit)),
        divergences,
        undecided,
        unexpectedPasses: [...applied]
          .filter(([, diverged]) => !diverged)
          .map(([{ what, reason }]) => ({ what, reason })),
        rules,
        checks: results,
        coverage: {
          rules: rules.length,
          covered: rules.filter(({ verdict }) => verdict !== "uncovered").length,
        },
      };
    },
  };
}

async function runCheck(check: Check, context: CheckContext): Promise<CheckOutcome> {
  if (context.signal?.aborted) return { verdict: "undecided", reason: "the run was ended" };
  try {
    return await check.run(context);
  } catch (error) {
    if (!(error instanceof SeedingError || error instanceof NoAnswerError)) throw error;
    return { verdict: "undecided", reason: error.message };
  }
}

/** Why a check is not for a target; undefined where it is. */
export function reasonToSkip({ when, needs }: Check, { connection }: Sandbox): string | undefined {
  const { profile, auth, capabilities } = connection;
  if (when.base !== undefined && when.base !== profile.base) return `for profile ${when.base}`;
  if (when.nullComparison !== undefined && when.nullComparison !== profile.nullComparison) {
    return `for null comparison ${when.nullComparison}`;
  }
  if (when.auth !== undefined && when.auth !== auth) return `for ${when.auth} services`;
  const missing = needs.filter((name) => !capabilities.has(name));
  return missing.length === 0 ? undefined : `needs ${missing.join(", ")}`;
}

function describeRules(results: readonly CheckResult[], limit: Tier): RuleResult[] {
  return RULES.filter(({ tier }) => isWithinTier(tier, limit)).map(({ id, tier, meaning }) => {
    const checks = { passed: 0, diverged: 0, known: 0, skipped: 0, undecided: 0 };
    for (const result of results) if (result.rules.includes(id)) checks[result.verdict]++;
    const verdict =
      checks.diverged > 0
        ? "diverges"
        : checks.undecided > 0
          ? "undecided"
          : checks.passed + checks.known > 0
            ? "conforms"
            : "uncovered";
    return { id, tier, meaning, verdict, checks };
  });
}
