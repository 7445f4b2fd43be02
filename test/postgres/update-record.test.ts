import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import { type AnyBranch, type AnyEngine, createEngine } from "../../src/index.js";
import { openPostgres, type PostgresDatabase } from "../../src/postgres.js";
import "./copied-database.js";

const OPTIONS = { now: Date.parse("2026-01-02T03:04:05.678Z"), seed: 1 };
const SERVED = { workspace: "w", workspaces: ["w"] };
const ADDRESS = "http://localhost/db/shop:main/tables/users/data";

let db: PostgresDatabase;
let engine: AnyEngine;

/** The same branch in memory. */
function main(): AnyBranch {
  return engine.workspace("w").database("shop").branch("main");
}

function create(own: AnyEngine): void {
  const branch = own.workspace("w").createDatabase("shop").branch("main");
  branch.createTable("teams", [{ name: "name", type: "string" }]);
  branch.createTable("users", [
    { name: "name", type: "string", notNull: true },
    { name: "email", type: "email", unique: true },
    { name: "age", type: "int" },
    { name: "rating", type: "float" },
    { name: "born", type: "datetime" },
    { name: "tags", type: "multiple" },
    { name: "notes", type: "json" },
    { name: "story", type: "text" },
    { name: "home", type: "object", columns: [{ name: "city", type: "string" }] },
    { name: "team", type: "link", link: { table: "teams" } },
    { name: "files", type: "file[]" },
  ]);
}

function fill(branch: AnyBranch): void {
  branch.table("teams").insert({ id: "t1", name: "red" });
  for (const id of ["ada", "bob"]) {
    branch.table("users").insert({ id, name: id, age: 1, email: `${id}@a.b`, home: { city: "x" } });
  }
}

beforeAll(async () => {
  engine = createEngine(OPTIONS);
  db = await openPostgres({ pglite: true }, { ...OPTIONS, ...SERVED, indexes: "never" });
  engine.createWorkspace("w");
  create(engine);
  fill(main());
  await db.change(create);
  await db.transact({ database: "shop" }, fill);
}, 240_000);

afterAll(() => db.close());

/** The outcome of an act, and the number of its statements. */
async function measure(act: () => unknown): Promise<{ outcome: object; statements: number }> {
  const before = db.stats().statements;
  let outcome: object;
  try {
    outcome = { value: (await act()) ?? null };
  } catch (error) {
    const { code, message, path, rule } = error as Record<string, unknown>;
    outcome = { code, message, path, rule };
  }
  return { outcome, statements: db.stats().statements - before };
}

async function expectSameRecords(): Promise<void> {
  const request = { columns: ["*", "team.*"], sort: { id: "asc" as const } };
  const { records } = await db.query({ database: "shop", table: "users" }, request);
  expect(records).toEqual(main().table("users").query(request).records);
}

const ALONE: Readonly<Record<string, object>> = {
  "a number": { age: 5 },
  "values of all kinds": {
    rating: 0.1,
    born: "1815-12-10T00:00:00.123456Z",
    tags: ["a,b", '"', ""],
    story: "é\u0000",
    notes: [{ a: null }],
    home: { city: "London" },
    team: "t1",
  },
  nulls: { rating: null, tags: null, home: null, team: null, notes: null },
  "a dotted name": { "home.city": "Paris" },
  "its own id": { id: "ada", age: 6 },
  nothing: {},
};

const MORE: Readonly<Record<string, readonly [changes: object, id?: unknown, table?: string]>> = {
  "an increment": [{ age: { $increment: 2 } }],
  "a unique value": [{ email: "new@a.b" }],
  "a unique value that is taken": [{ email: "bob@a.b" }],
  "a forbidden null": [{ name: null }],
  "a long text": [{ story: "x".repeat(5000) }],
  "an unknown column": [{ nope: 1 }],
  "a wrong type": [{ age: "1" }],
  "no object": [[1]],
  "another id": [{ id: "bob" }],
  "a missing record": [{ age: 1 }, "nobody"],
  "an id that is no text": [{ age: 1 }, 5],
  "a missing table": [{ age: 1 }, "ada", "nope"],
};

