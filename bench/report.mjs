// Tables in columns.
import { WORKLOADS } from "./workloads.mjs";

const OWN = "twinbase";

/** A line for each workload: the engines, the fastest peer, its time divided by Twinbase's, Twinbase's in F. */
export function formatWorkloads({ rows, rounds, floorMs, figures }, engines) {
  const lines = WORKLOADS.filter(({ id }) => id !== "W8").flatMap(({ id, title }) => {
    const of = figures.filter(({ workload }) => workload === id);
    if (of.length === 0) return [];
    const msOf = (name) => of.find(({ engine }) => engine === name)?.ms;
    const peers = of.filter(({ engine }) => engine !== OWN).sort((a, b) => a.ms - b.ms);
    const [best] = peers;
    const isCompared = best !== undefined && msOf(OWN) !== undefined;
    return [
      [
        `${id} ${title.length > 34 ? `${title.slice(0, 33)}…` : title}`,
        ...engines.map((engine) => formatMs(msOf(engine))),
        best?.engine ?? "",
        isCompared ? `${formatNumber(best.ms / msOf(OWN))}×` : "",
        msOf(OWN) === undefined ? "" : formatNumber(msOf(OWN) / of[0].floorMs),
      ],
    ];
  });
  return [
    `${rows.toLocaleString("en")} rows; milliseconds, median of the rounds' medians (${rounds} rounds); ` +
      `F = ${floorMs.toFixed(2)} ms`,
    "",
    formatColumns([["", ...engines, "best peer", "ahead", "in F"], ...lines]),
    ...formatLoads(figures),
    ...formatNotes(figures),
  ].join("\n");
}

export function formatColumns(lines) {
  const widths = lines[0].map((_, at) => Math.max(...lines.map((line) => line[at].length)));
  const pad = (cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]));
  return lines.map((line) => line.map(pad).join("  ").trimEnd()).join("\n");
}

export function formatMs(ms) {
  return ms === undefined ? "–" : formatNumber(ms);
}

export function formatNumber(value) {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en");
  return value.toFixed(Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : value < 0.01 ? 5 : 4);
}

export function formatBytes(bytes) {
  if (Math.abs(bytes) >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return Math.abs(bytes) >= 1e3 ? `${(bytes / 1e3).toFixed(1)} kB` : `${Math.round(bytes)} B`;
}

function formatLoads(figures) {
  const loads = figures.filter(({ workload }) => workload === "W8");
  if (loads.length === 0) return [];
  return [
    "",
    "W8 load all rows:",
    formatColumns([
      ["", "rows/s", "B/row"],
      ...loads.map((one) => [
        one.engine,
        one.rowsPerSecond.toLocaleString("en"),
        String(one.bytesPerRow ?? "–"),
      ]),
    ]),
  ];
}

function formatNotes(figures) {
  const notes = figures.filter(({ note }) => note !== undefined);
  return notes.map(({ workload, engine, note }, i) => {
    return `${i === 0 ? "\n" : ""}${workload} ${engine}: ${note}`;
  });
}
