import type { Json } from "../../types.js";
import type { RuleId, Tier } from "../rules.js";
import type { Fixture } from "../target/target.js";
import type { Vector } from "../vectors/vector.js";

/** A vector, a law that is tried on generated cases, or one of clients that ask at once. */
export type CheckKind = "vector" | "law" | "concurrent";

/** What came of a check. */
export type Verdict = "passed" | "diverged" | "known" | "skipped" | "undecided";

/** A check. */
export interface CheckTitle {
  /** Names it on the command line, such as `law:de-morgan`. */
  readonly id: string;
  readonly kind: CheckKind;
  /** A sentence. */
  readonly title: string;
  readonly rules: readonly RuleId[];
  readonly tier: Tier;
}

/** A check and what came of it. */
export interface CheckResult extends CheckTitle {
  readonly verdict: Verdict;
  /** How many cases were tried. */
  readonly runs: number;
  /** Why it was skipped, could not be decided, or may diverge. */
  readonly reason?: string | undefined;
}

/** A check that a target does not pass. */
export interface Divergence {
  readonly check: string;
  readonly kind: CheckKind;
  readonly title: string;
  readonly rules: readonly RuleId[];
  readonly tier: Tier;
  /** What is wrong, in a sentence. */
  readonly message: string;
  readonly expected: Json;
  readonly found: Json;
  readonly counterexample: Counterexample;
  /** Given to a run together with the check, `seed` and `path` lead to the same case. */
  readonly seed: number;
  readonly path?: string | undefined;
  /** Whether it was seen again in a fresh database. */
  readonly confirmed: boolean;
}

/** The least that shows a divergence. */
export type Counterexample = VectorCounterexample | HistoryCounterexample;

/** What several clients sent and received: a line for each, in the order in which it happened. */
export interface HistoryCounterexample {
  readonly kind: "history";
  readonly fixture: Fixture;
  readonly history: readonly string[];
}

/** A case of requests one after the other, in three languages. */
export interface VectorCounterexample {
  readonly kind: "vector";
  readonly fixture: Fixture;
  /** The steps; the last one is answered wrongly. */
  readonly vector: Vector;
  /** Commands of a shell, for the last database. */
  readonly curl: string;
  /** A test in TypeScript. */
  readonly snippet: string;
}

/** The arguments that lead to a divergence again. */
export function replayArguments({ check, kind, seed, path }: Divergence): string {
  const concurrent = kind === "concurrent" ? "--concurrent " : "";
  return `${concurrent}--only ${check} --seed ${seed}${path === undefined ? "" : ` --path ${path}`}`;
}

/** What a run says of one rule. */
export interface RuleResult {
  readonly id: RuleId;
  readonly tier: Tier;
  readonly meaning: string;
  /** `uncovered`: nothing of the run speaks of it. */
  readonly verdict: "conforms" | "diverges" | "undecided" | "uncovered";
  readonly checks: { readonly [verdict in Verdict]: number };
}

/** A known deviation that no check meets any more. */
export interface UnexpectedPass {
  /** The check or rule. */
  readonly what: string;
  readonly reason: string;
}

/** What is otherwise than in earlier runs of the same service. */
export interface Changes {
  /** When the latest of them ended. */
  readonly since: string;
  /** Checks that diverge and did not when they were decided last, or never were. */
  readonly began: readonly CheckTitle[];
  /** Checks that passed and diverged when they were decided last. */
  readonly ceased: readonly CheckTitle[];
  /** Each run, the oldest first, this one last. */
  readonly runs: readonly {
    readonly at: string;
    readonly passed: number;
    readonly diverged: number;
  }[];
}

/** What a run found. The same seed and target give the same report, byte for byte. */
export interface ConformanceReport {
  /** No divergence but known ones, and nothing that could not be decided. */
  readonly conforms: boolean;
  readonly seed: number;
  /** Cases of each law; 0 where a time was given. */
  readonly runs: number;
  readonly profile: { readonly [field: string]: string | number };
  /** How far the run went. */
  readonly tiers: readonly Tier[];
  readonly divergences: readonly Divergence[];
  readonly undecided: readonly CheckResult[];
  readonly unexpectedPasses: readonly UnexpectedPass[];
  readonly rules: readonly RuleResult[];
  readonly checks: readonly CheckResult[];
  /** What has changed since earlier runs, where such were kept. */
  readonly changes?: Changes | undefined;
  /** The share of the rules within the tiers that some check spoke of. */
  readonly coverage: { readonly rules: number; readonly covered: number };
}

/** The exit code of a report: 0 conforms, 1 diverges, 3 could not decide. */
export function exitCode(report: ConformanceReport): 0 | 1 | 3 {
  if (report.divergences.length > 0) return 1;
  return report.conforms ? 0 : 3;
}
