// Memory of the engine's tables, columns, indexes and branches, and of what deleting them leaves.
import { createEngine } from "../../dist/index.js";
import { makeTeams, makeUserBatches } from "../data.mjs";
import { createInstance, USER_COLUMNS } from "../engines/twinbase.mjs";
import { readMemory } from "../measure.mjs";
import { makeConstants, workloadById } from "../workloads.mjs";

/** @typedef {import("../data.mjs").User} User */

const BRANCHES = 100;
const QUERIED = ["W1", "W2", "W3", "W4", "W5", "W5c", "W6", "W7", "W11"];

/**
 * Tables with one column each, filled from the users.
 *
 * @type {Record<string, { column: any, value: (user: User) => unknown } | undefined>}
 */
export const COLUMNS = {
  "id alone": undefined,
  "string, each another": declare("full_name", (user) => user.full_name),
  "string, few values": declare("plan", (user) => user.plan),
  email: declare("email", (user) => user.email),
  int: declare("zipcode", (user) => user.zipcode),
  float: declare("rating", (user) => user.rating),
  datetime: declare("created", (user) => user.created),
  "multiple, 2 of 50 on average": declare("labels", (user) => user.labels),
  link: { column: { name: "team", type: "string" }, value: (user) => user.team },
  "object of string and int": declare("address", (user) => user.address),
  json: {
    column: { name: "body", type: "json" },
    value: ({ address, labels, rating }) => ({ address, labels, rating: rating ?? null }),
  },
};

/**
 * @param {{ part: "table" | "column" | "indexes" | "branches", name: string, rows: number }} args
 * @returns {unknown}
 */
export function runMemory({ part, name, rows }) {
  load(2000); // compiles the code
  switch (part) {
    case "table":
      return weighTable(rows);
    case "column":
      return weighColumn(name, rows);
    case "indexes":
      return weighIndexes(rows);
    case "branches":
      return weighBranches(rows);
  }
}

/** @param {number} rows */
async function weighTable(rows) {
  const before = (await readMemory()).heap;
  const instance = load(rows);
  const bytes = (await readMemory()).heap - before;
  return { bytes, rows: instance.count() };
}

/** @param {string} name @param {number} rows */
async function weighColumn(name, rows) {
  const wanted = COLUMNS[name];
  const before = (await readMemory()).heap;
  const main = createEngine().createWorkspace("bench").createDatabase("bench").branch("main");
  const table = main.createTable("rows", wanted === undefined ? [] : [wanted.column]);
  table.load(select(wanted, rows));
  const bytes = (await readMemory()).heap - before;
  if (table.count() !== rows) throw new Error("rows are missing");
  main.deleteTable("rows");
  return { bytes, left: (await readMemory()).heap - before };
}

/** Bytes that the queries of all workloads add. @param {number} rows */
async function weighIndexes(rows) {
  const instance = load(rows);
  const before = (await readMemory()).heap;
  for (const id of QUERIED) {
    for (const constants of makeConstants(workloadById(id), rows, 0).slice(0, 20)) {
      instance.run[id]?.(constants, () => {});
    }
  }
  const bytes = (await readMemory()).heap - before;
  if (instance.count() !== rows) throw new Error("rows are missing");
  return { bytes };
}

/** @param {number} rows */
async function weighBranches(rows) {
  const { database } = load(rows);
  const before = (await readMemory()).heap;
  const changes = makeConstants(workloadById("W10"), rows, 2);
  for (let i = 0; i < BRANCHES; i++) {
    const { id, changes: change } = changes[i % changes.length] ?? {};
    database.createBranch(`many-${i}`, { from: "main" }).table("users").update(id, change);
  }
  const bytes = (await readMemory()).heap - before;
  for (let i = 0; i < BRANCHES; i++) database.deleteBranch(`many-${i}`);
  return { count: BRANCHES, bytes, left: (await readMemory()).heap - before };
}

/** @param {number} rows */
function load(rows) {
  const instance = createInstance();
  instance.load(makeTeams(), makeUserBatches(rows));
  return instance;
}

/** @param {(typeof COLUMNS)[string]} wanted @param {number} rows */
function* select(wanted, rows) {
  for (const batch of makeUserBatches(rows)) {
    for (const user of batch) {
      yield wanted === undefined
        ? { id: user.id }
        : { id: user.id, [wanted.column.name]: wanted.value(user) };
    }
  }
}

/** @param {string} name @param {(user: User) => unknown} value */
function declare(name, value) {
  return { column: USER_COLUMNS.find((column) => column.name === name), value };
}
