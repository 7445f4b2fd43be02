import { derive } from "../arbitraries/choice.js";
import { CONCURRENT_CHECKS, tryConcurrently } from "../concurrent/concurrent.js";
import { FIXTURE } from "../concurrent/rounds.js";
import { type Breach, CASES_OF_A_LAW, type Law } from "../laws/law.js";
import { AN_ANSWER } from "../laws/scene.js";
import { type CauseNames, causeOf, isQuery, narrowRules, uniteCauses } from "../report/causes.js";
import type { CheckTitle, Divergence, Outcome } from "../report/report.js";
import { renderCounterexample } from "../report/reproduce.js";
import type { Tier } from "../rules.js";
import type { Sandbox } from "../target/sandbox.js";
import type { Capability, Fixture } from "../target/target.js";
import { findLack, type Lacks, withoutTypes } from "../vectors/lacks.js";
import { type FailedStep, fillFixture, isReadOnly, usedPart } from "../vectors/run.js";
import { shrinkCase, type VectorCase } from "../vectors/shrink.js";
import type { Vector, VectorCondition, VectorFile, VectorStep } from "../vectors/vector.js";

export interface Check extends CheckTitle {
  readonly when: VectorCondition;
  readonly needs: readonly Capability[];
  /** Covered rules, operations and operators; they determine the order of the run. */
  readonly covers: readonly string[];
  readonly requests: number;
  /** About how many pairs of features it covers; default 0. */
  readonly features?: number | undefined;
  /** The read-only database it shares with others, and the requests to fill it. */
  readonly shared?: { readonly fixture: Fixture; readonly requests: number } | undefined;
  /** Finds a missing feature without which it cannot run. */
  readonly findLack?: (lacks: Lacks) => string | undefined;
  run(context: CheckContext): Promise<CheckOutcome>;
}

export interface CheckContext {
  readonly sandbox: Sandbox;
  /** Runs a vector in its own or a shared database. */
  readonly runVector: (vector: Vector, fixture: Fixture) => Promise<FailedStep | undefined>;
  readonly seed: number;
  readonly runs: number;
  readonly path: string | undefined;
  /** Causes found by other checks; undefined stops a law at its first divergence. */
  readonly causes: readonly CauseNames[] | undefined;
  /** Milliseconds until the last case starts. */
  readonly timeLimit: number;
  /** Milliseconds until shrinking ends. */
  readonly shrinkLimit: number;
  /** The highest tier of the run. */
  readonly tier: Tier;
  readonly signal: AbortSignal | undefined;
}

export type CheckOutcome = Outcome<{ readonly divergences: readonly Divergence[] }>;

/** Create a database with two tables, send three requests, delete it. */
const REQUESTS_OF_A_CASE = 11;

export const NO_TIME: CheckOutcome = { verdict: "undecided", reason: "the time limit was reached" };

function unlessNotRun(outcome: CheckOutcome): CheckOutcome {
  return outcome.verdict === "passed" && outcome.runs === 0 ? NO_TIME : outcome;
}

function checkSeed(seed: number, id: string): number {
  return derive(seed, id) >>> 1;
}

export function describeDivergence(
  { id: check, kind, title, rules, tier }: CheckTitle,
  found: Omit<Divergence, "check" | "kind" | "title" | "rules" | "tier">,
): Divergence {
  return { check, kind, title, rules, tier, ...found };
}

/** Creates checks from vector files; equal fixtures of several files are shared. */
export function vectorChecks(files: readonly VectorFile[]): Check[] {
  const known = new Map<string, Fixture>();
  return files.flatMap(({ fixtures = {}, vectors }) =>
    vectors.map((vector) => {
      const fixture = vector.data === undefined ? { tables: [] } : fixtures[vector.data];
      if (fixture === undefined) throw new Error(`${vector.name}: no fixture ${vector.data}`);
      const text = JSON.stringify(fixture);
      if (!known.has(text)) known.set(text, fixture);
      return vectorCheck(vector, known.get(text) ?? fixture);
    }),
  );
}

function vectorCheck(vector: Vector, whole: Fixture): Check {
  const { rules, tier, when = {}, needs = [] } = vector;
  const id = `vector:${vector.name.replace(/[^\p{L}\p{N}$_]+/gu, "-").replace(/^-|-$/g, "")}`;
  const check = { id, kind: "vector", title: vector.name, rules, tier } as const;
  const { length } = vector.steps;
  return {
    ...check,
    when,
    needs,
    covers: [...new Set([...rules, ...vector.steps.flatMap(subjectsOf)])],
    ...(isReadOnly(vector)
      ? { requests: length, shared: { fixture: whole, requests: countToFill(whole) } }
      : { requests: length + countToFill(usedPart(whole, vector.steps)) + 1 }),
    findLack(lacks) {
      const { dropped } = withoutTypes(lacks, usedPart(whole, vector.steps));
      return findLack(lacks, dropped, vector.steps);
    },
    async run(context) {
      const { fixture } = withoutTypes(context.sandbox.connection.lacks, whole);
      const failed = await context.runVector(vector, fixture);
      if (failed === undefined) return { verdict: "passed", runs: 1 };
      const steps = vector.steps.slice(0, failed.step + 1);
      const run = (part: VectorCase): Promise<FailedStep | undefined> =>
        context.runVector({ ...vector, steps: part.steps }, part.fixture);
      const failing = { fixture: fillFixture(context.sandbox, usedPart(fixture, steps)), steps };
      const least = await shrinkCase(failing, run);
      const again = await run({ ...least, fixture: { ...least.fixture } });
      const example = { ...vector, steps: least.steps };
      const divergence = describeDivergence(check, {
        ...(again ?? failed).mismatch,
        counterexample: renderCounterexample(least.fixture, example, context.sandbox.connection),
        seed: context.seed,
        confirmed: again !== undefined,
      });
      return { verdict: "diverged", divergences: [divergence] };
    },
  };
}

