import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { advise } from "../../src/cli/advise.js";
import { startServing } from "../../src/cli/serve.js";
import { resolveSetup } from "../../src/engine/options.js";
import { exportEngine } from "../../src/export.js";
import { createFetch, createHandler } from "../../src/http.js";
import type { AnyBranch, AnyTable } from "../../src/index.js";
import { serve } from "../../src/node.js";
import { Catalog } from "../../src/postgres/catalog.js";
import { readServer } from "../../src/postgres/driver.js";
import { IdBlocks } from "../../src/postgres/id-blocks.js";
import { openPglite } from "../../src/postgres/pglite.js";
import { openPostgres, type PostgresDatabase } from "../../src/postgres.js";
import { defineColumns } from "../columns.js";
import "./copied-database.js";

const NOW = Date.parse("2026-01-02T03:04:05Z");
const PLACE = { database: "shop" } as const;
const DROPPING = { dropValues: true } as const;
let folder: string;
let db: PostgresDatabase;

async function open(): Promise<PostgresDatabase> {
  return openPostgres({ pglite: folder }, { workspace: "w", workspaces: ["w"], now: NOW });
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "twinbase-"));
  db = await open();
  await db.change((engine) => {
    const main = engine.workspace("w").createDatabase("shop").branch("main");
    main.createTable("teams", [{ name: "name", type: "string", unique: true }]);
    main.createTable(
      "users",
      defineColumns({ email: "email unique", age: "int", team: "-> teams" }),
    );
    main.createTable("many", defineColumns({ email: "email unique", age: "int" }));
  });
}, 240_000);

afterAll(async () => {
  await db.close();
  await rm(folder, { recursive: true, force: true });
});

it("a folder of PGlite is opened once at a time", async () => {
  await expect(open()).rejects.toMatchObject({
    code: "unavailable",
    message: expect.stringContaining("has it open"),
  });
});

it("a change writes no records, and a transaction nothing else; neither does so without a word", async () => {
  const stored = async () => [...exportEngine(await db.toEngine())].join("");
  const before = await stored();
  const writing = db.change((engine) => {
    engine.workspace("w").database("shop").branch("main").table("teams").insert({ name: "Red" });
  });
  await expect(writing).rejects.toMatchObject({ code: "not_implemented" });
  const changing = db.transact(PLACE, (main) => void main.createTable("more", []));
  await expect(changing).rejects.toMatchObject({ code: "not_implemented" });
  expect(await stored()).toBe(before);
});

it("R-3: generated ids ascend, though the clock was turned back between two openings", async () => {
  const pglite = await mkdtemp(join(tmpdir(), "twinbase-"));
  const ids: string[] = [];
  const insert = { statement: "insert into t (n) values (1) returning id" };
  const init = { method: "POST", body: JSON.stringify(insert) };
  for (const now of [NOW, NOW - 3_600_000]) {
    const own = await openPostgres({ pglite }, { workspace: "w", workspaces: ["w"], now });
    if (ids.length === 0) {
      await own.change((engine) => {
        const main = engine.workspace("w").createDatabase("shop").branch("main");
        main.createTable("t", defineColumns({ n: "int" }));
      });
    }
    const made = await own.transact(PLACE, (main) => main.table("t").insert([{}, {}]));
    const answer = await own.fetch("http://localhost/db/shop:main/sql", init);
    const { records } = (await answer.json()) as { records: { id: string }[] };
    ids.push(...[...made, ...records].map(({ id }) => id));
    await own.close();
  }
  await rm(pglite, { recursive: true });
  expect(ids).toEqual([...new Set(ids)].sort());
  expect(ids).toHaveLength(6);
});

it("R-3: numbers of ids ascend after a process that ended without closing", async () => {
  const driver = await openPglite(undefined);
  await Catalog.open(driver, { ...resolveSetup({}), indexes: "never" });
  const first = await IdBlocks.open(driver);
  await first.lease(NOW);
  const number = first.next(NOW);
  first.commit(number + 1);
  const second = await IdBlocks.open(driver);
  await second.lease(NOW - 3_600_000);
  expect(second.next(NOW - 3_600_000)).toBeGreaterThan(number);
  await driver.close();
});

