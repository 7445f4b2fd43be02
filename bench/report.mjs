// Tables in columns.
import { WORKLOADS } from "./workloads.mjs";

/** @typedef {import("./suites/workloads.mjs").Figure} Figure */

const OWN = "twinbase";

/**
 * One line a workload, one column an engine, then the best peer, and its time over Twinbase's.
 *
 * @param {{ rows: number, rounds: number, floorMs: number, figures: Figure[] }} result
 * @param {readonly string[]} engines
 */
export function formatWorkloads({ rows, rounds, floorMs, figures }, engines) {
  const measured = WORKLOADS.filter(({ id }) =>
    figures.some((figure) => figure.workload === id && id !== "W8"),
  );
  const lines = [
    ["", ...engines, "best peer", "ahead", "in F"],
    ...measured.map(({ id, title }) => {
      const of = (/** @type {string} */ engine) => findFigure(figures, id, engine);
      const own = of(OWN)?.ms;
      const best = findBest(figures.filter((one) => one.workload === id && one.engine !== OWN));
      return [
        `${id} ${title.length > 34 ? `${title.slice(0, 33)}…` : title}`,
        ...engines.map((engine) => formatMs(of(engine)?.ms)),
        best?.engine ?? "",
        formatRatio(own, best?.ms),
        own === undefined ? "" : formatNumber(own / floorMs),
      ];
    }),
  ];
  return [
    `${rows.toLocaleString("en")} rows; milliseconds, median of the rounds' medians ` +
      `(${rounds} rounds); F = ${floorMs.toFixed(2)} ms`,
    "",
    formatColumns(lines),
    ...formatLoads(figures),
    ...formatRemarks(figures),
  ].join("\n");
}

/** @param {readonly (readonly string[])[]} lines the first is the heading */
export function formatColumns(lines) {
  const widths = (lines[0] ?? []).map((_, at) =>
    Math.max(...lines.map((line) => (line[at] ?? "").length)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, at) =>
          at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
        )
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** @param {number | undefined} ms */
export function formatMs(ms) {
  return ms === undefined ? "–" : formatNumber(ms);
}

/** @param {number} value */
export function formatNumber(value) {
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en");
  return value.toFixed(Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 1 ? 2 : value < 0.01 ? 5 : 4);
}

/** @param {number} bytes */
export function formatBytes(bytes) {
  if (Math.abs(bytes) >= 1e6) return `${(bytes / 1e6).toFixed(1)} MB`;
  return Math.abs(bytes) >= 1e3 ? `${(bytes / 1e3).toFixed(1)} kB` : `${Math.round(bytes)} B`;
}

/** @param {Figure[]} figures @param {string} workload @param {string} engine */
function findFigure(figures, workload, engine) {
  return figures.find((one) => one.workload === workload && one.engine === engine);
}

/** @param {Figure[]} figures */
function findBest(figures) {
  const timed = figures.filter(({ ms }) => ms !== undefined);
  return timed.toSorted((a, b) => Number(a.ms) - Number(b.ms))[0];
}

/** @param {number | undefined} own @param {number | undefined} best */
function formatRatio(own, best) {
  return own === undefined || best === undefined ? "" : `${formatNumber(best / own)}×`;
}

/** @param {Figure[]} figures */
function formatLoads(figures) {
  const loads = figures.filter(({ workload }) => workload === "W8");
  if (loads.length === 0) return [];
  return [
    "",
    "W8 load all rows:",
    formatColumns([
      ["", "rows/s", "B/row", "indexes ms", "indexes B/row"],
      ...loads.map((one) => [
        one.engine,
        one.rowsPerSecond?.toLocaleString("en") ?? "–",
        String(one.bytesPerRow ?? "–"),
        formatMs(one.indexMs),
        String(one.indexBytesPerRow ?? "–"),
      ]),
    ]),
  ];
}

/** Notes, and why a figure is missing. @param {Figure[]} figures */
export function formatRemarks(figures) {
  const remarks = figures.flatMap(({ workload, engine, note, unsupported }) => {
    const text = unsupported === undefined ? note : `no figure: ${unsupported}`;
    return text === undefined ? [] : [`${workload} ${engine}: ${text}`];
  });
  return remarks.length === 0 ? [] : ["", ...remarks];
}
