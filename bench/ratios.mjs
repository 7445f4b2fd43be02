#!/usr/bin/env node
// The engine beside bare loops that do the same work on the same rows in the same process, or beside
// F, the time to count as many numbers: what a machine makes slower, it makes slower for both.
// Writes results/ratios.json. node bench/ratios.mjs [rows]
import { createRandom, makeTeams, makeUser, makeUserBatches } from "./data.mjs";
import { createInstance } from "./engines/twinbase.mjs";
import { median, timeFloor } from "./measure.mjs";
import { formatColumns, formatNumber } from "./report.mjs";
import { saveResult } from "./save.mjs";
import { makeConstants, WALK_PAGE, workloadById } from "./workloads.mjs";

/** @typedef {import("./data.mjs").User} User */

const ROWS = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 5;
const CALLS = 2000;
const CHUNK = 4096;

const batches = [...makeUserBatches(ROWS)];
const users = batches.flat();
const teams = makeTeams();
const now = new Date().toISOString();
const rowsById = new Map(users.map(({ id }, row) => [id, row]));
const versions = new Float64Array(ROWS);
const times = new Float64Array(ROWS);
const zipcodes = Float64Array.from(users, ({ zipcode }) => zipcode);
const ratings = Float64Array.from(users, ({ rating }) => rating ?? Number.NaN);
const names = Array.from({ length: Math.ceil(ROWS / CHUNK) }, (_, chunk) =>
  users
    .slice(chunk * CHUNK, (chunk + 1) * CHUNK)
    .map(({ full_name }) => full_name)
    .join("\0"),
);
const byCreated = users
  .map(({ created }, row) => ({ created, row }))
  .sort((a, b) => (a.created < b.created ? -1 : a.created > b.created ? 1 : a.row - b.row));

const loads = timeInTurns(loadEngine, loadBare, 3);
const instance = createInstance();
instance.load(teams, batches);
const run = (/** @type {string} */ id) => (/** @type {any} */ constants) =>
  instance.run[id]?.(constants, () => {});
// An index that the first walks build is no part of one.
for (let walk = 0; walk < 3; walk++) run("W7")({});

const figures = [
  // Before any write: it drops what queries keep of the chunk that it changes.
  ratio("W3", "F", 4, ...timeQueries("W3")),
  ratio("W11", "F", 12, ...timeQueries("W11")),
  ratio("W1", "a Map and an object of the record", 2, ...timeCalls("W1", getBare)),
  ratio("W4", "indexOf over the names joined by chunks", 1.4, ...timeSearches()),
  ratio("W7", "copying the same records in that order", 1.5, ...timeInTurns(walkEngine, walkBare)),
  ratio("W8", "the same properties into arrays, ids into a Map", 1 / 0.8, ...loads),
  ratio("W9u", "writing the same cells", 5, ...timeCalls("W9u", updateBare)),
  ratio("W9i", "appending the same cells, the id into a Map", 5, ...timeInserts()),
];
console.log(
  formatColumns([
    ["", "engine ms", "bare ms", "ratio", "goal", ""],
    ...figures.map(({ workload, ms, bareMs, times: ratioOf, most, bare }) => [
      workload,
      ...[ms, bareMs, ratioOf, most].map(formatNumber),
      bare,
    ]),
  ]),
);
saveResult("ratios", { rows: ROWS, figures });

/**
 * @param {string} workload @param {string} bare what the bare loop does @param {number} most
 * @param {number} ms @param {number} bareMs
 */
function ratio(workload, bare, most, ms, bareMs) {
  return { workload, bare, most, ms, bareMs, times: ms / bareMs };
}

/**
 * The least times of two that take turns: other work on the machine adds to neither.
 *
 * @param {(round: number) => unknown} engine @param {(round: number) => unknown} bare
 * @returns {[number, number]}
 */
function timeInTurns(engine, bare, rounds = ROUNDS) {
  /** @type {number[][]} */
  const spent = [[], []];
  for (let round = 0; round < rounds; round++) {
    for (const [i, act] of [engine, bare].entries()) {
      const started = performance.now();
      act(round);
      spent[i]?.push(performance.now() - started);
    }
  }
  return [Math.min(...(spent[0] ?? [])), Math.min(...(spent[1] ?? []))];
}

/** For one call. @param {string} id @param {(constants: any) => unknown} bare @returns {[number, number]} */
function timeCalls(id, bare) {
  const constants = callsOf(id);
  const call = run(id);
  for (const one of constants) call(one); // a chunk is copied at its first write
  const [ms, bareMs] = timeInTurns(
    () => each(constants, call),
    () => each(constants, bare),
    31,
  );
  return [ms / CALLS, bareMs / CALLS];
}

