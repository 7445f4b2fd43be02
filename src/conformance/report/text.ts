import { escapeControls } from "../../errors.js";
import { SECTIONS, type Section } from "../rules.js";
import { renderJson } from "./json.js";
import {
  type Cause,
  type Changes,
  type CheckResult,
  type CheckTitle,
  type ConformanceReport,
  type Divergence,
  replayArguments,
  verdictOf,
} from "./report.js";

/** Formats a report as text, with full divergences at the end. */
export function formatText(report: ConformanceReport): string {
  const { undecided, unexpectedPasses, divergences } = report;
  const lines = [...headLines(report), "", ...matrixLines(report), ...uncoveredLines(report)];
  if (undecided.length > 0) {
    lines.push("", "undecided:");
    lines.push(...undecidedLines(undecided));
  }
  if (report.missing.length > 0) {
    lines.push("", "not supported:");
    for (const { feature, rule } of report.missing) lines.push(`  ${rule} ${feature}`);
  }
  if (unexpectedPasses.length > 0) {
    lines.push("", "obsolete known deviations:");
    for (const { what, reason } of unexpectedPasses) lines.push(`  ${what}: ${reason}`);
  }
  if (report.changes !== undefined) lines.push("", ...changeLines(report.changes));
  for (const cause of report.causes) lines.push("", ...causeLines(cause, divergences));
  return escapeControls(`${lines.join("\n")}\n`);
}

export function formatSummary(report: ConformanceReport): string {
  return `${headLines(report).join("\n")}\n`;
}

function headLines(report: ConformanceReport): string[] {
  const figures = figuresOf(report).map(([name, value]) => `${name.padEnd(12)}${value}`);
  return [verdictOf(report), "", ...figures];
}

/** The figures of a run by name; coverage and divergence are not added up. */
export function figuresOf(report: ConformanceReport): [name: string, value: string][] {
  const { profile, tiers, seed, checks, coverage, features } = report;
  const counts = ["passed", "diverged", "known", "skipped", "undecided"].map(
    (verdict) => `${checks.filter((check) => check.verdict === verdict).length} ${verdict}`,
  );
  const pairs = features.length === 0 ? "" : `, ${features.length} combinations of features`;
  const list = (some: "covered" | "diverged", all: "rules" | "covered"): string => {
    const each = coverage.tiers.map((tier) => `${tier.tier} ${tier[some]} of ${tier[all]}`);
    return each.length > 1 ? ` (${each.join(", ")})` : "";
  };
  const { covered, diverged, rules } = coverage;
  return [
    ["profile", `${profile.base}, null comparison ${profile.nullComparison}`],
    ["tiers", tiers.join(", ")],
    ["seed", String(seed)],
    ["checks", `${checks.length}: ${counts.join(", ")}`],
    ["coverage", `${covered} of ${rules} rules${list("covered", "rules")}${pairs}`],
    ["divergence", `${diverged} of ${covered} covered rules${list("diverged", "covered")}`],
  ];
}

/** The smallest divergence of a cause, and the other checks that show it. */
function causeLines(cause: Cause, divergences: readonly Divergence[]): string[] {
  const [first, ...others] = cause.divergences.flatMap((place) => divergences[place] ?? []);
  if (first === undefined) return [];
  const rest = new Set(others.map(({ check }) => check));
  rest.delete(first.check);
  return [
    `CAUSE  ${cause.what}`,
    `  ${cause.rule}: ${cause.meaning}`,
    ...(rest.size > 0 ? [`  also shown by ${[...rest].join(", ")}`] : []),
    ...divergenceLines(first),
  ];
}

function uncoveredLines({ rules, checks }: ConformanceReport): string[] {
  const byWay = new Map<string, string[]>();
  for (const { id, verdict } of rules) {
    if (verdict !== "uncovered") continue;
    const reasons = checks.filter((check) => check.rules.includes(id)).map(({ reason }) => reason);
    const [shortest] = reasons
      .map((reason = "") => optionFor(reason))
      .toSorted((a, b) => a.length - b.length);
    const way = shortest ?? "no check of this run";
    byWay.set(way, [...(byWay.get(way) ?? []), id]);
  }
  if (byWay.size === 0) return [];
  return ["", "not covered:", ...Array.from(byWay, ([way, ids]) => `  ${ids.join(" ")}: ${way}`)];
}

