#!/usr/bin/env node
// The bench's command line: npm run bench -- --rows 1000000 --workloads W1,W3 --engines twinbase,sqlite
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { MEASURED } from "./engines/index.mjs";
import { ensureInstalled } from "./install.mjs";
import { SEARCH_ENGINES } from "./search/contract.mjs";
import { PACES } from "./suites/workloads.mjs";
import { POSTGRES_WORKLOADS, WORKLOADS } from "./workloads.mjs";

const USAGE = `npm run bench -- [options]
  --suite workloads|curves|small|cold|mixed|memory|branches|search|postgres
                        default workloads
  --rows N            default 1000000
  --workloads W1,…    default all: ${WORKLOADS.map(({ id }) => id).join(",")},tiny
  --engines a,b       default all: ${MEASURED.join(",")};
                      of search ${SEARCH_ENGINES.join(",")}
  --rounds N          default 5
  --seconds N         of the mixed load; default 60
  --node PATH         runs the processes of cold; default the Node that runs this
  --clock wall|cpu    of cold; cpu is what the main thread ran for, on Linux; default wall
  --limit N           seconds for a round of one workload, after which an engine's process is ended
                      and the figure is left out, with the reason; three times that to load;
                      default 120
  --folder PATH       of postgres: keeps the rows there for the next run; default a temporary one
  --quick             50,000 rows and short rounds: ends within 3 minutes
  --no-save           prints only; else results/<suite>-<rows>.json and .svg are written, of another
                      Node results/cold-v22.json
`;

const options = readOptions();
// What PostgreSQL is compared with is in the package itself.
if (options.suite !== "postgres") ensureInstalled();
const { result, text, charts, measured } = await runSuite();
process.stdout.write(`${text}\n`);
if (options.save) await save(result, charts, measured);

