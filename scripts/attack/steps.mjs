// Steps of a program, besides the shared ones. A rejected step changes nothing; any other error is a bug.
import { CALLS, createProgram, makeCall, weigh } from "../programs/calls.mjs";
import { makeId, makePage, makeQuery } from "../programs/generate.mjs";
import { watchCount, watchQuery } from "../programs/lives.mjs";
import { REQUESTS, SELDOM, schemaOf } from "../programs/requests.mjs";
import { createRequests, listOperations } from "./bad-requests.mjs";

const COLUMNS = [
  { name: "n", type: "int" },
  { name: "f", type: "float" },
  { name: "s", type: "string" },
  { name: "t", type: "text" },
  { name: "u", type: "string", unique: true },
  { name: "at", type: "datetime" },
  { name: "ok", type: "bool" },
  { name: "tags", type: "multiple" },
  { name: "doc", type: "json" },
  { name: "link", type: "link", link: { table: "a" } },
  {
    name: "o",
    type: "object",
    columns: [
      { name: "k", type: "int" },
      { name: "w", type: "string" },
    ],
  },
];
const ID_LIMITS = [20, 500, 25000];
/** Also the ids that generated requests name. */
const idOf = (random) =>
  random.chance(0.2) ? makeId(random) : `r${random.below(random.pick(ID_LIMITS))}`;

/** Tables of the same columns, small and large, for shared calls. */
export const OPTIONS = {
  id: idOf,
  columnsOf: () => COLUMNS,
  uniques: 30_000,
  loads: [3000, 3000, 3000, 3000, 20_000],
};

/** Calls an engine; returns the refusal instead of throwing it. */
async function attempt(call) {
  try {
    return await call();
  } catch (error) {
    if (error?.name !== "TwinbaseError") throw error;
    return { refused: error.code, message: error.message };
  }
}

/** Returns the answer to a step as text. */
export async function answerOf(world, step) {
  return JSON.stringify(await attempt(() => makeCall(world, step, STEPS)));
}

/** Live queries open at a time. */
const MOST_LIVE = 6;

/** Opens a live query or count, in place of the oldest one. */
function openLive(place) {
  const { world, table } = schemaOf(place);
  const { random, api } = place;
  const { lives } = place.world;
  const query = makeQuery({ ...world, isRepeatable: true }, random, table);
  if (lives.length >= MOST_LIVE) lives.shift().live.close();
  const isCount = random.chance(0.25);
  lives.push(
    isCount
      ? watchCount(api, place.table, query.filter)
      : watchQuery(api, place.table, { ...query, page: makePage(random) }),
  );
}

/** Compares the live queries with fresh ones; returns the first difference. */
export function compareLives(world) {
  for (const { check, live } of world.lives) {
    // A step may be several calls: a table that was renamed may be there again.
    const difference = live.isClosed && live.error !== undefined ? undefined : check(true);
    if (difference !== undefined) return `a live query: ${difference}`;
  }
  world.lives = world.lives.filter(({ live }) => !live.isClosed);
  return undefined;
}

const NAMES = { db_name: "d", workspace_id: "w", column_name: "n" };
const WHOLE = new Set(["deleteDatabase", "renameDatabase", "deleteWorkspace"]);
let operations;

export const STEPS = {
  ...REQUESTS,
  live: openLive,
  // The rest of a scan is read later.
  scanLater: ({ world, table }) => {
    const expected = JSON.stringify([...table.scan()]);
    const scan = table.scan();
    const { value, done } = scan.next();
    const begun = done ? [] : [value];
    world.kept.push({ expected, read: () => JSON.stringify([...begun, ...scan]) });
  },
  snapshot: (place) => {
    CALLS.snapshot(place);
    const { world, engine } = place;
    const snapshot = world.snapshots.at(-1);
    const read = () => {
      const fresh = engine.fork();
      fresh.restore(snapshot);
      return textOf(fresh);
    };
    world.kept.push({ expected: textOf(engine), read });
  },
  fork: ({ world, engine }) => {
    world.kept.push({ expected: textOf(engine), read: () => textOf(engine) });
    world.use(engine.fork());
  },
  exported: ({ world, api, engine }) => world.use(api.importEngine(api.exportEngine(engine))),
  // A request to any operation, usually bad.
  httpAny: async ({ world, branch, name, id, n }) => {
    operations ??= (await listOperations(world.fetch)).filter(
      ({ operation }) => !WHOLE.has(operation),
    );
    const names = { ...NAMES, db_branch_name: `d:${branch.name}`, table_name: name };
    const { value } = createRequests(operations, { ...names, record_id: id() }, n).next();
    const saved = world.engine.snapshot();
    await world.send(value.method, value.url, value.body);
    // A malformed path may still delete the database.
    if (!world.engine.hasDatabase("w", "d")) world.engine.restore(saved);
  },
};

/** The tables and records of an engine. */
export function textOf(engine) {
  const database = engine.workspace("w").database("d");
  const branches = database.branches().map(({ name }) => {
    const branch = database.branch(name);
    const tables = branch.tables().map((each) => [each.name, branch.table(each.name)]);
    return [name, tables.map(([of, table]) => [of, table.schema(), [...table.scan()]])];
  });
  return JSON.stringify(branches);
}

/** Reads what must not have changed since a step; returns whether it has. */
export function isKept({ expected, read }) {
  return read() === expected;
}

/** The kinds of steps, as often as they are drawn. */
const OFTEN = weigh({
  ...Object.fromEntries(SELDOM.map((kind) => [kind, 1])),
  insert: 20,
  insertWithoutId: 4,
  insertMany: 6,
  load: 2,
  update: 30,
  increment: 8,
  ...{
    replace: 8,
    upsert: 8,
    put: 4,
    refused: 1,
    deleteTogether: 2,
    delete: 15,
    deleteMany: 1,
    transaction: 6,
    createTable: 8,
  },
  page: 50,
  next: 6,
  repeated: 3,
  count: 6,
  aggregates: 12,
  search: 20,
  live: 8,
  scanLater: 1,
  fork: 1,
  exported: 1,
  deleteTable: 1,
  write: 10,
  operations: 3,
  httpAny: 12,
});

/** Requests of a comparison, and their kinds. */
const QUESTIONS = 100;
const READING = ["page", "page", "page", "next", "count", "aggregates", "search", "search"];

export function drawQuestions(seed) {
  return createProgram(seed, QUESTIONS, READING);
}

/** A program that begins with tables. */
export function drawProgram(seed, length) {
  const begin = ["createTable", "createTable"].map((kind, i) => [kind, seed + i]);
  return [...begin, ...createProgram(seed, length, OFTEN)];
}
