import { afterEach, describe, expect, it, vi } from "vitest";
import { createEngine } from "../../src/index.js";
import { serve } from "../../src/node.js";
import { createDouble } from "../../src/testing.js";
import { type Build, CLIENTS, create, tables } from "./clients.js";

const databaseURL = "https://acme.us-east-1.xata.sh/db/shop";
/** A stale answer in half of the rounds, without our measures. */
const FEW = 20;
const MANY = 200;

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Counts the rounds in which a query returns a deleted record. */
async function countStale({ db: { users } }: ReturnType<Build>, rounds: number): Promise<number> {
  let stale = 0;
  for (let round = 0; round < rounds; round++) {
    const { id } = await users.create({ name: "Ada" });
    const query = users.filter({ name: "Ada" });
    expect((await query.getMany()).length).toBe(1);
    await users.delete(id);
    stale += (await query.getMany()).length;
  }
  return stale;
}

describe.each(CLIENTS)("a read after a write by %s", (_, build, { SimpleCache }) => {
  const withOptions = async (rounds: number) => {
    using double = createDouble({ schema: tables });
    expect(await countStale(build(double.client), rounds)).toBe(0);
  };
  const withStub = async (rounds: number) => {
    using _ = createDouble({ schema: tables, databaseURL }).stub();
    expect(await countStale(create(build, { databaseURL }), rounds)).toBe(0);
  };
  const overServe = async (rounds: number) => {
    const engine = createEngine({ profile: "xata" });
    const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
    main.createTable("users", tables[0].columns);
    const server = await serve(engine, { workspace: "acme" });
    const { port } = new URL(server.url);
    const path = build === CLIENTS[0]![1] ? "acme.us-east-1.localhost" : "acme.localhost";
    const client = create(build, { databaseURL: `http://${path}:${port}/db/shop` });
    expect(await countStale(client, rounds)).toBe(0);
    await server.close();
  };

  it.each([
    ["with the options of a double", withOptions],
    ["with stub()", withStub],
    ["over serve", overServe],
  ])("returns the state after it %s", async (_, run) => run(FEW));

  it("returns the state after it two hundred times", { tags: ["slow"] }, async () => {
    for (const run of [withOptions, withStub, overServe]) await run(MANY);
  });

  it("does not wait for a frozen clock", async () => {
    vi.useFakeTimers();
    using double = createDouble({ schema: tables, databaseURL });
    double.stub();
    const { db } = create(build, { databaseURL });
    const { id } = await db.users.create({ name: "Ada" });
    await db.users.getAll();
    await db.users.delete(id);
    expect((await db.users.getAll()).length).toBe(1); // from the client's cache
    expect((await build(double.client).db.users.getAll()).length).toBe(0);
  });

  it("shows rows of the test before it that moved a fake Date, unless the cache is off", async () => {
    const double = createDouble({ schema: tables, databaseURL });
    using _ = double.stub();
    const { db } = create(build, { databaseURL });
    vi.useFakeTimers({ now: Date.now() + 86_400_000, toFake: ["Date"] });
    await db.users.create({ name: "Ada" });
    expect((await db.users.getAll()).length).toBe(1);
    vi.useRealTimers();
    double.reset();
    expect((await db.users.getAll()).length).toBe(1); // from the client's cache
    // As docs/fake-timers.md says.
    vi.spyOn(SimpleCache.prototype, "get").mockImplementation(async () => null);
    expect((await db.users.getAll()).length).toBe(0);
    vi.restoreAllMocks();
  });

  it("waits only briefly for a clock that another replacement stopped", async () => {
    using _ = createDouble({ schema: tables, databaseURL }).stub();
    const { db } = create(build, { databaseURL });
    vi.spyOn(Date, "now").mockReturnValue(0);
    await db.users.getAll();
    await db.users.create({ name: "Ada" });
    vi.restoreAllMocks();
  });
});