it("T-4: texts and ids keep U+FEFF at their beginning", async () => {
  await db.change((engine) => {
    const main = engine.workspace("w").createDatabase("marks").branch("main");
    const columns = { s: "string unique", t: "text", to: "-> t", list: "multiple", j: "json" };
    main.createTable("t", defineColumns(columns));
  });
  const mark = "\uFEFF";
  const written = [mark, ""].map((first) => {
    const text = `${first}${mark}a`;
    return { id: text, s: text, t: text, list: [text], j: text };
  });
  const linked = { id: "linked", to: written[0]!.id };
  const place = { database: "marks" } as const;
  await db.transact(place, (main) => {
    main.table("t").insert(written);
    main.table("t").insert(linked);
  });
  const { records } = await db.query({ ...place, table: "t" }, { sort: [{ id: "asc" }] });
  const expected = [linked, written[1], written[0]].map((record) =>
    expect.objectContaining({ ...record, ...("to" in record! && { to: { id: linked.to } }) }),
  );
  expect(records).toEqual(expected);
  expect(
    (await db.toEngine()).workspace("w").database("marks").branch("main").table("t").get(linked.to),
  ).toMatchObject(written[0]!);
  const sent = { statement: `select s as "${mark}s" from t where id = $1`, params: [linked.to] };
  const init = { method: "POST", body: JSON.stringify(sent) };
  const answer = await (await db.fetch("http://localhost/db/marks:main/sql", init)).json();
  expect(answer).toMatchObject({ records: [{ [`${mark}s`]: linked.to }] });
});

it("createFetch and createHandler answer from a database", async () => {
  const own = createFetch(db);
  const handle = createHandler(db, { basePath: "/own" });
  const path = "/db/shop:main/tables/teams/query";
  const init = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
  expect((await own(`http://localhost${path}`, init)).status).toBe(200);
  expect((await handle(new Request(`http://localhost/own${path}`, init))).status).toBe(200);
  const wrong = createFetch(db, { wrong: 1 } as never);
  await expect(wrong("http://localhost/")).rejects.toThrow("wrong");
  for (const given of [{}, { handler: 1 }]) {
    expect(() => createFetch(given as never)).toThrow(
      "engine: expected an engine, or a database of openPostgres, found",
    );
  }
});

it("advise does not create a folder", async () => {
  const missing = join(folder, "typo");
  await expect(advise([`pglite:${missing}`])).rejects.toThrow("there is no such folder");
  expect(existsSync(missing)).toBe(false);
});

it("tells that a folder is damaged", { tags: ["slow"] }, async () => {
  const other = await mkdtemp(join(tmpdir(), "twinbase-"));
  await writeFile(join(other, "PG_VERSION"), "18");
  await expect(openPostgres({ pglite: other })).rejects.toMatchObject({
    code: "unavailable",
    message: "cannot open the database: PGlite failed to initialize properly",
  });
  await rm(other, { recursive: true });
});

it("opens a new folder again after it was closed", { tags: ["slow"] }, async () => {
  const other = await mkdtemp(join(tmpdir(), "twinbase-"));
  const first = await openPostgres({ pglite: join(other, "new") });
  await first.close();
  await (await openPostgres({ pglite: join(other, "new") })).close();
  await rm(other, { recursive: true });
});

describe("a bulk", () => {
  const send = async (records: readonly object[]): Promise<number> => {
    const sent = { method: "POST", body: JSON.stringify({ records }) };
    const path = "http://localhost/db/shop:main/tables/many/bulk";
    return (await db.fetch(path, sent)).status;
  };

  it("leaves unique values to their index", async () => {
    const before = db.stats().statements;
    expect(await send([{ email: "only@example.org" }])).toBe(200);
    expect(db.stats().statements - before).toBe(1);
    const records = Array.from({ length: 500 }, (_, i) => ({ email: `bulk${i}@example.org` }));
    expect(await send(records)).toBe(200);
    expect(db.stats().statements - before).toBeLessThan(8);
    expect(await send([{ age: 1 }, ...records.slice(250, 251)])).toBe(400);
    expect(await send(records.slice(250))).toBe(400);
  });

  it("R-3: reserves its ids, so that concurrent bulks do not rerun", async () => {
    const before = db.stats().reruns;
    const records = Array.from({ length: 300 }, (_, age) => ({ age }));
    // All begin in one millisecond, the prefix of their ids.
    const insert = () => db.transact(PLACE, (main) => main.table("many").insert(records).length);
    const lanes = await Promise.all(Array.from({ length: 8 }, insert));
    expect(new Set(lanes)).toEqual(new Set([300]));
    expect(db.stats().reruns).toBe(before);
    const response = await db.fetch("http://localhost/db/shop:main/tables/many/aggregate", {
      method: "POST",
      body: JSON.stringify({ aggs: { n: { count: { filter: { age: { $lt: 300 } } } } } }),
    });
    expect(await response.json()).toMatchObject({ aggs: { n: 8 * 300 } });
  });
});

