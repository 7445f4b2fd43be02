import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { createMigrationRequest, pushMigrations, updateSchema } from "../../src/history.js";
import { createFetch } from "../../src/http.js";
import {
  type AnyBranch,
  type AnyEngine,
  type AnyTable,
  createEngine,
  type Filter,
} from "../../src/index.js";
import { serve } from "../../src/node.js";
import { countMatches } from "../../src/query/run.js";
import { searchBranch, searchTable, vectorSearch } from "../../src/search.js";
import { defineColumns } from "../columns.js";
import { runOf } from "../query/run-of.js";
import { digest as digestOf } from "./digest.js";

/** An engine with a time limit, and a table on which the calls below exceed it; filled without one. */
function openLimited(queryMs: number, rows: number) {
  const filled = createEngine({ seed: 1, now: 0 });
  const made = filled.createWorkspace("acme").createDatabase("shop").branch("main");
  const items = made.createTable("items", defineColumns({ n: "int", t: "text" }));
  const record = (i: number) => ({ id: `r${i}`, n: i, t: `text ${i} `.repeat(20) });
  items.load(Array.from({ length: rows }, (_, i) => record(i)));
  const engine = createEngine({ limits: { queryMs }, seed: 1, now: 0, indexes: "never" });
  engine.restore(filled.snapshot());
  const branch = engine.workspace("acme").database("shop").branch("main");
  return { engine, branch, table: branch.table("items"), record };
}

/** A digest of an engine, without its time limit. */
function digest(engine: AnyEngine): string {
  const unlimited = createEngine({ seed: 1, now: 0 });
  unlimited.restore(engine.snapshot());
  return digestOf(unlimited);
}

const SLOW = { $any: Array.from({ length: 999 }, (_, i) => ({ t: { $iPattern: `*x${i}*z` } })) };
const TIMEOUT = { code: "query_timeout", status: 408, rule: "L-10" };

describe("L-10: a slow call", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it("is aborted at the time limit and changes nothing", () => {
    const { engine, branch, table, record } = openLimited(100, 5000);
    const before = digest(engine);
    const many = Array.from({ length: 200_000 }, (_, i) => record(i + 5000));
    const calls: (() => unknown)[] = [
      () => table.query({ filter: SLOW }),
      () => table.count(SLOW),
      () =>
        table.aggregate({
          aggs: { a: { count: { filter: SLOW } }, b: { count: { filter: SLOW } } },
        }),
      () => table.summarize({ columns: ["n"], filter: SLOW, summaries: { c: { count: "*" } } }),
      () => table.insert(many),
      () => table.load(many),
    ];
    for (const call of calls) expect(call).toThrow(expect.objectContaining(TIMEOUT));
    expect(digest(engine)).toBe(before);
    expect(branch.table("items").count({ n: { $lt: 10 } })).toBe(10);
  });

  it("returns 408 over HTTP", async () => {
    const { engine } = openLimited(100, 5000);
    const ask = createFetch(engine);
    const response = await ask("http://x/db/shop:main/tables/items/query", {
      method: "POST",
      body: JSON.stringify({ filter: SLOW }),
    });
    expect(response.status).toBe(408);
    expect(await response.json()).toMatchObject({ code: "query_timeout", rule: "L-10" });
  });

  it("is not aborted without a limit", () => {
    const { table } = openLimited(0, 100);
    expect(table.count(SLOW)).toBe(0);
  });

  it("leaves the next call its full time", async () => {
    const { engine, table } = openLimited(500, 5000);
    await using server = await serve(engine);
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now);
    for (let i = 0; i < 20; i++) {
      now += 400;
      const response = await fetch(`${server.url}/db/shop:main/tables/items/query`, {
        method: "POST",
        body: JSON.stringify({ page: { size: 1 } }),
      });
      expect(response.status).toBe(200);
    }
    expect(table.count()).toBe(5000);
  });
});

/** Milliseconds. */
const TIME_LIMIT = 1;

/**
 * An engine of 6,000 rows with a clock that advances by a millisecond whenever it is read, so that its second
 * reading in a call exceeds the limit.
 *
 * @param prepare is called before, without a limit
 */
