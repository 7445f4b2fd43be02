import { settingsOfProfile } from "../../profile.js";
import { LAWS } from "../laws/all.js";
import { CASES_OF_A_LAW } from "../laws/law.js";
import { causeOf, groupByCause } from "../report/causes.js";
import { type Deviation, findDeviation } from "../report/deviations.js";
import { redactDivergence } from "../report/redact.js";
import type {
  CheckResult,
  CheckTitle,
  ConformanceReport,
  Divergence,
  MissingFeature,
  RuleResult,
  TierCount,
} from "../report/report.js";
import { renderCounterexample } from "../report/reproduce.js";
import { isWithinTier, RULES, TIERS, type Tier } from "../rules.js";
import { NoAnswerError } from "../target/connection.js";
import { openTarget } from "../target/open.js";
import { type Sandbox, SeedingError } from "../target/sandbox.js";
import { LackError, type Target } from "../target/target.js";
import { loadVectors } from "../vectors/load.js";
import { createVectorRunner } from "../vectors/run.js";
import type { VectorFile } from "../vectors/vector.js";
import {
  type Check,
  type CheckContext,
  type CheckOutcome,
  concurrentChecks,
  describeDivergence,
  lawChecks,
  NO_TIME,
  vectorChecks,
} from "./checks.js";
import { orderChecks } from "./order.js";
import { probeTarget, type Refusal } from "./probe.js";
import { highestTier, reasonToSkip, type Selection, selectChecks } from "./select.js";
import { createTimeShares } from "./time.js";

/** Options of {@link runConformance}. */
export interface ConformanceOptions extends Selection {
  /** Default 1: the same cases every time. */
  readonly seed?: number | undefined;
  /** Cases per law; default 25. */
  readonly runs?: number | undefined;
  /** Milliseconds for the whole run, instead of `runs`. Checks without time are undecided. */
  readonly time?: number | undefined;
  /** Stops at the first divergence; the remaining checks are undecided. Default false. */
  readonly failFast?: boolean | undefined;
  /** Reports operations, operators, types and pages that the target lacks as divergences. */
  readonly require?: boolean | undefined;
  /** Also checks concurrent requests (X-1, X-3, T-16). Default false. */
  readonly concurrent?: boolean | undefined;
  /**
   * Also checks concurrent requests over a bad connection: a proxy cuts answers off, repeats requests
   * and delays them. Every outcome that some order of the requests explains is allowed. Default false.
   */
  readonly chaos?: boolean | undefined;
  /** The path of a law's case in a report; requires its seed and `only`. */
  readonly path?: string | undefined;
  readonly deviations?: readonly Deviation[] | undefined;
  /** The day on which deviations are valid or expired, as `YYYY-MM-DD`; default today. */
  readonly today?: string | undefined;
  /** Aborts the run: deletes its databases and leaves the remaining checks undecided. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces the vectors of the package. */
  readonly vectors?: readonly VectorFile[] | undefined;
  /** Called before each check. */
  readonly onCheck?: ((check: CheckTitle, done: number, all: number) => void) | undefined;
  readonly onDivergence?: ((divergence: Divergence) => void) | undefined;
  /** Called after each check. */
  readonly onResult?: ((result: CheckResult, done: number, all: number) => void) | undefined;
}

/**
 * Checks a target against all selected vectors and laws: a vector until its first divergence, a law
 * until it has shown ten causes. Always deletes what it created, also after an error or an abort.
 * Throws `ConformanceUsageError` for invalid options, or a service without `allowWrites`.
 *
 * @example
 * const report = await runConformance({ workspaceUrl: "http://127.0.0.1:4000", workspace: "acme" });
 * console.log(formatText(report));
 */
export async function runConformance(
  target: Target,
  options: ConformanceOptions = {},
): Promise<ConformanceReport> {
  const chosen = chooseChecks(options);
  const sandbox = openTarget(target);
  const ordered = orderChecks(chosen, (check) => reasonToSkip(check, sandbox) !== undefined);
  // With a time limit, checks of any length come last and share the rest.
  const checks =
    options.time === undefined
      ? ordered
      : [...ordered.filter((check) => !isLong(check)), ...ordered.filter(isLong)];
  const run = createRun(sandbox, options);
  try {
    for (const [i, check] of checks.entries()) {
      options.onCheck?.(check, i, checks.length);
      const result = await run.take(check, checks.slice(i + 1));
      options.onResult?.(result, i + 1, checks.length);
    }
  } finally {
    await sandbox.clean();
  }
  return run.report();
}

