import { escapeControls } from "../../errors.js";
import { groupBySection } from "../rules.js";
import { renderJson } from "./json.js";
import {
  type Cause,
  type Changes,
  type CheckResult,
  type CheckTitle,
  type ConformanceReport,
  type Divergence,
  divergencesOf,
  replayArguments,
  verdictOf,
  withVerdict,
} from "./report.js";

/** Formats a report as text, with full divergences at the end. */
export function formatText(report: ConformanceReport): string {
  const { undecided, missing, unexpectedPasses, changes, causes } = report;
  const lines = [
    ...[...headLines(report), "", ...matrixLines(report)],
    ...titled("not covered", uncoveredLines(report)),
    ...titled("undecided", undecidedLines(undecided)),
    ...titled(
      "not supported",
      missing.map(({ feature, rule }) => `${rule} ${feature}`),
    ),
    ...titled(
      "obsolete known deviations",
      unexpectedPasses.map(({ what, reason }) => `${what}: ${reason}`),
    ),
    ...(changes === undefined ? [] : titled(`since ${changes.since}`, changeLines(changes))),
    ...causes.flatMap((cause) => ["", ...causeLines(report, cause)]),
  ];
  return escapeControls(`${lines.join("\n")}\n`);
}

/** Indented lines below a title; nothing without lines. */
function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ["", `${title}:`, ...lines.map((line) => `  ${line}`)];
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
  const counts = (["passed", "diverged", "known", "skipped", "undecided"] as const).map(
    (verdict) => `${withVerdict(report, verdict).length} ${verdict}`,
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
function causeLines(report: ConformanceReport, cause: Cause): string[] {
  const [first, ...others] = divergencesOf(report, cause);
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
    const own = checks.filter((check) => check.rules.includes(id));
    const ways = own.map(({ reason = "" }) => optionFor(reason));
    const [way = "no check of this run"] = ways.toSorted((a, b) => a.length - b.length);
    byWay.set(way, [...(byWay.get(way) ?? []), id]);
  }
  return Array.from(byWay, ([way, ids]) => `${ids.join(" ")}: ${way}`);
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

function changeLines({ began, ceased, remaining }: Changes): string[] {
  const list = (title: string, checks: readonly CheckTitle[]): string[] =>
    checks.length === 0
      ? []
      : [`${title}:`, ...checks.map(({ rules, id }) => `  ${rules[0]} ${id}`)];
  const lines = [
    ...list("diverges since", began),
    ...list("no longer diverges", ceased),
    ...list("still diverges", remaining),
  ];
  return lines.length > 0 ? lines : ["nothing changed"];
}

function undecidedLines(undecided: readonly CheckResult[]): string[] {
  const reasons = new Set(undecided.map(({ reason = "" }) => reason));
  return [...reasons].flatMap((reason) => {
    const ids = undecided.filter((check) => (check.reason ?? "") === reason).map(({ id }) => id);
    return ids.length > MOST_NAMED
      ? [`${ids.length} checks: ${reason}`]
      : ids.map((id) => `${id}: ${reason}`);
  });
}

const MOST_NAMED = 10;

const MARKS = { conforms: "+", diverges: "X", undecided: "?", uncovered: "." } as const;

function matrixLines({ rules }: ConformanceReport): string[] {
  const lines = groupBySection(rules, ({ id }) => id).map(({ section, title, own }) => {
    const marks = own.map(({ id, verdict }) => `${MARKS[verdict]}${id.slice(2)}`);
    return `  ${section}  ${marks.join(" ")}   (${title})`;
  });
  return ["rules     + conforms, X diverges, ? undecided, . not covered", ...lines];
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
    ...formsOf(divergence).flatMap(({ title, text }) => [
      ...["", `  as ${title}:`],
      `    ${text.trimEnd().replaceAll("\n", "\n    ")}`,
    ]),
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
