// Kills a server with a data folder at random moments, and looks for its acknowledged writes.
// node scripts/crash.mjs [--moments 200] [--seed n]
// Each writer increments a pair of records in transactions. Different numbers in a pair (a partial write) or a
// number below the acknowledged one (a lost write) end with exit code 1. Other clients insert and delete in one
// transaction, alter tables concurrently, and create, alter and delete branches, so that commits contain it all.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createRandom } from "./random.mjs";

const { values } = parseArgs({
  options: {
    moments: { type: "string", default: "200" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
  },
});
const moments = Number(values.moments);
const random = createRandom(Number(values.seed));

const WRITERS = 16;
const CHURNERS = 12;
const DATABASE = "db/files";
const folder = mkdtempSync(join(tmpdir(), "twinbase-crash-"));
const cli = fileURLToPath(new URL("../dist/cli.js", import.meta.url));
/** The last acknowledged and the last sent number of each writer. */
const acknowledged = new Array(WRITERS).fill(0);
const asked = new Array(WRITERS).fill(0);
let answers = 0;
let lost = 0;
let partial = 0;
let tables = 0;
let madeTables = 0;

/** Starts the server; returns its address once it listens. */
async function start() {
  const child = spawn(process.execPath, [cli, "serve", "--data", folder, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface(child.stdout)) {
    const [url] = /^http:\S+/.exec(line) ?? [];
    if (url !== undefined) return { child, url };
  }
  throw new Error("the server ended before it listened");
}

async function send(url, method, path, body, branch = "main") {
  const answer = await fetch(`${url}/${DATABASE}:${branch}${path && "/"}${path}`, {
    method,
    body: body && JSON.stringify(body),
    headers: { "content-type": "application/json" },
  });
  return { status: answer.status, body: await answer.json().catch(() => ({})) };
}

/** Writes until the server ends. */
async function write(url, writer) {
  for (;;) {
    const n = asked[writer] + 1;
    asked[writer] = n;
    const pair = ["a", "b"].map((side) => ({
      update: { table: "pairs", id: `${side}${writer}`, fields: { n }, upsert: true },
    }));
    try {
      const { status } = await send(url, "POST", "transaction", { operations: pair });
      if (status !== 200) throw new Error(`answered with ${status}`);
      acknowledged[writer] = n;
      answers++;
    } catch (error) {
      if (error instanceof TypeError) return; // the connection is gone
      throw error;
    }
  }
}

/** Also changes the catalog. */
async function makeTables(url) {
  for (;;) {
    try {
      const { status } = await send(url, "PUT", `tables/t${tables}`);
      if (status === 201) madeTables = tables + 1;
      tables++;
      await new Promise((resolve) => setTimeout(resolve, 5));
    } catch {
      return;
    }
  }
}

/** Sends groups of concurrent requests, which share commits with those of other clients. */
async function churn(url, churner) {
  const [table, branch] = [`c${churner}`, `b${churner}`];
  const post = (path, body, at) => send(url, "POST", path, body, at);
  const column = () => ({
    name: `n${random.below(1e9)}`,
    type: "int",
    notNull: true,
    defaultValue: 1,
  });
  const insert = { insert: { table, record: { id: "x" } } };
  const remove = { delete: { table, id: "x" } };
  try {
    for (;;) {
      await send(url, "PUT", `tables/${table}`);
      await Promise.all([
        post("transaction", { operations: [insert, remove] }),
        post(`tables/${table}/data`, { id: "y" }),
        post(`tables/${table}/data`, {}),
        post(`tables/${table}/columns`, column()),
        post(`tables/${table}/columns`, column()),
        send(url, "DELETE", `tables/${table}/data/y`),
        send(url, "PUT", "", { from: "main" }, branch),
        post(`tables/${table}/columns`, column(), branch),
        post(`tables/${table}/columns`, column(), branch),
        send(url, "DELETE", "", undefined, branch),
      ]);
      if (random.below(4) === 0) await send(url, "DELETE", `tables/${table}`);
    }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error; // the connection is gone
  }
}

async function check(url) {
  const { body } = await send(url, "POST", "tables/pairs/query", { page: { size: 200 } });
  const found = new Map((body.records ?? []).map(({ id, n }) => [id, n]));
  for (let writer = 0; writer < WRITERS; writer++) {
    const [a = 0, b = 0] = [found.get(`a${writer}`), found.get(`b${writer}`)];
    if (a !== b) partial++;
    if (Math.min(a, b) < acknowledged[writer] || Math.max(a, b) > asked[writer]) lost++;
    asked[writer] = Math.max(a, b);
    acknowledged[writer] = asked[writer];
  }
  for (const number of [madeTables - 1, madeTables - 2]) {
    if (number < 0) continue;
    const { status } = await send(url, "GET", `tables/t${number}/schema`);
    if (status !== 200) lost++;
  }
}

try {
  let server = await start();
  await send(server.url, "PUT", "tables/pairs");
  await send(server.url, "POST", "tables/pairs/columns", { name: "n", type: "int" });
  for (let moment = 0; moment < moments; moment++) {
    const writers = acknowledged.map((_, writer) => write(server.url, writer));
    for (let churner = 0; churner < CHURNERS; churner++) writers.push(churn(server.url, churner));
    writers.push(makeTables(server.url));
    await new Promise((resolve) => setTimeout(resolve, 20 + random.below(300)));
    server.child.kill("SIGKILL");
    await Promise.all([once(server.child, "exit"), ...writers]);
    server = await start();
    await check(server.url);
  }
  server.child.kill("SIGTERM");
  await once(server.child, "exit");
} finally {
  rmSync(folder, { recursive: true });
}
const figures = { seed: Number(values.seed), moments, acknowledged: answers, tables: madeTables };
console.log(JSON.stringify({ ...figures, lost, partial }));
process.exitCode = lost + partial === 0 && answers > moments ? 0 : 1;