/** @template T @param {readonly T[]} members @param {(member: T) => unknown} act */
function each(members, act) {
  for (const member of members) act(member);
}

/** @param {string} id */
function callsOf(id) {
  const workload = workloadById(id);
  return makeConstants({ ...workload, calls: CALLS }, ROWS, 1);
}

/** Beside F. @param {string} id @returns {[number, number]} */
function timeQueries(id) {
  const calls = makeConstants(workloadById(id), ROWS, 1);
  const floors = calls.map(() => timeFloor(ROWS));
  const least = calls.map(
    (one) =>
      timeInTurns(
        () => run(id)(one),
        () => {},
      )[0],
  );
  return [median(least), Math.min(...floors)];
}

/** @returns {[number, number]} */
function timeSearches() {
  const texts = makeConstants(workloadById("W4"), ROWS, 1);
  const text = (/** @type {number} */ round) => texts[round % texts.length]?.text;
  return timeInTurns(
    (round) => instance.users.count({ full_name: { $contains: text(round) } }),
    (round) => countPlaces(text(round)),
    30,
  );
}

/** @param {string} text */
function countPlaces(text) {
  let count = 0;
  for (const joined of names) {
    for (let at = joined.indexOf(text); at >= 0; at = joined.indexOf(text, at + 1)) count++;
  }
  return count;
}

/** @param {{ id: string }} constants */
function getBare({ id }) {
  const row = rowsById.get(id);
  return row === undefined ? null : makeRecord(row);
}

/** @param {number} row */
function makeRecord(row) {
  const { id, full_name, email, plan, zipcode, rating, created, labels, team, address } =
    /** @type {User} */ (users[row]);
  return {
    id,
    full_name,
    email,
    plan,
    zipcode,
    rating,
    created,
    labels: labels.slice(),
    team: { id: team },
    address: { street: address.street, number: address.number },
    service: { version: versions[row], createdAt: now, updatedAt: now },
  };
}

function walkEngine() {
  return run("W7")({});
}

function walkBare() {
  let page = [];
  let made = 0;
  for (const { row } of byCreated) {
    page.push(makeRecord(row));
    if (page.length < WALK_PAGE) continue;
    made += page.length;
    page = [];
  }
  return made + page.length;
}

function loadEngine() {
  createInstance().load(teams, batches);
}

function loadBare() {
  const ids = new Map();
  /** @type {string[][]} */
  const texts = [[], [], [], [], [], []];
  const numbers = Array.from({ length: 3 }, () => new Float64Array(ROWS));
  /** @type {string[]} */
  const labels = [];
  for (const [row, user] of users.entries()) {
    ids.set(user.id, row);
    texts[0]?.push(user.full_name);
    texts[1]?.push(user.email);
    texts[2]?.push(user.plan);
    texts[3]?.push(user.team);
    texts[4]?.push(user.address.street);
    texts[5]?.push(user.created);
    const [zips, rates, streetNumbers] = numbers;
    if (zips) zips[row] = user.zipcode;
    if (rates) rates[row] = user.rating ?? Number.NaN;
    if (streetNumbers) streetNumbers[row] = user.address.number;
    for (const label of user.labels) labels.push(label);
  }
  return ids.size + labels.length;
}

/** Gives the record back, as an update of the engine does. @param {any} constants */
function updateBare({ id, changes }) {
  const row = rowsById.get(id) ?? 0;
  zipcodes[row] = changes.zipcode;
  ratings[row] = changes.rating;
  versions[row] = (versions[row] ?? 0) + 1;
  times[row] = Date.now();
  return makeRecord(row);
}

/** Of rows that are new to both. @returns {[number, number]} */
function timeInserts() {
  const random = createRandom(7);
  let next = ROWS;
  const more = () => Array.from({ length: CALLS }, () => makeUser(next++, random, teams));
  const made = Array.from({ length: 11 }, more);
  const [ms, bareMs] = timeInTurns(
    (round) => each(made[round] ?? [], (user) => instance.users.insert(user)),
    (round) => each(made[round] ?? [], insertBare),
    made.length,
  );
  return [ms / CALLS, bareMs / CALLS];
}

/** @param {User} user */
function insertBare(user) {
  rowsById.set(user.id, users.push(user) - 1);
  return makeRecord(users.length - 1);
}
