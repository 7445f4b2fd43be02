#!/usr/bin/env node
// What each thing gains that src/query/kept.md lists: the build as it is beside a copy in which a
// line of code is changed so that nothing is kept. node bench/ablate.mjs [name …] [--rounds 31]
// Prints the processor's time without it over the time with it, the median of rounds in turn.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { makeTeams, makeUserBatches, teamName } from "./data.mjs";
import { USER_COLUMNS } from "./engines/twinbase.mjs";
import { median } from "./measure.mjs";

const DIST = fileURLToPath(new URL("../dist", import.meta.url));
const REPORTS = fileURLToPath(new URL("../reports", import.meta.url));
const SIZES = [1000, 100_000];
const MS_OF_A_ROUND = 20;

/** Cases give the call that is timed. @type {Record<string, (world: any) => (call: number) => unknown>} */
const CASES = {
  "page 2 of a sort"({ users }) {
    const sort = ["rating", "full_name"];
    const { cursor } = users.query({ sort }).meta.page;
    return () => users.query({ page: { after: cursor } });
  },
  "20 by a linked name, sorted": ({ users }) => {
    const filter = { "team.name": teamName(7) };
    return () => users.query({ filter, sort: ["rating"] });
  },
  "a write and page 2 of a sort"({ users }) {
    const ids = users.query({ page: { size: 200 } }).records.map((/** @type {any} */ { id }) => id);
    const { cursor } = users.query({ sort: ["rating"] }).meta.page;
    for (let page = 0; page < 4; page++) users.query({ page: { after: cursor } });
    return (call) => {
      users.update(ids[call % 200], { rating: (call * 7) % 5 });
      users.query({ page: { after: cursor } });
    };
  },
  "first 20":
    ({ users }) =>
    () =>
      users.query(),
  get({ users }) {
    const { id } = users.query({ page: { size: 1 } }).records[0];
    return () => users.get(id);
  },
};

/** What a line of the build becomes, so that nothing is kept. */
const KEPT = {
  indexes: {
    change: ['if (option === "never") return;', "return;"],
    cases: ["page 2 of a sort", "20 by a linked name, sorted"],
  },
  "sorted rows since an index": {
    change: ["const last = written.sorted;", "const last = undefined;"],
    cases: ["a write and page 2 of a sort"],
  },
  "selection of all columns": {
    change: ["wholeSelections.set(schema, selection);", ""],
    cases: ["get", "first 20"],
  },
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "31" } },
});
for (const [name, { change, cases }] of Object.entries(KEPT)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  const without = plant(/** @type {[string, string]} */ (change));
  for (const rows of SIZES) {
    const worlds = await Promise.all([DIST, without].map((dist) => openWorld(dist, rows)));
    for (const each of cases) {
      const shares = compare(worlds.map((world) => /** @type {any} */ (CASES)[each](world)));
      process.stdout.write(
        `${name.padEnd(28)} ${String(rows).padStart(6)} ${each.padEnd(30)} ${median(shares).toFixed(2)}\n`,
      );
    }
  }
  rmSync(without, { recursive: true });
}

/** A copy of the build with a line changed, wherever it is. @param {[string, string]} change */
function plant([from, to]) {
  mkdirSync(REPORTS, { recursive: true });
  const copy = mkdtempSync(join(REPORTS, "ablated-")); // from where it finds what it imports
  cpSync(DIST, copy, { recursive: true });
  let found = 0;
  for (const name of readdirSync(join(copy, "chunks"))) {
    const file = join(copy, "chunks", name);
    const code = readFileSync(file, "utf8");
    if (!code.includes(from)) continue;
    writeFileSync(file, code.replaceAll(from, to));
    found++;
  }
  if (found === 0) throw new Error(`not in the build: ${from}`);
  return copy;
}

/** @param {string} dist @param {number} rows */
async function openWorld(dist, rows) {
  const { createEngine } = await import(pathToFileURL(join(dist, "index.js")).href);
  const main = createEngine({ seed: 1 }).createWorkspace("w").createDatabase("d").branch("main");
  main.createTable("teams", [{ name: "name", type: "string" }]).load(makeTeams());
  const users = main.createTable("users", USER_COLUMNS);
  const batches = [...makeUserBatches(rows)];
  users.load(batches.flat());
  return { main, users };
}

/** Quotients of the times of two calls, a round each in turn. @param {((call: number) => unknown)[]} runs */
function compare(runs) {
  const time = (/** @type {number} */ side, /** @type {number} */ calls) => {
    const before = process.cpuUsage(); // which other processes do not lengthen by their turns
    for (let call = 0; call < calls; call++) runs[side]?.(call);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
  let calls = 1;
  while (calls < 100_000 && time(0, calls) + time(1, calls) < MS_OF_A_ROUND) calls *= 2;
  return Array.from({ length: Number(values.rounds) }, (_, round) => {
    const first = round % 2;
    const times = [0, 0];
    for (const side of [first, 1 - first]) times[side] = time(side, calls);
    return /** @type {number} */ (times[1]) / /** @type {number} */ (times[0]);
  });
}