it("P-5: no selected columns and all columns are cached separately", async () => {
  const path = "http://localhost/db/shop:main/tables/many/data/chosen";
  await db.fetch(path, { method: "PUT", body: JSON.stringify({ age: 5 }) });
  const read = async (search: string) => (await db.fetch(path + search)).json();
  const metadata = expect.anything();
  expect(await read("?columns=")).toEqual({ id: "chosen", service: metadata });
  expect(await read("")).toEqual({ id: "chosen", age: 5, service: metadata });
  expect(await read("?columns=")).toEqual({ id: "chosen", service: metadata });
});

describe("a filter by a unique value", () => {
  it.each([
    ["equality", { email: "ada@example.org" }],
    ["one of several", { email: { $any: ["ada@example.org", "bob@example.org"] } }],
  ])("uses its index and requests no other: %s", async (_, filter) => {
    const { statement, indexes } = await db.explain({ ...PLACE, table: "many" }, { filter });
    expect(statement).toMatch(/md5\(t\.c\d+\) = /);
    expect(indexes).toEqual([]);
  });

  it("returns the same as without an index", async () => {
    const emails = ["a1@example.org", "a2@example.org", "a3@example.org"];
    await db.transact(PLACE, (main) =>
      main.table("many").insert(emails.map((email) => ({ email, age: 1000 }))),
    );
    const find = async (filter: object): Promise<unknown[]> =>
      (
        await db.query({ ...PLACE, table: "many" }, { filter: { age: 1000, ...filter } })
      ).records.map(({ email }) => email);
    expect(await find({ email: "a1@example.org" })).toEqual(emails.slice(0, 1));
    expect(await find({ email: { $any: emails.slice(1) } })).toEqual(emails.slice(1));
    expect(await find({ $not: { email: "a1@example.org" } })).toEqual(emails.slice(1));
    expect(await find({ email: "" })).toEqual([]);
  });
});