/** Throws `ConformanceUsageError` for invalid options. */
export function chooseChecks(options: ConformanceOptions): Check[] {
  const files = options.vectors ?? loadVectors();
  const concurrent = options.concurrent === true ? concurrentChecks() : [];
  const chaos = options.chaos === true ? concurrentChecks(true) : [];
  const checks = [...vectorChecks(files), ...lawChecks(LAWS), ...concurrent, ...chaos];
  return selectChecks(checks, options);
}

/** Whether it takes as long as it may. */
function isLong({ kind, features = 0 }: Check): boolean {
  return kind !== "vector" && features === 0;
}

export function createRun(
  sandbox: Sandbox,
  options: ConformanceOptions,
): {
  /** Probes the target once: before the first law, or after the first failure. */
  learn(): Promise<void>;
  take(check: Check, later: readonly Check[]): Promise<CheckResult>;
  report(): ConformanceReport;
} {
  const { seed = 1, runs = CASES_OF_A_LAW, time, path, deviations = [], signal } = options;
  const today = options.today ?? new Date().toISOString().slice(0, 10);
  const limit = highestTier(options.tiers);
  const vectorRunner = createVectorRunner(sandbox);
  const shareTime = createTimeShares(time);
  const results: CheckResult[] = [];
  const divergences: Divergence[] = [];
  const applied = new Map<Deviation, boolean>();
  const features = new Set<string>();
  let refusals: Promise<Refusal[]> | undefined;
  const missing: MissingFeature[] = [];
  const learn = async (): Promise<void> => {
    if (refusals !== undefined) return;
    refusals = probeTarget(sandbox);
    for (const refusal of await refusals) {
      missing.push({ feature: refusal.feature, rule: refusal.rule });
      if (options.require !== true) continue;
      const divergence = describeRefusal(refusal, sandbox, seed);
      divergences.push(divergence);
      options.onDivergence?.(divergence);
    }
  };
  const tryCheck = async (check: Check, later: readonly Check[]): Promise<CheckOutcome> => {
    if (signal?.aborted) return { verdict: "undecided", reason: "the run was aborted" };
    if (options.failFast === true && divergences.length > 0) return NOT_TRIED;
    const isTimed = (each: Check): boolean => isLong(each) && !reasonToSkip(each, sandbox);
    if (check.kind !== "vector") await learn();
    const limits = shareTime(isLong(check) ? 1 + later.filter(isTimed).length : 1.5);
    if (limits === undefined) return NO_TIME;
    const context: CheckContext = {
      sandbox,
      runVector: (vector, fixture) => vectorRunner.run(vector, fixture, limit === "strict"),
      seed,
      path,
      causes:
        options.failFast === true || path !== undefined
          ? undefined
          : divergences
              .map((each) => causeOf(each.counterexample))
              .filter((each) => each.length > 0),
      tier: limit,
      signal,
      runs: time === undefined || !isLong(check) ? runs : 1_000_000,
      ...limits,
    };
    const outcome = await check.run(context).catch(outcomeOfError);
    if (outcome.verdict === "passed") return outcome;
    await learn();
    const reason = reasonToSkip(check, sandbox);
    return reason === undefined ? outcome : { verdict: "skipped", reason };
  };
  const decide = async (
    check: Check,
    later: readonly Check[],
  ): Promise<Pick<CheckResult, "verdict" | "runs" | "reason"> & Partial<CheckResult>> => {
    const skipped = reasonToSkip(check, sandbox);
    if (skipped !== undefined) return { verdict: "skipped", runs: 0, reason: skipped };
    const outcome = await tryCheck(check, later).catch(outcomeOfError);
    const deviation = findDeviation(deviations, check, today);
    if (outcome.verdict === "skipped") {
      return { verdict: "skipped", runs: 0, reason: outcome.reason };
    }
    if (outcome.verdict === "undecided") {
      const reason = outcome.reason.replace(sandbox.names, "a database");
      return { verdict: "undecided", runs: 0, reason };
    }
    if (outcome.verdict === "passed") {
      if (deviation !== undefined) applied.set(deviation, applied.get(deviation) ?? false);
      for (const each of outcome.features ?? []) features.add(each);
      return { verdict: "passed", runs: outcome.runs };
    }
    if (deviation !== undefined) applied.set(deviation, true);
    if (deviation !== undefined) return { verdict: "known", runs: 1, reason: deviation.reason };
    const { profile } = sandbox.connection;
    const found = outcome.divergences.map((each) => redactDivergence(each, profile, sandbox.names));
    divergences.push(...found);
    for (const each of found) options.onDivergence?.(each);
    return { verdict: "diverged", runs: 1, rules: found[0]!.rules }; // a law has one or more
  };
  return {
    learn,
    async take(check, later) {
      const { id, kind, title, rules, tier } = check;
      const result = { id, kind, title, rules, tier, ...(await decide(check, later)) };
      results.push(result);
      return result;
    },
    report() {
      const undecided = results.filter(({ verdict }) => verdict === "undecided");
      const shown = firstOfCauses(divergences);
      const checks = results.map((result) => {
        const own = shown.filter(({ check }) => check === result.id);
        return {
          ...result,
          rules: [...new Set([...result.rules, ...own.flatMap((each) => each.rules)])],
        };
      });
      const rules = describeRules(checks, limit);
      return {
        conforms: divergences.length === 0 && undecided.length === 0,
        seed,
        runs: time === undefined ? runs : 0,
        profile: { ...settingsOfProfile(sandbox.connection.served) },
        tiers: TIERS.filter((tier) => isWithinTier(tier, limit)),
        divergences: shown,
        causes: groupByCause(shown),
        missing,
        undecided,
        unexpectedPasses: [...applied]
          .filter(([, diverged]) => !diverged)
          .map(([{ what, reason }]) => ({ what, reason })),
        rules,
        checks,
        coverage: {
          ...countRules(rules),
          tiers: TIERS.filter((tier) => isWithinTier(tier, limit)).map((tier) => ({
            tier,
            ...countRules(rules.filter((rule) => rule.tier === tier)),
          })),
        },
        features: [...features].sort(),
      };
    },
  };
}

