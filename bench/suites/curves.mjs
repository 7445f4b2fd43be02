// How the time of the workloads grows with the table.
import { formatColumns, formatMs } from "../report.mjs";
import { WORKLOADS } from "../workloads.mjs";
import { measureWorkloads, PACES } from "./workloads.mjs";

const LARGE_WORK = ["W3", "W7", "W10"];
const LARGE_ROWS = 4_000_000;

export const CURVE_ENGINES = ["twinbase", "plain", "sqlite", "duckdb"];
const SIZES = [1000, 10_000, 100_000, 1_000_000, LARGE_ROWS];

export async function measureCurves({ sizes = SIZES, workloads, engines, ...options }) {
  const results = [];
  for (const rows of sizes) {
    const isLarge = rows >= LARGE_ROWS;
    results.push(
      await measureWorkloads({
        ...options,
        // A short pace would measure the calls that build indexes.
        pace: isLarge ? PACES.full : options.pace,
        rows,
        workloads: isLarge ? workloads.filter((id) => LARGE_WORK.includes(id)) : workloads,
        engines: isLarge ? engines.filter((name) => /^(twinbase|plain)$/.test(name)) : engines,
      }),
    );
  }
  return { results };
}

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
  const heading = ["", ...results.map(({ rows }) => rows.toLocaleString("en"))];
  return `Milliseconds by number of rows\n\n${formatColumns([heading, ...lines])}`;
}
