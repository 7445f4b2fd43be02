/**
 * Prints, for each operation, how long a call exceeds its time limit of 100 ms, and the longest time
 * between two looks at the clock if it may run for `--ms`: a call exceeds its limit by that at most
 * (rule L-10).
 *
 *   node scripts/longest-calls.mjs [--rows 100000] [--ms 5000]
 */
import { parseArgs } from "node:util";
import {
  copyRecords,
  createMigrationRequest,
  mergeMigrationRequest,
  updateSchema,
} from "../dist/history.js";
import { createFetch } from "../dist/http.js";
import { createEngine } from "../dist/index.js";
import { searchBranch, searchTable, vectorSearch } from "../dist/search.js";
import { createRandom } from "./random.mjs";

const { values } = parseArgs({
  options: { rows: { type: "string", default: "100000" }, ms: { type: "string", default: "5000" } },
});
const [rows, longMs] = [Number(values.rows), Number(values.ms)];
const SHORT_MS = 100;

/** The clock of calls; records the longest time between two readings. */
const now = performance.now.bind(performance);
let [last, longest] = [0, 0];
performance.now = () => {
  const time = now();
  longest = Math.max(longest, time - last);
  last = time;
  return time;
};

const filled = createEngine({ seed: 1, now: 0 });
const shop = filled.createWorkspace("acme").createDatabase("shop");
const seeded = shop.branch("main").createTables({
  teams: [{ name: "name", type: "string" }],
  users: [
    ...["a", "b", "c", "d", "e"].map((name) => ({ name, type: "string" })),
    { name: "text", type: "text" },
    { name: "n", type: "int" },
    { name: "x", type: "float" },
    { name: "at", type: "datetime" },
    { name: "labels", type: "multiple" },
    { name: "team", type: "link", link: { table: "teams" } },
    { name: "doc", type: "json" },
    { name: "v", type: "vector", vector: { dimension: 16 } },
  ],
});
const random = createRandom(1).below;
seeded.teams.load(Array.from({ length: 1000 }, (_, i) => ({ id: `t${i}`, name: `team ${i}` })));
const record = (i) => ({
  id: `r${i}`,
  ...Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, `${name}${random(50)}`])),
  text: `word${random(rows)} other text ${"lorem ipsum ".repeat(4)}`,
  n: random(rows) - rows / 2,
  x: (random(rows) - rows / 2) / 7,
  at: new Date(random(2 ** 31) * 1000).toISOString(),
  labels: [`l${random(50)}`, `l${random(50)}`],
  team: `t${random(1000)}`,
  doc: { deep: { n: random(100), s: `s${random(100)}` } },
  v: Array.from({ length: 16 }, () => random(1000) / 1000),
});
for (let from = 0; from < rows; from += 5000) {
  seeded.users.load(Array.from({ length: 5000 }, (_, i) => record(from + i)));
}
const fresh = Array.from({ length: rows }, (_, i) => ({ ...record(i), id: undefined }));
const state0 = filled.snapshot();

const many = (count, make) =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`m${i}`, make(i)]));
const ANY = { $any: Array.from({ length: 999 }, (_, i) => ({ text: { $iPattern: `*x${i}*z` } })) };
const FIVE = ["a", "b", "c", "d", "e"];
const nested = (levels) =>
  levels === 0
    ? {}
    : { t: { topValues: { column: FIVE[levels % 5], size: 1000, aggs: nested(levels - 1) } } };
const changes = (count, make) => ({ operations: Array.from({ length: count }, (_, i) => make(i)) });

// Written before a call: clients do that.
const MANY_TABLES = JSON.stringify({
  schema: {
    tables: Array.from({ length: 10_000 }, (_, i) => ({
      name: `q${i}`,
      columns: Array.from({ length: 40 }, (_, j) => ({ name: `c${j}`, type: "int" })),
    })),
  },
});
const MANY_RECORDS = JSON.stringify({ records: fresh.slice(0, 20_000) });

