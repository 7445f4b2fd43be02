// Plays the steps of a world on one build, and gives the text of each answer.

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** The entries of a build that are compared. Older builds export and listen by methods of the engine. */
export async function loadBuild(folder) {
  const load = (file) => import(pathToFileURL(resolve(folder, file)).href);
  const older = { exportEngine: (engine) => engine.export() };
  const { exportEngine } = await load("export.js").catch(() => older);
  const listening = { subscribe: (engine, listener) => engine.subscribe(listener) };
  const { subscribe } = await load("changes.js").catch(() => listening);
  return { ...(await load("index.js")), ...(await load("http.js")), exportEngine, subscribe };
}

/** An engine of a build with the tables and first records of a world. */
export async function openWorld(build, world) {
  const engine = build.createEngine({
    profile: world.profile,
    now: Date.UTC(2024, 0, 1),
    seed: world.seed,
    indexes: world.indexes,
  });
  const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
  for (const { name, columns } of world.tables) main.createTable(name, columns);
  const told = [];
  for (const { name } of world.tables) main.table(name).load(world.records[name]);
  // Listening makes every commit keep what was before it, so only some worlds do.
  if (world.seed % 3 === 0) build.subscribe(engine, (changes) => told.push(...changes));
  const fetch = build.createFetch(engine, { workspace: "acme" });
  const exported = (of) => [...build.exportEngine(of)].join("");
  return { engine, main, fetch, told, exported, cursors: new Map(), saved: engine.snapshot() };
}

/** The answer to a step, as text: all of it that a caller can see, but for the request's id. */
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
      return opened.told.splice(0);
    case "export":
      return opened.exported(engine);
    default:
      throw new Error(`no such call: ${method}`);
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