const NOT_TRIED: CheckOutcome = {
  verdict: "undecided",
  reason: "skipped after the first divergence",
};

/** The first divergence of each check, and the smallest one of each cause. */
function firstOfCauses(divergences: readonly Divergence[]): Divergence[] {
  const smallest = groupByCause(divergences).map((cause) => cause.divergences[0]);
  const firstOf = (id: string): number => divergences.findIndex(({ check }) => check === id);
  return divergences.filter(({ check }, i) => smallest.includes(i) || firstOf(check) === i);
}

function describeRefusal(refusal: Refusal, sandbox: Sandbox, seed: number): Divergence {
  const { feature, rule, table, steps, found } = refusal;
  const rules = [rule];
  const tier = RULES.find(({ id }) => id === rule)?.tier ?? "strict";
  const title = `the service supports ${feature}`;
  const fixture = { tables: [table] };
  const vector = { name: title, rules, tier, steps };
  const divergence = describeDivergence(
    { id: `feature:${feature}`, kind: "vector", title, rules, tier },
    {
      ...{ seed, found, confirmed: true },
      message: `${feature} is not supported`,
      expected: "an answer",
      counterexample: renderCounterexample(fixture, vector, sandbox.connection),
    },
  );
  return redactDivergence(divergence, sandbox.connection.profile, sandbox.names);
}

function outcomeOfError(error: unknown): CheckOutcome {
  if (error instanceof LackError) return { verdict: "skipped", reason: error.message };
  const isKnown = error instanceof SeedingError || error instanceof NoAnswerError;
  return { verdict: "undecided", reason: isKnown ? error.message : describeUnexpected(error) };
}

/** Describes an error of the kit, or of the target's own functions. */
function describeUnexpected(error: unknown): string {
  const text = (error instanceof Error && error.stack) || String(error);
  return `unexpected ${text.split("\n", 3).join(" ").replace(/\s+/g, " ")}`;
}

function countRules(rules: readonly RuleResult[]): Omit<TierCount, "tier"> {
  return {
    rules: rules.length,
    covered: rules.filter(({ verdict }) => verdict === "conforms" || verdict === "diverges").length,
    diverged: rules.filter(({ verdict }) => verdict === "diverges").length,
  };
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
