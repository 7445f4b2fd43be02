import fc from "fast-check";
import type { LawCase } from "../arbitraries/people.js";
import type { RuleId, Tier } from "../rules.js";
import { NoAnswerError } from "../target/connection.js";
import type { Sandbox } from "../target/sandbox.js";
import { SeedingError } from "../target/sandbox.js";
import type { Capability, Fixture, TargetTraits } from "../target/target.js";
import type { Mismatch } from "../vectors/expectation.js";
import { renderSteps } from "../vectors/record.js";
import type { VectorCondition, VectorStep } from "../vectors/vector.js";
import { BreachError, openScene, type Scene } from "./scene.js";

/** Something that has to hold of every case. */
export interface Law {
  /** Short and lasting; names the law on the command line. */
  readonly id: string;
  /** A sentence. */
  readonly title: string;
  readonly rules: readonly RuleId[];
  readonly tier: Tier;
  readonly when?: VectorCondition | undefined;
  readonly needs?: readonly Capability[] | undefined;
  /** A share of the runs asked for, for laws whose cases take long; default 1. */
  readonly share?: number | undefined;
  /** How many requests a case sends, about; default those that fill its tables and ask three things. */
  readonly requests?: number | undefined;
  /** Tries cases until one breaks the law. */
  try(sandbox: Sandbox, settings: TrySettings): Promise<LawOutcome>;
}

/** How cases are tried. */
export interface TrySettings {
  readonly seed: number;
  readonly runs: number;
  /** Where in the tree of cases to begin, as a report says it. */
  readonly path?: string | undefined;
  /** Milliseconds after which no new case is tried. */
  readonly timeLimit: number;
  /** Milliseconds after which a case that breaks the law is made no smaller; not below `timeLimit`. */
  readonly shrinkLimit: number;
  readonly strict: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** What came of trying. */
export type LawOutcome =
  | { readonly kind: "held"; readonly runs: number }
  | { readonly kind: "broken"; readonly breach: Breach }
  | { readonly kind: "stopped"; readonly reason: string };

/** A case that breaks a law, as small as it became. */
export interface Breach {
  readonly message: string;
  readonly mismatch: Mismatch;
  readonly fixture: Fixture;
  readonly steps: readonly VectorStep[];
  /** Where the case lies in the tree of cases. */
  readonly path: string;
  /** Whether it was seen again in another fresh database. */
  readonly confirmed: boolean;
}

/** A law together with its cases and how one is checked. */
export interface LawDefinition<C extends LawCase> extends Omit<Law, "try"> {
  readonly cases: (traits: TargetTraits) => fc.Arbitrary<C>;
  readonly check: (scene: Scene, given: C) => Promise<void>;
}

/** Makes a law of a definition. */
export function defineLaw<C extends LawCase>(definition: LawDefinition<C>): Law {
  const { cases, check, ...law } = definition;
  return {
    ...law,
    async try(sandbox, settings) {
      let stopped: string | undefined;
      let latest: Promise<void> = Promise.resolve();
      const began = Date.now();
      const property = fc.asyncProperty(cases(sandbox.connection), async (given) => {
        // What cannot be decided once is not tried again in every smaller case.
        if (stopped !== undefined || settings.signal?.aborted) return;
        try {
          latest = playCase(sandbox, given, check, settings.strict);
          await latest;
        } catch (error) {
          if (!isUndecidable(error)) throw error;
          stopped = error.message;
        }
      });
      const run = async (parameters: fc.Parameters<[C]>): Promise<fc.RunDetails<[C]>> => {
        const details = await fc.check(property, {
          seed: settings.seed,
          markInterruptAsFailure: false,
          ...parameters,
        });
        // What a limit interrupts goes on: nothing may be asked beside it, nor cleaned up before.
        await latest.catch(() => {});
        return details;
      };
      const tried = await run({
        numRuns: settings.runs,
        endOnFailure: true,
        interruptAfterTimeLimit: settings.timeLimit,
        ...(settings.path === undefined ? {} : { path: settings.path }),
      });
      if (stopped !== undefined) return { kind: "stopped", reason: stopped };
      // What is interrupted before its first case ends counts as failed, without a case.
      if (tried.counterexample === null) return { kind: "held", runs: tried.numRuns };
      const shrunk = await run({
        numRuns: 1,
        interruptAfterTimeLimit: settings.shrinkLimit - (Date.now() - began),
        path: tried.counterexamplePath ?? "",
      });
      // A case that breaks the law only once, or that no time is left to make smaller, stays as it was.
      const details = shrunk.counterexample === null ? tried : shrunk;
      const [given] = details.counterexample ?? [];
      const { errorInstance, counterexamplePath } = details;
      if (given === undefined || !(errorInstance instanceof BreachError)) throw errorInstance;
      const again = await replayCase(sandbox, given, check, settings.strict);
      const shown = again ?? { error: errorInstance, steps: [] };
      return {
        kind: "broken",
        breach: {
          message: shown.error.message,
          mismatch: shown.error.mismatch,
          fixture: given.fixture,
          steps: shown.steps,
          path: counterexamplePath ?? "",
          confirmed: again !== undefined,
        },
      };
    },
  };
}

function isUndecidable(error: unknown): error is Error {
  return error instanceof SeedingError || error instanceof NoAnswerError;
}

async function playCase<C extends LawCase>(
  sandbox: Sandbox,
  given: C,
  check: (scene: Scene, given: C) => Promise<void>,
  strict: boolean,
): Promise<void> {
  const scene = await openScene(sandbox, given.fixture, strict);
  try {
    await check(scene, given);
  } finally {
    await scene.close();
  }
}

async function replayCase<C extends LawCase>(
  sandbox: Sandbox,
  given: C,
  check: (scene: Scene, given: C) => Promise<void>,
  strict: boolean,
): Promise<{ error: BreachError; steps: VectorStep[] } | undefined> {
  const scene = await openScene(sandbox, given.fixture, strict);
  try {
    await check(scene, given);
    return undefined;
  } catch (error) {
    if (!(error instanceof BreachError)) throw error;
    return { error, steps: renderSteps(scene.steps) };
  } finally {
    await scene.close();
  }
}
