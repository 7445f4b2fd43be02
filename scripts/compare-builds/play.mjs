// Plays the steps of a world on one build.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createWorld, makeCall } from "../programs/calls.mjs";
import { makeId, makePlainRecord } from "./generate.mjs";
import { STEPS } from "./steps.mjs";

const ENTRIES = ["index", "http", "export", "changes", "history", "accounts"];

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
  const fetch = build.createFetch(engine, { workspace: "w", auth: "open" });
  const send = async (method, path, text) => {
    const body = text === undefined || method === "GET" ? {} : { body: text };
    const response = await fetch(`http://localhost${path}`, { method, ...body });
    const answer = await response.text();
    const headers = Object.fromEntries(response.headers);
    const requestId = headers["x-request-id"] ?? "none";
    delete headers["x-request-id"];
    return { status: response.status, headers, text: answer.replaceAll(requestId, "(id)") };
  };
  const options = {
    tables: tables.map(({ name }) => name),
    many: 3,
    id: makeId,
    record: (columns, random) => makePlainRecord({ profile, tables: [] }, random, { columns }),
  };
  return Object.assign(createWorld(build, engine, options), {
    profile,
    size,
    changes,
    send,
    cursors: [],
    ask: (method, path, body) => send(method, path, body && JSON.stringify(body)),
  });
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
