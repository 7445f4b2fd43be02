// Plays the steps of a world on one build.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** Loads the compared entries of a build. */
export async function loadBuild(folder) {
  const load = (name) => import(pathToFileURL(resolve(folder, `${name}.js`)).href);
  const entries = await Promise.all(["index", "http", "export", "changes"].map(load));
  return Object.assign({}, ...entries);
}

/** Creates an engine with the tables and first records of a world. */
export async function openWorld(build, world) {
  const engine = build.createEngine({
    profile: world.profile,
    now: Date.UTC(2024, 0, 1),
    seed: world.seed,
    indexes: world.indexes,
  });
  const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
  for (const { name, columns } of world.tables) main.createTable(name, columns);
  const changes = [];
  fill(main, world);
  // Some worlds have a subscriber, with which commits take another code path.
  if (world.seed % 3 === 0) build.subscribe(engine, (more) => changes.push(...more));
  const fetch = build.createFetch(engine, { workspace: "acme" });
  const exported = (of) => [...build.exportEngine(of)].join("");
  return { engine, main, fetch, changes, exported, cursors: new Map(), saved: engine.snapshot() };
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

/** Returns the answer to a step as text, without the request id. */
export async function playStep(opened, step) {
  const { id } = step;
  if (step.kind === "http") return await playRequest(opened, id, step);
  try {
    const value = callHandle(opened, step, resolveCursors(opened, step.args));
    noteCursor(opened, id, value);
    return typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");
  } catch (error) {
    const { name, code, status, message, path, rule, errors } = error;
    return `thrown ${JSON.stringify({ name, code, status, message, path, rule, errors })}`;
  }
}

async function playRequest(opened, id, { method, path, body, text }) {
  const given = body === undefined ? text : JSON.stringify(resolveCursors(opened, body));
  const withBody = given === undefined || method === "GET" ? {} : { body: given };
  const response = await opened.fetch(`http://localhost${path}`, { method, ...withBody });
  const answer = await response.text();
  const headers = Object.fromEntries(response.headers);
  const requestId = headers["x-request-id"] ?? "none";
  delete headers["x-request-id"];
  if (response.status === 200 && path.endsWith("/query"))
    noteCursor(opened, id, JSON.parse(answer));
  return `${response.status} ${JSON.stringify(headers)} ${answer.replaceAll(requestId, "(id)")}`;
}

function callHandle(opened, { of, method, table }, args) {
  const { engine, main } = opened;
  if (of === "branch") return main[method](...args);
  if (of === "table") {
    const value = main.table(table)[method](...args);
    return method === "scan" ? [...value] : value;
  }
  switch (method) {
    case "snapshot":
      opened.saved = engine.snapshot();
      return;
    case "restore":
      return engine.restore(opened.saved);
    case "advance":
      return engine.clock.advance(...args);
    case "fork":
      return opened.exported(engine.fork()).length > 0;
    case "changes":
      return opened.changes.splice(0);
    case "export":
      return opened.exported(engine);
    default:
      throw new Error(`unknown call: ${method}`);
  }
}

function noteCursor({ cursors }, id, value) {
  const cursor = value?.meta?.page?.cursor;
  if (cursor !== undefined) cursors.set(id, cursor);
}

function resolveCursors({ cursors }, value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((part) => resolveCursors({ cursors }, part));
  if (Object.hasOwn(value, "$cursorOf")) return cursors.get(value.$cursorOf) ?? "none";
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, resolveCursors({ cursors }, part)]),
  );
}
