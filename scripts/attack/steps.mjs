import { isDeepStrictEqual } from "node:util";
import { CALLS, createProgram, KINDS, weigh } from "../programs/calls.mjs";
import { createRandom } from "../random.mjs";
import { createRequests, listOperations } from "./bad-requests.mjs";

// Steps of a program, besides the shared calls. A rejected step changes nothing; any other error is a bug.

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
const idOf = (random) => `r${random.below(random.pick(ID_LIMITS))}`;

/** Tables of the same columns, small and large, for shared calls. */
export const OPTIONS = {
  id: idOf,
  columnsOf: () => COLUMNS,
  uniques: 30_000,
  loads: [3000, 3000, 3000, 3000, 20_000],
};

/** A query; changes of columns may make it invalid. */
export function queryOf(n) {
  const random = createRandom(n);
  const pick = (...values) => random.pick(values);
  const leaf = () =>
    pick(
      { n: { $ge: random.below(50) } },
      { n: pick(0, 1, null, 100) },
      { s: { $startsWith: pick("a", "s1", "") } },
      { s: { $isNot: pick("a", null) } },
      { t: { $contains: pick("text 1", "of", "a".repeat(100)) } },
      { t: { $iContains: "TEXT" } },
      { t: { $pattern: pick("*1*of*", "text ?? *", "*a??a*") } },
      { tags: { $includes: pick("a", "t3") } },
      { tags: { $includesNone: ["a", "b"] } },
      { "link.n": { $gt: 0 } },
      { link: idOf(random) },
      { "o.k": { $lt: 5 } },
      { $exists: pick("u", "at", "doc", "o", "f") },
      { at: { $ge: "2015-01-01T00:00:00Z" } },
      { "doc->a->0": 1 },
      { ok: pick(true, false) },
      { u: { $any: [`u${random.below(3000)}`, `u${random.below(3000)}`] } },
      { id: { $any: [idOf(random), idOf(random)] } },
      { x: 1 },
    );
  const filter = pick(
    () => undefined,
    leaf,
    leaf,
    () => ({ $all: [leaf(), leaf()] }),
    () => ({ $any: [leaf(), leaf(), leaf()] }),
    () => ({ $not: leaf() }),
    () => ({ $none: [leaf(), leaf()] }),
  )();
  const sort = pick(
    undefined,
    undefined,
    { n: "asc" },
    { n: "desc", s: "asc" },
    [{ at: "desc" }],
    { "link.s": "asc" },
    { t: "desc" },
    { id: "desc" },
    { f: "asc", u: "desc" },
  );
  const columns = pick(undefined, ["*"], ["n", "link.*"], ["s", "o.w", "tags"], ["id"]);
  const page = pick(
    undefined,
    { size: 1 + random.below(200) },
    { size: 50, offset: random.below(800) },
  );
  return JSON.parse(JSON.stringify({ filter, sort, columns, page }));
}

const AGGS = {
  c: { count: "*" },
  s: { sum: { column: "f" } },
  a: { average: { column: "f" } },
  m: { max: { column: "n" } },
  q: { uniqueCount: { column: "s" } },
  top: { topValues: { column: "s", size: 5, aggs: { n: { sum: { column: "n" } } } } },
};

const QUERIES = ["text many", "a b", "texd", "s1 ab", "of many", ""];

function searchOf(n) {
  const { filter } = queryOf(n);
  const prefix = n % 2 === 0 ? "phrase" : "disabled";
  return { query: QUERIES[n % QUERIES.length], prefix, filter, page: { size: 20 } };
}

/** Returns the answer of a table to the request of a number. */
export function askTable({ searchTable }, table, n) {
  const asked = [
    () => walk(table, queryOf(n)),
    () => table.count(queryOf(n).filter),
    () => table.aggregate({ filter: queryOf(n).filter, aggs: AGGS }),
    () => table.summarize({ columns: ["s"], summaries: { c: { count: "*" }, f: { sum: "f" } } }),
    () => searchTable(table, searchOf(n)),
  ];
  return attempt(asked[n % 8 < 4 ? 0 : (n % 8) - 3]);
}

/** A page and the one after it. */
function walk(table, request) {
  const first = table.query(request);
  return [first, attempt(() => table.query({ page: { after: first.meta.page.cursor } }))];
}

function attempt(call) {
  try {
    return call();
  } catch (error) {
    if (error?.name !== "TwinbaseError") throw error;
    return { refused: error.code, message: error.message };
  }
}

const addressOf = ({ branch, name }) => `http://x/db/d:${branch.name}/tables/${name}`;

async function ask(world, method, url, body) {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const response = await world.fetch(url, init);
  if (response.status >= 500) throw new Error(`${method} ${url}: ${response.status}`);
  await response.arrayBuffer();
}

