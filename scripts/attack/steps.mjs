import { createWords } from "../random.mjs";
import { createRequests, listOperations } from "./bad-requests.mjs";

// Steps of a program: a kind, and numbers that select tables, records and values. A rejected step changes
// nothing; any other error is a bug.

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
const TABLES = ["a", "b", "c", "d"];
const EXTRA = ["x", "y", "z"];

/** A record of few different values: ties and nulls are common. */
function recordOf(n) {
  const random = createWords(n);
  const pick = (...values) => values[random() % values.length];
  const record = {
    n: pick(null, 0, 1, 2, -5, 100, random() % 1000),
    f: pick(null, 0.5, -0, 1e308, -1e308, 0.1, random() / 7),
    s: pick(null, "", "a", "b", "ab", "é", "\u{1f600}", `s${random() % 50}`),
    t: pick(null, "text", `text ${random() % 5000} of many`, "a".repeat(random() % 300)),
    u: pick(null, null, `u${random() % 30000}`),
    at: pick(null, "2022-01-01T00:00:00Z", `20${10 + (random() % 20)}-05-06T07:08:09.000001Z`),
    ok: pick(null, true, false),
    tags: pick(null, [], ["a"], ["a", "b", `t${random() % 20}`]),
    doc: pick(null, { a: [1, { b: null }] }, [n % 3], "text", 5),
    link: pick(null, `r${random() % 300}`, `r${random() % 20000}`),
    o: pick(null, {}, { k: random() % 9 }, { k: 1, w: "w" }),
  };
  for (const key of Object.keys(record)) if (random() % 4 === 0) delete record[key];
  return record;
}

function idOf(n) {
  return `r${n % (n % 3 === 0 ? 20 : n % 3 === 1 ? 500 : 25000)}`;
}

/** A query; changes of columns may make it invalid. */
export function queryOf(n) {
  const random = createWords(n);
  const pick = (...values) => values[random() % values.length];
  const leaf = () =>
    pick(
      { n: { $ge: random() % 50 } },
      { n: pick(0, 1, null, 100) },
      { s: { $startsWith: pick("a", "s1", "") } },
      { s: { $isNot: pick("a", null) } },
      { t: { $contains: pick("text 1", "of", "a".repeat(100)) } },
      { t: { $iContains: "TEXT" } },
      { t: { $pattern: pick("*1*of*", "text ?? *", "*a??a*") } },
      { tags: { $includes: pick("a", "t3") } },
      { tags: { $includesNone: ["a", "b"] } },
      { "link.n": { $gt: 0 } },
      { link: idOf(random()) },
      { "o.k": { $lt: 5 } },
      { $exists: pick("u", "at", "doc", "o", "f") },
      { at: { $ge: "2015-01-01T00:00:00Z" } },
      { "doc->a->0": 1 },
      { ok: pick(true, false) },
      { u: { $any: [`u${random() % 3000}`, `u${random() % 3000}`] } },
      { id: { $any: [idOf(random()), idOf(random())] } },
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
    { size: 1 + (random() % 200) },
    { size: 50, offset: random() % 800 },
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

function branchOf(world, n) {
  const database = world.engine.workspace("w").database("d");
  const branches = database.branches();
  return database.branch(branches[n % branches.length].name);
}

function tableOf(world, n) {
  const branch = branchOf(world, n >>> 4);
  const tables = branch.tables();
  return branch.table(tables[n % tables.length]?.name ?? "a");
}

function addressOf(world, n) {
  const table = tableOf(world, n);
  const branch = branchOf(world, n >>> 4).name;
  return `http://x/db/d:${branch}/tables/${table.name}`;
}

async function ask(world, method, url, body) {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const response = await world.fetch(url, init);
  if (response.status >= 500) throw new Error(`${method} ${url}: ${response.status}`);
  await response.arrayBuffer();
}

const times = (count, make) => Array.from({ length: count }, (_, i) => make(i));

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
      const expected = JSON.stringify([fresh.records, fresh.meta?.page.more]);
      const found = JSON.stringify([live.records, live.more]);
      if (found !== expected) return `a live query:\n${found}\n${expected}`;
      const applied = JSON.stringify(shown.records);
      if (applied !== JSON.stringify(live.records)) return `changes of a live query:\n${applied}`;
    }
  }
  world.lives = world.lives.filter(({ live }) => !live.isClosed);
  return undefined;
}

const NAMES = { db_name: "d", workspace_id: "w", column_name: "n" };
const WHOLE = new Set(["deleteDatabase", "renameDatabase", "deleteWorkspace"]);
let operations;