function openTicking(indexes: "auto" | "never" = "never", prepare?: (items: AnyTable) => void) {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now++);
  const engine = createEngine({ limits: { queryMs: TIME_LIMIT }, seed: 1, now: 0, indexes });
  const filled = createEngine({ seed: 1, now: 0 });
  const branch = filled.createWorkspace("acme").createDatabase("shop").branch("main");
  const items = branch.createTable(
    "items",
    defineColumns({ n: "int", t: "text", to: "-> items", v: "vector 2" }),
  );
  items.load(
    Array.from({ length: 6000 }, (_, i) => ({
      id: `r${i}`,
      n: i % 7 === 0 ? null : (i * 7919) % 6000,
      t: `word${i} other`,
      to: `r${i < 520 ? 0 : i}`,
      v: [i, 1],
    })),
  );
  prepare?.(items);
  engine.restore(filled.snapshot());
  const opened = engine.workspace("acme").database("shop").branch("main");
  return { engine, branch: opened, table: opened.table("items") };
}

describe("L-10: the clock is read in every loop over rows", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const calls: Record<string, (world: ReturnType<typeof openTicking>) => unknown> = {
    "a search: reading words": ({ table }) => searchTable(table, { query: "none" }),
    "a search: over a branch": ({ branch }) => searchBranch(branch, { query: "none" }),
    "a search: vectors": ({ table }) =>
      vectorSearch(table, { column: "v", queryVector: [1, 2], size: 1 }),
    "records: building them": ({ table }) =>
      table.query({ page: { size: 200 }, columns: ["to.to.*"] }),
    "records: returned by a write": ({ table }) =>
      table.insert(
        Array.from({ length: 30 }, (_, i) => ({ n: i })),
        { columns: ["to.to.*"] },
      ),
    "a scan of the engine": ({ table }) => [...table.scan({ sort: { n: "asc" } })],
    "a scan without a condition": ({ table }) =>
      table.query({ sort: { n: "asc" }, page: { size: 1 } }),
    "a condition on null": ({ table }) =>
      table.query({ filter: { $exists: "n" }, sort: { n: "asc" }, page: { size: 1 } }),
    "an aggregation's own condition": ({ table }) =>
      table.aggregate({ aggs: { a: { count: { filter: { n: 1 } } } } }),
    "aggregates: values": ({ table }) =>
      table.aggregate({ aggs: { a: { uniqueCount: { column: "t" } } } }),
    "aggregates: numbers": ({ table }) =>
      table.aggregate({ aggs: { a: { sum: { column: "n" } } } }),
    "groups: finding and sorting them": ({ table }) =>
      table.summarize({ columns: ["t"], summaries: {}, sort: { t: "desc" } }),
    "a schema: a default for all rows": ({ table }) =>
      table.addColumn({ name: "d", type: "int", defaultValue: 1 }),
    "a schema: making a column unique": ({ table }) =>
      table.setSchema({
        columns: table
          .schema()
          .columns.map((column) => (column.name === "t" ? { ...column, unique: true } : column)),
      }),
  };
  for (const [name, call] of Object.entries(calls)) {
    it(`in ${name}`, () => {
      const world = openTicking();
      const before = digest(world.engine);
      expect(() => call(world)).toThrow(expect.objectContaining(TIMEOUT));
      expect(digest(world.engine)).toBe(before);
    });
  }

  it("in scoring over a cached index, and in the records of a search", () => {
    const { table } = openTicking("never", (items) => {
      expect(searchTable(items, { query: "other" }).totalCount).toBe(6000);
    });
    for (const query of ["none", "other", "word1", "word1 word2 word3"]) {
      expect(() => searchTable(table, { query })).toThrow(expect.objectContaining(TIMEOUT));
    }
  });

  it("in links that get another target", () => {
    const limits = { queryMs: 1000 };
    const engine = createEngine({ profile: { links: "checked" }, limits, seed: 1, now: 0 });
    const branch: AnyBranch = engine.createWorkspace("acme").createDatabase("shop").branch("main");
    for (const name of ["teams", "clubs"]) branch.createTable(name).insert({ id: "red" });
    const members = branch.createTable("members", defineColumns({ of: "-> teams" }));
    const clock = vi.spyOn(performance, "now").mockReturnValue(0);
    members.load(Array.from({ length: 6000 }, () => ({ of: "red" })));
    clock.mockClear();
    members.setSchema({ columns: defineColumns({ of: "-> clubs" }) });
    expect(clock.mock.calls.length).toBeGreaterThan(20);
  });

  it("in a filter over groups", () => {
    const clock = vi.spyOn(performance, "now").mockReturnValue(0);
    const { engine, table } = openLimited(1000, 4000);
    const summarize = (summariesFilter: Filter) =>
      table.summarize({ columns: ["n"], summaries: { c: { count: "*" } }, summariesFilter });
    expect(engine.limits.queryMs).toBe(1000);
    const readingsOf = (summariesFilter: Filter): number => {
      clock.mockClear();
      summarize(summariesFilter);
      return clock.mock.calls.length;
    };
    expect(readingsOf({ c: 1 })).toBeGreaterThan(readingsOf({}));
  });

  it("in the columns that a request names", () => {
    const clock = vi.spyOn(performance, "now").mockReturnValue(0);
    const { table } = openLimited(1000, 1);
    const many = <T>(member: T): T[] => new Array<T>(500).fill(member);
    for (const request of [
      { sort: many({ n: "asc" } as const) },
      { columns: many("n" as const) },
      { filter: { $all: many({ n: 1 }) } },
    ]) {
      clock.mockClear();
      table.query(request);
      expect(clock.mock.calls.length).toBeGreaterThan(500);
    }
  });

  it("in long texts", () => {
    const engine = createEngine({ limits: { queryMs: 1000 }, seed: 1, now: 0 });
    const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
    const items = main.createTable("items", defineColumns({ t: "text", s: "multiple" }));
    const text = `a${" bc".repeat(1_000_000)}`;
    const clock = vi.spyOn(performance, "now").mockReturnValue(0);
    items.insert(["1", "2", "3"].map((end) => ({ t: text + end, s: [text + end] })));
    const readingsOf = (call: () => unknown): number => {
      clock.mockClear();
      call();
      return clock.mock.calls.length;
    };
    for (const operand of ["x", "x".repeat(70)]) {
      for (const test of [
        { $contains: operand },
        { $iContains: operand },
        { $pattern: `*${operand}*` },
        { $iPattern: `*${operand}*` },
      ]) {
        expect(readingsOf(() => items.count({ t: test }))).toBeGreaterThan(3);
        expect(readingsOf(() => items.count({ s: { $includes: test } }))).toBeGreaterThan(3);
      }
    }
    expect(readingsOf(() => searchTable(items, { query: "none" }))).toBeGreaterThan(1000);
  });

  it("in rows found by a link index", () => {
    const filter = { to: "r0", n: { $ge: 0 } };
    const request = { filter, sort: { n: "asc" }, page: { size: 1 } } as const;
    const { table } = openTicking("auto", (items) => {
      for (let i = 0; i < 3; i++) items.count({ to: "r0" });
      expect(items.explain(request).access.kind).toBe("link-index");
    });
    expect(() => table.query(request)).toThrow(expect.objectContaining(TIMEOUT));
    expect(() => table.count(filter)).toThrow(expect.objectContaining(TIMEOUT));
  });
});

