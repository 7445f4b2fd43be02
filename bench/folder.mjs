// What it costs to keep writes in a folder: node bench/folder.mjs [rows]
// Updates of a table of 100,000 records, in memory and kept; then acknowledged updates by 1 and by 64
// writers at a time, and as many over HTTP, where a server without a folder is beside it.
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine } from "../dist/index.js";
import { openEngine, serve } from "../dist/node.js";

const ROWS = Number(process.argv[2] ?? 100_000);
const UPDATES = 5000;
const ROUNDS = 9;
const MS = 300;

const tableOf = (engine) => engine.workspace("w").database("d").branch("main").table("t");
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

function createFilled() {
  const engine = createEngine({ seed: 1 });
  const main = engine.createWorkspace("w").createDatabase("d").branch("main");
  const table = main.createTable("t", [
    { name: "name", type: "string" },
    { name: "n", type: "int" },
    { name: "at", type: "datetime" },
    { name: "tags", type: "multiple" },
    { name: "score", type: "float" },
    { name: "note", type: "text" },
  ]);
  const record = (_, i) => ({
    id: `r${i}`,
    name: `name ${i}`,
    n: i,
    at: "2024-01-01T00:00:00Z",
    tags: ["a", `b${i % 10}`],
    score: i / 7,
    note: `some words of row ${i}`,
  });
  table.load(Array.from({ length: ROWS }, record));
  return engine;
}

let draw = 1;
function change() {
  draw = (draw * 48_271) % 2_147_483_647;
  return { id: `r${draw % ROWS}`, fields: { n: draw, note: `changed ${draw}` } };
}
function update(table) {
  const { id, fields } = change();
  table.update(id, fields);
}

/** Calls done in a second by so many that each wait for theirs. */
async function rate(clients, act) {
  const rates = [];
  for (let round = 0; round < ROUNDS; round++) {
    let done = 0;
    const begin = performance.now();
    const client = async () => {
      while (performance.now() < begin + MS) {
        await act();
        done++;
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    rates.push((done / (performance.now() - begin)) * 1000);
  }
  return median(rates);
}

const folder = mkdtempSync(join(tmpdir(), "twinbase-bench-"));
try {
  const memory = createFilled();
  const kept = await openEngine({ folder, initial: createFilled });
  const times = { memory: [], kept: [] };
  for (let round = 0; round < ROUNDS + 2; round++) {
    for (const [name, engine] of [
      ["memory", memory],
      ["kept", kept],
    ]) {
      const table = tableOf(engine);
      const begin = performance.now();
      for (let i = 0; i < UPDATES; i++) update(table);
      if (engine === kept) await kept.flushed();
      if (round > 1) times[name].push(((performance.now() - begin) / UPDATES) * 1000);
    }
  }
  const [plain, stays] = [median(times.memory), median(times.kept)];
  const ratio = (stays / plain).toFixed(2);
  console.log(`an update: ${plain.toFixed(2)} µs in memory, ${stays.toFixed(2)} kept: ${ratio}×`);
  for (const clients of [1, 64]) {
    const found = await rate(clients, () => {
      update(tableOf(kept));
      return kept.flushed();
    });
    console.log(`acknowledged updates a second, ${clients} at a time: ${Math.round(found)}`);
  }
  for (const [name, engine] of [
    ["memory", memory],
    ["kept", kept],
  ]) {
    const server = await serve(engine);
    const agent = new Agent({ keepAlive: true, maxSockets: 64 });
    const found = await rate(64, () => patch(server.port, agent));
    console.log(`over HTTP, 64 at a time, ${name}: ${Math.round(found)}`);
    agent.destroy();
    await server.close();
  }
  await kept.close();
  const begin = performance.now();
  const again = await openEngine({ folder });
  console.log(`opened again in ${Math.round(performance.now() - begin)} ms`);
  await again.close();
} finally {
  rmSync(folder, { recursive: true });
}

function patch(port, agent) {
  const { id, fields } = change();
  return new Promise((resolve, reject) => {
    const path = `/db/d:main/tables/t/data/${id}`;
    const sent = request({ port, agent, method: "PATCH", path }, (answer) => {
      answer.resume();
      answer.on("end", () =>
        answer.statusCode === 200 ? resolve() : reject(new Error(`${answer.statusCode}`)),
      );
    });
    sent.on("error", reject);
    sent.end(JSON.stringify(fields));
  });
}
