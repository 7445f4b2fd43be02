#!/usr/bin/env node
// Pages of 20 records a second over a socket, beside node:http sending the same bytes: by a client on
// node:http, by fetch, and in a walk over all rows, in which no record comes again soon.
// node bench/http.mjs [--rows 10000] [--rounds 15]
import { fork } from "node:child_process";
import { parseArgs } from "node:util";
import { PLANS } from "./data.mjs";
import { createClient, createFetchClient, encodeRequest } from "./http/client.mjs";
import { median } from "./measure.mjs";
import { formatColumns } from "./report.mjs";
import { saveResult } from "./save.mjs";

const CONNECTIONS = 8;
const ROUND_MS = 700;
const TABLE = "/db/bench:main/tables/users";

/** @typedef {import("./http/client.mjs").Sent} Sent */

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "10000" },
    rounds: { type: "string", default: "15" },
  },
});
const rows = Number(values.rows);

const engine = await openServer("engine");
const queries = Array.from({ length: 50 }, (_, i) => {
  const filter = { plan: PLANS[i % 3]?.name, zipcode: { $ge: 10_000 + i } };
  return encodeRequest("POST", `${TABLE}/query`, { filter });
});
const client = createClient(engine.port, 1);
const { status, text } = await client.send(/** @type {Sent} */ (queries[0]));
if (status !== 200 || JSON.parse(text).records.length !== 20) throw new Error("no page");
const walk = await walkPages();
client.close();
const bare = await openServer("bare", text);

const figures = {
  "client on node:http": await compare(createClient, queries),
  fetch: await compare(createFetchClient, queries),
  "walk by cursor": await compare(createClient, walk),
};
const heading = ["", "twinbase/s", "node:http/s", "ratio", "twinbase µs", "node:http µs"];
const lines = Object.entries(figures).map(([name, figure]) => [
  name,
  ...figure.rates.map((rate) => rate.toFixed(0)),
  figure.ratio.toFixed(2),
  ...figure.processor.map((time) => time.toFixed(0)),
]);
process.stdout.write(`Pages of 20 records, ${text.length} bytes, ${CONNECTIONS} at a time, ${rows} rows;
requests a second, and microseconds of the server's processor time for one

${formatColumns([heading, ...lines])}
`);
saveResult("http", { rows, connections: CONNECTIONS, bytes: text.length, figures });
engine.close();
bare.close();

/**
 * Asks both servers by turns; the first round warms both.
 *
 * @param {typeof createClient} connect
 * @param {readonly Sent[]} requests
 */
async function compare(connect, requests) {
  const sides = [engine, bare].map((server) => ({
    server,
    client: connect(server.port, CONNECTIONS),
    rates: /** @type {number[]} */ ([]),
    processor: /** @type {number[]} */ ([]),
  }));
  for (let round = 0; round <= Number(values.rounds); round++) {
    for (const { server, client, rates, processor } of sides) {
      const { rate, time } = await measureRate(server, client, requests);
      if (round === 0) continue;
      rates.push(rate);
      processor.push(time);
    }
  }
  for (const { client } of sides) client.close();
  const [own, other] = sides.map(({ rates }) => rates);
  return {
    rates: sides.map(({ rates }) => median(rates)),
    processor: sides.map(({ processor }) => median(processor)),
    ratio: median((own ?? []).map((rate, i) => rate / (other?.[i] ?? Number.NaN))),
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

/**
 * @param {Awaited<ReturnType<typeof openServer>>} server
 * @param {ReturnType<typeof createClient>} client
 * @param {readonly Sent[]} requests
 */
async function measureRate(server, client, requests) {
  const before = await server.cpu();
  let count = 0;
  const started = performance.now();
  const end = started + ROUND_MS;
  const connections = Array.from({ length: CONNECTIONS }, async (_, i) => {
    // Far apart: otherwise eight requests in a row would be the same.
    let at = Math.floor((i * requests.length) / CONNECTIONS);
    for (; performance.now() < end; at++) {
      const { status } = await client.send(/** @type {Sent} */ (requests[at % requests.length]));
      if (status !== 200) throw new Error(`answered ${status}`);
      count++;
    }
  });
  await Promise.all(connections);
  const seconds = (performance.now() - started) / 1000;
  return { rate: count / seconds, time: ((await server.cpu()) - before) / count };
}

/** @param {"engine" | "bare"} kind @param {string} [bytes] */
async function openServer(kind, bytes) {
  const child = fork(new URL("./http/server.mjs", import.meta.url), [kind, String(rows)]);
  /** @param {object} message @returns {Promise<number>} */
  const ask = (message) =>
    new Promise((resolve) => {
      child.once("message", (/** @type {number} */ answer) => resolve(answer));
      child.send(message);
    });
  const port = await ask({ task: "open", bytes });
  return { port, cpu: () => ask({ task: "cpu" }), close: () => child.kill() };
}