/** Counts the bytes of typed arrays that a call allocates: in all, and between two readings of the clock. */
function measureArrays(call: () => unknown): { total: number; gap: number } {
  let [total, since, gap] = [0, 0, 0];
  for (const name of ["Uint8Array", "Int32Array", "Uint32Array", "Float64Array"] as const) {
    const counted = new Proxy(globalThis[name], {
      construct(target, given) {
        const array: { readonly byteLength: number } = Reflect.construct(target, given);
        total += array.byteLength;
        since += array.byteLength;
        gap = Math.max(gap, since);
        return array;
      },
    });
    vi.stubGlobal(name, counted);
  }
  const clock = vi.spyOn(performance, "now").mockImplementation(() => {
    since = 0;
    return 0;
  });
  try {
    call();
  } finally {
    vi.unstubAllGlobals();
    clock.mockRestore();
  }
  return { total, gap };
}

describe("L-10: compiling a query", () => {
  const ROWS = 2000;
  const DEEP = `${"k.".repeat(16)}`;
  const many = <T>(member: (i: number) => T): T[] =>
    Array.from({ length: 300 }, (_, i) => member(i));
  const letters = (i: number): string => `${"x".repeat(2000)}${i}`;

  function openLinked() {
    const engine = createEngine({ limits: { queryMs: 1000 }, seed: 1, now: 0, indexes: "never" });
    const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
    const columns = defineColumns({ k: "-> items", s: "string", t: "text", tags: "multiple" });
    const items = main.createTable("items", columns);
    items.load(
      Array.from({ length: ROWS }, (_, i) => ({
        id: `r${i}`,
        k: `r${(i * 7919) % ROWS}`,
        s: `s${i}`,
        t: "short",
        tags: [`a${i}`, `b${i}`],
      })),
    );
    return items;
  }

  const calls: Record<string, (items: AnyTable) => unknown> = {
    "conditions behind 16 links": (items) =>
      items.count({ $any: many((i) => ({ [`${DEEP}s`]: { $pattern: `x${i}` } })) }),
    "sort keys behind 16 links": (items) =>
      items.query({ sort: ["s", "t", "id"].map((name) => DEEP + name) }),
    "200 counts with filters behind links": (items) =>
      items.aggregate({
        aggs: Object.fromEntries(
          Array.from({ length: 200 }, (_, i) => [
            `c${i}`,
            { count: { filter: { [`${DEEP}s`]: { $contains: `x${i}` } } } },
          ]),
        ),
      }),
    "conditions on ids of links": (items) =>
      items.count({ $any: many((i) => ({ "k.id": { $contains: `x${i}` } })) }),
    "conditions on items": (items) =>
      items.count({ $any: many((i) => ({ tags: { $includes: { $contains: `x${i}` } } })) }),
    "long texts": (items) => items.count({ $any: many((i) => ({ t: { $contains: letters(i) } })) }),
    "long patterns": (items) =>
      items.count({ $any: many((i) => ({ t: { $pattern: `*${letters(i)}` } })) }),
  };
  for (const [name, call] of Object.entries(calls)) {
    it(`reads the clock, and derives tables within a limit: ${name}`, () => {
      const items = openLinked();
      const { total, gap } = measureArrays(() => call(items));
      expect(total).toBeLessThan(8 * 2 ** 20);
      expect(gap).toBeLessThan(128 * 1024);
    });
  }

  it("gives the same results without memory for tables", () => {
    const items = openLinked();
    const filters: Filter[] = [
      { [`${DEEP}s`]: { $contains: "s1" } },
      { "k.k.tags": { $includes: { $endsWith: "7" } } },
      { $not: { "k.id": { $startsWith: "r2" } } },
      { tags: { $includesAll: { $contains: "9" } } },
      { "k.s": { $iPattern: "S?2*" } },
      { $not: { t: { $contains: "x".repeat(70) } }, s: { $pattern: "*1*" } },
      { "k.s": { $any: many((i) => `s${i}`) } },
    ];
    const counts = filters.map((filter) => countMatches(runOf(items), filter));
    expect(counts.every((count) => count > 0 && count < ROWS)).toBe(true);
    const derived = { left: 0, paths: undefined };
    const without = filters.map((filter) => countMatches(runOf(items, { derived }), filter));
    expect(without).toEqual(counts);
  });

  it("charges its tables to the limit of the call", () => {
    const items = openLinked();
    const charged: [filter: Filter, bytes: number][] = [
      [{ $any: many((i) => ({ t: { $pattern: `*${letters(i)}` } })) }, 300 * 2000 * 4],
      [{ t: { $any: many((i) => `${i}`) } }, 300 * 8],
    ];
    for (const [filter, bytes] of charged) {
      const run = runOf(items);
      const { left } = run.derived;
      countMatches(run, filter);
      expect(left - run.derived.left).toBeGreaterThan(bytes);
    }
  });
});

