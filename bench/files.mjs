#!/usr/bin/env node
// Loads a CSV into an engine, compared with the same records given as objects and with DuckDB reading the file;
// each in a process of its own: node bench/files.mjs [megabytes …]
import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureInstalled } from "./install.mjs";
import { processorMs } from "./measure.mjs";

const COLUMNS = [
  { name: "name", type: "string" },
  { name: "email", type: "string" },
  { name: "age", type: "int" },
  { name: "city", type: "string" },
  { name: "created", type: "datetime" },
  { name: "amount", type: "float" },
];
const CITIES = ["Vienna", "Graz", "Linz", "Salzburg", "Innsbruck", "Klagenfurt", "Wels", "Bregenz"];
const CHUNK = 1 << 16;
const MS_PER_HOUR = 3_600_000;

function recordOf(i) {
  const created = new Date(1_600_000_000_000 + (i % 50_000) * MS_PER_HOUR).toISOString();
  const random = Math.imul(i, 2_654_435_761) >>> 0;
  return {
    id: `rec_${i.toString(36).padStart(8, "0")}`,
    name: `Person ${random % 1_000_003} of ${i % 977}`,
    email: `person${i}@example.com`,
    age: random % 100,
    city: CITIES[random % CITIES.length],
    created,
    amount: (random % 1_000_000) / 100,
  };
}

function* records(count) {
  for (let i = 0; i < count; i++) yield recordOf(i);
}

/** Writes records until the file has a number of bytes; returns their number. */
function writeFile(path, bytes) {
  const file = openSync(path, "w");
  let [text, written, count] = [`${Object.keys(recordOf(0)).join(",")}\n`, 0, 0];
  for (; written < bytes; count++) {
    text += `${Object.values(recordOf(count)).join(",")}\n`;
    if (text.length < CHUNK) continue;
    written += writeSync(file, text);
    text = "";
  }
  writeSync(file, text);
  closeSync(file);
  return count;
}

function* readChunks(path) {
  const file = openSync(path, "r");
  for (;;) {
    const bytes = new Uint8Array(CHUNK);
    const length = readSync(file, bytes);
    if (length === 0) break;
    yield bytes.subarray(0, length);
  }
  closeSync(file);
}

async function openBranch() {
  const { createEngine } = await import("../dist/index.js");
  return createEngine({ seed: 1 }).createWorkspace("w").createDatabase("d").branch("main");
}

/** Ways to load; each returns the number of records, and a value that holds them. */
const WAYS = {
  "the file": async (path) => {
    const { loadFixture } = await import("../dist/fixtures.js");
    const branch = await openBranch();
    loadFixture(branch, "people", { name: "people.csv", text: () => readChunks(path) });
    return [branch.table("people").count(), branch];
  },
  objects: async (_path, count) => {
    const branch = await openBranch();
    return [branch.createTable("people", COLUMNS).load(records(count)), branch];
  },
  DuckDB: async (path) => {
    const { DuckDBInstance } = await import("@duckdb/node-api");
    const instance = await DuckDBInstance.create(":memory:");
    const connection = await instance.connect();
    await connection.run(`create table people as select * from read_csv_auto('${path}')`);
    const reader = await connection.runAndReadAll("select count(*) from people");
    return [Number(reader.getRows()[0][0]), [instance, connection]];
  },
};

async function measure(way, path, count) {
  const held = () => {
    for (let i = 0; i < 3; i++) globalThis.gc();
    const { heapUsed, external, rss } = process.memoryUsage();
    return way === "DuckDB" ? rss : heapUsed + external;
  };
  const before = held();
  const [started, processor] = [performance.now(), process.cpuUsage()];
  const [loaded, holder] = await WAYS[way](path, count);
  const seconds = (performance.now() - started) / 1000;
  const spent = processorMs(processor) / 1000;
  const bytes = held() - before;
  if (loaded !== count) throw new Error(`${way}: ${loaded} records of ${count}`);
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(
    `${way.padEnd(10)}${seconds.toFixed(1).padStart(7)} s ${spent.toFixed(1).padStart(7)} s of the processor` +
      `${(bytes / count).toFixed(0).padStart(7)} bytes a record ${peak.toFixed(0).padStart(7)} MB at most`,
  );
  return holder;
}

const [first = "", ...rest] = process.argv.slice(2);
if (Object.hasOwn(WAYS, first)) await measure(first, rest[0], Number(rest[1]));
else {
  ensureInstalled();
  const folder = mkdtempSync(join(tmpdir(), "twinbase-files-"));
  const path = join(folder, "people.csv");
  for (const megabytes of process.argv.length > 2 ? process.argv.slice(2) : [300, 1000]) {
    const count = writeFile(path, Number(megabytes) * 1e6);
    console.log(`${megabytes} MB, ${count} records`);
    for (const way of Object.keys(WAYS)) {
      const flags = ["--expose-gc", "--max-old-space-size=12000"];
      const args = [...flags, fileURLToPath(import.meta.url), way, path, String(count)];
      const { status } = spawnSync(process.execPath, args, { stdio: "inherit" });
      if (status !== 0) process.exitCode = 1;
    }
  }
  rmSync(folder, { recursive: true });
}
