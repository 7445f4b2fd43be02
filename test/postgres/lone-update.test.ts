import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import { type AnyBranch, type AnyEngine, createEngine } from "../../src/index.js";
import { openPostgres, type PostgresDatabase } from "../../src/postgres.js";

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

/** The outcome of an act, and how many statements it took. */
async function tell(act: () => unknown): Promise<{ outcome: object; statements: number }> {
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

type Program = (branch: AnyBranch) => unknown;

const change = (changes: object, id = "ada"): Program => {
  return (branch) => branch.table("users").update(id, changes);
};

const ALONE: Readonly<Record<string, Program>> = {
  "a number": change({ age: 5 }),
  "values of all kinds": change({
    ...{
      rating: 0.1,
      born: "1815-12-10T00:00:00.123456Z",
      tags: ["a,b", '"', ""],
      story: "é\u0000",
    },
    ...{ notes: [{ a: null }], home: { city: "London" }, team: "t1" },
  }),
  nulls: change({ rating: null, tags: null, home: null, team: null, notes: null }),
  "a dotted name": change({ "home.city": "Paris" }),
  "its own id": change({ id: "ada", age: 6 }),
  nothing: change({}),
  "without a result": (branch) => {
    branch.table("users").update("ada", { age: 7 });
  },
  "for a result of its own": (branch) => {
    branch.table("users").update("ada", { age: 8 });
    return "done";
  },
};

const MORE: Readonly<Record<string, Program>> = {
  "an increment": change({ age: { $increment: 2 } }),
  "a unique value": change({ email: "new@a.b" }),
  "a unique value that is taken": change({ email: "bob@a.b" }),
  "a forbidden null": change({ name: null }),
  "a long text": change({ story: "x".repeat(5000) }),
  "an unknown column": change({ nope: 1 }),
  "a wrong type": change({ age: "1" }),
  "another id": change({ id: "bob" }),
  "a missing record": change({ age: 1 }, "nobody"),
  "a record without an id": (branch) => branch.table("users").update(5 as never, { age: 1 }),
  "a missing table": (branch) => branch.table("nope").update("ada", { age: 1 }),
  "some columns": (branch) => branch.table("users").update("ada", { age: 9 }, { columns: ["age"] }),
  "a wrong version": (branch) =>
    branch.table("users").update("ada", { age: 9 }, { ifVersion: 1000 }),
  "and looks at the record": (branch) =>
    branch.table("users").update("ada", { age: 10 }).home !== undefined,
  "and asks what the record has": (branch) =>
    "rating" in branch.table("users").update("ada", { age: 10 }),
  "and copies the record": (branch) => ({ ...branch.table("users").update("ada", { age: 11 }) }),
  "and returns the record in a list": (branch) => [
    branch.table("users").update("ada", { age: 11 }),
  ],
  "and another": (branch) => {
    branch.table("users").update("ada", { age: 12 });
    return branch.table("users").update("bob", { age: 12 });
  },
  "and then fails": (branch) => {
    branch.table("users").update("ada", { age: 1000 });
    throw new RangeError("no");
  },
  "and survives what stops it": (branch) => {
    try {
      branch.table("users").update("ada", { age: 13 }).toString();
    } catch {
      return branch.table("users").update("bob", { age: 13 });
    }
    return null;
  },
  "after another table": (branch) => {
    branch.table("teams").update("t1", { name: "blue" });
    return branch.table("users").update("ada", { team: "t1" });
  },
  "after a read": (branch) =>
    branch.table("users").update("ada", { age: Number(branch.table("users").get("bob")?.age) + 1 }),
};

describe("a program that updates", () => {
  it.each(Object.entries(ALONE))("%s is one statement", async (_, program) => {
    const { outcome, statements } = await tell(() => db.transact({ database: "shop" }, program));
    expect(outcome).toEqual((await tell(() => program(main()))).outcome);
    expect(statements).toBe(1);
    await expectSameRecords();
  });

  it.each(Object.entries(MORE))("%s acts as in memory", async (_, program) => {
    const { outcome } = await tell(() => db.transact({ database: "shop" }, program));
    const before = engine.snapshot();
    const expected = await tell(() => program(main()));
    expect(outcome).toEqual(expected.outcome);
    if (!("value" in expected.outcome)) engine.restore(before);
    await expectSameRecords();
  });
});

it("a program may keep the record for later", async () => {
  let kept: object | undefined;
  const keep: Program = (branch) => {
    kept = branch.table("users").update("ada", { age: 14 });
  };
  await db.transact({ database: "shop" }, keep);
  const found = { ...kept };
  keep(main());
  expect(found).toEqual(kept);
});

describe("PATCH of a record", () => {
  it.each([
    ["", { age: 20 }, 1],
    ["?columns=*", { age: 21 }, 1],
    ["?columns=name,home.city", { age: 22 }, 1],
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
    const { outcome, statements } = await tell(ask(db.fetch));
    expect(outcome).toEqual((await tell(ask(fetch))).outcome);
    if (expected !== undefined) expect(statements).toBe(expected);
    await expectSameRecords();
  });

  it("of the version that it expects is one statement", async () => {
    const { version } = main().table("users").get("bob")!.service as { version: number };
    const path = `${ADDRESS}/bob?ifVersion=${version}`;
    const sent = { method: "PATCH", body: '{"age":30}' };
    const { outcome, statements } = await tell(async () => (await db.fetch(path, sent)).status);
    expect([outcome, statements]).toEqual([{ value: 200 }, 1]);
    main().table("users").update("bob", { age: 30 });
    await expectSameRecords();
  });
});
