// What the suite `postgres` prints.
import { formatColumns, formatMs, formatNumber } from "../report.mjs";

/** A page after a cursor may take so many times as long as the first. */
const DEEP = 1.5;

/** @param {Awaited<ReturnType<typeof import("../suites/postgres.mjs").measurePostgres>>} result */
export function formatPostgres({ rows, rounds, load, figures }) {
  const ratio = (/** @type {number | undefined} */ a, /** @type {number | undefined} */ b) =>
    a === undefined || b === undefined ? "" : formatNumber(a / b);
  const count = (/** @type {number | undefined} */ number) => number?.toLocaleString("en") ?? "";
  const lines = figures.map(({ workload, title, goal, statements, ...figure }) => [
    `${workload} ${title.length > 44 ? `${title.slice(0, 43)}…` : title}`,
    formatMs(figure.twinbase),
    formatMs(figure.raw),
    ratio(figure.twinbase, figure.raw),
    goal === undefined ? "" : `≤ ${goal}`,
    formatMs(figure.memory),
    statements === undefined ? "" : formatNumber(statements),
    count(figure.rowsPerSecond),
    figure.processorMs === undefined ? "" : formatMs(figure.processorMs),
  ]);
  const heading = ",twinbase,raw pg,ratio,goal,memory,statements,rows/s,processor".split(",");
  const of = (/** @type {string} */ id) =>
    figures.find(({ workload }) => workload === id)?.twinbase;
  const deep = ratio(of("after"), of("first"));
  return [
    `${rows.toLocaleString("en")} rows in PostgreSQL 18; milliseconds, median of the rounds' medians (${rounds} rounds)`,
    "",
    formatColumns([heading, ...lines]),
    ...(deep === "" ? [] : ["", `a page after a cursor: ${deep} × the first, goal ≤ ${DEEP}`]),
    ...(load === undefined ? [] : ["", `loaded at ${count(load.rowsPerSecond)} rows/s`]),
  ].join("\n");
}
