// Plays the steps of a world on one build.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createProgram, makeCall, weigh } from "../programs/calls.mjs";
import { makeId, makePlainRecord } from "../programs/generate.mjs";
import { createAsked, REQUESTS, SELDOM } from "../programs/requests.mjs";

const ENTRIES = ["index", "http", "export", "changes", "history", "accounts", "search"];

const STEPS = {
  ...REQUESTS,
  changes: ({ world }) => world.changes.splice(0),
  export: ({ world, api, engine }) =>
    world.size > 300 ? undefined : [...api.exportEngine(engine)].join(""),
};
const OFTEN = weigh({
  ...Object.fromEntries(SELDOM.map((kind) => [kind, 1])),
  import: 0,
  listen: 0,
  page: 66,
  next: 50,
  repeated: 5,
  count: 15,
  scan: 8,
  get: 10,
  write: 80,
  operations: 15,
  aggregates: 24,
  search: 8,
  httpSchema: 6,
  wire: 9,
  changes: 2,
  addColumn: 4,
  insertMany: 6,
  load: 2,
});

export function drawSteps(seed, count) {
  return [...createProgram(seed, count - 2, OFTEN), ["changes", 0], ["export", 0]];
}

/** Loads the compared entries of a build. */
export async function loadBuild(folder) {
  const load = (name) => import(pathToFileURL(resolve(folder, `${name}.js`)).href);
  return Object.assign({}, ...(await Promise.all(ENTRIES.map(load))));
}

/** Creates an engine with the tables and first records of a world. */
export async function openWorld(build, world) {
  const { profile, seed, indexes, size, tables } = world;
  const engine = build.createEngine({ profile, now: Date.UTC(2024, 0, 1), seed, indexes });
  const main = engine.createWorkspace("w").createDatabase("d").branch("main");
  for (const { name, columns } of tables) main.createTable(name, columns);
  fill(main, world);
  const changes = [];
  // Some worlds have a subscriber, with which commits take another code path.
  if (seed % 3 === 0) build.subscribe(engine, (more) => changes.push(...more));
  const options = {
    tables: tables.map(({ name }) => name),
    many: 3,
    id: makeId,
    record: (columns, random) => makePlainRecord({ profile, tables: [] }, random, { columns }),
  };
  return Object.assign(createAsked(build, engine, options), { profile, size, changes });
}

/** Fills the tables so that links find their records (rule T-18): without links, then with them. */
function fill(main, { tables, records }) {
  const hasLink = ({ type, columns = [] }) => type === "link" || columns.some(hasLink);
  const split = (columns, record) => {
    const names = columns.filter(hasLink).map(({ name }) => name);
    const isLinked = ([path]) => names.includes(path.split(".")[0]);
    const entries = Object.entries(record);
    const pick = (isWanted) => Object.fromEntries(entries.filter(isWanted));
    return { bare: pick((entry) => !isLinked(entry)), fields: pick(isLinked) };
  };
  for (const { name, columns } of tables) {
    main.table(name).load(records[name].map((record) => split(columns, record).bare));
  }
  const operations = tables.flatMap(({ name, columns }) =>
    records[name].flatMap(({ id, ...record }) => {
      const { fields } = split(columns, record);
      const isLinked = Object.values(fields).some((value) => value != null);
      return isLinked && id !== undefined ? [{ update: { table: name, id, fields } }] : [];
    }),
  );
  for (const operation of operations) {
    try {
      main.transaction([operation]);
    } catch (error) {
      if (error.rule !== "T-18") throw error; // a link to nobody
    }
  }
}

/** Returns the answer to a step as text. */
export async function playStep(opened, step) {
  try {
    return JSON.stringify(await makeCall(opened, step, STEPS)) ?? "undefined";
  } catch (error) {
    const { name, code, status, message, path, rule, errors } = error;
    return `thrown ${JSON.stringify({ name, code, status, message, path, rule, errors })}`;
  }
}