function readOptions() {
  const { values } = parseArgs({
    options: {
      suite: { type: "string", default: "workloads" },
      rows: { type: "string" },
      workloads: { type: "string" },
      engines: { type: "string" },
      rounds: { type: "string" },
      seconds: { type: "string", default: "60" },
      node: { type: "string" },
      clock: { type: "string", default: "wall" },
      limit: { type: "string", default: "120" },
      folder: { type: "string" },
      quick: { type: "boolean", default: false },
      "no-save": { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    process.exit(0);
  }
  const known =
    values.suite === "postgres" ? POSTGRES_WORKLOADS : [...WORKLOADS.map(({ id }) => id), "tiny"];
  return {
    suite: values.suite,
    rows: readCount("rows", values.rows ?? (values.quick ? "50000" : "1000000")),
    sizes: values.rows === undefined ? undefined : [readCount("rows", values.rows)],
    rounds: readCount("rounds", values.rounds ?? (values.quick ? "3" : "5")),
    node: values.node,
    clock: values.clock,
    seconds: readCount("seconds", values.seconds),
    limit: readCount("limit", values.limit),
    folder: values.folder,
    pace: values.quick ? PACES.quick : PACES.full,
    workloads: readNames("workloads", values.workloads, known) ?? known,
    engines: readNames(
      "engines",
      values.engines,
      values.suite === "search" ? SEARCH_ENGINES : MEASURED,
    ),
    quick: values.quick,
    save: !values["no-save"],
  };
}

/** @param {string} option @param {string} text */
function readCount(option, text) {
  const count = Number(text);
  if (!Number.isSafeInteger(count) || count < 1)
    fail(`--${option}: expected a count, found ${text}`);
  return count;
}

/** @param {string} option @param {string | undefined} text @param {readonly string[]} known */
function readNames(option, text, known) {
  const names = text?.split(",");
  const unknown = names?.find((name) => !known.includes(name));
  if (unknown !== undefined) fail(`--${option}: no ${unknown}; there are ${known.join(", ")}`);
  return names;
}

/** @param {string} message @returns {never} */
function fail(message) {
  process.stderr.write(`${message}\n\n${USAGE}`);
  process.exit(2);
}

/**
 * @returns {Promise<{ result: any, text: string, charts: Record<string, any>,
 *   measured: readonly string[] }>}
 */
async function runSuite() {
  const { suite, rows, sizes, rounds, seconds, workloads, engines, limit, pace } = options;
  switch (suite) {
    case "workloads": {
      const { measureWorkloads } = await import("./suites/workloads.mjs");
      const { formatWorkloads } = await import("./report.mjs");
      const measured = engines ?? MEASURED;
      const result = await measureWorkloads({
        rows,
        workloads,
        engines: measured,
        rounds,
        limit,
        pace,
        progress,
      });
      const tiny = workloads.includes("tiny") ? await runSmall([1000], measured) : undefined;
      return {
        result: { ...result, ...(tiny === undefined ? {} : { tiny: tiny.result }) },
        text: [formatWorkloads(result, measured), ...(tiny ? [tiny.text] : [])].join("\n\n"),
        charts: { workloads: result },
        measured,
      };
    }
    case "curves": {
      const { CURVE_ENGINES, CURVE_SIZES, formatCurves, measureCurves } = await import(
        "./suites/curves.mjs"
      );
      const measured = engines ?? CURVE_ENGINES;
      const result = await measureCurves({
        sizes: sizes ?? CURVE_SIZES,
        workloads,
        engines: measured,
        rounds,
        limit,
        pace,
        progress,
      });
      const text = formatCurves(result, measured);
      return { result, text, charts: { curves: result.results }, measured };
    }
    case "small": {
      const measured = engines ?? MEASURED;
      const { result, text } = await runSmall(sizes ?? [10, 1000], measured);
      return { result, text, charts: {}, measured };
    }
    case "cold": {
      const { COLD_ENGINES, formatCold, measureCold } = await import("./suites/cold.mjs");
      const measured = engines ?? COLD_ENGINES;
      const { node, clock } = options;
      const result = await measureCold({
        rounds,
        limit,
        engines: measured,
        node,
        clock,
        progress,
      });
      return { result, text: formatCold(result), charts: {}, measured };
    }
    case "mixed": {
      const { formatMixed, measureMixed, MIXED_ENGINES } = await import("./suites/mixed.mjs");
      const measured = engines ?? MIXED_ENGINES;
      const result = await measureMixed({ rows, seconds, limit, engines: measured, progress });
      return { result, text: formatMixed(result), charts: {}, measured };
    }
    case "memory": {
      const { formatMemory, measureMemory } = await import("./suites/memory.mjs");
      const result = await measureMemory({ rows, progress });
      return { result, text: formatMemory(result), charts: {}, measured: ["twinbase"] };
    }
    case "branches": {
      const { formatBranches, measureBranches } = await import("./suites/branches.mjs");
      const { CURVE_SIZES } = await import("./suites/curves.mjs");
      const result = await measureBranches({ sizes: sizes ?? CURVE_SIZES.slice(0, 4), progress });
      return { result, text: formatBranches(result), charts: {}, measured: ["twinbase"] };
    }
    case "search": {
      const { formatSearch, measureSearch } = await import("./suites/search.mjs");
      const measured = engines ?? SEARCH_ENGINES;
      const count = sizes?.[0] ?? (options.quick ? 20_000 : 100_000);
      const result = await measureSearch({ rows: count, rounds, engines: measured, progress });
      return { result, text: formatSearch(result), charts: {}, measured: [] };
    }
    case "postgres": {
      const { measurePostgres } = await import("./suites/postgres.mjs");
      const { formatPostgres } = await import("./postgres/format.mjs");
      const { folder } = options;
      const result = await measurePostgres({ rows, workloads, rounds, limit, folder, progress });
      return { result, text: formatPostgres(result), charts: {}, measured: ["twinbase"] };
    }
    default:
      return fail(`--suite: no ${suite}`);
  }
}

/** @param {readonly number[]} small @param {readonly string[]} measured */
async function runSmall(small, measured) {
  const { formatSmall, measureSmall } = await import("./suites/small.mjs");
  const rounds = options.quick ? 1 : Math.min(options.rounds, 3);
  const result = await measureSmall({
    sizes: small,
    engines: measured,
    rounds,
    budgetMs: options.pace.smallMs,
    limit: options.limit,
    progress,
  });
  return { result, text: formatSmall(result) };
}

/**
 * One line that is overwritten; nothing where nobody watches.
 *
 * @param {string} text
 */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

/** @param {any} result @param {Record<string, any>} charts @param {readonly string[]} measured */
async function save(result, charts, measured) {
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  const { listVersions } = await import("./machine.mjs");
  const { RESULTS, saveResult } = await import("./save.mjs");
  // Cold on another Node is a result of its own: cold-v22.
  const of = options.node === undefined ? result.rows : result.processNode.split(".", 1)[0];
  const name = of === undefined ? options.suite : `${options.suite}-${of}`;
  const versions = await listVersions(measured);
  saveResult(name, { suite: options.suite, versions, ...result });
  if (Object.keys(charts).length === 0) return;
  const { drawCurves, drawWorkloads } = await import("./chart.mjs");
  if (charts.workloads !== undefined) {
    writeFileSync(new URL(`${name}.svg`, RESULTS), await drawWorkloads(charts.workloads));
  }
  if (charts.curves !== undefined) {
    writeFileSync(new URL(`${name}.svg`, RESULTS), await drawCurves(charts.curves));
  }
}
