import { groupBySection } from "../rules.js";
import type { CheckResult, ConformanceReport, Verdict } from "./report.js";
import { divergenceLines } from "./text.js";

/** Formats a report as JUnit XML: a suite per section of the rules, a case per check. */
export function formatJUnit(report: ConformanceReport): string {
  const suites = groupBySection(report.checks, ({ rules }) => rules[0]);
  const lines = suites.flatMap(({ section, title, own }) => {
    const count = (...verdicts: Verdict[]): number =>
      own.filter(({ verdict }) => verdicts.includes(verdict)).length;
    return [
      `  <testsuite name="${escapeXml(`${section} ${title}`)}" tests="${own.length}" failures="${count("diverged")}" errors="${count("undecided")}" skipped="${count("skipped", "known")}">`,
      ...own.map((result) => formatCase(report, result)),
      "  </testsuite>",
    ];
  });
  const head = '<?xml version="1.0" encoding="UTF-8"?>';
  return `${[head, "<testsuites>", ...lines, "</testsuites>"].join("\n")}\n`;
}

function formatCase(report: ConformanceReport, result: CheckResult): string {
  const { id, rules, title, verdict, reason = "" } = result;
  const name = escapeXml(`${rules.join(" ")}: ${title}`);
  const open = `    <testcase classname="${escapeXml(id)}" name="${name}"`;
  if (verdict === "passed") return `${open}/>`;
  if (verdict === "diverged") {
    const own = report.divergences.filter(({ check }) => check === id);
    const message = escapeXml(own[0]?.message ?? "");
    const text = own.map((divergence) => divergenceLines(divergence).join("\n")).join("\n\n");
    return `${open}><failure message="${message}">${escapeXml(text)}</failure></testcase>`;
  }
  const element = verdict === "undecided" ? "error" : "skipped";
  return `${open}><${element} message="${escapeXml(reason)}"/></testcase>`;
}

/** Escapes text for XML or HTML; invalid XML characters become question marks. */
export function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: XML cannot hold them
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "?")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll(">", "&gt;")
      .replaceAll('"', "&quot;")
  );
}
