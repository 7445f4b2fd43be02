#!/usr/bin/env node
// Exports rows and imports them again beside JSON.stringify and JSON.parse of the same rows, by the
// processor's time in memory; then to a file and from it, in streams, for what is held meanwhile.
// Writes results/export.json. node --expose-gc bench/export.mjs [rows]
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { exportEngine, importEngineFrom } from "../dist/export.js";
import { createEngine } from "../dist/index.js";
import { makeTeams, makeUserBatches } from "./data.mjs";
import { USER_COLUMNS } from "./engines/twinbase.mjs";
import { saveResult } from "./save.mjs";

/** Of so many rounds the median is told. */
const ROUNDS = 7;

const rows = Number(process.argv[2] ?? 1_000_000);
const folder = mkdtempSync(join(tmpdir(), "export-"));
const file = join(folder, "export.ndjson");

const engine = createEngine({ seed: 1, now: 0 });
const main = engine.createWorkspace("w").createDatabase("d").branch("main");
main.createTable("teams", [{ name: "name", type: "string" }]).load(makeTeams());
const users = main.createTable("users", USER_COLUMNS);
for (const batch of makeUserBatches(rows)) users.load(batch);

const times = await measureTimes();
await setTimeout(100); // until nothing that is under way holds the last engine
const held = heapUsed();
const exporting = await measure(() =>
  pipeline(Readable.from(exportEngine(engine)), createWriteStream(file)),
);
const importing = await measure(() => importEngineFrom(createReadStream(file)));
await setTimeout(100);
const grown = heapUsed() - held; // the second engine
const isSame = digest(importing.result) === digest(engine);
const figures = {
  rows,
  MB: round(statSync(file).size / 1e6),
  "JSON.stringify s": round(times.stringify / 1000),
  "JSON.parse s": round(times.parse / 1000),
  "export s": round(times.export / 1000),
  "import s": round(times.import / 1000),
  "export / JSON.stringify": round(times.export / times.stringify),
  "import / JSON.parse": round(times.import / times.parse),
  "export to a file s": round(exporting.ms / 1000),
  "export peak MB over the engine": round(exporting.peak - held),
  "import from a file s": round(importing.ms / 1000),
  "import peak MB over both engines": round(importing.peak - held - grown),
  "imported engine MB": round(grown),
  "exports the same again": isSame,
};
print(figures);
saveResult("export", figures);
rmSync(folder, { recursive: true });

/** The processor's ms of each, the median of some rounds. */
async function measureTimes() {
  const chunks = Array.from(exportEngine(engine), (chunk) => Buffer.from(chunk));
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const json = await measureJson();
    const exported = await processorTime(() => {
      for (const _ of exportEngine(engine));
    });
    const imported = await processorTime(() => importEngineFrom(Readable.from(chunks)));
    rounds.push({ ...json, export: exported, import: imported });
  }
  /** @param {"stringify" | "parse" | "export" | "import"} name */
  const median = (name) => rounds.map((of) => of[name]).sort((a, b) => a - b)[ROUNDS >> 1] ?? 0;
  return {
    stringify: median("stringify"),
    parse: median("parse"),
    export: median("export"),
    import: median("import"),
  };
}

/** The processor's ms of writing the rows as JSON, batch by batch, and of reading it after that. */
async function measureJson() {
  let stringify = 0;
  /** @type {string[]} */
  const texts = [];
  /** @type {unknown[]} */
  let batch = [];
  const flush = () => {
    const started = process.cpuUsage();
    texts.push(JSON.stringify(batch));
    stringify += msBetween(started, process.cpuUsage());
    batch = [];
  };
  for (const user of users.scan()) {
    batch.push(user);
    if (batch.length === 1000) flush();
  }
  flush();
  const parse = await processorTime(() => {
    for (const text of texts) JSON.parse(text);
  });
  return { stringify, parse };
}

/** @param {() => unknown} act */
async function processorTime(act) {
  const started = process.cpuUsage();
  await act();
  return msBetween(started, process.cpuUsage());
}

/** @param {NodeJS.CpuUsage} from @param {NodeJS.CpuUsage} to */
function msBetween(from, to) {
  return (to.user - from.user + to.system - from.system) / 1000;
}

/**
 * @template T
 * @param {() => Promise<T>} act
 * @returns {Promise<{ result: T, ms: number, peak: number }>} the peak of what is held, in MB
 */
async function measure(act) {
  const started = performance.now();
  await act();
  const ms = performance.now() - started;
  // Again for what is held, as sweeping to see that takes time of its own.
  let peak = heapUsed();
  const timer = setInterval(() => {
    peak = Math.max(peak, heapUsed());
  }, 500);
  const result = await act();
  clearInterval(timer);
  return { result, ms, peak };
}

/** MB that are held once what is not has been swept out; typed arrays lie outside of the heap. */
function heapUsed() {
  globalThis.gc?.();
  globalThis.gc?.(); // the first leaves typed arrays to be freed beside it
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

/** @param {import("../dist/index.js").AnyEngine} exported */
function digest(exported) {
  const hash = createHash("sha256");
  for (const chunk of exportEngine(exported)) hash.update(chunk);
  return hash.digest("hex");
}

/** @param {number} figure */
function round(figure) {
  return Math.round(figure * 100) / 100;
}

/** @param {Record<string, unknown>} figures */
function print(figures) {
  for (const [name, figure] of Object.entries(figures)) {
    process.stdout.write(`${name.padEnd(34)}${figure}\n`);
  }
}
