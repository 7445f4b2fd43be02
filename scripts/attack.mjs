// Runs random programs on an engine, and compares it every 200 steps, byte for byte, with an import of its
// export, and live queries with fresh ones after each step. Runs on the built package.
// npm run attack -- --minutes 60, or
// node scripts/attack.mjs [--minutes 1 | --programs 10] [--seed 1] [--length 600] [--serve] [--program line]
// --program runs a line that it has printed.
import { parseArgs } from "node:util";
import * as accounts from "../dist/accounts.js";
import * as changes from "../dist/changes.js";
import * as exporting from "../dist/export.js";
import { enableFiles } from "../dist/files.js";
import * as history from "../dist/history.js";
import { createFaults, createFetch } from "../dist/http.js";
import { createEngine } from "../dist/index.js";
import * as live from "../dist/live.js";
import { serve } from "../dist/node.js";
import { searchTable } from "../dist/search.js";
import { attackOnce, createFigures, runProgram } from "./attack/run.mjs";

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    programs: { type: "string" },
    seed: { type: "string" },
    length: { type: "string", default: "600" },
    serve: { type: "boolean", default: false },
    program: { type: "string" },
    plant: { type: "string", default: "" },
  },
});
const minutes = Number(values.minutes ?? (values.programs === undefined ? 1 : Infinity));
const programs = Number(values.programs ?? Infinity);
const firstSeed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 30));
const plant = values.plant === "" ? [] : values.plant.split(",");

/** A fetch through a server that drops, truncates or delays some answers. */
async function openServed(engine, seed) {
  const faults = createFaults({ seed });
  for (const fault of [{ drop: "request" }, { drop: "answer" }, { truncate: 20 }, { delay: 1 }]) {
    faults.add({ ...fault, probability: 0.05, times: Number.MAX_SAFE_INTEGER });
  }
  const server = await serve(engine, { workspace: "w", auth: "open", faults });
  servers.push(server);
  return (input, init) => fetch(String(input).replace("http://x", server.url), init);
}

const servers = [];
const LOST = new Response(null, { status: 204 });

/** `createFetch` over a socket; a call without an answer may have taken effect. */
function createServedFetch(engine) {
  let opened;
  return async (input, init) => {
    opened ??= openServed(engine, firstSeed);
    const ask = await opened;
    try {
      const response = await ask(input, init);
      const body = await response.arrayBuffer();
      return new Response(response.status === 204 ? null : body, { status: response.status });
    } catch {
      return LOST;
    }
  };
}

const api = {
  ...{ ...accounts, ...changes, ...exporting, ...history, ...live, searchTable },
  createEngine: (options) => enableFiles(createEngine(options)),
  importEngine: (text) => enableFiles(exporting.importEngine(text)),
  createFetch,
  connect: values.serve ? createServedFetch : createFetch,
};
const figures = createFigures();
const end = performance.now() + minutes * 60_000;
let found;
if (values.program !== undefined) {
  const program = JSON.parse(values.program);
  const difference = await runProgram(api, program, figures);
  found = difference && { difference, ...program };
}
const count = values.program === undefined ? programs : 0;
for (let i = 0; i < count && found === undefined && performance.now() < end; i++) {
  found = await attackOnce(api, firstSeed + i, Number(values.length), figures, plant);
  for (const server of servers.splice(0)) await server.close();
}
console.log(`seed ${firstSeed}: ${JSON.stringify(figures)}`);
if (found !== undefined) {
  console.log(`found, seed ${found.seed}, ${found.steps.length} steps: ${found.difference}`);
  console.log(JSON.stringify({ seed: found.seed, steps: found.steps }));
  process.exitCode = 1;
}
