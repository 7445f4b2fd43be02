import { groupBySection, type RuleId } from "../rules.js";
import { escapeXml } from "./junit.js";
import {
  type Cause,
  type Changes,
  type CheckResult,
  type CheckTitle,
  type ConformanceReport,
  type Divergence,
  divergencesOf,
  type RuleResult,
  replayArguments,
  verdictOf,
  withVerdict,
} from "./report.js";
import { figuresOf, formsOf } from "./text.js";

/** Renders a report as a self-contained HTML page: matrix, coverage, divergences. */
export function formatHtml(report: ConformanceReport): string {
  const verdict = verdictOf(report);
  const figures = figuresOf(report).map(
    ([name, value]) => `<tr><th>${name}<td>${escapeXml(value)}`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Conformance: ${verdict}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<h1 class="${verdict}">${HEADLINES[verdict]}</h1>
<table>${figures.join("\n")}</table>
<h2>Rules</h2>
<p class="legend"><b class="conforms">conforms</b> <b class="diverges">diverges</b> <b class="undecided">undecided</b> <b class="uncovered">not covered</b></p>
${formatMatrix(report)}
${formatChanges(report.changes)}
<h2>Divergences</h2>
${report.causes.map((cause) => formatCause(report, cause)).join("\n") || "<p>None.</p>"}
${formatList("Undecided", report.undecided)}
${foldTable(
  "Not supported",
  report.missing.map(({ feature, rule }) => [linkRules([rule]), escapeXml(feature)]),
)}
${formatList("Known deviations", withVerdict(report, "known"))}
${foldTable(
  "Obsolete known deviations",
  report.unexpectedPasses.map(({ what, reason }) => [code(what), escapeXml(reason)]),
)}
${formatList("Not run", withVerdict(report, "skipped"))}
<h2>The rules</h2>
${formatTexts(report)}
</body>
</html>
`;
}

const HEADLINES = {
  conforms: "The service conforms",
  diverges: "The service diverges",
  undecided: "The result is undecided",
} as const;

const STYLE = `
:root { color-scheme: light dark; --conforms: #2e7d32; --diverges: #c62828; --undecided: #b26a00; --uncovered: #8a8a8a; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
h1.conforms { color: var(--conforms); } h1.diverges { color: var(--diverges); } h1.undecided { color: var(--undecided); }
table { border-collapse: collapse; } th { white-space: nowrap; } td, th { padding: .15rem .4rem; text-align: left; vertical-align: top; }
.matrix a, .matrix b, .legend b { display: inline-block; min-width: 2.6rem; margin: 1px; padding: 1px 5px; border-radius: 3px; color: #fff; text-align: center; text-decoration: none; font: 12px/1.6 ui-monospace, monospace; }
a.conforms, b.conforms { background: var(--conforms); } a.diverges, b.diverges { background: var(--diverges); }
a.undecided, b.undecided { background: var(--undecided); } a.uncovered, b.uncovered { background: var(--uncovered); }
details { border: 1px solid #8886; border-radius: 4px; margin: .4rem 0; padding: .3rem .7rem; }
.divergence:has(> :target), tr:target { outline: 2px solid #4a7dd6; } .divergence > :target { scroll-margin-top: 4rem; }
.matrix a:target { outline: 3px solid #4a7dd6; outline-offset: 1px; }
details details, td details { border: 0; padding: 0 0 0 .7rem; } td details { padding: 0; } td ul { margin: 0; } summary { cursor: pointer; }
pre { background: #8881; padding: .6rem; overflow: auto; font-size: 12px; } code { font-size: 13px; }
`;

function formatMatrix({ rules, divergences }: ConformanceReport): string {
  const rows = groupBySection(rules, ({ id }) => id).map(({ section, title, own }) => {
    const cells = own.map((rule) => formatRule(rule, divergences));
    return `<tr><th>${section}<td>${title}<td class="matrix">${cells.join("")}`;
  });
  return `<table id="matrix">${rows.join("\n")}</table>`;
}

function formatRule(rule: RuleResult, divergences: readonly Divergence[]): string {
  const { checks, id, meaning, verdict } = rule;
  const counts = Object.entries(checks).filter(([, count]) => count > 0);
  const said = counts.map(([name, count]) => `${count} ${name}`).join(", ") || "no check";
  const title = escapeXml(`${id} ${meaning} (${rule.tier}; ${said})`);
  const place = divergences.findIndex(({ rules }) => rules.includes(id));
  const to = place < 0 ? `rule-${id}` : `divergence-${place + 1}`;
  return `<a class="${verdict}" id="cell-${id}" title="${title}" href="#${to}">${id}</a>`;
}

function formatCause(report: ConformanceReport, cause: Cause): string {
  const details = divergencesOf(report, cause).map((divergence) =>
    formatDivergence(divergence, report.divergences.indexOf(divergence) + 1),
  );
  return `<h3>${escapeXml(cause.what)}</h3>\n<p>${cause.rule}: ${escapeXml(cause.meaning)}</p>\n${details.join("\n")}`;
}

/** The link's target unfolds the details without a script. */
function formatDivergence(divergence: Divergence, number: number): string {
  const { counterexample } = divergence;
  const records = counterexample.fixture.tables.flatMap((table) => table.records).length;
  const size =
    counterexample.kind === "history"
      ? `${counterexample.history.length / 2} concurrent requests`
      : `${records} records, ${counterexample.vector.steps.length} requests`;
  const forms = formsOf(divergence).map(
    ({ title, text }) =>
      `<details><summary>as ${title}</summary><pre>${escapeXml(text)}</pre></details>`,
  );
  const again = divergence.confirmed ? "reproduced" : "not reproduced";
  return `<details class="divergence">
<summary><b>${divergence.rules.join(" ")}</b> ${escapeXml(divergence.title)}: ${escapeXml(divergence.message)}</summary>
<div id="divergence-${number}">
<table>
<tr><th>rules<td>${linkRules(divergence.rules)} (<a href="#matrix">back to all</a>)
<tr><th>expected<td><code>${escapeXml(JSON.stringify(divergence.expected))}</code>
<tr><th>found<td><code>${escapeXml(JSON.stringify(divergence.found))}</code>
<tr><th>again<td><code>${escapeXml(replayArguments(divergence))}</code> (${again} in a fresh database)
</table>
<p>Counterexample: ${size}.</p>
${forms.join("\n")}
</div>
</details>`;
}

function linkRules(rules: readonly RuleId[]): string {
  return rules.map((id) => `<a href="#rule-${id}">${id}</a>`).join(" ");
}

function formatTexts({ rules, divergences, checks }: ConformanceReport): string {
  const rows = rules.map(({ id, tier, meaning, verdict }) => {
    const places = divergences.flatMap((divergence, i) =>
      divergence.rules.includes(id) ? [`<a href="#divergence-${i + 1}">${i + 1}</a>`] : [],
    );
    const where = places.length === 0 ? "" : `: ${places.join(" ")}`;
    const own = checks.filter((check) => check.rules.includes(id));
    const word = verdict === "uncovered" ? "not covered" : verdict;
    return `<tr id="rule-${id}"><th><a href="#cell-${id}" title="back to the matrix">${id}&nbsp;↑</a><td>${escapeXml(meaning)}${formatChecks(own)}<td>${tier}<td>${word}${where}`;
  });
  return `<table>${rows.join("\n")}</table>`;
}

function formatChecks(checks: readonly CheckResult[]): string {
  if (checks.length === 0) return "";
  const items = checks.map(
    ({ id, title, verdict }) =>
      `<li><code>${escapeXml(id)}</code> ${escapeXml(title)}: ${verdict === "known" ? "known deviation" : verdict}`,
  );
  const count = checks.length === 1 ? "1 check" : `${checks.length} checks`;
  return `<details><summary>${count}</summary><ul>${items.join("\n")}</ul></details>`;
}

function formatChanges(changes: Changes | undefined): string {
  if (changes === undefined) return "";
  const { since, began, ceased, remaining, runs } = changes;
  const counts = runs.map(({ at, passed, diverged }) => [
    escapeXml(at),
    `${passed} passed`,
    `${diverged} diverged`,
  ]);
  const nothing = began.length + ceased.length === 0 ? "<p>Nothing changed.</p>" : "";
  return `<h2>Since ${escapeXml(since)}</h2>
${formatList("Diverges since", began)}${formatList("No longer diverges", ceased)}${formatList("Still diverges", remaining)}${nothing}
${foldTable("Runs", counts)}`;
}

/** Lists checks with the reasons of their verdicts, or their titles. */
function formatList(
  name: string,
  checks: readonly (CheckTitle & Pick<CheckResult, "reason">)[],
): string {
  const rows = checks.map(({ rules, id, title, reason = title }) => [
    linkRules(rules),
    code(id),
    escapeXml(reason),
  ]);
  return foldTable(name, rows);
}

function code(text: string): string {
  return `<code>${escapeXml(text)}</code>`;
}

/** A folded table; nothing without rows. */
function foldTable(title: string, rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return "";
  const lines = rows.map((cells) => `<tr><td>${cells.join("<td>")}`);
  return `<details><summary>${title} (${rows.length})</summary><table>${lines.join("\n")}</table></details>`;
}