/** The kinds of steps, with their weights. */
export const STEPS = {
  insert: [20, (world, a, b) => tableOf(world, a).insert({ id: idOf(b), ...recordOf(b) })],
  insertWithoutId: [4, (world, a, b) => tableOf(world, a).insert(recordOf(b))],
  insertMany: [6, (world, a, b) => tableOf(world, a).insert(times(b % 60, (i) => recordOf(b + i)))],
  load: [
    2,
    (world, a, b) =>
      tableOf(world, a).load(
        times(b % (b % 5 === 0 ? 20000 : 3000), (i) => {
          const { u: _, ...record } = recordOf(b + i);
          return record;
        }),
      ),
  ],
  update: [30, (world, a, b, c) => tableOf(world, a).update(idOf(b), recordOf(c))],
  increment: [8, (world, a, b) => tableOf(world, a).update(idOf(b), { n: { $increment: b % 9 } })],
  replace: [8, (world, a, b, c) => tableOf(world, a).replace(idOf(b), recordOf(c))],
  upsert: [8, (world, a, b, c) => tableOf(world, a).upsert(idOf(b), recordOf(c))],
  delete: [15, (world, a, b) => tableOf(world, a).delete(idOf(b))],
  deleteMany: [
    1,
    (world, a, b) => {
      const table = tableOf(world, a);
      const found = [...table.scan({ filter: queryOf(b).filter ?? { n: 1 }, columns: [] })];
      for (const { id } of found.slice(0, 3000)) table.delete(id);
    },
  ],
  transaction: [
    6,
    (world, a, b, c) => {
      const branch = branchOf(world, a >>> 4);
      const table = tableOf(world, a).name;
      branch.transaction([
        { insert: { table, record: { id: idOf(b), ...recordOf(b) } } },
        { update: { table, id: idOf(c), fields: recordOf(c), upsert: b % 2 === 0 } },
        { delete: { table, id: idOf(b + c) } },
        { get: { table, id: idOf(b) } },
      ]);
    },
  ],
  query: [60, (world, a, b) => void askTable(world.api, tableOf(world, a), b % 40)],
  queryAgain: [
    10,
    (world, a, b) => {
      for (let i = 0; i < 6; i++) askTable(world.api, tableOf(world, a), b % 40);
    },
  ],
  live: [4, (world, a, b) => openLive(world, tableOf(world, a), b % 40)],
  createTable: [4, (world, a) => branchOf(world, a >>> 4).createTable(TABLES[a % 4], COLUMNS)],
  deleteTable: [1, (world, a) => branchOf(world, a >>> 4).deleteTable(tableOf(world, a).name)],
  renameTable: [2, (world, a, b) => tableOf(world, a).rename(TABLES[b % 4])],
  addColumn: [
    3,
    (world, a, b) =>
      tableOf(world, a).addColumn(
        b % 2 === 0
          ? { name: EXTRA[b % 3], type: "int", notNull: true, defaultValue: b % 5 }
          : { name: EXTRA[b % 3], type: "string" },
      ),
  ],
  removeColumn: [
    1,
    (world, a, b) => {
      const { columns } = tableOf(world, a).schema();
      tableOf(world, a).removeColumn(columns[b % columns.length]?.name ?? "x");
    },
  ],
  renameColumn: [
    1,
    (world, a, b) => {
      const { columns } = tableOf(world, a).schema();
      const from = columns[b % columns.length]?.name ?? "x";
      tableOf(world, a).renameColumn(from, b % 3 === 0 ? EXTRA[b % 3] : COLUMNS[b % 11].name);
    },
  ],
  branch: [
    2,
    (world, a) => {
      const database = world.engine.workspace("w").database("d");
      database.createBranch(`f${a % 3}`, { from: branchOf(world, a).name });
    },
  ],
  deleteBranch: [
    1,
    (world, a) =>
      world.engine
        .workspace("w")
        .database("d")
        .deleteBranch(`f${a % 3}`),
  ],
  snapshot: [2, (world, a) => world.snapshots.set(a % 3, world.engine.snapshot())],
  restore: [
    1,
    (world, a) => {
      const snapshot = world.snapshots.get(a % 3);
      if (snapshot !== undefined) world.engine.restore(snapshot);
    },
  ],
  fork: [1, (world) => world.use(world.engine.fork())],
  reimport: [
    1,
    (world) => world.api.importInto(world.engine, world.api.exportEngine(world.engine)),
  ],
  exported: [1, (world) => world.use(world.api.importEngine(world.api.exportEngine(world.engine)))],
  httpQuery: [
    8,
    (world, a, b) => ask(world, "POST", `${addressOf(world, a)}/query`, queryOf(b % 40)),
  ],
  httpWrite: [
    8,
    (world, a, b) => {
      const url = `${addressOf(world, a)}/data/${idOf(b)}?columns=*`;
      const method = ["PUT", "PATCH", "POST", "DELETE"][b % 4];
      return ask(world, method, url, method === "DELETE" ? undefined : recordOf(b));
    },
  ],
  // A request to any operation, usually bad.
  httpAny: [
    12,
    async (world, a, b, c) => {
      operations ??= (await listOperations(world.fetch)).filter(
        ({ operation }) => !WHOLE.has(operation),
      );
      const [table_name, record_id] = [tableOf(world, a).name, idOf(c)];
      const branch = branchOf(world, a >>> 4).name;
      const names = { ...NAMES, db_branch_name: `d:${branch}`, table_name, record_id };
      const { value } = createRequests(operations, names, b).next();
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
  ],
  httpBulk: [
    3,
    (world, a, b) =>
      ask(world, "POST", `${addressOf(world, a)}/bulk?columns=id`, {
        records: times(b % 50, (i) => recordOf(b + i)),
      }),
  ],
};

const KINDS = Object.entries(STEPS).flatMap(([kind, [often]]) => times(often, () => kind));

/** A program as plain data. */
export function createProgram(seed, length) {
  const random = createWords(seed);
  return [
    ["createTable", 0, 0, 0],
    ["createTable", 1, 0, 0],
    ...times(length, () => [
      KINDS[random() % KINDS.length],
      random() >>> 8,
      random() >>> 8,
      random() >>> 8,
    ]),
  ];
}
