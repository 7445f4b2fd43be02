import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { openPostgres, type PostgresDatabase } from "../../src/postgres.js";
import type { QueryRequest } from "../../src/types.js";
import { defineColumns } from "../columns.js";
import { freshDatabase, isCluster, runsHere } from "./cluster.js";

const USERS = { database: "d", table: "users" } as const;
/** A second table with the same records, as a table gets at most eight indexes. */
const PEOPLE = { database: "d", table: "people" } as const;
const COUNT = 20_000;
let url: string;
let db: PostgresDatabase;

const runs = runsHere("indexes", "a server that is no cluster", !isCluster);

describe.runIf(runs)("a frequent query", () => {
  beforeAll(async () => {
    url = await freshDatabase(inject("postgresUrl"), "advisor");
    db = await openPostgres(url, { workspaces: ["w"] });
    await db.change((engine) => {
      const main = engine.workspace("w").createDatabase("d").branch("main");
      main.createTable("teams", [{ name: "name", type: "string" }]);
      for (const { table } of [USERS, PEOPLE])
        main.createTable(
          table,
          defineColumns({
            name: "text",
            age: "int",
            city: "string",
            tags: "multiple",
            team: "-> teams",
            more: "json",
          }),
        );
    });
    await db.transact({ database: "d" }, (main) => {
      const teams = Array.from({ length: 2000 }, (_, i) => ({
        id: `team${i}`,
        name: `the team of number ${(i * 7919) % 2000}`,
      }));
      main.table("teams").load(teams);
    });
    for (let from = 0; from < COUNT; from += 2000) {
      await db.transact({ database: "d" }, (main) => {
        const users = Array.from({ length: 2000 }, (_, i) => ({
          id: `u${from + i}`,
          name: `name ${(from + i) * 7919}`,
          age: (from + i) % 97,
          city: `city ${(from + i) % 400}`,
          tags: [`t${(from + i) % 300}`, "all"],
          team: `team${(from + i) % 500}`,
          more: { shop: { number: (from + i) % 900 } },
        }));
        for (const { table } of [USERS, PEOPLE]) main.table(table).load(users);
      });
    }
  });
  afterAll(() => db?.close());

  it.each<Case>([
    ["an equality", { filter: { city: "city 7" } }, /\(c\d+, id\)$/],
    ["an order", { sort: { age: "desc" } }, /\(c\d+ desc, id\)$/],
    [
      "an equality in an order",
      { filter: { city: "city 8" }, sort: { age: "asc" } },
      /\(c\d+, c\d+, id\)$/,
    ],
    ["a range", { filter: { name: { $startsWith: "name 79190" } } }, /\(c\d+, id\)$/],
    ["an item of a list", { filter: { tags: { $includes: "t7" } } }, /using gin \(c\d+\)$/],
    ["a part of a text", { filter: { name: { $contains: "7919" } } }, /gin_trgm_ops\)$/],
    ["a link", { filter: { "team.id": "team7" } }, /\(c\d+, id\)$/],
  ])("gets an index that PostgreSQL uses: %s", (_, request, definition) =>
    expectIndex(USERS, request, definition),
  );

  it.each<Case>([
    [
      "a part of a text in any case",
      { filter: { name: { $iContains: "E 15838000" } } },
      /gin_trgm_ops\)$/,
    ],
    ["a member of JSON", { filter: { "more->shop->number": 7 } }, /jsonb_path_ops\)$/],
    [
      "a linked record in an order",
      { filter: { "team.name": "the team of number 7" }, sort: { age: "desc" } },
      /\(c\d+, c\d+ desc, id\)$/,
    ],
    ["the order of linked records", { sort: { "team.name": "asc" } }, /\(c\d+, id\)$/],
  ])("gets an index on a text, a JSON member or a link: %s", (_, request, definition) =>
    expectIndex(PEOPLE, request, definition),
  );

  it("gets an index with its order in both directions", async () => {
    const sort = { age: "desc" } as const;
    const definition = /\(c\d+ desc, id\)$/;
    for (const page of [{ size: 5 }, { size: 5, before: "end" }]) {
      await expectIndex(USERS, { sort, page }, definition);
      expect((await db.explain(USERS, { sort, page })).plan.join("\n")).not.toContain("Sort");
    }
  });

  it("gets an index for counts", async () => {
    const handler = (body: object) =>
      db.fetch("http://localhost/db/d:main/tables/users/aggregate", {
        method: "POST",
        body: JSON.stringify(body),
      });
    const count = { aggs: { all: { count: "*" } }, filter: { name: { $endsWith: "7919" } } };
    const average = { aggs: { age: { average: { column: "age" } } }, filter: { city: "city 9" } };
    for (const body of [count, average]) {
      const before = await (await handler(body)).json();
      for (let i = 0; i < 10; i++) await handler(body);
      await db.idle();
      expect(await (await handler(body)).json()).toEqual(before);
      const { filter } = body as QueryRequest;
      expect((await db.explain(USERS, { filter })).indexes).toMatchObject([{ isThere: true }]);
    }
  });

  it("is reported with its missing index if the option indexes is never", async () => {
    await using other = await openPostgres(url, { workspace: "w", indexes: "never" });
    const request: QueryRequest = { sort: { name: "desc" } };
    for (let i = 0; i < 10; i++) await other.query(USERS, request);
    await other.idle();
    const { missing, unused } = await other.advise();
    expect(missing).toMatchObject([
      { statement: expect.stringMatching(/ desc, id\)$/), asked: 10 },
    ]);
    expect(unused.every(({ bytes }) => bytes > 0)).toBe(true);
  });

  it("gets its index later if a schema change cancels the creation", async () => {
    const request: QueryRequest = { sort: { team: "desc" }, page: { size: 1 } };
    const reader = new pg.Client(url);
    const watcher = new pg.Client(url);
    await Promise.all([reader.connect(), watcher.connect()]);
    // The creation waits for older transactions.
    await reader.query("begin isolation level repeatable read; select 1 from twinbase.catalog");
    for (let i = 0; i < 10; i++) await db.query(USERS, request);
    for (let isMaking = false; !isMaking; ) {
      const { rowCount } = await watcher.query(
        "select 1 from pg_stat_activity where query like 'create index%' and wait_event_type = 'Lock' and datname = current_database()",
      );
      isMaking = rowCount === 1;
    }
    await db.change((engine) => {
      const main = engine.workspace("w").database("d").branch("main");
      main.table("users").addColumn({ name: "other", type: "int" });
    });
    await Promise.all([reader.end(), watcher.end()]);
    await db.idle();
    expect((await db.explain(USERS, request)).indexes).toMatchObject([{ isThere: false }]);
    // The cancelled session may hold its lock a little longer.
    const isThere = async () => (await db.explain(USERS, request)).indexes[0]?.isThere === true;
    for (let round = 0; round < 5 && !(await isThere()); round++) {
      for (let i = 0; i < 10; i++) await db.query(USERS, request);
      await db.idle();
    }
    expect(await isThere()).toBe(true);
  });

  it("gets no index on values that are too long for it", async () => {
    const long = Array.from({ length: 9000 }, (_, i) =>
      ((i * i * 7919) % 65_521).toString(36),
    ).join("");
    await db.transact({ database: "d" }, (main) =>
      main.table("users").update("u1", { name: long }),
    );
    const { records } = await db.query(USERS, { filter: { name: long } });
    expect(records).toMatchObject([{ id: "u1" }]);
    const { missing } = await db.advise();
    expect(missing.filter(({ unfit }) => unfit)).not.toEqual([]);
  });

  it("gets at most eight indexes per table", async () => {
    const columns = ["name", "age", "city", "team"] as const;
    for (const first of columns) {
      for (const second of columns) {
        if (first === second) continue;
        const sort = [{ [first]: "asc" }, { [second]: "asc" }] as QueryRequest["sort"];
        for (let i = 0; i < 10; i++) await db.query(USERS, { sort, page: { size: 1 } });
      }
    }
    await db.idle();
    const { missing } = await db.advise();
    expect(missing.length).toBeGreaterThanOrEqual(5);
  });
});

type Case = [what: string, request: QueryRequest, index: RegExp];

/** Repeats a query until it has an index; requires a plan with it and the same answer. */
async function expectIndex(
  address: typeof USERS | typeof PEOPLE,
  request: QueryRequest,
  definition: RegExp,
) {
  const before = await db.query(address, request);
  for (let i = 0; i < 10; i++) await db.query(address, request);
  await db.idle();
  const { plan, indexes } = await db.explain(address, request);
  expect(indexes).toContainEqual({
    definition: expect.stringMatching(definition),
    isThere: true,
  });
  expect(plan.join("\n")).toMatch(/Index (?:Only )?Scan.*t\d+_[oiwfj]/);
  expect(await db.query(address, request)).toEqual(before);
}