/** Calls by name; each gets a fresh engine. */
const CALLS = {
  "query: 999 patterns": ({ users }) => users.query({ filter: ANY }),
  "query: sort by text": ({ users }) =>
    users.query({ sort: { text: "desc" }, page: { size: 200, offset: 800 } }),
  "query: random sort": ({ users }) => users.query({ sort: { "*": "random" } }),
  "query: json path": ({ users }) =>
    users.query({ filter: { "doc->deep->s": { $pattern: "*s9*" } } }),
  "query: sort by a linked column": ({ users }) =>
    users.query({ sort: { "team.name": "desc", text: "asc" } }),
  "query: many columns": ({ users }) =>
    users.query({ columns: Array.from({ length: 1000 }, () => "team.*"), page: { size: 200 } }),
  "count: 100,000 values": ({ users }) =>
    users.count({ text: { $any: Array.from({ length: 100_000 }, (_, i) => `word${i}`) } }),
  "count: lists": ({ users }) =>
    users.count({
      $any: Array.from({ length: 500 }, (_, i) => ({
        labels: { $includesAll: [`l${i % 50}`, { $contains: `${i}` }] },
      })),
    }),
  scan: ({ users }) => [...users.scan()],
  "summarize: 5 columns, 200 averages": ({ users }) =>
    users.summarize({ columns: FIVE, summaries: many(200, () => ({ average: "x" })) }),
  "summarize: by text, 200 sums": ({ users }) =>
    users.summarize({ columns: ["text"], summaries: many(200, () => ({ sum: "x" })) }),
  "summarize: by json, maxima of texts": ({ users }) =>
    users.summarize({ columns: ["doc"], summaries: many(200, () => ({ max: "text" })) }),
  "summarize: 200 counts, sorted": ({ users }) =>
    users.summarize({
      columns: ["text"],
      summaries: many(200, (i) => ({ count: FIVE[i % 5] })),
      sort: { m0: "desc" },
      page: { size: 200 },
    }),
  "summarize: a filter of groups": ({ users }) =>
    users.summarize({
      columns: ["text"],
      summaries: { m: { sum: "n" } },
      summariesFilter: {
        $any: Array.from({ length: 500 }, (_, i) => ({ m: i, text: { $contains: `${i}q` } })),
      },
    }),
  "summarize: by datetime and vector": ({ users }) =>
    users.summarize({ columns: ["at", "n", "x"], summaries: many(200, () => ({ min: "at" })) }),
  "aggregate: 200 sums": ({ users }) =>
    users.aggregate({ aggs: many(200, () => ({ sum: { column: "x" } })) }),
  "aggregate: 200 percentiles": ({ users }) =>
    users.aggregate({
      aggs: many(200, () => ({ percentiles: { column: "x", percentiles: [1, 50, 99] } })),
    }),
  "aggregate: 200 distinct counts": ({ users }) =>
    users.aggregate({ aggs: many(200, () => ({ uniqueCount: { column: "doc" } })) }),
  "aggregate: 200 histograms": ({ users }) =>
    users.aggregate({
      aggs: many(200, () => ({ numericHistogram: { column: "x", interval: 1e3 } })),
    }),
  "aggregate: 200 months": ({ users }) =>
    users.aggregate({
      aggs: many(200, () => ({ dateHistogram: { column: "at", calendarInterval: "month" } })),
    }),
  "aggregate: every value of text": ({ users }) =>
    users.aggregate({ aggs: many(200, () => ({ topValues: { column: "text", size: 1000 } })) }),
  "aggregate: nested values": ({ users }) => users.aggregate({ aggs: nested(8) }),
  "aggregate: values, with percentiles": ({ users }) =>
    users.aggregate({
      aggs: {
        t: {
          topValues: {
            column: "text",
            size: 10,
            aggs: many(100, () => ({ percentiles: { column: "x", percentiles: [1, 50] } })),
          },
        },
      },
    }),
  "aggregate: 200 conditions": ({ users }) =>
    users.aggregate({
      aggs: many(200, (i) => ({ count: { filter: { text: { $iContains: `q${i}` } } } })),
    }),
  "search: words": ({ users }) =>
    searchTable(users, { query: "word1 other lorem ipsum", fuzziness: 2 }),
  "search: a branch": ({ main }) =>
    searchBranch(main, { query: "word1 other lorem ipsum", fuzziness: 2 }),
  "search: a phrase": ({ users }) =>
    searchTable(users, {
      query: "lorem ipsum lor",
      prefix: "phrase",
      page: { size: 200, offset: 800 },
    }),
  "search: vectors": ({ users }) =>
    vectorSearch(users, { column: "v", queryVector: new Array(16).fill(0.5), size: 1000 }),
  "insert: many": ({ users }) => users.insert(fresh),
  "load: many": ({ users }) => users.load(fresh),
  "transaction: 1,000 updates": ({ main }) =>
    main.transaction(
      Array.from({ length: 1000 }, (_, i) => ({
        update: { table: "users", id: `r${i}`, fields: { text: "y".repeat(20_000) } },
      })),
    ),
  "columns: a default": ({ users }) =>
    users.addColumn({ name: "more", type: "text", defaultValue: "x".repeat(1000) }),
  "columns: unique": ({ users }) =>
    users.setSchema({
      columns: users
        .schema()
        .columns.map((column) => (column.name === "text" ? { ...column, unique: true } : column)),
    }),
  "columns: not null": ({ users }) =>
    users.setSchema({
      columns: users.schema().columns.map((column) => ({ ...column, notNull: true })),
    }),
  "schema: 1,000 tables, beside 9,000": ({ wide }) =>
    updateSchema(
      wide,
      changes(1000, (i) => ({ addTable: { table: `more${i}` } })),
    ),
  "schema: 1,000 tables renamed": ({ wide }) =>
    updateSchema(
      wide,
      changes(1000, (i) => ({
        renameTable: { oldName: i === 0 ? "t0" : `u${i}`, newName: `u${i + 1}` },
      })),
    ),
  "schema: 1,000 columns": ({ wide }) =>
    updateSchema(
      wide,
      changes(1000, (i) => ({
        addColumn: { table: "t0", column: { name: `c${i}`, type: "string" } },
      })),
    ),
  "schema: merge 9,000 tables": ({ database }) =>
    mergeMigrationRequest(
      database,
      createMigrationRequest(database, { source: "wide", target: "empty", title: "t" }),
    ),
  "schema: copy": ({ main, database }) => {
    const other = database.createBranch("other", { from: "main" });
    copyRecords(main, other);
  },
  "HTTP: schema of 10,000 tables compared": ({ post }) => post("main/schema/compare", MANY_TABLES),
  "HTTP: migrations": ({ get }) => get("wide/migrations"),
  "HTTP: bulk": ({ post }) => post("main/tables/users/bulk", MANY_RECORDS),
};