describe("a transaction", () => {
  it("is atomic over several tables", async () => {
    await db.transact(PLACE, (main) => {
      main.table("teams").insert({ id: "red", name: "Red" });
      main.table("users").insert({ id: "ada", email: "ada@example.org", age: 36, team: "red" });
    });
    await expect(
      db.transact(PLACE, (main) => {
        main.table("users").update("ada", { age: 99 });
        main.table("users").update("nobody", { age: 1 });
      }),
    ).rejects.toMatchObject({ code: "record_not_found" });
    const { records } = await db.query(
      { ...PLACE, table: "users" },
      { columns: ["age", "team.name"] },
    );
    expect(records).toMatchObject([{ id: "ada", age: 36, team: { name: "Red" } }]);
  });

  it("T-16: may swap unique values, but not duplicate them", async () => {
    await db.transact(PLACE, (main) => {
      main.table("teams").insert([
        { id: "a", name: "A" },
        { id: "b", name: "B" },
      ]);
    });
    await db.transact(PLACE, (main) => {
      main.table("teams").update("a", { name: "C" });
      main.table("teams").update("b", { name: "A" });
      main.table("teams").update("a", { name: "B" });
    });
    await expect(
      db.transact(PLACE, (main) => main.table("teams").insert({ name: "A" })),
    ).rejects.toMatchObject({ code: "invalid_record", rule: "T-16" });
    const { records } = await db.query({ ...PLACE, table: "teams" }, { sort: { name: "asc" } });
    expect(records.map(({ id, name }) => [id, name])).toEqual([
      ["b", "A"],
      ["a", "B"],
      ["red", "Red"],
    ]);
  });

  it.each<[string, (main: AnyBranch) => void]>([
    ["then deleted", (main) => main.table("teams").delete("new")],
    ["then changed", (main) => main.table("teams").update("new", { name: "New" })],
    ["before another fault", (main) => main.table("teams").update("nobody", {})],
    [
      "before a caught fault",
      (main) => expect(() => main.table("teams").insert({ name: 1 })).toThrow(),
    ],
  ])("T-16: refuses a value that is taken, %s", async (_, then) => {
    await db.transact(PLACE, (main) => main.table("teams").upsert("owner", { name: "D" }));
    const act = db.transact(PLACE, (main) => {
      main.table("teams").insert({ id: "new", name: "D" });
      then(main);
    });
    await expect(act).rejects.toMatchObject({ code: "invalid_record", rule: "T-16" });
    await db.transact(PLACE, (main) => main.table("teams").delete("owner"));
  });

  it("runs once for new records, and reruns for existing ones", async () => {
    const runs: string[] = [];
    const insert = (id: string): Promise<unknown> =>
      db.transact(PLACE, (main) => {
        runs.push(id);
        return main.table("teams").insert([{ id: `${id}-1`, name: id }, { id: `${id}-2` }]);
      });
    await insert("once");
    await expect(insert("once")).rejects.toThrow();
    expect(runs).toEqual(["once", "once", "once"]);
    await db.transact(PLACE, (main) => {
      for (const id of ["once-1", "once-2"]) main.table("teams").delete(id);
    });
  });

  it("may be asynchronous: nothing is lost to others, and an error undoes it", async () => {
    await db.transact(PLACE, (main) => main.table("teams").insert({ id: "slow", name: "0" }));
    const count = (then: (main: AnyBranch) => unknown = () => {}): Promise<void> =>
      db.transact(PLACE, async (main) => {
        const team = main.table("teams").get("slow");
        await setTimeout(1);
        main.table("teams").update("slow", { name: String(Number(team?.name) + 1) });
        await then(main);
      });
    await Promise.all(Array.from({ length: 5 }, () => count()));
    const refusal = new Error("sold out");
    await expect(count(() => Promise.reject(refusal))).rejects.toBe(refusal);
    const changing = count((main) => main.createTable("late", []));
    await expect(changing).rejects.toMatchObject({ code: "not_implemented" });
    const found = await db.transact(PLACE, (main) => {
      const team = main.table("teams").get("slow");
      main.table("teams").delete("slow");
      return team;
    });
    expect(found?.name).toBe("5");
  });

  it("returns linked records", async () => {
    const user = await db.transact(PLACE, (main) =>
      main.table("users").update("ada", { age: { $increment: 1 } }, { columns: ["age", "team.*"] }),
    );
    expect(user).toMatchObject({ age: 37, team: { id: "red", name: "Red" } });
  });

  it("P-11: returns records that link to the written one, including records not loaded before", async () => {
    await db.transact(PLACE, (main) => main.table("users").insert({ id: "bob", team: "red" }));
    const columns = ["name", { name: "<-users.team", as: "users", columns: ["age"] }];
    const team = await db.transact(PLACE, (main) => {
      main.table("users").insert({ id: "cy", age: 5, team: "red" });
      main.table("users").update("bob", { age: 4 });
      return main.table("teams").update("red", { name: "Red" }, { columns });
    });
    const users = [
      { id: "ada", age: 37 },
      { id: "bob", age: 4 },
      { id: "cy", age: 5 },
    ];
    expect(team).toMatchObject({ id: "red", name: "Red", users: { records: users } });
    const url = "http://localhost/db/shop:main/tables/users/data/cy";
    await db.transact(PLACE, (main) => main.table("users").delete("bob"));
    const moved = await db.transact(PLACE, (main) => {
      main.table("users").update("cy", { team: null });
      return main.table("teams").get("red", { columns });
    });
    expect(moved).toMatchObject({ users: { records: [{ id: "ada" }] } });
    expect((await db.fetch(url, { method: "DELETE" })).status).toBeLessThan(300);
  });

  it("refuses queries, as it loads only some records", async () => {
    for (const ask of [
      (users: AnyTable) => users.query(),
      (users: AnyTable) => users.count(),
      (users: AnyTable) => [...users.scan()],
      (users: AnyTable) => users.summarize(),
    ]) {
      const asked = db.transact(PLACE, (main) => void ask(main.table("users")));
      await expect(asked).rejects.toMatchObject({ code: "not_implemented" });
    }
  });

  it("finds its own inserts by id, to read, update and delete", async () => {
    const { id } = await db.transact(PLACE, (main) => main.table("users").insert({ age: 1 }));
    const path = `http://localhost/db/shop:main/tables/users/data/${id}`;
    const statusOf = async (method: string, body?: string): Promise<number> =>
      (await db.fetch(path, { method, ...(body !== undefined && { body }) })).status;
    expect(await statusOf("GET")).toBe(200);
    expect(await statusOf("PATCH", '{"age":2}')).toBe(200);
    const found = await db.transact(PLACE, (main) => main.table("users").get(id));
    expect(found).toMatchObject({ id, age: 2 });
    expect(await statusOf("DELETE")).toBe(204);
    expect(await statusOf("GET")).toBe(404);
  });

  it("R-3: creates ids in ascending order", async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) {
      ids.push(await db.transact(PLACE, (main) => main.table("users").insert({}).id));
    }
    expect([...ids].sort()).toEqual(ids);
    await db.transact(PLACE, (main) => ids.map((id) => main.table("users").delete(id)));
  });
});

