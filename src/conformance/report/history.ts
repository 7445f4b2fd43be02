import type { Changes, CheckResult, CheckTitle, ConformanceReport, Verdict } from "./report.js";

/** What is kept of a run, to compare later ones with. */
export interface PastRun {
  /** When it ended, as an RFC 3339 date-time in UTC. */
  readonly at: string;
  /** The service: only runs of one service are compared. */
  readonly service: string;
  /** The seed of its cases. */
  readonly seed: number;
  /** Verdicts by the ids of checks. */
  readonly verdicts: { readonly [check: string]: Verdict };
}

/** What to keep of a run. */
export function summarizeRun(report: ConformanceReport, service: string, at: string): PastRun {
  const verdicts = report.checks.map(({ id, verdict }) => [id, verdict] as const);
  return { at, service, seed: report.seed, verdicts: Object.fromEntries(verdicts) };
}

/** A report with what has changed since earlier runs; as it was where there are none. */
export function addChanges(
  report: ConformanceReport,
  earlier: readonly PastRun[],
  run: PastRun,
): ConformanceReport {
  const past = earlier
    .filter(({ service }) => service === run.service)
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  const latest = past.at(-1);
  if (latest === undefined) return report;
  const last = new Map<string, Verdict>();
  for (const { verdicts } of past) {
    for (const [check, verdict] of Object.entries(verdicts)) {
      if (isDecided(verdict)) last.set(check, verdict);
    }
  }
  const which = (verdict: Verdict, before: (last: Verdict | undefined) => boolean): CheckTitle[] =>
    report.checks
      .filter((check) => check.verdict === verdict && before(last.get(check.id)))
      .map(titleOf);
  const count = ({ verdicts }: PastRun, verdict: Verdict): number =>
    Object.values(verdicts).filter((each) => each === verdict).length;
  const runs = [...past, run].map((each) => ({
    at: each.at,
    passed: count(each, "passed"),
    diverged: count(each, "diverged"),
  }));
  const changes: Changes = {
    since: latest.at,
    began: which("diverged", (before) => before !== "diverged"),
    ceased: which("passed", (before) => before === "diverged"),
    runs,
  };
  return { ...report, changes };
}

/** A run that was ended early, or kept to some checks, says nothing of the others. */
function isDecided(verdict: Verdict): boolean {
  return verdict === "passed" || verdict === "diverged" || verdict === "known";
}

function titleOf({ id, kind, title, rules, tier }: CheckResult): CheckTitle {
  return { id, kind, title, rules, tier };
}