/** Returns the option that prevents a skip. */
function optionFor(reason: string): string {
  const ways = reason.split("; ").map((each) => {
    const [, auth] = /^for (open|closed) services$/.exec(each) ?? [];
    if (auth !== undefined) return `--auth ${auth}`;
    const [, option, value] = /^for (profile|null) (?:comparison )?(\w+)$/.exec(each) ?? [];
    if (option !== undefined) return `--${option} ${value}`;
    const [, missing] = /^needs (.+)$/.exec(each) ?? [];
    // No option provides a second user or other hosts.
    if (missing === undefined || /otherUser|hosts/.test(missing)) return each;
    return `--with ${missing.replaceAll(", ", ",")}`;
  });
  return ways.join(" ");
}

function changeLines({ since, began, ceased, remaining }: Changes): string[] {
  const list = (title: string, checks: readonly CheckTitle[]): string[] =>
    checks.length === 0
      ? []
      : [`  ${title}:`, ...checks.map(({ rules, id }) => `    ${rules[0]} ${id}`)];
  const lines = [
    ...list("diverges since", began),
    ...list("no longer diverges", ceased),
    ...list("still diverges", remaining),
  ];
  return [`since ${since}:`, ...(lines.length > 0 ? lines : ["  nothing changed"])];
}

function undecidedLines(undecided: readonly CheckResult[]): string[] {
  const reasons = new Set(undecided.map(({ reason = "" }) => reason));
  return [...reasons].flatMap((reason) => {
    const ids = undecided.filter((check) => (check.reason ?? "") === reason).map(({ id }) => id);
    return ids.length > MOST_NAMED
      ? [`  ${ids.length} checks: ${reason}`]
      : ids.map((id) => `  ${id}: ${reason}`);
  });
}

const MOST_NAMED = 10;

const MARKS = { conforms: "+", diverges: "X", undecided: "?", uncovered: "." } as const;

function matrixLines({ rules }: ConformanceReport): string[] {
  const lines = ["rules     + conforms, X diverges, ? undecided, . not covered"];
  for (const [section, title] of Object.entries(SECTIONS) as [Section, string][]) {
    const own = rules.filter(({ id }) => id.startsWith(`${section}-`));
    const marks = own.map(({ id, verdict }) => `${MARKS[verdict]}${id.slice(2)}`);
    if (own.length > 0) lines.push(`  ${section}  ${marks.join(" ")}   (${title})`);
  }
  return lines;
}

export function divergenceLines(divergence: Divergence): string[] {
  const { check, title, rules, message, confirmed } = divergence;
  return [
    `DIVERGES  ${check}`,
    `  ${title}`,
    `  rules     ${rules.join(" ")}`,
    `  wrong     ${message}`,
    `  expected  ${JSON.stringify(divergence.expected)}`,
    `  found     ${JSON.stringify(divergence.found)}`,
    `  again     ${replayArguments(divergence)}`,
    `  ${confirmed ? "reproduced in a fresh database" : "not reproduced in a fresh database"}`,
    ...formsOf(divergence).flatMap(({ title, text }) => ["", `  as ${title}:`, ...indent(text)]),
  ];
}

export function formsOf({ counterexample }: Divergence): { title: string; text: string }[] {
  if (counterexample.kind === "history") {
    return [{ title: "a history", text: counterexample.history.join("\n") }];
  }
  const { fixture, vector, curl, snippet } = counterexample;
  return [
    { title: "a vector", text: renderJson({ fixture, vector }) },
    { title: "commands", text: curl },
    { title: "a test", text: snippet },
  ];
}

function indent(text: string): string[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => `    ${line}`);
}