describe("work per request", () => {
  it("is reported in a header and in the statistics", async () => {
    const before = db.stats();
    const url = "http://localhost/db/shop:main/tables/users/query";
    const response = await db.fetch(url, { method: "POST", body: "{}" });
    const timing = response.headers.get("server-timing");
    expect(timing).toMatch(/^db;dur=[\d.]+;desc="1 statements, 0 reruns"$/);
    const { statements, milliseconds } = db.stats();
    expect(statements - before.statements).toBe(1);
    expect(milliseconds).toBeGreaterThan(before.milliseconds);
  });
});

describe("concurrent transactions", () => {
  it("lose no update", async () => {
    const before = (await db.query({ ...PLACE, table: "users" })).records[0]!.age as number;
    const increment = (): Promise<unknown> =>
      db.transact(PLACE, (main) => main.table("users").update("ada", { age: { $increment: 1 } }));
    await Promise.all(Array.from({ length: 20 }, increment));
    const { records } = await db.query({ ...PLACE, table: "users" });
    expect(records[0]).toMatchObject({ age: before + 20 });
  });
});

describe("a reopened database", () => {
  it("G-4: keeps records and cursors", async () => {
    const query = { sort: { name: "asc" }, page: { size: 1 } } as const;
    const first = await db.query({ ...PLACE, table: "teams" }, query);
    await db.close();
    db = await open();
    const { cursor } = first.meta.page;
    const next = await db.query({ ...PLACE, table: "teams" }, { page: { after: cursor, size: 1 } });
    expect(next.records).toMatchObject([{ id: "a", name: "B" }]);
  });
});

describe("branches", () => {
  it("B-1: begin with the records of another branch, and are independent of it", async () => {
    await db.change((engine) => {
      engine.workspace("w").database("shop").createBranch("feature", { from: "main" });
    });
    await db.transact({ ...PLACE, branch: "feature" }, (branch) =>
      branch.table("teams").update("a", { name: "Other" }),
    );
    const names = async (branch: string): Promise<unknown[]> => {
      const { records } = await db.query({ ...PLACE, branch, table: "teams" });
      return records.map(({ name }) => name);
    };
    expect(await names("feature")).toEqual(["Other", "A", "Red"]);
    expect(await names("main")).toEqual(["B", "A", "Red"]);
  });
});