describe("an update", { tags: ["slow"] }, () => {
  it.each(Object.entries(ALONE))("of %s is one statement", async (_, changes) => {
    const update = () => db.update({ database: "shop", table: "users" }, "ada", changes);
    const { outcome, statements } = await measure(update);
    expect(outcome).toEqual(
      (await measure(() => main().table("users").update("ada", changes))).outcome,
    );
    expect(statements).toBe(1);
    await expectSameRecords();
  });

  it.each(Object.entries(MORE))("of %s has the same outcome as in memory", async (_, given) => {
    const [changes, id = "ada", table = "users"] = given;
    const update = () => db.update({ database: "shop", table }, id as string, changes);
    const { outcome } = await measure(update);
    const inMemory = () =>
      main()
        .table(table)
        .update(id as string, changes);
    expect(outcome).toEqual((await measure(inMemory)).outcome);
    await expectSameRecords();
  });

  it("of a missing database or branch is refused", async () => {
    const at = { table: "users" };
    expect(
      (await measure(() => db.update({ ...at, database: "nope" }, "ada", {}))).outcome,
    ).toMatchObject({ code: "database_not_found" });
    const nowhere = { ...at, database: "shop", branch: "nope" };
    expect((await measure(() => db.update(nowhere, "ada", {}))).outcome).toMatchObject({
      code: "branch_not_found",
    });
  });
});

it("a transaction with an id that is no text finds no record", { tags: ["slow"] }, async () => {
  const program = (branch: AnyBranch): unknown => branch.table("users").update(5 as never, {});
  const { outcome } = await measure(() => db.transact({ database: "shop" }, program));
  expect(outcome).toEqual((await measure(() => program(main()))).outcome);
});

describe("PATCH of a record", { tags: ["slow"] }, () => {
  it.each([
    ["", { age: 20 }, 1],
    ["?columns=*", { age: 21 }, 1],
    ["?columns=name,home.city", { age: 22 }, 1],
    ["?columns=files.name", { age: 23 }, 1],
    ["?columns=files.base64Content", { age: 23 }, 2],
    ["?columns=team.*", { age: 23 }, undefined],
    ["?ifVersion=1000", { age: 24 }, undefined],
    ["?ifVersion=-1", { age: 25 }, undefined],
    ["?columns=nope", { age: 26 }, undefined],
    ["", { age: { $increment: 1 } }, undefined],
    ["", { age: "x" }, undefined],
  ])("%s with %j answers as in memory", async (search, changes, expected) => {
    const fetch = createFetch(engine, SERVED);
    const sent = { method: "PATCH", body: JSON.stringify(changes) };
    const ask = (way: typeof fetch) => async () => {
      const response = await way(`${ADDRESS}/ada${search}`, sent);
      const { id, ...body } = await response.json();
      return { status: response.status, body: { ...body, ...(id === "ada" && { id }) } };
    };
    const { outcome, statements } = await measure(ask(db.fetch));
    expect(outcome).toEqual((await measure(ask(fetch))).outcome);
    if (expected !== undefined) expect(statements).toBe(expected);
    await expectSameRecords();
  });

  it("of the version in ifVersion is one statement", async () => {
    const { version } = main().table("users").get("bob")!.service as { version: number };
    const path = `${ADDRESS}/bob?ifVersion=${version}`;
    const sent = { method: "PATCH", body: '{"age":30}' };
    const { outcome, statements } = await measure(async () => (await db.fetch(path, sent)).status);
    expect([outcome, statements]).toEqual([{ value: 200 }, 1]);
    main().table("users").update("bob", { age: 30 });
    await expectSameRecords();
  });
});
