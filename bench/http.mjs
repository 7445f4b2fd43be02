#!/usr/bin/env node
// Pages of 20 records a second over a socket, compared with node:http and the same bytes: with a client on
// node:http, with fetch, and for a walk over all rows, which repeats no record.
// node bench/http.mjs [--rows 10000] [--rounds 15]
import { parseArgs } from "node:util";
import { PLANS } from "./data.mjs";
import { createClient, createFetchClient } from "./http-clients.mjs";
import { median } from "./measure.mjs";
import { formatColumns } from "./report.mjs";
import { openSession } from "./session.mjs";

const CONNECTIONS = 8;
const ROUND_MS = 700;
const QUERY = "/db/bench:main/tables/users/query";

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "10000" },
    rounds: { type: "string", default: "15" },
  },
});
const rows = Number(values.rows);

const engine = await openServer("twinbase", { rows });
const queries = Array.from({ length: 50 }, (_, i) =>
  JSON.stringify({ filter: { plan: PLANS[i % 3].name, zipcode: { $ge: 10_000 + i } } }),
);
const client = createClient(engine.port, 1);
const { status, text } = await client.send(QUERY, queries[0]);
if (status !== 200 || JSON.parse(text).records.length !== 20) throw new Error("no page");
const walk = await walkPages();
client.close();
const bare = await openServer("node:http", { bytes: text });

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
await engine.close();
await bare.close();

/** Measures both servers in turn; the first round warms them up. */
async function compare(connect, requests) {
  const sides = [engine, bare].map((server) => ({
    server,
    client: connect(server.port, CONNECTIONS),
    rates: [],
    processor: [],
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
    ratio: median(own.map((rate, i) => rate / other[i])),
  };
}

/** The requests for all pages of the table, in order. */
async function walkPages() {
  const requests = [];
  for (let page = { size: 20 }; ; ) {
    const request = JSON.stringify({ page });
    const { cursor, more } = JSON.parse((await client.send(QUERY, request)).text).meta.page;
    requests.push(request);
    if (!more) return requests;
    page = { size: 20, after: cursor };
  }
}

async function measureRate(server, client, requests) {
  const before = await server.cpu();
  let count = 0;
  const started = performance.now();
  const end = started + ROUND_MS;
  const connections = Array.from({ length: CONNECTIONS }, async (_, i) => {
    // Starts far apart: otherwise eight requests in a row would be the same.
    let at = Math.floor((i * requests.length) / CONNECTIONS);
    for (; performance.now() < end; at++) {
      const { status } = await client.send(QUERY, requests[at % requests.length]);
      if (status !== 200) throw new Error(`answered ${status}`);
      count++;
    }
  });
  await Promise.all(connections);
  const seconds = (performance.now() - started) / 1000;
  return { rate: count / seconds, time: ((await server.cpu()) - before) / count };
}

async function openServer(name, args) {
  const session = openSession(name);
  const port = await session.ask("http", args);
  return { port, cpu: () => session.ask("http"), close: session.close };
}
