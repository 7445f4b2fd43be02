#!/usr/bin/env node
// What the engine's calls take as multiples of the bare loops that nobody who gives the same answers
// can go without (`bare.mjs`), both in one process, by turns, on the same rows. By the processor's
// time, which other work on the machine does not lengthen by its turns. Writes results/limits.json.
// node --expose-gc --max-old-space-size=8000 bench/limits.mjs [rows]
import assert from "node:assert/strict";
import { BareUsers, countPlaces } from "./bare.mjs";
import {
  createRandom,
  makeTeams,
  makeUser,
  makeUserBatches,
  pick,
  SYLLABLES,
  userId,
} from "./data.mjs";
import { createInstance } from "./engines/twinbase.mjs";
import { collectGarbage, median, timeFloor } from "./measure.mjs";
import { saveResult } from "./save.mjs";
import { makeConstants, WALK_PAGE, workloadById } from "./workloads.mjs";

/** @typedef {import("./data.mjs").User} User */
/** @typedef {{ workload: string, title: string, goal: string, rounds: number,
 *   bare: (round: number) => number, engine: (round: number) => number }} Limit
 * each side does its calls and gives milliseconds of the processor for one */

const ROWS = Number(process.argv[2] ?? 1_000_000);
const CALLS = 20_000;

const random = createRandom(1);
const teams = makeTeams();
const bare = new BareUsers();
const engine = createInstance({ now: 0 });
engine.load(teams, []);
const loads = loadBoth();
const order = bare.orderByCreated();
const joined = bare.joinNames();
compareAnswers();
const floorMs = timeFloor(ROWS);
let inserted = ROWS;

/** @type {Limit[]} */
const LIMITS = [
  {
    workload: "W1",
    title: "a record by id, beside a Map and making the same record",
    goal: "≤ 2",
    rounds: 9,
    bare: () => perCall(randomIds(), (id) => bare.get(id)),
    engine: () => perCall(randomIds(), (id) => engine.get(id)),
  },
  {
    workload: "W4",
    title: "$contains, count and 20 records, beside indexOf over the names joined by chunks",
    goal: "≤ 1.4",
    rounds: 9,
    bare: (round) => perCall(needles(round), (text) => countPlaces(joined, text)),
    engine: (round) => perCall(needles(round), (text) => engine.run.W4?.({ text }, () => {})),
  },
  {
    workload: "W7",
    title:
      "all rows in order by pages of 200, beside making the same records from an order that is there",
    goal: "≤ 1.5",
    rounds: 5,
    bare: () => perCall([0], () => bare.walk(order, () => {}, WALK_PAGE)),
    engine: () => perCall([0], () => engine.run.W7?.({}, () => {})),
  },
  ...["W3", "W11"].map((id) => ({
    workload: id,
    title: "a query, beside counting as many numbers (F)",
    goal: id === "W3" ? "≤ 4" : "≤ 12",
    rounds: 9,
    bare: () => timeFloor(ROWS),
    engine: (/** @type {number} */ round) =>
      perCall(makeConstants(workloadById(id), ROWS, round), (given) =>
        engine.run[id]?.(given, () => {}),
      ),
  })),
  // The writes come last: what is kept with a chunk goes with a write to it.
  {
    workload: "W9u",
    title: "an update, beside writing the same cells",
    goal: "≤ 5",
    rounds: 9,
    bare: () => perCall(randomChanges(), ({ id, changes }) => bare.update(id, changes)),
    engine: () => perCall(randomChanges(), (change) => engine.run.W9u?.(change, () => {})),
  },
  {
    workload: "W9i",
    title: "an insert, beside checking and appending the same cells",
    goal: "≤ 5",
    rounds: 9,
    bare: () => perCall(newUsers(), (user) => bare.insert(user)),
    engine: () => perCall(newUsers(), (user) => engine.run.W9i?.({ user }, () => {})),
  },
];

const limits = [
  {
    workload: "W8",
    title: "loading, beside checking the same rows and appending them to arrays and a Map",
    goal: "≤ 1.25",
    ...summarize(loads),
  },
];
for (const { rounds, bare, engine, ...limit } of LIMITS) {
  bare(0); // until their code is compiled
  engine(0);
  const times = Array.from({ length: rounds }, (_, round) => {
    collectGarbage();
    if (round % 2 === 0) return { bare: bare(round), engine: engine(round) };
    const first = engine(round);
    return { bare: bare(round), engine: first };
  });
  limits.push({ ...limit, ...summarize(times) });
}
for (const { workload, title, goal, times, engineMs, bareMs } of limits) {
  const figures = `${times.toFixed(2)} × (${goal}; ${engineMs.toPrecision(3)} and ${bareMs.toPrecision(3)} ms)`;
  process.stdout.write(`${workload.padEnd(4)} ${figures}: ${title}\n`);
}
saveResult("limits", { rows: ROWS, clock: "processor", floorMs, limits });

/** Loads a batch into each by turns, as many rows as there are to be. */
function loadBoth() {
  const ms = { bare: 0, engine: 0 };
  let turn = 0;
  for (const batch of makeUserBatches(ROWS, 50_000)) {
    const own = structuredClone(batch);
    const sides = {
      bare: () => bare.load(own),
      engine: () => engine.users.load(batch),
    };
    const isFirst = turn++ % 2 === 0;
    if (isFirst) ms.bare += perCall([0], sides.bare);
    ms.engine += perCall([0], sides.engine);
    if (!isFirst) ms.bare += perCall([0], sides.bare);
  }
  return [ms];
}

/** Both sides answer alike, or nothing is measured. */
function compareAnswers() {
  for (const id of randomIds().slice(0, 200)) assert.deepEqual(engine.get(id), bare.get(id));
  for (const text of needles(0).slice(0, 5)) {
    const filter = { full_name: { $contains: text } };
    assert.ok(engine.users.count(filter) <= countPlaces(joined, text), "once a name, at least");
  }
  /** @type {any[]} */
  const walked = [];
  engine.run.W7?.({}, (page) => walked.push(page[0]));
  let page = 0;
  bare.walk(
    order,
    ([first]) => (page % 50 === 0 ? assert.deepEqual(walked[page++], first) : page++),
    WALK_PAGE,
  );
}

/** @param {{ bare: number, engine: number }[]} times */
function summarize(times) {
  return {
    times: median(times.map((each) => each.engine / each.bare)),
    engineMs: median(times.map((each) => each.engine)),
    bareMs: median(times.map((each) => each.bare)),
  };
}

/**
 * @template T
 * @param {readonly T[]} given
 * @param {(one: T) => unknown} call
 */
function perCall(given, call) {
  const before = process.cpuUsage();
  for (const one of given) call(one);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000 / given.length;
}

function randomIds() {
  return Array.from({ length: CALLS }, () => userId(Math.floor(random() * ROWS)));
}

function randomChanges() {
  return randomIds().map((id) => ({
    id,
    changes: {
      zipcode: 10_000 + Math.floor(random() * 90_000),
      rating: Math.round(random() * 50) / 10,
    },
  }));
}

function newUsers() {
  return Array.from({ length: CALLS }, () => makeUser(inserted++, random, teams));
}

/** @param {number} round */
function needles(round) {
  const chance = createRandom(round);
  return Array.from({ length: 40 }, () => `${pick(chance, SYLLABLES)}${pick(chance, SYLLABLES)}`);
}