describe("L-10: the clock is read in every loop over tables and migrations", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  const addTables = (count: number, head: string) => ({
    operations: Array.from({ length: count }, (_, i) => ({ addTable: { table: `${head}${i}` } })),
  });
  const schema = { tables: [1, 2, 3].map((i) => ({ name: `s${i}`, columns: [] })) };

  const calls: Record<string, { readonly path: string; readonly body?: object }> = {
    "applied operations": { path: "main/schema/apply", body: { edits: addTables(3, "t") } },
    "operations of a preview": { path: "main/schema/preview", body: { edits: addTables(3, "t") } },
    "a schema to compare": { path: "main/schema/compare", body: { schema } },
    "two branches to compare": { path: "main/schema/compare/source", body: {} },
    "the tables of a branch": { path: "main" },
    "a schema to plan": { path: "main/migrations/plan", body: schema },
    "a history": { path: "main/migrations" },
    "pushed migrations": {
      path: "main/schema/push",
      body: { migrations: [{ id: "m", checksum: "", parentID: "p", ...addTables(3, "t") }] },
    },
  };

  function openHistory() {
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => now++);
    // Reading a body takes one, too.
    const engine = createEngine({ limits: { queryMs: TIME_LIMIT + 1 }, seed: 1, now: 0 });
    const filled = createEngine({ seed: 1, now: 0 });
    const database = filled.createWorkspace("acme").createDatabase("shop");
    const main = database.branch("main");
    const migrations = [{ id: "p", checksum: "", ...addTables(3, "had") }];
    pushMigrations(main, migrations);
    database.createBranch("source", { from: "main" });
    updateSchema(database.branch("source"), addTables(3, "new"));
    createMigrationRequest(database, { source: "source", target: "main", title: "t" });
    engine.restore(filled.snapshot());
    return engine;
  }

  for (const [name, { path, body }] of Object.entries(calls)) {
    it(`in ${name}`, async () => {
      const engine = openHistory();
      const before = digest(engine);
      const response = await createFetch(engine)(`http://x/db/shop:${path}`, {
        method: body === undefined ? "GET" : "POST",
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      expect([response.status, await response.json()]).toMatchObject([
        408,
        { code: "query_timeout", rule: "L-10", message: expect.stringContaining("limits.queryMs") },
      ]);
      expect(digest(engine)).toBe(before);
    });
  }

  it("in a merge, which is no conflict", async () => {
    const engine = openHistory();
    const before = digest(engine);
    const response = await createFetch(engine)("http://x/dbs/shop/migrations/1/merge", {
      method: "POST",
    });
    expect(response.status).toBe(408);
    expect(digest(engine)).toBe(before);
  });
});