/** Live queries open at a time. */
const MOST_LIVE = 6;

/** Opens a live query or count, in place of the oldest one. */
function openLive({ api, lives }, table, n) {
  if (lives.length >= MOST_LIVE) lives.shift().live.close();
  const request = queryOf(n);
  if (n % 4 === 0) {
    const { filter } = request;
    lives.push({ live: api.liveCount(table, filter), ask: () => table.count(filter) });
    return;
  }
  const shown = { records: [] };
  const live = api.liveQuery(table, request, (changes) => {
    shown.records = api.applyChanges(shown.records, changes);
  });
  shown.records = [...live.records];
  lives.push({ live, shown, ask: () => table.query(request) });
}

/** Compares the live queries with fresh ones; returns the first difference. */
export function compareLives(world) {
  for (const { live, shown, ask } of world.lives) {
    const fresh = attempt(ask);
    if (live.isClosed) {
      if (live.error === undefined) return "a live query closed without an error";
    } else if (shown === undefined) {
      if (live.count !== fresh)
        return `a live count is ${live.count}, not ${JSON.stringify(fresh)}`;
    } else {
      // A new order of columns is no change of records.
      const [found, expected] = [
        [live.records, live.more],
        [fresh.records, fresh.meta?.page.more],
      ];
      if (!isDeepStrictEqual(found, expected)) {
        return `a live query:\n${JSON.stringify(found)}\n${JSON.stringify(expected)}`;
      }
      const applied = JSON.stringify(shown.records);
      if (applied !== JSON.stringify(live.records)) return `changes of a live query:\n${applied}`;
    }
  }
  world.lives = world.lives.filter(({ live }) => !live.isClosed);
  return undefined;
}

const NAMES = { db_name: "d", workspace_id: "w", column_name: "n" };
const WHOLE = new Set(["deleteDatabase", "renameDatabase", "deleteWorkspace"]);
const METHODS = ["PUT", "PATCH", "POST", "DELETE"];
/** Queries are of few kinds, so that indexes are built for them. */
const QUERIED = 40;
let operations;

export const STEPS = {
  ...CALLS,
  query: ({ world, table, n }) => void askTable(world.api, table, n % QUERIED),
  queryAgain: ({ world, table, n }) => {
    for (let i = 0; i < 6; i++) askTable(world.api, table, n % QUERIED);
  },
  live: ({ world, table, n }) => openLive(world, table, n % QUERIED),
  // The rest of a scan is read later.
  scan: ({ world, table }) => {
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
  httpQuery: (place) =>
    ask(place.world, "POST", `${addressOf(place)}/query`, queryOf(place.n % QUERIED)),
  httpWrite: (place) => {
    const { world, id, record, random } = place;
    const method = random.pick(METHODS);
    const body = method === "DELETE" ? undefined : record();
    return ask(world, method, `${addressOf(place)}/data/${id()}?columns=*`, body);
  },
  // A request to any operation, usually bad.
  httpAny: async ({ world, branch, name, id, n }) => {
    operations ??= (await listOperations(world.fetch)).filter(
      ({ operation }) => !WHOLE.has(operation),
    );
    const names = { ...NAMES, db_branch_name: `d:${branch.name}`, table_name: name };
    const { value } = createRequests(operations, { ...names, record_id: id() }, n).next();
    const { method, url, body } = value;
    const saved = world.engine.snapshot();
    const response = await world.fetch(`http://x${url}`, { method, body });
    if (response.status >= 500 && response.status !== 501) {
      throw new Error(`${method} ${url}: ${response.status}\n${body}`);
    }
    await response.arrayBuffer();
    // A malformed path may still delete the database.
    if (!world.engine.hasDatabase("w", "d")) world.engine.restore(saved);
  },
  httpBulk: (place) => {
    const records = place.random.several(0, 50, place.record);
    return ask(place.world, "POST", `${addressOf(place)}/bulk?columns=id`, { records });
  },
};

/** The tables and records of an engine. */
function textOf(engine) {
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

const SELDOM = [...KINDS.schema, ...KINDS.catalog, ...KINDS.whole].filter(
  (kind) => kind !== "reset" && kind !== "deleteTable",
);
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
  query: 60,
  queryAgain: 10,
  live: 4,
  scan: 1,
  fork: 1,
  exported: 1,
  deleteTable: 1,
  httpQuery: 8,
  httpWrite: 8,
  httpAny: 12,
  httpBulk: 3,
});

/** A program that begins with tables. */
export function drawProgram(seed, length) {
  const begin = ["createTable", "createTable"].map((kind, i) => [kind, seed + i]);
  return [...begin, ...createProgram(seed, length, OFTEN)];
}
