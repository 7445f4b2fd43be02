// One of several processes that write to one database. test/postgres/many-processes.server.ts starts it,
// receives every answer, and may kill it at any moment. lost-updates.server.ts passes a number of increments,
// after which it ends. Runs on the built package.
import { openPostgres } from "../dist/postgres.js";

const [url, name, lanes, increments] = process.argv.slice(2);
const ACCOUNTS = 12;
const db = await open();
let stopping = false;
let made = 0;
process.on("message", () => {
  stopping = true;
});
process.on("disconnect", () => process.exit());

/** Connects as soon as the server is up. */
async function open() {
  for (;;) {
    try {
      return await openPostgres(url, { workspace: "w", connections: 6 });
    } catch (error) {
      if (error.code !== "unavailable") throw error;
      await pause(50);
    }
  }
}

const some = (count) => Math.floor(Math.random() * count);
const tag = () => `${name}-${++made}`;

/** The number of the next race, shared by all processes. */
let race = Math.floor(Date.now() / 20);

const WORK = [
  async () => {
    const [from, to, amount, id] = [some(ACCOUNTS), some(ACCOUNTS), 1 + some(9), tag()];
    const move = (account, by) => ({
      update: { table: "accounts", id: `a${account}`, fields: { balance: { $increment: by } } },
    });
    const record = { id, from: `a${from}`, to: `a${to}`, amount };
    const operations = [
      move(from, -amount),
      move(to, amount),
      { insert: { table: "moves", record, createOnly: true } },
    ];
    await ask("move", id, "POST", "transaction", { operations });
  },
  async () => {
    const counter = `c${some(3)}`;
    const body = { n: { $increment: 1 } };
    await ask("increment", counter, "PATCH", `tables/counters/data/${counter}`, body);
  },
  async () => {
    const path = "tables/counters/data/compared";
    const { status, body } = await send("GET", path);
    if (status !== 200) return report("read", "compared", status, body);
    const { version } = body.service;
    const n = body.n + 1;
    await ask("compare", n, "PATCH", `${path}?ifVersion=${version}`, { n });
  },
  async () => {
    const id = `claim-${++race}`;
    const owner = tag();
    const path = `tables/claims/data/${id}?createOnly=true`;
    await ask("claim", `${id} ${owner}`, "PUT", path, { owner });
  },
  async () => {
    const value = `name-${++race}`;
    const owner = tag();
    const path = "tables/names/data";
    await ask("name", `${value} ${owner}`, "POST", path, { name: value, owner });
  },
  async () => {
    const query = { columns: ["balance"], page: { size: 100 } };
    const { status, body } = await send("POST", "tables/accounts/query", query);
    const sum = body?.records?.reduce((total, { balance }) => total + balance, 0);
    await report("sum", sum, status, body);
  },
];

/** A table whose columns one process changes while all use it. */
const CHANGES = [
  (id) => ask("column", `+${id}`, "POST", "tables/wide/columns", { name: id, type: "int" }),
  (id) => ask("use", id, "POST", "tables/wide/data", { [id]: 1, base: "b" }),
  (id) => ask("column", `-${id}`, "DELETE", `tables/wide/columns/${id}`),
  (id) => ask("table", `+${id}`, "PUT", `tables/${id}`),
  (id) => ask("table", `-${id}`, "DELETE", `tables/${id}`),
];

async function change() {
  const id = `x${name.replaceAll("-", "_")}_${++made}`;
  for (const step of CHANGES) {
    await step(id);
    await pause(100);
  }
}

async function useWide() {
  await ask("wide", "", "POST", "tables/wide/data", { base: "b" });
  await ask("wide", "", "POST", "tables/wide/query", { sort: { base: "desc" }, page: { size: 3 } });
}

async function ask(kind, what, method, path, body) {
  const answer = await send(method, path, body);
  await report(kind, what, answer.status, answer.body);
}

async function send(method, path, body) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const response = await db.fetch(`http://localhost/db/d:main/${path}`, { method, body: text });
  const given = await response.text();
  return { status: response.status, body: given === "" ? undefined : JSON.parse(given) };
}

async function report(kind, what, status, body) {
  const message = status < 300 ? undefined : body?.message;
  if (process.connected) process.send({ kind, what, status, message });
  if (status === 503) await pause(20 + some(30));
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

async function run(work) {
  while (!stopping) await work();
}

async function increment(times) {
  for (let i = 0; i < times; i++) await WORK[1]();
}

const running = Array.from({ length: Number(lanes) }, () =>
  increments === undefined
    ? run(() => WORK[some(WORK.length)]())
    : increment(Number(increments) / lanes),
);
if (increments === undefined) running.push(run(useWide));
if (increments === undefined && name.startsWith("p0")) running.push(run(change));
await Promise.all(running);
const { runs, reruns, reloads } = db.stats();
process.send({
  kind: "stats",
  what: `${runs} runs, ${reruns} reruns, ${reloads} reloads`,
  status: 200,
});
await db.close();
process.disconnect();
