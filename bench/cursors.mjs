#!/usr/bin/env node
// What reading a cursor costs: pages of one record under a filter of twenty conditions, without a
// cursor, after one, and between two. node bench/cursors.mjs [--rounds 61] [--dist dist]
// Prints microseconds a page, and each as a multiple of the first page; medians of rounds in turn.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { makeTeams, makeUserBatches } from "./data.mjs";
import { median } from "./measure.mjs";
import { saveResult } from "./save.mjs";

const ROWS = 1000;
const CALLS = 500;

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "61" }, dist: { type: "string" } },
});
if (values.dist !== undefined) process.env.TWINBASE_DIST = resolve(values.dist);
const { createInstance } = await import("./engines/twinbase.mjs");
const instance = createInstance();
instance.load(makeTeams(), makeUserBatches(ROWS));
const { users } = instance;

const filter = {
  $all: [
    ...["zipcode", "address.number", "rating"].flatMap((path) =>
      [-1, -2, -3, -4].map((bound) => ({ [path]: { $ge: bound } })),
    ),
    ...["full_name", "email", "plan", "address.street"].flatMap((path) => [
      { [path]: { $isNot: "nobody" } },
      { [path]: { $isNot: "nothing" } },
    ]),
  ],
};
const page = { size: 1 };
const first = users.query({ filter, page });
const after = first.meta.page.cursor;
const later = users.query({ page: { size: 1, after, offset: 3 } });
const before = later.meta.page.cursor;
const requests = {
  first: { filter, page },
  after: { page: { size: 1, after } },
  range: { page: { size: 1, after, before } },
};
for (const request of Object.values(requests)) {
  if (users.query(request).records.length !== 1) throw new Error("a page of one record has none");
}

/** @type {Record<string, number[]>} */
const times = { first: [], after: [], range: [] };
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [name, request] of Object.entries(requests)) {
    const started = performance.now();
    for (let call = 0; call < CALLS; call++) users.query(request);
    times[name]?.push(((performance.now() - started) * 1000) / CALLS);
  }
}
const result = Object.fromEntries(
  Object.entries(times).map(([name, list]) => {
    const shares = list.map((time, round) => time / (times.first?.[round] ?? Number.NaN));
    return [name, { us: round2(median(list)), ofFirst: round2(median(shares)) }];
  }),
);
for (const [name, { us, ofFirst }] of Object.entries(result)) {
  process.stdout.write(`${name.padEnd(6)} ${us.toFixed(1)} µs  ${ofFirst.toFixed(2)}\n`);
}
if (values.dist === undefined) saveResult("cursors", { rows: ROWS, ...result });

/** @param {number} value */
function round2(value) {
  return Math.round(value * 100) / 100;
}
