import { LAWS } from "../laws/all.js";
import { CASES_OF_A_LAW } from "../laws/law.js";
import { divergenceLines } from "../report/text.js";
import { RULES } from "../rules.js";
import { openTarget } from "../target/open.js";
import { ConformanceUsageError, type Target } from "../target/target.js";
import { loadVectors } from "../vectors/load.js";
import { createVectorRunner } from "../vectors/run.js";
import { type Check, type CheckContext, lawChecks, vectorChecks } from "./checks.js";
import type { ConformanceOptions } from "./run.js";
import { highestTier, reasonToSkip, selectChecks } from "./select.js";
import { UNSHARED } from "./time.js";

/** A test framework: the globals of vitest, jest, mocha and others. */
export interface TestFramework {
  readonly describe: (name: string, declare: () => void) => void;
  readonly it: (name: string, run: () => Promise<void>) => void;
  readonly afterAll: (run: () => Promise<void>) => void;
}

/** Options of {@link conformanceSuite}. */
export interface SuiteOptions
  extends Omit<
    ConformanceOptions,
    "onCheck" | "onResult" | "onDivergence" | "deviations" | "time" | "failFast"
  > {
  /** Default: global functions; vitest needs `globals: true` for that. */
  readonly framework?: TestFramework | undefined;
}

/**
 * Declares one test per rule, with its main checks. An undecided check fails; a skipped one passes.
 */
export function conformanceSuite(target: Target, options: SuiteOptions = {}): void {
  const { describe, it, afterAll } = options.framework ?? findFramework();
  const all = [...vectorChecks(options.vectors ?? loadVectors()), ...lawChecks(LAWS)];
  const checks = selectChecks(all, options);
  const sandbox = openTarget(target);
  const vectorRunner = createVectorRunner(sandbox);
  const tier = highestTier(options.tiers);
  const context: CheckContext = {
    sandbox,
    runVector: (vector, fixture) => vectorRunner.run(vector, fixture, tier === "strict"),
    seed: options.seed ?? 1,
    runs: options.runs ?? CASES_OF_A_LAW,
    path: options.path,
    ...UNSHARED,
    tier,
    signal: options.signal,
  };
  describe("conformance", () => {
    afterAll(() => sandbox.clean());
    for (const { id, meaning } of RULES) {
      const own = checks.filter(({ rules }) => rules[0] === id);
      if (own.length === 0) continue;
      it(`${id}: ${meaning}`, async () => {
        for (const check of own) await requirePass(check, context);
      });
    }
  });
}

function findFramework(): TestFramework {
  const { describe, it, afterAll } = globalThis as Partial<TestFramework>; // a framework's globals
  if (describe === undefined || it === undefined || afterAll === undefined) {
    throw new ConformanceUsageError("pass describe, it and afterAll as `framework`");
  }
  return { describe, it, afterAll };
}

async function requirePass(check: Check, context: CheckContext): Promise<void> {
  if (reasonToSkip(check, context.sandbox) !== undefined) return;
  const outcome = await check.run(context);
  if (outcome.verdict === "undecided") throw new Error(`${check.id}: ${outcome.reason}`);
  if (outcome.verdict === "diverged") {
    throw new Error(divergenceLines(outcome.divergence).join("\n"));
  }
}
