import type { Changes, CheckTitle, ConformanceReport, Verdict } from "./report.js";

/** The results of a run, for comparison with later ones. */
export interface PastRun {
  /** The end of the run, as an RFC 3339 date-time in UTC. */
  readonly at: string;
  readonly service: string;
  readonly seed: number;
  readonly verdicts: { readonly [check: string]: Verdict };
}

/** Extracts the results of a run to store. */
export function summarizeRun(report: ConformanceReport, service: string, at: string): PastRun {
  const verdicts = report.checks.map(({ id, verdict }) => [id, verdict] as const);
  return { at, service, seed: report.seed, verdicts: Object.fromEntries(verdicts) };
}

/** Adds the changes since earlier runs to a report; returns it unchanged if there are none. */
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
      if (/^(passed|diverged|known)$/.test(verdict)) last.set(check, verdict);
    }
  }
  const which = (verdict: Verdict, before: (last: Verdict | undefined) => boolean): CheckTitle[] =>
    report.checks
      .filter((check) => check.verdict === verdict && before(last.get(check.id)))
      .map(({ id, kind, title, rules, tier }) => ({ id, kind, title, rules, tier }));
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
    remaining: which("diverged", (before) => before === "diverged"),
    runs,
  };
  return { ...report, changes };
}
