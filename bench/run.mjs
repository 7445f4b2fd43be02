#!/usr/bin/env node
// The bench's command line: npm run bench -- --rows 1000000 --workloads W1,W3 --engines twinbase,sqlite
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { MEASURED } from "./engines/index.mjs";
import { ensureInstalled } from "./install.mjs";
import { formatWorkloads } from "./report.mjs";
import { SEARCH_ENGINES } from "./search/contract.mjs";
import { COLD_ENGINES, formatCold, measureCold } from "./suites/cold.mjs";
import { CURVE_ENGINES, formatCurves, measureCurves } from "./suites/curves.mjs";
import { formatLive, LIVE_ENGINES, measureLive } from "./suites/live.mjs";
import { formatMemory, measureMemory } from "./suites/memory.mjs";
import { formatMixed, measureMixed } from "./suites/mixed.mjs";
import { formatPostgres, measurePostgres } from "./suites/postgres.mjs";
import { formatSearch, measureSearch } from "./suites/search.mjs";
import { measureWorkloads, PACES } from "./suites/workloads.mjs";
import { POSTGRES_WORKLOADS, WORKLOADS } from "./workloads.mjs";

const SUITES = {
  workloads: { engines: MEASURED, measure: measureWorkloads, format: formatWorkloads },
  curves: { engines: CURVE_ENGINES, measure: measureCurves, format: formatCurves },
  cold: { engines: COLD_ENGINES, measure: measureCold, format: formatCold },
  mixed: { engines: ["twinbase"], measure: measureMixed, format: formatMixed },
  live: { engines: LIVE_ENGINES, measure: measureLive, format: formatLive },
  memory: { engines: ["twinbase"], measure: measureMemory, format: formatMemory },
  search: { engines: SEARCH_ENGINES, measure: measureSearch, format: formatSearch },
  postgres: { engines: ["twinbase"], measure: measurePostgres, format: formatPostgres },
};

const USAGE = `npm run bench -- [options]
  --suite ${Object.keys(SUITES).join("|")}
                        default workloads
  --rows N            default 1000000; of search 100000
  --workloads W1,…    default all: ${WORKLOADS.map(({ id }) => id).join(",")}
  --engines a,b       default all: ${MEASURED.join(",")};
                      of search ${SEARCH_ENGINES.join(",")}
  --rounds N          default 5
  --seconds N         of the mixed load; default 60
  --quick             50,000 rows and short rounds: ends within 3 minutes
  --draw              writes a chart of workloads or curves to results/<suite>[-<rows>].svg
`;

const { suite, options, isDrawn } = readOptions();
// PostgreSQL is a dependency of the package itself.
if (suite !== "postgres") ensureInstalled();
const result = await SUITES[suite].measure(options);
if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
process.stdout.write(`${SUITES[suite].format(result, options.engines)}\n`);
if (isDrawn) await draw();

function readOptions() {
  const { values } = parseArgs({
    options: {
      suite: { type: "string", default: "workloads" },
      rows: { type: "string" },
      workloads: { type: "string" },
      engines: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string", default: "60" },
      quick: { type: "boolean", default: false },
      draw: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  const { suite, quick } = values;
  const chosen = SUITES[suite];
  if (chosen === undefined) fail(`--suite: no ${suite}`);
  const known = suite === "postgres" ? POSTGRES_WORKLOADS : WORKLOADS.map(({ id }) => id);
  const full = suite === "search" ? "100000" : "1000000";
  const fewer = suite === "search" ? "20000" : "50000";
  const possible = { search: SEARCH_ENGINES, live: LIVE_ENGINES }[suite] ?? MEASURED;
  return {
    suite,
    isDrawn: values.draw,
    options: {
      rows: readCount("rows", values.rows ?? (quick ? fewer : full)),
      ...(values.rows === undefined ? {} : { sizes: [readCount("rows", values.rows)] }),
      rounds: readCount("rounds", values.rounds ?? (quick ? "3" : "5")),
      seconds: readCount("seconds", values.seconds),
      pace: quick ? PACES.quick : PACES.full,
      workloads: readNames("workloads", values.workloads, known) ?? known,
      engines: readNames("engines", values.engines, possible) ?? chosen.engines,
      progress,
    },
  };
}

function readCount(option, text) {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    fail(`--${option}: expected a count, found ${text}`);
  return count;
}

function readNames(option, text, known) {
  const names = text?.split(",");
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown !== undefined) fail(`--${option}: no ${unknown}; there are ${known.join(", ")}`);
  return names;
}

function fail(message) {
  process.stderr.write(`${message}\n\n${USAGE}`);
  process.exit(2);
}

/** Overwrites one line of a terminal. */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

async function draw() {
  if (suite !== "workloads" && suite !== "curves") fail(`--draw: no chart of ${suite}`);
  const { drawCurves, drawWorkloads } = await import("./chart.mjs");
  const isCurves = suite === "curves";
  const svg = isCurves ? await drawCurves(result.results) : await drawWorkloads(result);
  const name = isCurves ? suite : `${suite}-${result.rows}`;
  writeFileSync(new URL(`results/${name}.svg`, import.meta.url), svg);
}
