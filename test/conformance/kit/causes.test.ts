import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { groupByCause } from "../../../src/conformance/report/causes.js";
import { formatHtml } from "../../../src/conformance/report/html.js";
import {
  type ConformanceReport,
  type Divergence,
  quoteForShell,
  replayArguments,
} from "../../../src/conformance/report/report.js";
import { formatBadge, formatMarkdown } from "../../../src/conformance/report/summary.js";
import { formatText } from "../../../src/conformance/report/text.js";
import type { RuleId } from "../../../src/conformance/rules.js";
import { runConformance } from "../../../src/conformance/runner/run.js";
import type { Json } from "../../../src/types.js";
import { PLANTED_BUGS } from "./planted-bugs.js";
import { createTarget, type Wrap } from "./wrap.js";

function run(names: readonly string[], only: readonly string[]): Promise<ConformanceReport> {
  const wraps = PLANTED_BUGS.filter(({ name }) => names.includes(name)).map(({ wrap }) => wrap);
  const both: Wrap = (next) => wraps.reduce((inner, wrap) => wrap(inner), next);
  // They take seconds, or their counterexamples.
  const skip = [
    "law:features-equal-the-oracle",
    "law:many-records-match-as-in-a-loop",
    "law:many-records-are-ordered-as-in-a-loop",
    "law:large-tables-equal-the-oracle",
  ];
  return runConformance(createTarget(both), { only, skip, runs: 8 });
}

describe("the causes in a report", () => {
  it("group divergences with the same operators, types and pages, the smallest first", async () => {
    const report = await run(["$ge excludes the bound", "$lt includes the bound"], ["F-12"]);
    const { causes, divergences } = report;
    expect(divergences.length).toBeGreaterThan(causes.length);
    expect(causes.flatMap((cause) => cause.divergences).toSorted((a, b) => a - b)).toEqual(
      divergences.map((_, i) => i),
    );
    const whats = causes.map(({ what }) => what);
    expect(new Set(whats).size).toBe(whats.length);
    expect(whats.some((what) => what.includes("$ge"))).toBe(true);
    expect(whats.some((what) => what.includes("$lt"))).toBe(true);
    const sizes = causes.map(({ divergences: [first = 0] }) => {
      const found = divergences[first]?.counterexample;
      return found?.kind === "vector" ? JSON.stringify(found.fixture).length : 0;
    });
    expect(sizes[0]).toBeLessThanOrEqual(Math.max(...sizes));
    const text = formatText(report);
    expect(text).toContain("F-12: $gt, $ge, $lt and $le compare numbers and times.");
    expect(text.match(/^CAUSE /gm)).toHaveLength(causes.length);
    expect(text.match(/^DIVERGES /gm)).toHaveLength(causes.length);
    expect(text).toContain("also shown by");
    expect(formatHtml(report).match(/<h3>/g)).toHaveLength(causes.length);
  }, 60_000);

  it("are one where counterexamples have what a smaller one has, and more", async () => {
    const report = await run(["$includesNone is false on null"], ["F-13", "F-30", "P"]);
    expect(report.divergences.length).toBeGreaterThan(2);
    expect(report.causes[0]?.what).toBe("$includesNone × multiple");
    const parts = report.causes.map(({ what }) => what.split(" × "));
    for (const one of parts) {
      const within = parts.filter((other) => other.every((part) => one.includes(part)));
      expect(within).toEqual([one]);
    }
  }, 60_000);

  it("are told by the rule of their features, with the smallest example of only these", () => {
    const table = { name: "t", columns: [{ name: "s", type: "string" as const }], records: [] };
    const diverge = (check: string, rules: readonly RuleId[], filter: Json): Divergence => {
      const step = { method: "POST", path: "/tables/t/query", body: { filter }, expect: {} };
      const vector = { name: check, rules, tier: "core" as const, steps: [step] };
      const fixture = { tables: [table] };
      const counterexample = { kind: "vector" as const, fixture, vector, curl: "", snippet: "" };
      const shown = { kind: "law" as const, title: "", message: "", expected: 0, found: 1 };
      return { check, rules, tier: "core", ...shown, counterexample, seed: 1, confirmed: true };
    };
    const causes = groupByCause([
      diverge("pattern", ["F-11"], { $none: [{ s: { $pattern: "*" } }] }),
      diverge("limit", ["L-3"], { s: { $none: { "${repeat}": [5000, "a"] } } }),
      diverge("small", ["F-8", "F-3"], { s: { $none: ["a value that is long"] } }),
    ]);
    expect(causes).toMatchObject([{ what: "$none × string", rule: "F-3", divergences: [2, 1, 0] }]);
  });

  it("has commands that a shell passes on unchanged", async () => {
    const { divergences } = await run(
      ["$endsWith is $startsWith"],
      ["vector:$endsWith-finds-an-end"],
    );
    const [divergence] = divergences.filter(({ check }) => check.includes("$"));
    expect(divergence).toBeDefined();
    const line = divergence === undefined ? "" : replayArguments(divergence);
    const heard = execFileSync("sh", ["-c", `printf '%s\\n' ${line}`], { encoding: "utf8" });
    expect(heard.split("\n")[1]).toBe(divergence?.check);
    for (const text of ["", "a b", "it's", "$HOME", "`id`", '"', "a\nb"]) {
      expect(execFileSync("sh", ["-c", `printf %s ${quoteForShell(text)}`]).toString()).toBe(text);
    }
  }, 60_000);
});

describe("coverage and divergence", () => {
  it("are two numbers, by tier, in each form of a report", async () => {
    const report = await run(["$ge excludes the bound"], ["F-12", "G-1"]);
    const { coverage, rules } = report;
    const count = (verdict: string): number =>
      rules.filter((rule) => rule.verdict === verdict).length;
    expect(coverage.covered).toBe(count("conforms") + count("diverges"));
    expect(coverage.diverged).toBe(count("diverges"));
    expect(coverage.diverged).toBeGreaterThan(0);
    for (const key of ["rules", "covered", "diverged"] as const) {
      expect(coverage.tiers.reduce((sum, tier) => sum + tier[key], 0)).toBe(coverage[key]);
    }
    const [core] = coverage.tiers;
    const shown = `${coverage.diverged} of ${coverage.covered}`;
    expect(formatText(report)).toContain(
      `divergence  ${shown} covered rules (core ${core?.diverged}`,
    );
    expect(formatHtml(report)).toContain(`${shown} covered rules (core`);
    const markdown = formatMarkdown(report);
    expect(markdown).toMatch(/^## Conformance: diverges\n/);
    expect(markdown).toContain(`| all | ${coverage.covered} of ${coverage.rules} (`);
    expect(markdown).toContain("npx twinbase conform <url> --only ");
    const badge = formatBadge(report);
    expect(badge).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="\d+" height="20"/);
    expect(badge).toContain(`${coverage.diverged} diverge`);
    const good = formatBadge(await run([], ["G-1"]));
    expect(good).toContain("0 diverge");
    expect(good).not.toContain("#c62828");
  }, 60_000);
});