describe("the limits of PostgreSQL", () => {
  const columns = (count: number, from = 0): { name: string; type: "int" }[] =>
    Array.from({ length: count }, (_, i) => ({ name: `c${from + i}`, type: "int" }));
  const change = (act: (branch: AnyBranch) => void): Promise<void> =>
    db.change((engine) => act(engine.workspace("w").database("shop").branch("main")));

  it("allow more columns over time than a table can have", async () => {
    await change((main) => void main.createTable("wide", columns(900)));
    await db.transact(PLACE, (main) => main.table("wide").insert({ id: "one", c899: 1 }));
    for (const from of [800, 100, 850]) {
      const kept = columns(1, 899);
      const fresh = columns(800, 1000 + from).map((column) => ({ ...column, defaultValue: "7" }));
      await change((main) =>
        main.table("wide").setSchema({ columns: [...kept, ...fresh] }, DROPPING),
      );
    }
    const request = { columns: ["c899", "c1850"] };
    const { records } = await db.query({ ...PLACE, table: "wide" }, request);
    expect(records).toMatchObject([{ id: "one", c899: 1, c1850: 7 }]);
  });

  it("refuse a record larger than a page, and write nothing of it", async () => {
    const many = columns(1000, 5000).map(({ name }) => ({ name, type: "string" as const }));
    await change((main) => main.table("wide").setSchema({ columns: many }, DROPPING));
    const full = Object.fromEntries(
      many.map(({ name }) => [name, "some words of 30 letters or so"]),
    );
    const written = db.transact(PLACE, (main) => main.table("wide").insert({ id: "two", ...full }));
    await expect(written).rejects.toMatchObject({ code: "invalid_record" });
    expect((await db.query({ ...PLACE, table: "wide" })).records).toHaveLength(1);
  });
});

it("serve refuses a time limit that the database would not keep", async () => {
  await expect(serve(db, { queryMs: 5 })).rejects.toThrow("statementTimeout");
});

describe("a server", () => {
  const found = (version: string, encoding = "UTF8"): ReturnType<typeof readServer> =>
    readServer({ query: async () => [[version, encoding]] });

  it("must have version 14 or later, and the encoding UTF8", async () => {
    expect(await found("140000")).toEqual({ version: 140_000, isCluster: false });
    await expect(found("130023")).rejects.toMatchObject({
      code: "invalid_request",
      message: "expected PostgreSQL 14 or later, found 13.23",
    });
    await expect(found("180004", "LATIN1")).rejects.toMatchObject({
      code: "invalid_request",
      message: "expected a database of the encoding UTF8, found LATIN1",
    });
  });
});

describe("the command line", () => {
  it("fills an empty database with files, once, and prints what a client needs", {
    tags: ["slow"],
  }, async () => {
    const file = join(folder, "people.csv");
    await writeFile(file, "id,name\na,Ada\nb,Bob\n");
    const args = ["--postgres", `pglite:${folder}-filled`, "--port", "0", "--profile", "xata"];
    const lines: string[] = [];
    for (const name of ["shop", undefined]) {
      const named = name === undefined ? [] : ["--database", name];
      const started = await startServing([file, ...args, ...named], (line) => lines.push(line));
      try {
        expect(started.text).toMatch(
          /^http\S+ serves workspace local, database shop:main \(profile xata\)/,
        );
        expect(started.text).toMatch(/XATA_DATABASE_URL=http:\S+\/db\/shop\n/);
        const url = `${started.server.url}/db/shop:main/tables/people/query`;
        const answer = await fetch(url, { method: "POST", body: '{"columns":["name"]}' });
        expect(await answer.json()).toMatchObject({ records: [{ name: "Ada" }, { name: "Bob" }] });
      } finally {
        await started.server.close();
      }
    }
    expect(lines).toEqual(["the database contains data: continuing with it, no files loaded"]);
    await rm(`${folder}-filled`, { recursive: true, force: true });
    const exported = join(folder, "shop.export");
    await writeFile(exported, exportEngine(await db.toEngine()));
    await expect(startServing([exported, ...args])).rejects.toThrow(/twinbase copy/);
  });

  it("serves a database, and logs its work per request", { tags: ["slow"] }, async () => {
    const lines: string[] = [];
    const args = ["--postgres", `pglite:${folder}-served`, "--port", "0", "--verbose"];
    const { server } = await startServing(args, (line) => void lines.push(line));
    try {
      const table = `${server.url}/db/files:main/tables/t`;
      await fetch(table, { method: "PUT" });
      await fetch(`${table}/data`, { method: "POST", body: "{}" });
    } finally {
      await server.close();
    }
    expect(lines[1]).toMatch(
      /^POST .*\/data → 201 in .* ms; database: \d+ statements, 0 reruns, [\d.]+ ms$/,
    );
    const printed = await advise([`pglite:${folder}-served`]);
    expect(printed).toMatch(/^-- missing .*\n-- none\n-- unused .*\n-- none\n$/);
    await rm(`${folder}-served`, { recursive: true, force: true });
  });
});
