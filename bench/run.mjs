#!/usr/bin/env node
// The bench's command line: npm run bench -- --rows 1000000 --workloads W1,W3 --engines twinbase,sqlite
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { MEASURED } from "./engines/index.mjs";
import { ensureInstalled } from "./install.mjs";
import { formatWorkloads } from "./report.mjs";
import { RESULTS, saveResult } from "./save.mjs";
import { SEARCH_ENGINES } from "./search/contract.mjs";
import { COLD_ENGINES, formatCold, measureCold } from "./suites/cold.mjs";
import { CURVE_ENGINES, formatCurves, measureCurves } from "./suites/curves.mjs";
import { formatMemory, measureMemory } from "./suites/memory.mjs";
import { formatMixed, MIXED_ENGINES, measureMixed } from "./suites/mixed.mjs";
import { formatPostgres, measurePostgres } from "./suites/postgres.mjs";
import { formatSearch, measureSearch } from "./suites/search.mjs";
import { measureWorkloads, PACES } from "./suites/workloads.mjs";
import { POSTGRES_WORKLOADS, WORKLOADS } from "./workloads.mjs";

const SUITES = {
  workloads: { engines: MEASURED, measure: measureWorkloads, format: formatWorkloads },
  curves: { engines: CURVE_ENGINES, measure: measureCurves, format: formatCurves },
  cold: { engines: COLD_ENGINES, measure: measureCold, format: formatCold },
  mixed: { engines: MIXED_ENGINES, measure: measureMixed, format: formatMixed },
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
  --no-save           prints only; else results/<suite>-<rows>.json and .svg are written
`;

const { suite, options, isSaved } = readOptions();
// PostgreSQL is a dependency of the package itself.
if (suite !== "postgres") ensureInstalled();
const result = await SUITES[suite].measure(options);
if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
process.stdout.write(`${SUITES[suite].format(result, options.engines)}\n`);
if (isSaved) await save();

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
      "no-save": { type: "boolean", default: false },
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
  const possible = suite === "search" ? SEARCH_ENGINES : MEASURED;
  return {
    suite,
    isSaved: !values["no-save"],
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

async function save() {
  const name = result.rows === undefined ? suite : `${suite}-${result.rows}`;
  saveResult(name, { suite, ...result });
  if (suite !== "workloads" && suite !== "curves") return;
  const { drawCurves, drawWorkloads } = await import("./chart.mjs");
  const svg =
    suite === "workloads" ? await drawWorkloads(result) : await drawCurves(result.results);
  writeFileSync(new URL(`${name}.svg`, RESULTS), svg);
}
