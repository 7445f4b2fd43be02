import type { Divergence } from "../report/report.js";
import { divergenceLines } from "../report/text.js";
import { RULES } from "../rules.js";
import { openTarget } from "../target/open.js";
import { ConformanceUsageError, type Target } from "../target/target.js";
import { type ConformanceOptions, chooseChecks, createRun } from "./run.js";

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
 * Declares one test per rule, with its main checks. An undecided check fails; a skipped one passes,
 * as does one of a feature that the service lacks. `require` adds a test that fails for these.
 */
export function conformanceSuite(target: Target, options: SuiteOptions = {}): void {
  const { describe, it, afterAll } = options.framework ?? findFramework();
  const checks = chooseChecks(options);
  const sandbox = openTarget(target);
  const divergences: Divergence[] = [];
  const run = createRun(sandbox, { ...options, onDivergence: (each) => divergences.push(each) });
  const requireNone = (id: string): void => {
    const found = divergences.filter(({ check }) => check.startsWith(id));
    if (found.length > 0) throw new Error(found.flatMap(divergenceLines).join("\n"));
  };
  describe("conformance", () => {
    afterAll(() => sandbox.clean());
    if (options.require === true) {
      it("the service has every feature", async () => {
        await run.learn();
        requireNone("feature:");
      });
    }
    for (const { id, meaning } of RULES) {
      const own = checks.filter(({ rules }) => rules[0] === id);
      if (own.length === 0) continue;
      it(`${id}: ${meaning}`, async () => {
        for (const check of own) {
          const { verdict, reason } = await run.take(check, []);
          if (verdict === "undecided") throw new Error(`${check.id}: ${reason}`);
          if (verdict === "diverged") requireNone(check.id);
        }
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
