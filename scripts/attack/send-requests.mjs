import { diff } from "../../dist/changes.js";
import { exportEngine } from "../../dist/export.js";
import { createControl, createFetch } from "../../dist/http.js";
import { createEngine } from "../../dist/index.js";
import { serve } from "../../dist/node.js";
import { createRequests, listOperations, openWorld } from "./bad-requests.mjs";
import { samplesOf, toXata } from "./samples.mjs";

/** Milliseconds of processor time that a request may take. */
const LONGEST = 1000;
/** Exports the engine after one of this many rejected requests. */
const EXPORTED = 50;
/** 501, not implemented, is an allowed answer. */
const EXPECTED = new Set([501]);

/** Opens an engine with the world of the samples, in this process or over a socket. */
async function openAttacked(seed, socket, profile) {
  const engine = createEngine({ seed, now: 0, profile });
  engine.createWorkspace("acme");
  for (const fullname of ["Ann", "Bob"]) {
    engine.createUser({ email: `${fullname}@b.c`, fullname, workspaces: ["acme"] });
  }
  const control = createControl();
  const options = { control, workspace: "acme", auth: "open", bodyBytes: 1_500_000 };
  const server = socket ? await serve(engine, options) : undefined;
  const send =
    server === undefined
      ? createFetch(engine, options)
      : (url, init) => fetch(url.replace("http://x", server.url), init);
  const ask =
    profile === "xata" ? (url, init) => send(url, { ...init, body: toXata(init?.body) }) : send;
  return { engine, control, ask, names: await openWorld(ask), close: () => server?.close() };
}

function contentsOf(engine) {
  return [...exportEngine(engine)]
    .join("")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.stringify(JSON.parse(line).slice(0, -1)))
    .join("\n")
    .replace(/"tablesMade":\d+/, "");
}

/** Sends the good requests to fresh engines; returns the rejected ones. */
export async function trySamples(seed, only) {
  const first = await openAttacked(seed, false);
  const refused = [];
  let tried = 0;
  for (const operation of await listOperations(first.ask)) {
    if (only !== undefined && operation.operation !== only) continue;
    for (const { method, url, body } of samplesOf(operation, first.names)) {
      tried++;
      const { ask } = await openAttacked(seed, false);
      const sent = body === undefined ? undefined : JSON.stringify(body);
      const response = await ask(`http://x${url}`, { method, body: sent });
      const isGood = response.status < 300 || EXPECTED.has(response.status);
      if (!isGood) refused.push(`${operation.operation}: ${await response.text()}`);
    }
  }
  return { tried, refused };
}

/** Sends requests; returns statistics, and the first error. */
export async function attackRequests({ count, minutes = 60, seed, socket = false, profile }) {
  const { engine, control, ask, close, names } = await openAttacked(seed, socket, profile);
  const operations = await listOperations(ask);
  engine.setBaseline();
  const saved = engine.snapshot();
  const contents = contentsOf(engine);
  const figures = {
    profile,
    requests: 0,
    operations: operations.length,
    statuses: {},
    longest: { ms: 0 },
    heapBefore: measureHeap(),
  };
  const reached = new Set();
  const end = performance.now() + minutes * 60_000;
  let fault;
  let refused = 0;
  for (const request of createRequests(operations, names, seed)) {
    if (figures.requests >= count || performance.now() > end) break;
    figures.requests++;
    const { kind, method, url, body, operation } = request;
    const start = process.cpuUsage();
    let status;
    try {
      const response = await ask(`http://x${url}`, { method, body });
      const text = await response.text();
      status = response.status;
      if (status >= 400 && method !== "HEAD") {
        const { errors, ...error } = JSON.parse(text);
        const isError = ({ message }) => typeof message === "string";
        if (!(errors ?? [error]).every(isError)) fault = `answered with ${text}`;
      }
    } catch (error) {
      fault = `no answer: ${error.message}`;
    }
    const { user, system } = process.cpuUsage(start);
    const ms = (user + system) / 1000;
    figures.statuses[status] = (figures.statuses[status] ?? 0) + 1;
    if (ms > figures.longest.ms) figures.longest = { ms: Math.round(ms), operation, kind };
    if (status >= 500 && !EXPECTED.has(status)) fault = `answered with ${status}`;
    if (ms > LONGEST) fault ??= `took ${ms} ms`;
    if (status < 400 || status === 501) reached.add(operation);
    if (status < 400) {
      control.faults.clear();
      engine.reset();
    } else {
      const changed = diff(saved, engine.snapshot());
      if (changed.length > 0) fault ??= `refused with ${status}, and changed ${changed[0].kind}`;
      if (++refused % EXPORTED === 0 && contentsOf(engine) !== contents) {
        fault ??= `refused with ${status}, and changed the export`;
      }
    }
    if ({}.polluted !== undefined) fault ??= "changed the prototype of objects";
    if (fault !== undefined) {
      fault = `${fault}: ${kind}, ${method} ${url.slice(0, 2000)}\n${body?.slice(0, 4000)}`;
      break;
    }
  }
  await close();
  control.journal.clear();
  figures.heapAfter = measureHeap();
  figures.unreached = operations.map(({ operation }) => operation).filter((o) => !reached.has(o));
  return { ...figures, fault };
}

/** Megabytes; exact with --expose-gc. */
function measureHeap() {
  globalThis.gc?.();
  return Math.round(process.memoryUsage().heapUsed / 1e5) / 10;
}
