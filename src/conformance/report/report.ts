import type { Json } from "../../types.js";
import type { RuleId, Tier } from "../rules.js";
import type { Fixture } from "../target/target.js";
import type { Vector } from "../vectors/vector.js";

/** A vector, a law tried on generated cases, or a check with concurrent clients. */
export type CheckKind = "vector" | "law" | "concurrent";

export type Verdict = "passed" | "diverged" | "known" | "skipped" | "undecided";

/** How a check ended; `D` shows its divergences. */
export type Outcome<D> =
  | { readonly verdict: "passed"; readonly runs: number; readonly features?: readonly string[] }
  | ({ readonly verdict: "diverged" } & D)
  | { readonly verdict: "undecided"; readonly reason: string }
  | { readonly verdict: "skipped"; readonly reason: string };

/** A check of the kit. */
export interface CheckTitle {
  /** Its id on the command line, such as `law:filters-equal-the-oracle`. */
  readonly id: string;
  readonly kind: CheckKind;
  readonly title: string;
  /** The rules it covers, the main one first. */
  readonly rules: readonly RuleId[];
  /** The lowest tier that includes it. */
  readonly tier: Tier;
}

/** A check and its verdict. */
export interface CheckResult extends CheckTitle {
  readonly verdict: Verdict;
  readonly runs: number;
  /** Why it was skipped, is undecided, or may diverge. */
  readonly reason?: string | undefined;
}

/** A check that a target fails. */
export interface Divergence {
  readonly check: string;
  readonly kind: CheckKind;
  readonly title: string;
  /** The violated rules, the main one first. */
  readonly rules: readonly RuleId[];
  readonly tier: Tier;
  readonly message: string;
  readonly expected: Json;
  readonly found: Json;
  readonly counterexample: Counterexample;
  /** With the check and `path`, reproduces the case. */
  readonly seed: number;
  /** The position in the shrinking; only for laws. */
  readonly path?: string | undefined;
  /** Whether it was reproduced in a fresh database. */
  readonly confirmed: boolean;
}

/** The requests that show a divergence. */
export type Counterexample = VectorCounterexample | HistoryCounterexample;

/** Concurrent requests that no order explains. */
export interface HistoryCounterexample {
  readonly kind: "history";
  /** The initial contents of the database. */
  readonly fixture: Fixture;
  /** Requests and answers in order of time, one per line. */
  readonly history: readonly string[];
}

/** Sequential requests, in three notations. */
export interface VectorCounterexample {
  readonly kind: "vector";
  /** The initial contents of the database. */
  readonly fixture: Fixture;
  /** The steps; the last one's answer is wrong. */
  readonly vector: Vector;
  readonly curl: string;
  /** The same as a TypeScript test. */
  readonly snippet: string;
}

/** Quotes a text for a POSIX shell, if needed. */
export function quoteForShell(text: string): string {
  return /^[\w:./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** Returns the command line arguments that reproduce a divergence, quoted for a shell. */
export function replayArguments({ check, kind, seed, path }: Divergence): string {
  const chaos = check.startsWith("chaos:") ? "--chaos " : "--concurrent ";
  const place = path === undefined ? "" : ` --path ${path}`;
  return `${kind === "concurrent" ? chaos : ""}--only ${quoteForShell(check)} --seed ${seed}${place}`;
}

/** Divergences whose counterexamples have the same operators, types, orders and pages. */
export interface Cause {
  /** The features, such as `$ge × int`, or the check. */
  readonly what: string;
  /** The main rule of the features. */
  readonly rule: RuleId;
  /** The sentence of the rule. */
  readonly meaning: string;
  /** Positions in `divergences`; the first has only these features, and the smallest counterexample. */
  readonly divergences: readonly number[];
}

/** The divergences of a cause, the smallest first. */
export function divergencesOf(
  { divergences }: ConformanceReport,
  cause: Cause,
): [Divergence, ...Divergence[]] {
  // A cause has at least one.
  return cause.divergences.map((place) => divergences[place]) as [Divergence, ...Divergence[]];
}

export function withVerdict({ checks }: ConformanceReport, verdict: Verdict): CheckResult[] {
  return checks.filter((check) => check.verdict === verdict);
}

/** A feature that the service refused. */
export interface MissingFeature {
  /** Such as `operator $iContains`, `type vector`, `page last` or `operation summarize`. */
  readonly feature: string;
  readonly rule: RuleId;
}

/** Checked and violated rules of a tier. */
export interface TierCount {
  readonly tier: Tier;
  /** Rules of the tier, without those of lower tiers. */
  readonly rules: number;
  /** Rules that a check of the run covered. */
  readonly covered: number;
  /** Covered rules with a counterexample. */
  readonly diverged: number;
}

/** A rule and the verdict of its checks. */
export interface RuleResult {
  readonly id: RuleId;
  /** The lowest tier that checks any part of it. */
  readonly tier: Tier;
  readonly meaning: string;
  /** `uncovered`: no check of the run covers it. */
  readonly verdict: "conforms" | "diverges" | "undecided" | "uncovered";
  readonly checks: { readonly [verdict in Verdict]: number };
}

/** A known deviation that no longer occurs. */
export interface UnexpectedPass {
  readonly what: string;
  readonly reason: string;
}

/** Differences from earlier runs of the same service. */
export interface Changes {
  /** The end of the latest earlier run. */
  readonly since: string;
  /** Checks that diverge now, and did not in their last decided run. */
  readonly began: readonly CheckTitle[];
  /** Checks that pass now, and diverged in their last decided run. */
  readonly ceased: readonly CheckTitle[];
  /** Checks that diverge now as in their last decided run. */
  readonly remaining: readonly CheckTitle[];
  /** All runs, oldest first, with this one. */
  readonly runs: readonly {
    readonly at: string;
    readonly passed: number;
    readonly diverged: number;
  }[];
}

/** The result of a run. Equal seeds and targets give identical reports. */
export interface ConformanceReport {
  /** Whether there are only known divergences and no undecided checks. */
  readonly conforms: boolean;
  readonly seed: number;
  /** Cases per law; 0 if a time was given. */
  readonly runs: number;
  readonly profile: { readonly [field: string]: string | number };
  readonly tiers: readonly Tier[];
  /** Divergences without known deviations. */
  readonly divergences: readonly Divergence[];
  /** The divergences by cause, the smallest first. */
  readonly causes: readonly Cause[];
  readonly undecided: readonly CheckResult[];
  /** Features that the service lacks; checks that need them were skipped. */
  readonly missing: readonly MissingFeature[];
  readonly unexpectedPasses: readonly UnexpectedPass[];
  readonly rules: readonly RuleResult[];
  readonly checks: readonly CheckResult[];
  /** Changes since earlier runs, if there are any. */
  readonly changes?: Changes | undefined;
  /** The number of rules in the tiers, of those that a check covered, and of those that diverge. */
  readonly coverage: Omit<TierCount, "tier"> & { readonly tiers: readonly TierCount[] };
  /** Pairs of features of queries, and triples of operator, type and negation, that passed. */
  readonly features: readonly string[];
}

export function verdictOf({ conforms, divergences }: ConformanceReport): keyof typeof EXIT_CODES {
  return conforms ? "conforms" : divergences.length > 0 ? "diverges" : "undecided";
}

const EXIT_CODES = { conforms: 0, diverges: 1, undecided: 3 } as const;

/** Returns the exit code of a report: 0 conforms, 1 diverges, 3 undecided. */
export function exitCode(report: ConformanceReport): 0 | 1 | 3 {
  return EXIT_CODES[verdictOf(report)];
}
