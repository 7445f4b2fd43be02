import { derive } from "../arbitraries/choice.js";
import type { Law } from "../laws/law.js";
import type { CheckKind, Divergence } from "../report/report.js";
import { renderCounterexample } from "../report/reproduce.js";
import type { Sandbox } from "../target/sandbox.js";
import type { Capability, Fixture } from "../target/target.js";
import { type FaultyStep, fillFixture, usedPart } from "../vectors/run-vector.js";
import { shrinkCase, type VectorCase } from "../vectors/shrink-vector.js";
import { baseVariables } from "../vectors/variables.js";
import type { Vector, VectorCondition, VectorFile } from "../vectors/vector.js";
import type { RuleId, Tier } from "./rules.js";

/** Something that a target passes or not. */
export interface Check {
  readonly id: string;
  readonly kind: CheckKind;
  readonly title: string;
  readonly rules: readonly RuleId[];
  readonly tier: Tier;
  readonly when: VectorCondition;
  readonly needs: readonly Capability[];
  run(bench: Bench): Promise<Outcome>;
}

/** Where and how a check runs. */
export interface Bench {
  readonly sandbox: Sandbox;
  /** Runs a vector in a database of its own, or in one it can share. */
  readonly runVector: (vector: Vector, fixture: Fixture) => Promise<FaultyStep | undefined>;
  readonly seed: number;
  readonly runs: number;
  readonly path: string | undefined;
  /** Milliseconds for this check. */
  readonly timeLimit: number;
  readonly strict: boolean;
  readonly signal: AbortSignal | undefined;
}

/** What came of running a check. */
export type Outcome =
  | { readonly verdict: "passed"; readonly runs: number }
  | { readonly verdict: "diverged"; readonly divergence: Divergence }
  | { readonly verdict: "undecided"; readonly reason: string };

/** The seed of one check: that of the run and its own name, so that others change nothing. */
function checkSeed(seed: number, id: string): number {
  return derive(seed, id) >>> 1;
}

/** The vectors of files as checks. */
export function vectorChecks(files: readonly VectorFile[]): Check[] {
  return files.flatMap((file) =>
    file.vectors.map((vector) => vectorCheck(vector, fixtureOf(file, vector))),
  );
}

const EMPTY: Fixture = { tables: [] };

function fixtureOf(file: VectorFile, vector: Vector): Fixture {
  if (vector.data === undefined) return EMPTY;
  const fixture = file.fixtures?.[vector.data];
  if (fixture === undefined) throw new Error(`${vector.name}: no fixture ${vector.data}`);
  return fixture;
}

function vectorCheck(vector: Vector, fixture: Fixture): Check {
  const { rules, tier, when = {}, needs = [] } = vector;
  const id = `vector:${vector.name.replace(/[^\p{L}\p{N}$_]+/gu, "-").replace(/^-|-$/g, "")}`;
  const check = { id, kind: "vector", title: vector.name, rules, tier } as const;
  return {
    ...check,
    when,
    needs,
    async run(bench) {
      const faulty = await bench.runVector(vector, fixture);
      if (faulty === undefined) return { verdict: "passed", runs: 1 };
      const steps = vector.steps.slice(0, faulty.step + 1);
      const run = (part: VectorCase): Promise<FaultyStep | undefined> =>
        bench.runVector({ ...vector, steps: part.steps }, part.fixture);
      const whole = { fixture: fillFixture(bench.sandbox, usedPart(fixture, steps)), steps };
      const least = await shrinkCase(whole, run);
      const again = await run({ ...least, fixture: { ...least.fixture } });
      const divergence: Divergence = {
        check: id,
        kind: "vector",
        title: check.title,
        rules,
        tier,
        ...(again ?? faulty).fault,
        counterexample: renderCounterexample(
          least.fixture,
          { ...vector, steps: least.steps },
          baseVariables(bench.sandbox.connection, ""),
        ),
        seed: bench.seed,
        confirmed: again !== undefined,
      };
      return { verdict: "diverged", divergence };
    },
  };
}

/** Laws as checks. */
export function lawChecks(laws: readonly Law[]): Check[] {
  return laws.map((law) => ({
    id: `law:${law.id}`,
    kind: "law",
    title: law.title,
    rules: law.rules,
    tier: law.tier,
    when: law.when ?? {},
    needs: law.needs ?? [],
    run: (bench) => tryLaw(law, bench),
  }));
}

async function tryLaw(law: Law, bench: Bench): Promise<Outcome> {
  const { sandbox, path, timeLimit, strict, signal } = bench;
  const id = `law:${law.id}`;
  const runs = Math.max(1, Math.round(bench.runs * (law.share ?? 1)));
  const seed = checkSeed(bench.seed, id);
  const outcome = await law.try(sandbox, { seed, runs, path, timeLimit, strict, signal });
  if (outcome.kind === "held") return { verdict: "passed", runs: outcome.runs };
  if (outcome.kind === "stopped") return { verdict: "undecided", reason: outcome.reason };
  const { breach } = outcome;
  const vector: Vector = {
    name: law.title,
    rules: law.rules,
    tier: law.tier,
    ...(law.needs === undefined ? {} : { needs: law.needs }),
    steps: breach.steps,
  };
  const divergence: Divergence = {
    check: id,
    kind: "law",
    title: law.title,
    rules: law.rules,
    tier: law.tier,
    message: breach.message,
    expected: breach.fault.expected,
    found: breach.fault.found,
    counterexample: renderCounterexample(
      breach.fixture,
      vector,
      baseVariables(sandbox.connection, ""),
    ),
    seed: bench.seed,
    path: breach.path,
    confirmed: breach.confirmed,
  };
  return { verdict: "diverged", divergence };
}
