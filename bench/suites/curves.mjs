// The workloads at several numbers of rows: which grow with the table.
import { formatColumns, formatMs, formatRemarks } from "../report.mjs";
import { WORKLOADS } from "../workloads.mjs";
import { measureWorkloads, PACES } from "./workloads.mjs";

const LARGE_WORK = ["W3", "W7", "W10"];
const LARGE_ROWS = 4_000_000;

export const CURVE_ENGINES = ["twinbase", "plain", "sqlite", "duckdb"];
const SIZES = [1000, 10_000, 100_000, 1_000_000, LARGE_ROWS];

/**
 * @param {Omit<Parameters<typeof measureWorkloads>[0], "rows"> & { sizes?: readonly number[] }} options
 */
export async function measureCurves({ sizes = SIZES, workloads, engines, ...options }) {
  const results = [];
  for (const rows of sizes) {
    const isLarge = rows >= LARGE_ROWS;
    results.push(
      await measureWorkloads({
        ...options,
        // The calls that build indexes outlast a short pace.
        pace: isLarge ? PACES.full : options.pace,
        rows,
        workloads: isLarge ? workloads.filter((id) => LARGE_WORK.includes(id)) : workloads,
        engines: isLarge ? engines.filter((name) => /^(twinbase|plain)$/.test(name)) : engines,
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
  const failed = results.flatMap(({ figures }) =>
    figures.filter(({ unsupported }) => unsupported !== undefined),
  );
  return [
    "Milliseconds over rows",
    "",
    formatColumns([["", ...results.map(({ rows }) => rows.toLocaleString("en"))], ...lines]),
    ...formatRemarks(failed),
  ].join("\n");
}
