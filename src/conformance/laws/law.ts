import fc from "fast-check";
import type { Cases, LawCase } from "../arbitraries/cases.js";
import { repairLinks } from "../arbitraries/repair-links.js";
import { type CauseNames, hasCause } from "../report/causes.js";
import type { Outcome } from "../report/report.js";
import type { RuleId, Tier } from "../rules.js";
import { NoAnswerError } from "../target/connection.js";
import type { Sandbox } from "../target/sandbox.js";
import { SeedingError } from "../target/sandbox.js";
import { type Capability, type Fixture, LackError, type TargetTraits } from "../target/target.js";
import type { Mismatch } from "../vectors/expectation.js";
import { type ReducedFixture, withoutTypes } from "../vectors/lacks.js";
import { renderSteps } from "../vectors/record.js";
import type { VectorStep } from "../vectors/vector.js";
import { BreachError, openScene, type Scene, type SceneSettings } from "./scene.js";

export interface Law {
  /** Stable; identifies the law on the command line. */
  readonly id: string;
  readonly title: string;
  readonly rules: readonly RuleId[];
  readonly tier: Tier;
  readonly needs?: readonly Capability[] | undefined;
  /** Share of the number of runs, for laws with slow cases; default 1. */
  readonly share?: number | undefined;
  /** About how many pairs of features a run covers, in a law whose first cases are fixed; default 0. */
  readonly features?: number | undefined;
  /** Requests per case, estimated; default those to fill its tables and three more. */
  readonly requests?: number | undefined;
  /** Prepares cases up to a tier; returns a function that tries them. */
  open(sandbox: Sandbox, tier: Tier): (settings: TrySettings) => Promise<LawOutcome>;
}

export interface TrySettings {
  readonly seed: number;
  readonly runs: number;
  /** The position in the tree of cases, from a report. */
  readonly path?: string | undefined;
  /** Queries that show one of these causes pass. */
  readonly causes?: readonly CauseNames[] | undefined;
  /** Milliseconds until the last case starts. */
  readonly timeLimit: number;
  /** Milliseconds until shrinking ends; at least `timeLimit`. */
  readonly shrinkLimit: number;
  readonly signal?: AbortSignal | undefined;
}

/** Cases of a law in a run by default. */
export const CASES_OF_A_LAW = 25;

type LawOutcome = Outcome<{ readonly breach: Breach }>;

export interface Breach {
  readonly message: string;
  readonly mismatch: Mismatch;
  readonly fixture: Fixture;
  readonly steps: readonly VectorStep[];
  /** The position in the tree of cases. */
  readonly path: string;
  /** Whether it was reproduced in another database. */
  readonly confirmed: boolean;
}

export interface LawDefinition<C extends LawCase> extends Omit<Law, "open"> {
  readonly cases: (traits: TargetTraits, tier: Tier) => fc.Arbitrary<C> | Cases<C>;
  readonly check: (scene: Scene, given: C) => Promise<void>;
}

export function defineLaw<C extends LawCase>(definition: LawDefinition<C>): Law {
  const { cases, check, ...law } = definition;
  return {
    ...law,
    open(sandbox, tier) {
      const given = cases(sandbox.connection, tier);
      const all = "examples" in given ? given : { arbitrary: given, examples: [] };
      return (settings) => tryCases(sandbox, { ...all, check, rules: law.rules, tier }, settings);
    },
  };
}

interface LawCases<C extends LawCase>
  extends Cases<C>,
    Pick<LawDefinition<C>, "check" | "rules" | "tier"> {}

