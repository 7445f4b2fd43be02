#!/usr/bin/env node
// Compares export and import with JSON.stringify and JSON.parse of the same rows, in seconds of processor
// time: node --expose-gc bench/export.mjs [rows]
import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { exportEngine, importEngineFrom } from "../dist/export.js";
import { createLoaded } from "./engines/twinbase.mjs";
import { median, processorMs } from "./measure.mjs";

const ROUNDS = 7;
const BATCH = 1000;

const rows = Number(process.argv[2] ?? 1_000_000);
const { engine, users } = createLoaded(rows, { now: 0 });

const chunks = Array.from(exportEngine(engine), (chunk) => Buffer.from(chunk));

const seconds = { "JSON.stringify": [], "JSON.parse": [], export: [], import: [] };
for (let round = 0; round < ROUNDS; round++) {
  const texts = await stringifyRows();
  await clock("JSON.parse", () => {
    for (const text of texts) JSON.parse(text);
  });
  await clock("export", () => {
    for (const _ of exportEngine(engine));
  });
  const imported = await clock("import", () => importEngineFrom(Readable.from(chunks)));
  if (round === 0 && digest(imported) !== digest(engine)) throw new Error("the import differs");
}
const [stringify = 0, parse = 0, exported = 0, imported = 0] = Object.values(seconds).map(median);
const figures = {
  rows,
  MB: chunks.reduce((sum, { length }) => sum + length, 0) / 1e6,
  "JSON.stringify s": stringify,
  "JSON.parse s": parse,
  "export s": exported,
  "import s": imported,
  "export / JSON.stringify": exported / stringify,
  "import / JSON.parse": imported / parse,
};
for (const [name, figure] of Object.entries(figures)) {
  process.stdout.write(`${name.padEnd(26)}${Number(figure.toFixed(2))}\n`);
}

/** Writes the rows as JSON in batches; reading them from the table is not measured. */
async function stringifyRows() {
  const texts = [];

  let batch = [];
  let spent = 0;
  const flush = () => {
    const started = process.cpuUsage();
    texts.push(JSON.stringify(batch));
    spent += processorMs(started) / 1000;
    batch = [];
  };
  for (const user of users.scan()) {
    if (batch.push(user) === BATCH) flush();
  }
  flush();
  seconds["JSON.stringify"]?.push(spent);
  return texts;
}

async function clock(name, act) {
  globalThis.gc?.();
  const started = process.cpuUsage();
  const result = await act();
  seconds[name]?.push(processorMs(started) / 1000);
  return result;
}

function digest(engine) {
  const hash = createHash("sha256");
  for (const chunk of exportEngine(engine)) hash.update(chunk);
  return hash.digest("hex");
}
