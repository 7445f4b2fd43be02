// Measures the heap of an engine with a data folder under mixed work on constant data: forks, snapshots,
// branches and tables created and deleted, keys, subscribers, live queries, searches after updates, faults, the journal.
// node --expose-gc scripts/memory.mjs [--minutes 30 | --points 4] [--seed 1]
// Measures each minute, or `--points` times. Ends with exit code 1 if the heap grows by more than a tenth in
// the last two thirds.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { diff, subscribe } from "../dist/changes.js";
import { exportEngine, importEngine } from "../dist/export.js";
import { createControl, createFetch } from "../dist/http.js";
import { liveCount, liveQuery } from "../dist/live.js";
import { openEngine } from "../dist/node.js";
import { searchTable } from "../dist/search.js";
import { createRandom } from "./random.mjs";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "30" },
    points: { type: "string" },
    seed: { type: "string", default: "1" },
  },
});
const count = Number(values.points ?? values.minutes);
const pointMs = values.points === undefined ? 60_000 : 0;
const ROWS = 5000;
/** Rounds of work on one scratch database. */
const ROUNDS = 20;
const COLUMNS = [
  { name: "text", type: "text" },
  { name: "n", type: "int" },
  { name: "name", type: "string", unique: true },
  { name: "next", type: "link", link: { table: "notes" } },
];

const random = createRandom(Number(values.seed)).below;
const idOf = (n) => `r${n}`;
const recordOf = (n) => ({
  text: `note ${random(500)} of ${random(50)} words`,
  n: random(1000),
  name: `name ${n}`,
  next: idOf(random(ROWS)),
});

const folder = mkdtempSync(join(tmpdir(), "twinbase-memory-"));
const engine = await openEngine({ folder, seed: 1, compactAfter: 1 << 22 });
const workspace = engine.createWorkspace("w");
const notes = workspace.createDatabase("d").branch("main").createTable("notes", COLUMNS);
notes.load(Array.from({ length: ROWS }, (_, n) => ({ id: idOf(n), ...recordOf(n) })));
const control = createControl();
const send = createFetch(engine, { workspace: "w", control });

async function ask(method, path, body) {
  const answer = await send(`http://x/${path}`, { method, body: JSON.stringify(body) });
  await answer.arrayBuffer();
}

/** Writes records, and reads them by every call. */
async function useRecords() {
  const live = liveQuery(notes, { filter: { "next.n": { $ge: 500 } }, sort: { n: "asc" } });
  const count = liveCount(notes, { n: random(1000) });
  for (let i = 0; i < 50; i++) {
    const n = random(ROWS);
    if (i % 10 === 0) notes.delete(idOf(n));
    notes.upsert(idOf(n), recordOf(n));
  }
  const prefix = { prefix: "phrase", page: { size: 10 } };
  searchTable(notes, { query: `note ${random(500)}`, ...prefix });
  notes.query({ filter: { n: { $ge: random(1000) } }, sort: { n: "asc" } });
  notes.query({ filter: { "next.n": random(1000) }, sort: { "next.name": "desc" } });
  notes.query({ filter: { text: { $contains: `${random(500)} of` } } });
  notes.aggregate({ aggs: { top: { topValues: { column: "n", size: 5 } } } });
  const { meta } = notes.query({ sort: { name: "asc" }, page: { size: 50 } });
  notes.query({ page: { after: meta.page.cursor } });
  live.close();
  count.close();
}

/** Creates and drops forks, snapshots and imports. */
function useCopies(round) {
  const fork = engine.fork();
  const copied = fork.workspace("w").database("d").branch("main").table("notes");
  copied.update(idOf(0), { n: round });
  searchTable(copied, { query: "note" });
  const before = engine.snapshot();
  notes.update(idOf(1), { n: round });
  if (diff(before, engine.snapshot()).length !== 1) throw new Error("expected one change");
  if (round % 7 === 0) engine.restore(before);
  if (round % ROUNDS === 0) importEngine(exportEngine(engine));
}

/** Creates and deletes branches, tables and keys. */
async function useCatalog(round) {
  const database = workspace.database("scratch");
  const main = database.branch("main");
  const table = main.createTable(`t${round}`, COLUMNS.slice(0, 2));
  table.insert(Array.from({ length: 50 }, recordOf).map(({ text, n }) => ({ text, n })));
  const branch = database.createBranch(`b${round}`, { from: "main" });
  branch
    .table(`t${round}`)
    .addColumn({ name: "more", type: "int", notNull: true, defaultValue: 1 });
  branch.table(`t${round}`).query({ filter: { more: 1 } });
  database.deleteBranch(`b${round}`);
  main.deleteTable(`t${round}`);
  await ask("POST", `user/keys/k${round}`);
  await ask("DELETE", `user/keys/k${round}`);
}

async function useHandler(round) {
  const faults = [{ answer: { status: 503 } }, { delay: 1 }, { drop: "answer" }];
  control.faults.add({ ...faults[round % 3], times: 1 });
  for (let i = 0; i < 20; i++) {
    const at = `db/d:main/tables/notes/data/${idOf(random(ROWS))}`;
    await ask(i % 2 ? "PATCH" : "GET", at, i % 2 ? { n: i } : undefined).catch(() => {});
  }
  await ask("POST", "db/d:main/tables/notes/query", { filter: { nope: round } });
}

let received = 0;
/** Runs some rounds; leaves the same amount of data. */
async function work() {
  workspace.createDatabase("scratch");
  const subscription = subscribe(engine, (changes) => {
    received += changes.length;
  });
  for (let round = 0; round < ROUNDS; round++) {
    await useRecords();
    useCopies(round);
    await useCatalog(round);
    await useHandler(round);
    await engine.flushed();
  }
  subscription.unsubscribe();
  workspace.deleteDatabase("scratch");
}

/** Megabytes, including typed arrays. */
async function measure() {
  await new Promise((resolve) => setTimeout(resolve, 100));
  for (let i = 0; i < 3; i++) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

const begin = performance.now();
const points = [];
let worked = 0;
for (let point = 1; point <= count; point++) {
  const end = begin + point * pointMs;
  do {
    await work();
    worked++;
  } while (performance.now() < end);
  points.push(await measure());
  console.log(JSON.stringify({ point, worked, megabytes: Number(points.at(-1).toFixed(2)) }));
}
await engine.close();
rmSync(folder, { recursive: true });
const [level, ...later] = points.slice(Math.ceil(count / 3) - 1);
const most = Math.max(level, ...later);
console.log(
  JSON.stringify({ seed: Number(values.seed), level, most, ratio: most / level, received }),
);
process.exitCode = most <= level * 1.1 ? 0 : 1;
