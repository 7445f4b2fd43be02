#!/usr/bin/env node
// What serving costs: pages of 20 records a second, beside node:http sending the same bytes, asked for
// by a client on node:http and by fetch, as SDKs do; the same for a walk over all rows, in which no
// record comes again soon; then a mixed load, and the memory it leaves; writes results/http.json.
// node bench/http.mjs [--seconds 60] [--rows 10000]
import { fork } from "node:child_process";
import { parseArgs } from "node:util";
import { createRandom, makeTeams, makeUser, PLANS, userId } from "./data.mjs";
import { createClient, createFetchClient, encodeRequest } from "./http/client.mjs";
import { saveResult } from "./save.mjs";

const CONNECTIONS = 8;
const ROUNDS = 15;
const ROUND_MS = 700;
/** Shares of what bare node:http reaches; of a walk each record is written for the first time. */
const GOALS = { pages: 0.8, walk: 0.75 };
const TABLE = "/db/bench:main/tables/users";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "10000" },
    seconds: { type: "string", default: "60" },
  },
});
const rows = Number(values.rows);

const engine = await openServer("engine");
const page = encodeRequest("POST", `${TABLE}/query`, pageQuery(0));
const client = createClient(engine.port, 1);
const { status, text } = await client.send(page);
if (status !== 200 || JSON.parse(text).records.length !== 20) throw new Error("no page");
const walk = await walkPages();
client.close();
const bare = await openServer("bare", text);

print(`page of 20 records, ${text.length} bytes, ${CONNECTIONS} at a time, ${rows} rows`);
const queries = Array.from({ length: 50 }, (_, i) =>
  encodeRequest("POST", `${TABLE}/query`, pageQuery(i)),
);
const pages = {
  "node:http": await comparePages("client on node:http", createClient, queries, GOALS.pages),
  fetch: await comparePages("client on fetch", createFetchClient, queries, GOALS.pages),
  walk: await comparePages(
    "client on node:http, over all rows by cursor",
    createClient,
    walk,
    GOALS.walk,
  ),
};
const mixed = await runMixed(Number(values.seconds));
saveResult("http", { rows, connections: CONNECTIONS, bytes: text.length, pages, mixed });
engine.close();
bare.close();

/**
 * Pages by turns from both servers, so that what slows the machine slows both.
 *
 * @param {string} name
 * @param {typeof createClient} connect
 * @param {readonly import("./http/client.mjs").Sent[]} requests
 * @param {number} goal
 */
async function comparePages(name, connect, requests, goal) {
  /** @type {{ engine: number[], bare: number[] }} */
  const rates = { engine: [], bare: [] };
  /** @type {{ engine: number[], bare: number[] }} */
  const times = { engine: [], bare: [] };
  const clients = {
    bare: connect(bare.port, CONNECTIONS),
    engine: connect(engine.port, CONNECTIONS),
  };
  // The first round warms both.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [key, server] of /** @type {const} */ ([
      ["bare", bare],
      ["engine", engine],
    ])) {
      const { rate, time } = await measureRate(server, clients[key], requests);
      if (round === 0) continue;
      rates[key].push(rate);
      times[key].push(time);
    }
  }
  for (const client of Object.values(clients)) client.close();
  const ratios = rates.engine.map((rate, i) => rate / /** @type {number} */ (rates.bare[i]));
  const ratio = median(ratios);
  print(name);
  print(`  twinbase  ${median(rates.engine).toFixed(0)} requests a second`);
  print(`  node:http ${median(rates.bare).toFixed(0)} requests a second with the same bytes`);
  print(
    `  processor ${median(times.engine).toFixed(0)} µs a request, node:http ${median(times.bare).toFixed(0)} µs`,
  );
  print(`  ratio     ${ratio.toFixed(2)}, goal ${goal}${ratio < goal ? ": missed" : ""}`);
  return {
    requestsPerSecond: { twinbase: median(rates.engine), "node:http": median(rates.bare) },
    processorMicroseconds: { twinbase: median(times.engine), "node:http": median(times.bare) },
    ratio,
    ratios,
    goal,
  };
}

/** The requests for all pages of the table, one after the other. */
async function walkPages() {
  /** @type {{ size: number, after?: string }} */
  let page = { size: 20 };
  const requests = [];
  for (;;) {
    const request = encodeRequest("POST", `${TABLE}/query`, { page });
    const { cursor, more } = JSON.parse((await client.send(request)).text).meta.page;
    requests.push(request);
    if (!more) return requests;
    page = { size: 20, after: cursor };
  }
}

/** @param {number} index */
function pageQuery(index) {
  return { filter: { plan: PLANS[index % 3]?.name, zipcode: { $ge: 10_000 + index } } };
}

/**
 * @param {Awaited<ReturnType<typeof openServer>>} server
 * @param {ReturnType<typeof createClient>} client
 * @param {readonly import("./http/client.mjs").Sent[]} requests
 */
