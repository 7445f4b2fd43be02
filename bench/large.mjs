#!/usr/bin/env node
// Ten times as many rows as the suites have: whether the engine goes on as it began. A process for
// each size loads the rows, looks at some of them, and runs the workloads that tell most; by the
// processor's time. Writes results/large.json. node bench/large.mjs [rows,rows]
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { makeTeams, makeUserBatches, userId } from "./data.mjs";
import { createInstance } from "./engines/twinbase.mjs";
import { clockBatches, median, readMemory } from "./measure.mjs";
import { saveResult } from "./save.mjs";
import { compareByCreated, makeConstants, WALK_PAGE, workloadById } from "./workloads.mjs";

/** @typedef {import("./workloads.mjs").Constants} Constants */

/** Pages of the walk that are measured, with the building of its index. */
const PAGES = 1000;
const ROUNDS = 5;

if (process.send === undefined) await measureSizes();
else process.send(await measure(Number(process.argv[2])));

async function measureSizes() {
  const figures = [];
  for (const rows of (process.argv[2] ?? "1000000,10000000").split(",")) {
    const figure = await inProcess(rows);
    for (const [name, value] of Object.entries(figure)) {
      process.stdout.write(`${name.padEnd(24)}${Number(value.toPrecision(4))}\n`);
    }
    figures.push(figure);
  }
  saveResult("large", { clock: "processor", figures });
}

/** @param {string} rows @returns {Promise<Record<string, number>>} */
function inProcess(rows) {
  const execArgv = ["--expose-gc", "--max-old-space-size=16000"];
  const child = fork(fileURLToPath(import.meta.url), [rows], { execArgv });
  return new Promise((resolve, reject) => {
    child.once("message", (figure) => resolve(/** @type {Record<string, number>} */ (figure)));
    child.once("exit", (code) => reject(new Error(`the process for ${rows} rows ended: ${code}`)));
  });
}

/** @param {number} rows */
async function measure(rows) {
  assert.ok(
    rows >= PAGES * WALK_PAGE,
    `at least ${PAGES * WALK_PAGE} rows, for the pages of the walk`,
  );
  const teams = makeTeams();
  const before = await readMemory();
  const instance = createInstance({ now: 0 });
  const { clock, batches } = clockBatches(makeUserBatches(rows));
  const started = performance.now();
  instance.load(teams, batches);
  const loadMs = performance.now() - started - clock.ms;
  const bytes = (await readMemory()).heap - before.heap;
  const { users } = instance;
  check(users, rows);
  const w1 = workloadById("W1");
  const w3 = workloadById("W3");
  const w10 = workloadById("W10");
  const walk = walkOf(users);
  /** @type {any} */
  let last;
  const walkMs = cpu(() => {
    for (let page = 0; page < PAGES; page++) {
      const records = /** @type {any[]} */ (walk.next().value);
      assert.ok(last === undefined || compareByCreated(last, records[0]) < 0);
      last = records.at(-1);
    }
  });
  return {
    rows,
    "load: rows a second": (rows / loadMs) * 1000,
    "bytes a row": bytes / rows,
    "W1 ms": perCall(rows, w1, (given) => instance.run.W1?.(given, () => {})),
    "W3 ms": perCall(rows, w3, (given) => instance.run.W3?.(given, () => {})),
    "W7 1,000 pages, index ms": walkMs,
    "W10 ms": perCall(rows, w10, (given) => branchOnce(instance, given)),
  };
}

/** Rows are there as they were made. @param {any} users @param {number} rows */
function check(users, rows) {
  assert.equal(users.count(), rows);
  const [first] = makeUserBatches(1000, 1000);
  for (const user of first ?? []) {
    const { service: _, team, ...found } = users.get(user.id);
    assert.deepEqual({ ...found, team: team.id }, user);
  }
  assert.ok(users.get(userId(rows - 1)));
}

/** @param {any} users */
function* walkOf(users) {
  let result = users.query({ sort: { created: "asc" }, page: { size: WALK_PAGE } });
  for (;;) {
    yield result.records;
    result = users.query({ page: { after: result.meta.page.cursor, size: WALK_PAGE } });
  }
}

/**
 * @param {number} rows
 * @param {import("./workloads.mjs").Workload} workload
 * @param {(given: Constants) => unknown} call
 * @returns {number}
 */
function perCall(rows, workload, call) {
  return median(
    Array.from({ length: ROUNDS }, (_, round) => {
      const constants = makeConstants(workload, rows, round).map((given) => rename(given, round));
      return cpu(() => constants.map(call)) / constants.length;
    }),
  );
}

/** Each branch has a name of its own. @param {Constants} given @param {number} round */
function rename(given, round) {
  return given.name === undefined ? given : { ...given, name: `${given.name}-${round}` };
}

/** @param {() => unknown} act */
function cpu(act) {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** @param {any} instance @param {Constants} given */
function branchOnce(instance, given) {
  instance.branch(given).drop();
}
