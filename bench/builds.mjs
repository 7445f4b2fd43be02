#!/usr/bin/env node
// Compares how fast two builds of this package are: each in a process of its own, in turn, with the
// same calls. node bench/builds.mjs <distA> <distB> [--rows 100000] [--rounds 9] [--workloads W1,W3]
// Prints for each workload the processor time of B as a multiple of A's: the quotient of the least
// times, and the median of the quotients of the rounds.
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makeTeams, makeUserBatches } from "./data.mjs";
import { median } from "./measure.mjs";
import { makeConstants, WORKLOADS, workloadById } from "./workloads.mjs";

const TINY_ROWS = 1000;
/** A round goes on for so long, in milliseconds. */
const ROUND_MS = 200;

if (process.send === undefined) await compare();
else serve();

async function compare() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      rows: { type: "string", default: "100000" },
      rounds: { type: "string", default: "9" },
      workloads: { type: "string" },
    },
  });
  const [a, b] = positionals;
  if (a === undefined || b === undefined) throw new Error("name the folders of two builds");
  const ids = values.workloads?.split(",") ?? [
    ...WORKLOADS.map(({ id }) => id).filter((id) => id !== "W8"),
    "W3 tiny",
    "W11 tiny",
    "first query",
    "small engines",
  ];
  const rows = Number(values.rows);
  const builds = [a, b].map(openBuild);
  for (const build of builds) await build.ask({ open: rows });
  for (const id of ids) {
    /** @type {number[][]} */
    const times = [[], []];
    for (let round = 0; round < Number(values.rounds); round++) {
      const order = round % 2 === 0 ? [0, 1] : [1, 0];
      for (const side of order) {
        times[side]?.push(await /** @type {any} */ (builds[side]).ask({ run: id, rows, round }));
      }
    }
    const [ofA = [], ofB = []] = times;
    const quotients = ofB.map((time, i) => time / (ofA[i] ?? Number.NaN));
    const least = Math.min(...ofB) / Math.min(...ofA);
    const ms = (/** @type {number[]} */ list) =>
      Math.min(...list)
        .toPrecision(3)
        .padStart(9);
    process.stdout.write(
      `${id.padEnd(14)} A ${ms(ofA)} ms  B ${ms(ofB)} ms  B/A ${least.toFixed(2)}  median ${median(quotients).toFixed(2)}\n`,
    );
  }
  for (const build of builds) build.close();
}

/** @param {string} dist */
function openBuild(dist) {
  const child = fork(fileURLToPath(import.meta.url), {
    env: { ...process.env, TWINBASE_DIST: dist },
    execArgv: ["--expose-gc", "--max-old-space-size=8000"],
  });
  /** @type {(error: Error) => void} */
  let fail = () => {};
  child.once("exit", () => fail(new Error(`the process of ${dist} ended`)));
  /** @param {object} message @returns {Promise<any>} */
  const ask = (message) =>
    new Promise((resolve, reject) => {
      fail = reject;
      child.once("message", resolve);
      child.send(message);
    });
  return { ask, close: () => child.kill() };
}

function serve() {
  /** @type {any} */
  let engines;
  /** @type {Map<number, any>} */
  const instances = new Map();
  process.on("message", async (/** @type {any} */ message) => {
    engines ??= await import("./engines/twinbase.mjs");
    for (const rows of message.open === undefined ? [] : [TINY_ROWS, message.open]) {
      const instance = engines.createInstance();
      instance.load(makeTeams(), makeUserBatches(rows));
      instances.set(rows, instance);
    }
    const answer = message.run === undefined ? 0 : measure(engines, instances, message);
    process.send?.(answer);
  });
}

/**
 * Milliseconds of processor time a call.
 *
 * @param {any} engines
 * @param {Map<number, any>} instances
 * @param {{ run: string, rows: number, round: number }} message
 */
function measure(engines, instances, { run, rows, round }) {
  if (run === "small engines") return measureSmall(engines, false);
  if (run === "first query") return measureSmall(engines, true);
  const [id = "", tiny] = run.split(" ");
  const size = tiny === undefined ? rows : TINY_ROWS;
  const instance = instances.get(size);
  const workload = workloadById(id);
  const call =
    workload.kind === "branch"
      ? (/** @type {any} */ constants) => {
          const name = `branch${branches++}`;
          instance.branch({ ...constants, name }).drop();
        }
      : workload.kind === "walk"
        ? (/** @type {any} */ constants) => instance.run[id](constants, () => {})
        : instance.run[id];
  globalThis.gc?.();
  const constants = makeConstants(workload, size, round);
  let calls = 0;
  const before = process.cpuUsage();
  const end = performance.now() + ROUND_MS;
  do {
    for (const given of constants) call(given);
    calls += constants.length;
  } while (performance.now() < end && workload.kind !== "write");
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / calls;
}

let branches = 0;

/** A table of ten rows in an engine of its own, and a query. @param {any} engines @param {boolean} isOne */
function measureSmall(engines, isOne) {
  const count = isOne ? 1 : 200;
  const [batch] = makeUserBatches(10, 10);
  const before = process.cpuUsage();
  for (let i = 0; i < count; i++) {
    const { users } = engines.createInstance();
    users.insert([...(batch ?? [])]);
    users.query({ filter: { zipcode: { $gt: 20_000 } }, sort: { rating: "desc" } });
    users.query({ filter: { plan: "free" } });
    users.query({ filter: { full_name: { $contains: "a" } } });
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / count;
}