async function measureRate(server, client, requests) {
  const before = await server.cpu();
  let count = 0;
  const started = performance.now();
  const end = started + ROUND_MS;
  await eachConnection(async (i) => {
    // Far apart: one connection after the other would ask for each record eight times.
    let at = Math.floor((i * requests.length) / CONNECTIONS);
    for (; performance.now() < end; at++) {
      const request = /** @type {typeof requests[0]} */ (requests[at % requests.length]);
      const { status } = await client.send(request);
      if (status !== 200) throw new Error(`answered ${status}`);
      count++;
    }
  });
  const seconds = (performance.now() - started) / 1000;
  const after = await server.cpu();
  const time = (after.user + after.system - before.user - before.system) / count;
  return { rate: count / seconds, time };
}

/**
 * Queries and writes of all kinds for so long, and the server's memory meanwhile.
 *
 * @param {number} seconds
 */
async function runMixed(seconds) {
  const random = createRandom(1);
  const teams = makeTeams();
  const client = createClient(engine.port, CONNECTIONS);
  /** @type {Map<string, number>} */
  const answers = new Map();
  const end = performance.now() + seconds * 1000;
  let next = rows;
  const step = () => {
    const id = userId(Math.floor(random() * rows));
    const share = random();
    const data = `${TABLE}/data`;
    if (share < 0.3)
      return encodeRequest("POST", `${TABLE}/query`, pageQuery(Math.floor(random() * 50)));
    if (share < 0.4) {
      return encodeRequest("POST", `${TABLE}/query`, {
        columns: ["full_name", "team.name"],
        filter: { full_name: { $startsWith: "A" }, rating: { $ge: 3 } },
        sort: [{ rating: "desc" }, "full_name"],
      });
    }
    if (share < 0.6) return encodeRequest("GET", `${data}/${id}`);
    if (share < 0.75)
      return encodeRequest("PATCH", `${data}/${id}`, { rating: Math.floor(random() * 50) / 10 });
    if (share < 0.8)
      return encodeRequest("PUT", `${data}/${id}`, { ...makeUser(0, random, teams), id });
    if (share < 0.85) return encodeRequest("POST", `${TABLE}/query`, { filter: { plan: 5 } });
    if (share < 0.9)
      return encodeRequest("POST", `${TABLE}/aggregate`, {
        aggs: { n: { topValues: { column: "plan" } } },
      });
    const index = next++;
    return encodeRequest("POST", "/db/bench:main/transaction", {
      operations: [
        { insert: { table: "users", record: makeUser(index, random, teams) } },
        { delete: { table: "users", id: userId(index - 500) } },
      ],
    });
  };
  /** @type {{ heapUsed: number, rss: number }[]} */
  const memory = [];
  const sampling = setInterval(
    async () => memory.push(await engine.memory()),
    (seconds * 1000) / 12,
  );
  await eachConnection(async () => {
    while (performance.now() < end) {
      const { status } = await client.send(step());
      const kind = `${Math.floor(status / 100)}xx`;
      answers.set(kind, (answers.get(kind) ?? 0) + 1);
    }
  });
  clearInterval(sampling);
  client.close();
  memory.push(await engine.memory());
  const total = [...answers.values()].reduce((sum, count) => sum + count, 0);
  print(`mixed load for ${seconds} s: ${total} requests, ${(total / seconds).toFixed(0)} a second`);
  print(`  answers ${[...answers].map(([kind, count]) => `${kind} ${count}`).join(", ")}`);
  print("  (4xx: one in twenty is wrong on purpose, and some ask for what was deleted)");
  print(`  heap MB ${memory.map(({ heapUsed }) => (heapUsed / 1e6).toFixed(0)).join(" ")}`);
  print(`  rss MB  ${memory.map(({ rss }) => (rss / 1e6).toFixed(0)).join(" ")}`);
  return {
    seconds,
    requests: total,
    answers: Object.fromEntries(answers),
    heapMB: memory.map(({ heapUsed }) => heapUsed / 1e6),
    rssMB: memory.map(({ rss }) => rss / 1e6),
  };
}

/**
 * @param {"engine" | "bare"} kind
 * @param {string} [bytes]
 */
async function openServer(kind, bytes) {
  const child = fork(new URL("./http/server.mjs", import.meta.url), [kind, String(rows)], {
    execArgv: ["--expose-gc"],
  });
  /** @param {object} message */
  const ask = (message) =>
    new Promise((resolve) => {
      child.once("message", resolve);
      child.send(message);
    });
  const { port } = await ask({ task: "open", bytes });
  return {
    port,
    memory: () => ask({ task: "memory" }),
    /** @returns {Promise<{ user: number, system: number }>} microseconds */
    cpu: () => ask({ task: "cpu" }),
    close: () => child.kill(),
  };
}

/**
 * So many requests under way at a time.
 *
 * @param {(connection: number) => Promise<void>} run
 */
function eachConnection(run) {
  return Promise.all(Array.from({ length: CONNECTIONS }, (_, i) => run(i)));
}

/** @param {readonly number[]} numbers */
function median(numbers) {
  return /** @type {number} */ (numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]);
}

/** @param {string} line */
function print(line) {
  process.stdout.write(`${line}\n`);
}
