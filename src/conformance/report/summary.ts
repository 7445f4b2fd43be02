import { type ConformanceReport, divergencesOf, replayArguments, verdictOf } from "./report.js";

/** Renders a report as a badge in SVG: its tiers, coverage and divergence. */
export function formatBadge(report: ConformanceReport): string {
  const { coverage, tiers } = report;
  const label = `conformance ${tiers.at(-1) ?? ""}`;
  const text = `${percent(coverage.covered, coverage.rules)} covered, ${coverage.diverged} diverge`;
  const color = { conforms: "#2e7d32", diverges: "#c62828", undecided: "#b26a00" }[
    verdictOf(report)
  ];
  const [left, right] = [7 * label.length + 10, 7 * text.length + 10];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${text}">
<rect width="${left}" height="20" fill="#555"/><rect x="${left}" width="${right}" height="20" fill="${color}"/>
<g fill="#fff" text-anchor="middle" font-family="Verdana, sans-serif" font-size="11">
<text x="${left / 2}" y="14">${label}</text><text x="${left + right / 2}" y="14">${text}</text>
</g>
</svg>
`;
}

/** Renders a report in Markdown, for the summary of a CI job. */
export function formatMarkdown(report: ConformanceReport): string {
  const { causes, changes, coverage, missing } = report;
  const rows = [...coverage.tiers, { ...coverage, tier: "all" }].map(
    ({ tier, rules, covered, diverged }) =>
      `| ${tier} | ${covered} of ${rules} (${percent(covered, rules)}) | ${diverged} of ${covered} |`,
  );
  const lines = [
    `## Conformance: ${verdictOf(report)}`,
    "",
    "| tier | coverage: rules with a check | divergence: covered rules with a counterexample |",
    "|---|---|---|",
    ...rows,
  ];
  if (changes !== undefined) {
    const { since, began, ceased, remaining } = changes;
    const counts = `${began.length} new, ${ceased.length} mended, ${remaining.length} still there`;
    lines.push("", `Divergences since ${since}: ${counts}.`);
  }
  if (missing.length > 0) {
    const names = missing.map(({ feature }) => `\`${feature}\``);
    lines.push("", `Not supported: ${names.join(", ")}.`);
  }
  for (const cause of causes) {
    const [first, ...others] = divergencesOf(report, cause);
    const also = others.length === 0 ? "" : `, and ${others.length} more`;
    lines.push(
      ...["", `### \`${cause.what}\``, "", `${cause.rule}: ${cause.meaning}`, ""],
      `\`${first.check}\`${also}: ${first.message}. Repeat with`,
      ...["", "```sh", `npx twinbase conform <url> ${replayArguments(first)}`, "```"],
    );
  }
  return `${lines.join("\n")}\n`;
}

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.floor((100 * part) / whole)} %`;
}
