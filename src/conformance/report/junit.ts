import { SECTIONS, type Section } from "../rules.js";
import type { CheckResult, ConformanceReport } from "./report.js";
import { divergenceLines } from "./text.js";

/** Formats a report as JUnit XML: a suite per section of the rules, a case per check. */
export function formatJUnit(report: ConformanceReport): string {
  const suites = (Object.entries(SECTIONS) as [Section, string][]).map(([section, title]) => {
    const own = report.checks.filter(({ rules }) => rules[0]?.startsWith(`${section}-`));
    return { name: `${section} ${title}`, own };
  });
  const lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<testsuites>"];
  for (const { name, own } of suites) {
    if (own.length === 0) continue;
    const count = (...verdicts: string[]): number =>
      own.filter(({ verdict }) => verdicts.includes(verdict)).length;
    lines.push(
      `  <testsuite name="${escapeXml(name)}" tests="${own.length}" failures="${count("diverged")}" errors="${count("undecided")}" skipped="${count("skipped", "known")}">`,
      ...own.flatMap((result) => caseLines(report, result)),
      "  </testsuite>",
    );
  }
  return `${[...lines, "</testsuites>"].join("\n")}\n`;
}

function caseLines(report: ConformanceReport, result: CheckResult): string[] {
  const title = `${result.rules.join(" ")}: ${result.title}`;
  const open = `    <testcase classname="${escapeXml(result.id)}" name="${escapeXml(title)}"`;
  const reason = escapeXml(result.reason ?? "");
  switch (result.verdict) {
    case "passed":
      return [`${open}/>`];
    case "skipped":
    case "known":
      return [`${open}><skipped message="${reason}"/></testcase>`];
    case "undecided":
      return [`${open}><error message="${reason}"/></testcase>`];
    case "diverged": {
      const own = report.divergences.filter(({ check }) => check === result.id);
      const message = escapeXml(own[0]?.message ?? "");
      const text = own.map((divergence) => divergenceLines(divergence).join("\n")).join("\n\n");
      return [`${open}><failure message="${message}">${escapeXml(text)}</failure></testcase>`];
    }
  }
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
