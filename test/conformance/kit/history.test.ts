import { describe, expect, it } from "vitest";
import { addChanges, type PastRun, summarizeRun } from "../../../src/conformance/report/history.js";
import { formatHtml } from "../../../src/conformance/report/html.js";
import type {
  CheckResult,
  ConformanceReport,
  Verdict,
} from "../../../src/conformance/report/report.js";
import { formatMarkdown } from "../../../src/conformance/report/summary.js";
import { formatText } from "../../../src/conformance/report/text.js";
import { runConformance } from "../../../src/conformance/runner/run.js";
import { createEngine } from "../../../src/index.js";

const SERVICE = "http://127.0.0.1:4000";
const check = (id: string, verdict: Verdict): CheckResult => ({
  id,
  kind: "law",
  title: `the law ${id}`,
  rules: ["F-1"],
  tier: "core",
  verdict,
  runs: 1,
});
const EMPTY: ConformanceReport = {
  conforms: true,
  seed: 1,
  runs: 1,
  profile: { base: "documented" },
  tiers: ["core"],
  divergences: [],
  causes: [],
  undecided: [],
  missing: [],
  unexpectedPasses: [],
  rules: [],
  checks: [],
  coverage: { rules: 0, covered: 0, diverged: 0, tiers: [] },
  features: [],
};
const reportOf = (verdicts: { readonly [id: string]: Verdict }): ConformanceReport => ({
  ...EMPTY,
  checks: Object.entries(verdicts).map(([id, verdict]) => check(id, verdict)),
});
const runOf = (day: number, verdicts: PastRun["verdicts"], service = SERVICE): PastRun =>
  summarizeRun(reportOf(verdicts), service, `2026-01-0${day}T00:00:00.000Z`);

/** The checks that began to diverge, ceased to, and still do. */
function changesOf(...verdicts: readonly PastRun["verdicts"][]): [string[], string[], string[]] {
  const runs = verdicts.map((each, i) => runOf(i + 1, each));
  const { changes } = addChanges(
    reportOf(verdicts.at(-1) ?? {}),
    runs.slice(0, -1),
    runs.at(-1) as PastRun,
  );
  const ids = (checks: readonly { readonly id: string }[] = []) => checks.map(({ id }) => id);
  return [ids(changes?.began), ids(changes?.ceased), ids(changes?.remaining)];
}

describe("a history of runs", () => {
  it("stores verdicts", () => {
    expect(runOf(1, { a: "passed", b: "diverged" })).toEqual({
      at: "2026-01-01T00:00:00.000Z",
      service: SERVICE,
      seed: 1,
      verdicts: { a: "passed", b: "diverged" },
    });
  });

  it("reports no changes for a first run or another service", () => {
    const report = reportOf({ a: "diverged" });
    const run = runOf(2, { a: "diverged" });
    expect(addChanges(report, [], run)).toBe(report);
    expect(addChanges(report, [runOf(1, { a: "passed" }, "http://127.0.0.1:1")], run)).toBe(report);
  });

  it("lists rules that began and ceased to diverge", () => {
    const before = { a: "passed", b: "diverged", c: "diverged", d: "passed" } as const;
    const after = { a: "diverged", b: "passed", c: "diverged", d: "passed" } as const;
    expect(changesOf(before, after)).toEqual([["a"], ["b"], ["c"]]);
    expect(changesOf(before, before)).toEqual([[], [], ["b", "c"]]);
  });

  it("lists a new check as begun if it diverges, and not if it passes", () => {
    expect(changesOf({ a: "passed" }, { b: "diverged", c: "passed" })).toEqual([["b"], [], []]);
  });

  it("ignores runs that did not decide a check", () => {
    for (const between of [{ a: "undecided" }, { a: "skipped" }, {}] as const) {
      expect(changesOf({ a: "diverged" }, between, { a: "passed" })).toEqual([[], ["a"], []]);
      expect(changesOf({ a: "diverged" }, between, { a: "diverged" })).toEqual([[], [], ["a"]]);
      expect(changesOf({ a: "passed" }, between, { a: "diverged" })).toEqual([["a"], [], []]);
    }
  });

  it("lists a known deviation neither as begun nor as ceased", () => {
    expect(changesOf({ a: "passed", b: "diverged" }, { a: "known", b: "known" })).toEqual([
      [],
      [],
      [],
    ]);
    expect(changesOf({ a: "known" }, { a: "diverged" })).toEqual([["a"], [], []]);
  });

  it("lists all runs by time", () => {
    const runs = [runOf(2, { a: "passed" }), runOf(1, { a: "diverged" })];
    const { changes } = addChanges(reportOf({ a: "passed" }), runs, runOf(3, { a: "passed" }));
    expect(changes?.since).toBe("2026-01-02T00:00:00.000Z");
    expect(changes?.runs.map(({ passed, diverged }) => [passed, diverged])).toEqual([
      [0, 1],
      [1, 0],
      [1, 0],
    ]);
  });

  it("appears in the reports", () => {
    const report = reportOf({ a: "diverged", "b<": "passed" });
    const earlier = runOf(1, { a: "passed", "b<": "diverged" });
    const changed = addChanges(report, [earlier], runOf(2, { a: "diverged", "b<": "passed" }));
    expect(formatText(changed)).toContain(
      "since 2026-01-01T00:00:00.000Z:\n  diverges since:\n    F-1 a\n  no longer diverges:\n    F-1 b<\n",
    );
    const html = formatHtml(changed);
    expect(html).toContain("Diverges since (1)");
    expect(html).toContain("No longer diverges (1)");
    expect(html).toContain("<code>b&lt;</code>");
    expect(formatText(report)).not.toContain("since");
    const still = addChanges(report, [runOf(1, { a: "diverged" })], runOf(2, { a: "diverged" }));
    expect(formatText(still)).toContain(
      "since 2026-01-01T00:00:00.000Z:\n  still diverges:\n    F-1 a\n",
    );
    expect(formatHtml(still)).toContain("Still diverges (1)");
    expect(formatMarkdown(still)).toContain("0 new, 0 mended, 1 still there");
    const good = reportOf({ a: "passed" });
    const same = addChanges(good, [runOf(1, { a: "passed" })], runOf(2, { a: "passed" }));
    expect(formatText(same)).toContain("since 2026-01-01T00:00:00.000Z:\n  nothing changed\n");
  });
});

describe("the page of a report", () => {
  it("links each rule number to its text, and has no dead links", async () => {
    const engine = createEngine({
      profile: { base: "documented", maxPageSize: 100 },
      seed: 1,
      now: 0,
    });
    const target = { engine, capabilities: { user: false } };
    const only = ["L-1", "F-12", "U-2"];
    // Tables of thousands of records take seconds.
    const skip = ["law:many-records-match-as-in-a-loop", "law:large-tables-equal-the-oracle"];
    const report = await runConformance(target, { only, skip, runs: 1 });
    const html = formatHtml(report);
    const links = new Set([...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id));
    const places = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    expect([...links].filter((id) => !places.has(id))).toEqual([]);
    for (const { id, meaning } of report.rules) {
      expect(links).toContain(`rule-${id}`);
      const shown = meaning
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;");
      expect(html).toContain(
        `<tr id="rule-${id}"><th><a href="#cell-${id}" title="back to the matrix">${id}&nbsp;↑</a><td>${shown}`,
      );
    }
  });
});
