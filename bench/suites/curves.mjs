// The workloads over sizes: which grow with the table, and which do not.
import { formatColumns, formatMs, formatRemarks } from "../report.mjs";
import { WORKLOADS } from "../workloads.mjs";
import { measureWorkloads, PACES } from "./workloads.mjs";

const LARGE_WORK = ["W3", "W7", "W10"];
const LARGE_ROWS = 4_000_000;

/** Engines whose curves say something beside the engine's own. */
export const CURVE_ENGINES = ["twinbase", "plain", "sqlite", "duckdb"];
export const CURVE_SIZES = [1000, 10_000, 100_000, 1_000_000, LARGE_ROWS];

/**
 * @param {{ sizes: readonly number[], workloads: readonly string[], engines: readonly string[],
 *   rounds: number, limit: number, pace: import("./workloads.mjs").Pace,
 *   progress: (text: string) => void }} options
 */
export async function measureCurves({ sizes, workloads, engines, ...options }) {
  const results = [];
  for (const rows of sizes) {
    const large = rows >= LARGE_ROWS;
    const wanted = large ? workloads.filter((id) => LARGE_WORK.includes(id)) : workloads;
    const measured = large
      ? engines.filter((name) => ["twinbase", "plain"].includes(name))
      : engines;
    results.push(
      await measureWorkloads({
        ...options,
        // A call that builds what later ones use takes longer there than a short pace has time for.
        pace: large ? PACES.full : options.pace,
        rows,
        workloads: wanted,
        engines: measured,
      }),
    );
  }
  return { results };
}

/** @param {Awaited<ReturnType<typeof measureCurves>>} result @param {readonly string[]} engines */
export function formatCurves({ results }, engines) {
  const works = WORKLOADS.map(({ id }) => id).filter((id) =>
    results.some(({ figures }) => figures.some(({ workload }) => workload === id)),
  );
  const lines = works.flatMap((work) =>
    engines.map((engine) => [
      `${work} ${engine}`,
      ...results.map(({ figures }) =>
        formatMs(figures.find((one) => one.workload === work && one.engine === engine)?.ms),
      ),
    ]),
  );
  return [
    "Milliseconds over rows",
    "",
    formatColumns([["", ...results.map(({ rows }) => rows.toLocaleString("en"))], ...lines]),
    ...results.flatMap(({ rows, figures }) => {
      const remarks = formatRemarks(figures.filter(({ unsupported }) => unsupported !== undefined));
      return remarks.length === 0 ? [] : ["", `At ${rows.toLocaleString("en")} rows:`, ...remarks];
    }),
  ].join("\n");
}
