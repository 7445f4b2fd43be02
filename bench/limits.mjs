#!/usr/bin/env node
// What the bare loops under some workloads take, with nothing around them: no request, no checks,
// no cursor. Where the engine misses its goal, this is what it could reach at best on this machine.
// Writes results/limits.json. node bench/limits.mjs [rows]
import { createRandom, makeUserBatches, SYLLABLES } from "./data.mjs";
import { median } from "./measure.mjs";
import { saveResult } from "./save.mjs";

/** @typedef {import("./data.mjs").User} User */

const ROWS = Number(process.argv[2] ?? 1_000_000);
const CHUNK = 4096;
const ROUNDS = 5;
/** Columns of a user, its metadata among them, as arrays: texts, and numbers for all else. */
const TEXTS = 3;
const NUMBERS = 11;

/** @type {User[]} */
const users = [];
for (const batch of makeUserBatches(ROWS)) for (const user of batch) users.push(user);
const random = createRandom(1);
const shuffled = shuffle(Int32Array.from(users, (_, i) => i));
const chunks = makeChunks();
const names = joinNames();
const rowsById = new Map(users.map(({ id }, row) => [id, row]));
const shuffledIds = Array.from(shuffled, (row) => users[row]?.id ?? "");

const limits = [
  {
    workload: "W1",
    title: "reading one value from each column of a random row, each in a chunk of its own",
    unit: "ms a record",
    value: time(() => readRows(shuffled)) / ROWS,
  },
  {
    workload: "W1",
    title: "finding a random id in a Map and making its object from those columns",
    unit: "ms a record",
    value: time(() => makeRecords(findRows())) / ROWS,
  },
  {
    workload: "W4",
    title: "indexOf over the names joined by chunks",
    unit: "ms a search",
    value: timeSearches(),
  },
  {
    workload: "W7",
    title: "reading one value from each column of all rows, in an order that is not theirs",
    unit: "ms",
    value: time(() => readRows(shuffled)),
  },
  {
    workload: "W7",
    title: "making the objects from those values, in that order",
    unit: "ms",
    value: time(() => makeRecords(shuffled)),
  },
  {
    workload: "W8",
    title: "reading the properties of all objects into arrays, the ids into a Map; nothing checked",
    unit: "rows/s",
    value: (ROWS / time(loadColumns)) * 1000,
  },
];
for (const { workload, title, unit, value } of limits) {
  console.log(`${workload.padEnd(4)} ${Number(value.toPrecision(4))} ${unit}: ${title}`);
}
saveResult("limits", { rows: ROWS, limits });

/** @param {Int32Array} order */
function shuffle(order) {
  for (let i = order.length - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    const kept = /** @type {number} */ (order[i]);
    order[i] = /** @type {number} */ (order[other]);
    order[other] = kept;
  }
  return order;
}

function makeChunks() {
  const made = [];
  for (let from = 0; from < ROWS; from += CHUNK) {
    const rows = users.slice(from, from + CHUNK);
    made.push({
      texts: [
        rows.map(({ id }) => id),
        rows.map(({ full_name }) => full_name),
        rows.map(({ email }) => email),
      ],
      numbers: Array.from({ length: NUMBERS }, (_, column) =>
        Float64Array.from(rows, ({ zipcode }) => zipcode + column),
      ),
    });
  }
  return made;
}

/** @param {Int32Array} order */
function readRows(order) {
  let sum = 0;
  for (const row of order) {
    const chunk = /** @type {typeof chunks[number]} */ (chunks[Math.floor(row / CHUNK)]);
    const at = row % CHUNK;
    for (let column = 0; column < NUMBERS; column++) sum += Number(chunk.numbers[column]?.[at]);
    for (let column = 0; column < TEXTS; column++) {
      if (chunk.texts[column]?.[at] === undefined) sum++;
    }
  }
  return sum;
}

/** @returns {Generator<number>} */
function* findRows() {
  for (const id of shuffledIds) yield rowsById.get(id) ?? 0;
}

/** @param {Iterable<number>} order */
function makeRecords(order) {
  let page = [];
  for (const row of order) {
    const chunk = /** @type {typeof chunks[number]} */ (chunks[Math.floor(row / CHUNK)]);
    const at = row % CHUNK;
    const [ids, fullNames, emails] = chunk.texts;
    const [plan, zipcode, rating, created, labels, team, street, number, version, made, changed] =
      chunk.numbers;
    page.push({
      id: ids?.[at],
      full_name: fullNames?.[at],
      email: emails?.[at],
      plan: plan?.[at],
      zipcode: zipcode?.[at],
      rating: rating?.[at],
      created: created?.[at],
      labels: [labels?.[at]],
      team: { id: team?.[at] },
      address: { street: street?.[at], number: number?.[at] },
      service: { version: version?.[at], createdAt: made?.[at], updatedAt: changed?.[at] },
    });
    if (page.length === 200) page = [];
  }
  return page.length;
}

function joinNames() {
  return chunks.map(({ texts }) => (texts[1] ?? []).join("\0"));
}

function timeSearches() {
  const times = [];
  for (let i = 0; i < 60; i++) {
    const [first, last] = [random(), random()].map(
      (share) => SYLLABLES[Math.floor(share * SYLLABLES.length)],
    );
    times.push(timeOnce(() => countPlaces(`${first}${last}`)));
  }
  return median(times);
}

/** @param {string} text */
function countPlaces(text) {
  let count = 0;
  for (const joined of names) {
    for (let at = joined.indexOf(text); at >= 0; at = joined.indexOf(text, at + 1)) count++;
  }
  return count;
}

function loadColumns() {
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
    const [zipcodes, ratings, streetNumbers] = numbers;
    if (zipcodes) zipcodes[row] = user.zipcode;
    if (ratings) ratings[row] = user.rating ?? Number.NaN;
    if (streetNumbers) streetNumbers[row] = user.address.number;
    for (const label of user.labels) labels.push(label);
  }
  return ids.size + labels.length;
}

/** @param {() => unknown} run */
function time(run) {
  return median(Array.from({ length: ROUNDS }, () => timeOnce(run)));
}

/** @param {() => unknown} run */
function timeOnce(run) {
  const started = performance.now();
  run();
  return performance.now() - started;
}