it("L-11: an answer that would be too long is not written", async () => {
  const engine = createEngine({ seed: 1, now: 0 });
  const main = engine.createWorkspace("local").createDatabase("shop").branch("main");
  main.createTable("items", defineColumns({ t: "text" })).insert({ id: "a", t: "x".repeat(4e6) });
  const stringify = vi.spyOn(JSON, "stringify");
  onTestFinished(() => stringify.mockRestore());
  const get = { get: { table: "items", id: "a", columns: ["t"] } };
  const body = `{"operations":[${JSON.stringify(get)}${`,${JSON.stringify(get)}`.repeat(99)}]}`;
  stringify.mockClear();
  const url = "http://localhost/db/shop:main/transaction";
  const answer = await createFetch(engine)(url, { method: "POST", body });
  expect(await answer.json()).toMatchObject({ code: "invalid_request", rule: "L-11" });
  expect(stringify.mock.calls.filter(([given]) => "results" in Object(given))).toEqual([]);
});

it("L-10: reading the body is part of the time", async () => {
  const { engine } = openLimited(1000, 100);
  const { parse } = JSON;
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
  vi.spyOn(JSON, "parse").mockImplementation((text) => {
    now += 1001;
    return parse(text);
  });
  const response = await createFetch(engine)("http://x/db/shop:main/tables/items/query", {
    method: "POST",
    body: JSON.stringify({ filter: { n: { $gt: 1 } } }),
  });
  vi.restoreAllMocks();
  expect(response.status).toBe(408);
});

it("L-10: a server ends calls after a second by default", async () => {
  const engine = createEngine({ seed: 1, now: 0 });
  const table = engine
    .createWorkspace("acme")
    .createDatabase("shop")
    .branch("main")
    .createTable("items", defineColumns({ n: "int" }));
  table.load(Array.from({ length: 6000 }, (_, n) => ({ n })));
  const ask = async (server: { readonly url: string }) => {
    const body = JSON.stringify({ filter: { $any: [{ n: 1 }, { n: { $gt: 5998 } }] } });
    const url = `${server.url}/db/shop:main/tables/items/query`;
    let now = 0;
    vi.spyOn(performance, "now").mockImplementation(() => {
      now += 600;
      return now;
    });
    const response = await fetch(url, { method: "POST", body });
    vi.restoreAllMocks();
    return [response.status, ((await response.json()) as { message?: string }).message];
  };
  await using server = await serve(engine);
  expect(await ask(server)).toEqual([
    408,
    "the call exceeded its time limit of 1000 ms (limits.queryMs)",
  ]);
  await using unlimited = await serve(engine, { queryMs: 0 });
  expect(await ask(unlimited)).toEqual([200, undefined]);
});