async function tryCases<C extends LawCase>(
  sandbox: Sandbox,
  { arbitrary, examples, check, rules, tier }: LawCases<C>,
  settings: TrySettings,
): Promise<LawOutcome> {
  let stopped: string | undefined;
  let lack: string | undefined;
  let latest: Promise<void> = Promise.resolve();
  const began = Date.now();
  const { connection } = sandbox;
  const { causes = [] } = settings;
  const covered = new Set<string>();
  const isKnown = (fixture: Fixture, steps: readonly VectorStep[]): boolean =>
    causes.length > 0 && hasCause({ kind: "vector", fixture, vector: { steps, rules } }, causes);
  const play = (given: C): Promise<void> =>
    playCase(sandbox, given, { check, tier, covered, isKnown });
  const property = fc.asyncProperty(arbitrary, async (given) => {
    // Don't shrink undecidable cases.
    if (stopped !== undefined || settings.signal?.aborted) return;
    try {
      latest = play(given);
      await latest;
    } catch (error) {
      if (error instanceof LackError) {
        lack = error.message;
        fc.pre(false);
      }
      if (!isUndecidable(error)) throw error;
      stopped = error.message;
    }
  });
  const run = async (parameters: fc.Parameters<[C]>): Promise<fc.RunDetails<[C]>> => {
    const details = await fc.check(property, {
      seed: settings.seed,
      examples: examples.map((given): [C] => [given]),
      markInterruptAsFailure: false,
      ...parameters,
    });
    // An interrupted case is still running: wait before other requests and the cleanup.
    await latest.catch(() => {});
    return details;
  };
  const tried = await run({
    numRuns: settings.runs,
    endOnFailure: true,
    interruptAfterTimeLimit: settings.timeLimit,
    ...(settings.path === undefined ? {} : { path: settings.path }),
  });
  if (stopped !== undefined) return { verdict: "undecided", reason: stopped };
  // If the first case is interrupted, fast-check reports a failure without a case.
  if (tried.counterexample === null && lack !== undefined && tried.numRuns === 0) {
    return { verdict: "skipped", reason: lack };
  }
  if (tried.counterexample === null) {
    return { verdict: "passed", runs: tried.numRuns, features: [...covered] };
  }
  const shrunk = await run({
    numRuns: 1,
    interruptAfterTimeLimit: settings.shrinkLimit - (Date.now() - began),
    path: tried.counterexamplePath ?? "",
  });
  // Not shrunk if it failed only once, or without time.
  const details = shrunk.counterexample === null ? tried : shrunk;
  const [given] = details.counterexample ?? [];
  const { errorInstance, counterexamplePath } = details;
  if (given === undefined || !(errorInstance instanceof BreachError)) throw errorInstance;
  const again = await play(given).catch((error) => {
    if (error instanceof BreachError) return error;
    throw error;
  });
  const shown = again ?? errorInstance;
  return {
    verdict: "diverged",
    breach: {
      message: shown.message,
      mismatch: shown.mismatch,
      fixture: prepare(given.fixture, connection).fixture,
      steps: shown.steps,
      path: counterexamplePath ?? "",
      confirmed: again instanceof BreachError,
    },
  };
}

/** Leaves out columns of missing types, and dangling links if they are checked (T-18). */
function prepare(given: Fixture, { profile, lacks }: TargetTraits): ReducedFixture {
  const { fixture, dropped } = withoutTypes(lacks, given);
  const { tables } = fixture;
  return { fixture: profile.links === "free" ? fixture : { tables: repairLinks(tables) }, dropped };
}

function isUndecidable(error: unknown): error is Error {
  return error instanceof SeedingError || error instanceof NoAnswerError;
}

interface Play<C extends LawCase>
  extends Pick<LawDefinition<C>, "check">,
    Pick<SceneSettings, "tier" | "covered"> {
  /** Whether the last of the steps fails for a known cause. */
  readonly isKnown: (fixture: Fixture, steps: readonly VectorStep[]) => boolean;
}

async function playCase<C extends LawCase>(
  sandbox: Sandbox,
  given: C,
  { check, isKnown, ...settings }: Play<C>,
): Promise<void> {
  const { fixture, dropped } = prepare(given.fixture, sandbox.connection);
  const scene = await openScene(sandbox, fixture, {
    ...settings,
    dropped,
    isKnown: (steps) => isKnown(fixture, renderSteps(steps)),
  });
  try {
    await check(scene, { ...given, fixture });
  } catch (error) {
    if (error instanceof BreachError) {
      error.steps = renderSteps(scene.steps);
      if (isKnown(fixture, error.steps)) return;
    }
    // The oracle does not know the columns left out.
    const isOracle = error instanceof Error && /^oracle: unknown column/.test(error.message);
    throw isOracle && dropped.size > 0 ? new LackError("not supported: a column type") : error;
  } finally {
    await scene.close();
  }
}
