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
  /** Names it on the command line, such as `law:double-negation`. */
  readonly id: string;
  /** Whether it is a vector, a law or a history. */
  readonly kind: CheckKind;
  /** A sentence. */
  readonly title: string;
  /** The rules it speaks for, the main one first. */
  readonly rules: readonly RuleId[];
  /** The lowest tier of a run that has it. */
  readonly tier: Tier;
}

/** A check and what came of it. */
export interface CheckResult extends CheckTitle {
  /** What came of it. */
  readonly verdict: Verdict;
  /** How many cases were tried. */
  readonly runs: number;
  /** Why it was skipped, could not be decided, or may diverge. */
  readonly reason?: string | undefined;
}

/** A check that a target does not pass. */
export interface Divergence {
  /** The id of the check. */
  readonly check: string;
  /** Whether it is a vector, a law or a history. */
  readonly kind: CheckKind;
  /** The check in a sentence. */
  readonly title: string;
  /** The rules that are broken, the main one first. */
  readonly rules: readonly RuleId[];
  /** The lowest tier of a run that has the check. */
  readonly tier: Tier;
  /** What is wrong, in a sentence. */
  readonly message: string;
  /** What the rules ask for. */
  readonly expected: Json;
  /** What was answered. */
  readonly found: Json;
  /** The least that shows it. */
  readonly counterexample: Counterexample;
  /** Given to a run together with the check, `seed` and `path` lead to the same case. */
  readonly seed: number;
  /** Where in the shrinking it was found; laws alone have one. */
  readonly path?: string | undefined;
  /** Whether it was seen again in a fresh database. */
  readonly confirmed: boolean;
}

/** The least that shows a divergence. */
export type Counterexample = VectorCounterexample | HistoryCounterexample;

/** What several clients sent and received: a line for each, in the order in which it happened. */
export interface HistoryCounterexample {
  /** Tells it from the other kind. */
  readonly kind: "history";
  /** What the database held before. */
  readonly fixture: Fixture;
  /** A line for each request and each answer. */
  readonly history: readonly string[];
}

/** A case of requests one after the other, in three languages. */
export interface VectorCounterexample {
  /** Tells it from the other kind. */
  readonly kind: "vector";
  /** What the database held before. */
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
  /** The rule's number. */
  readonly id: RuleId;
  /** The lowest tier in which any part of it is checked. */
  readonly tier: Tier;
  /** The rule in a sentence. */
  readonly meaning: string;
  /** `uncovered`: nothing of the run speaks of it. */
  readonly verdict: "conforms" | "diverges" | "undecided" | "uncovered";
  /** How many checks came to each verdict. */
  readonly checks: { readonly [verdict in Verdict]: number };
}

/** A known deviation that no check meets any more. */
export interface UnexpectedPass {
  /** The check or rule. */
  readonly what: string;
  /** Why it was allowed. */
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
    /** When it ended, RFC 3339. */
    readonly at: string;
    /** How many checks passed. */
    readonly passed: number;
    /** How many checks diverged. */
    readonly diverged: number;
  }[];
}

/** What a run found. The same seed and target give the same report, byte for byte. */
export interface ConformanceReport {
  /** No divergence but known ones, and nothing that could not be decided. */
  readonly conforms: boolean;
  /** The seed of its cases. */
  readonly seed: number;
  /** Cases of each law; 0 where a time was given. */
  readonly runs: number;
  /** What the target said of its profile. */
  readonly profile: { readonly [field: string]: string | number };
  /** How far the run went. */
  readonly tiers: readonly Tier[];
  /** What a target does not pass, known deviations left out. */
  readonly divergences: readonly Divergence[];
  /** Checks that could not be decided, with their reasons. */
  readonly undecided: readonly CheckResult[];
  /** Known deviations that were not met. */
  readonly unexpectedPasses: readonly UnexpectedPass[];
  /** What the run says of each rule. */
  readonly rules: readonly RuleResult[];
  /** Every check of the run. */
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