const names = Object.keys(CALLS).filter((name) => name.includes(process.env.ONLY ?? ""));
const wideEngine = createEngine({ seed: 1, now: 0 });
wideEngine.restore(state0);
const wideShop = wideEngine.workspace("acme").database("shop");
const wide = wideShop.createBranch("wide");
wideShop.createBranch("empty");
wide.createTables(Object.fromEntries(Array.from({ length: 9000 }, (_, i) => [`t${i}`, []])));
const state1 = wideEngine.snapshot();

/** Runs one call on a fresh engine; returns its result, its time and the longest time between looks. */
async function measure(name, queryMs) {
  const engine = createEngine({ seed: 1, now: 0, limits: { queryMs } });
  engine.restore(state1);
  const database = engine.workspace("acme").database("shop");
  const main = database.branch("main");
  const ask = createFetch(engine);
  const call = (method) => async (path, body) => {
    const headers = { "content-type": "application/json" };
    const init = { method, headers, body };
    return (await ask(`http://x/db/shop:${path}`, init)).status;
  };
  const world = { database, main, wide: database.branch("wide"), users: main.table("users") };
  const http = { get: call("GET"), post: call("POST") };
  globalThis.gc?.();
  const start = now();
  [last, longest] = [start, 0];
  let result = "done";
  try {
    const given = await CALLS[name]({ ...world, ...http });
    if (typeof given === "number") result = String(given);
  } catch (error) {
    result = error.code ?? String(error);
  }
  const end = now();
  return { result, ms: Math.round(end - start), gap: Math.round(Math.max(longest, end - last)) };
}

const measured = [];
for (const name of names) {
  const short = await measure(name, SHORT_MS);
  const long = await measure(name, longMs);
  const over = short.ms - SHORT_MS;
  measured.push({
    operation: name,
    over: over > 0 ? over : "",
    "longest between looks": long.gap,
    [`${longMs} ms`]: `${long.result}, ${long.ms} ms`,
  });
}
measured.sort((a, b) => b["longest between looks"] - a["longest between looks"]);
console.table(measured);