function subjectsOf({ method, path, body }: VectorStep): string[] {
  const place = path.replace(/\/(tables|data|columns|column|dbs|migrations)\/[^/]+/g, "/$1/…");
  const named = JSON.stringify(body ?? null).match(/"\$\w+"(?=:)/g) ?? [];
  return [`${method} ${place}`, ...named];
}

function countToFill({ tables }: Fixture): number {
  return tables.reduce(
    (sum, { columns, records }) =>
      sum + 1 + Number(columns.length > 0) + Number(records.length > 0),
    1,
  );
}

export function lawChecks(laws: readonly Law[]): Check[] {
  return laws.map((law) => ({
    id: `law:${law.id}`,
    kind: "law",
    title: law.title,
    rules: law.rules,
    covers: law.rules,
    tier: law.tier,
    when: {},
    needs: law.needs ?? [],
    requests: CASES_OF_A_LAW * (law.share ?? 1) * (law.requests ?? REQUESTS_OF_A_CASE),
    features: law.features,
    run: (context) => tryLaw(law, context),
  }));
}

/** Maximum number of causes that a law reports. */
const CAUSES_OF_A_LAW = 10;

/** Tries a law again after a divergence; queries that show its cause pass from then on. */
async function tryLaw(law: Law, context: CheckContext): Promise<CheckOutcome> {
  const { sandbox, tier, signal } = context;
  const seed = checkSeed(context.seed, `law:${law.id}`);
  const runs = Math.max(1, Math.round(context.runs * (law.share ?? 1)));
  const began = Date.now();
  const divergences: Divergence[] = [];
  const causes: CauseNames[] = [];
  const attempt = law.open(sandbox, tier);
  let { path } = context;
  for (let index = 0; ; index = Number(path)) {
    const elapsed = Date.now() - began;
    const timeLimit = context.timeLimit - elapsed;
    const shrinkLimit = context.shrinkLimit - elapsed;
    const limits = { timeLimit, shrinkLimit, signal };
    const outcome = await attempt({ seed, runs: runs - index, path, causes, ...limits });
    if (outcome.verdict !== "diverged") {
      if (divergences.length > 0) break;
      return unlessNotRun(outcome);
    }
    const { breach } = outcome;
    const divergence = describeBreach(law, breach, context);
    divergences.push(divergence);
    const cause = causeOf(divergence.counterexample);
    // The last query of a program does not tell what its writes caused.
    const isTold =
      breach.confirmed &&
      cause.length > 0 &&
      breach.steps.every(isQuery) &&
      breach.mismatch.expected !== AN_ANSWER;
    if (context.causes === undefined || !isTold || divergences.length === CAUSES_OF_A_LAW) break;
    if (divergences.length === 1) causes.push(...context.causes);
    causes.push(causes.map((each) => uniteCauses(each, cause)).find(Boolean) ?? cause);
    // The same case may show further causes.
    [path] = breach.path.split(":");
  }
  return { verdict: "diverged", divergences };
}

function describeBreach(law: Law, breach: Breach, { sandbox, seed }: CheckContext): Divergence {
  const { title, rules, tier, needs } = law;
  const { steps, fixture, mismatch, message, path, confirmed } = breach;
  const vector: Vector = { name: title, rules, tier, ...(needs && { needs }), steps };
  const counterexample = renderCounterexample(fixture, vector, sandbox.connection);
  const check = { id: `law:${law.id}`, kind: "law", title, tier } as const;
  const { expected, found } = mismatch;
  return describeDivergence(
    { ...check, rules: narrowRules(rules, counterexample) },
    { message, expected, found, counterexample, seed, path, confirmed },
  );
}

/** Checks with concurrent clients; with `chaos` through a proxy that cuts, repeats and delays. */
export function concurrentChecks(chaos = false): Check[] {
  return CONCURRENT_CHECKS.map((given): Check => {
    const id = `${chaos ? "chaos" : "concurrent"}:${given.id}`;
    const title = chaos ? `${given.title}, over a bad connection` : given.title;
    const { rules, needs } = given;
    const check = { id, kind: "concurrent", title, rules, tier: "strict" } as const;
    const requests = CASES_OF_A_LAW * REQUESTS_OF_A_ROUND;
    return {
      ...{ ...check, needs, covers: rules, when: {}, requests },
      async run(context) {
        const settings = { ...context, chaos, seed: checkSeed(context.seed, id) };
        const outcome = await tryConcurrently(context.sandbox, given, settings);
        if (outcome.verdict !== "diverged") return unlessNotRun(outcome);
        const { message, history } = outcome.breach;
        const divergence = describeDivergence(check, {
          message,
          expected: "answers that a sequential order of the operations explains",
          found: "no such order",
          counterexample: { kind: "history", fixture: FIXTURE, history },
          seed: context.seed,
          confirmed: outcome.confirmed,
        });
        return { verdict: "diverged", divergences: [divergence] };
      },
    };
  });
}

const REQUESTS_OF_A_ROUND = 45;
