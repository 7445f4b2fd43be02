import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { Engine } from "../../src/engine.js";
import { createControl, createFetch, createMemory } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { serve } from "../../src/node.js";

const FEED = "http://localhost/_twinbase/events";
const ROWS = "/_twinbase/db/files:main/tables/people/live";
const AT = { workspace: "local", database: "files", branch: "main", table: "people" };

function createPeople() {
  const engine = createEngine({ now: 0, seed: 1 });
  const main = engine.createWorkspace("local").createDatabase("files").branch("main");
  const { teams, people } = main.createTables({
    teams: [{ name: "name", type: "string" }],
    people: [
      { name: "name", type: "text" },
      { name: "age", type: "int" },
      { name: "team", type: "link", link: { table: "teams" } },
    ],
  });
  teams.insert({ id: "t", name: "Blue" });
  people.insert([
    { id: "a", name: "Ann", age: 30, team: "t" },
    { id: "b", name: "Bob", age: 40 },
  ]);
  return { engine, main, teams, people };
}

function setUp() {
  const made = createPeople();
  const memory = createMemory();
  const fetch = createFetch(made.engine, { control: createControl(), memory });
  const follow = (body: object) =>
    fetch(`http://localhost${ROWS}`, { method: "POST", body: JSON.stringify(body) });
  return { ...made, fetch, follow, memory };
}

/** Returns a function that reads the data of the next event; undefined after the last. */
function readerOf({ body }: Response): (() => Promise<unknown>) & { cancel(): Promise<void> } {
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  const next = async () => {
    const { value, done } = await reader.read();
    if (done) return undefined;
    return JSON.parse(/^event: changes\ndata: (.*)\n\n$/.exec(value)?.[1] ?? "");
  };
  return Object.assign(next, { cancel: () => reader.cancel() });
}

describe("the feed of changes", () => {
  it("tells pages of its origin which tables were written", async () => {
    const { engine, main, people } = createPeople();
    await using server = await serve(engine, { control: createControl() });
    const url = `${server.url}/_twinbase/events`;
    const foreign = await fetch(url, { headers: { origin: "https://evil.example" } });
    expect(foreign.status).toBe(404);
    const answer = await fetch(url);
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    const next = readerOf(answer);
    expect(await next()).toEqual({ tables: [], catalog: false });
    people.insert([{ id: "c" }, { id: "d" }]);
    people.update("c", { name: "Cyd" });
    people.delete("d");
    expect(await next()).toEqual({ tables: [AT], catalog: false });
    main.createTable("more", []);
    expect(await next()).toEqual({ tables: [], catalog: true });
    // The open stream does not delay the close of the server.
  });

  it("reads each change once for all streams", async () => {
    const { fetch, engine, people } = setUp();
    const next = await Promise.all(
      Array.from({ length: 50 }, async () => readerOf(await fetch(FEED))),
    );
    const listeners = Engine.contextOf(engine).feed.changes as unknown as { add: () => void };
    const listen = vi.spyOn(listeners, "add");
    await Promise.all(next.map((read) => read()));
    const compare = vi.spyOn(JSON, "stringify");
    people.insert(Array.from({ length: 40 }, (_, n) => ({ name: `n${n}` })));
    expect(compare.mock.calls.length).toBeLessThan(100);
    expect(listen).not.toHaveBeenCalled();
    compare.mockRestore();
    const events = await Promise.all(next.map((read) => read()));
    expect(new Set(events.map((event) => JSON.stringify(event))).size).toBe(1);
    expect(events[0]).toEqual({ tables: [AT], catalog: false });
  });

  it("E-5: ends after too many tables, and takes no memory then", async () => {
    const { fetch, main, memory } = setUp();
    const next = readerOf(await fetch(FEED));
    await next();
    for (let i = 0; i <= 100; i++) main.createTable(`t${i}`, []).insert({ id: "a" });
    expect(await next()).toBeUndefined();
    expect(memory.kept).toBe(0);
  });
});

describe("a stream of rows", () => {
  it("tells the records at first, then those that change, also through links", async () => {
    const { people, teams, follow } = setUp();
    const columns = ["name", "team.name"];
    const filter = { "team.name": "Blue" };
    const answer = await follow({ ids: ["a", "b", "c"], columns, filter });
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    const next = readerOf(answer);
    const [ann, bob] = [
      { id: "a", name: "Ann", team: { name: "Blue" } },
      { id: "b", name: "Bob" },
    ];
    const rest = { gone: ["c"], unmatched: ["b"], count: 1 };
    expect(await next()).toMatchObject({ records: [ann, bob], ...rest });
    people.update("b", { name: "Bea" });
    people.insert({ id: "d", team: "t" });
    expect(await next()).toMatchObject({ records: [{ id: "b", name: "Bea" }], ...rest, count: 2 });
    teams.update("t", { name: "Red" });
    const red = { id: "a", team: { name: "Red" } };
    expect(await next()).toMatchObject({ records: [red], unmatched: ["a", "b"], count: 0 });
    people.delete("a");
    people.insert({ id: "c" });
    expect(await next()).toEqual({
      records: [expect.objectContaining({ id: "c" })],
      gone: ["a"],
      unmatched: ["b", "c"],
      count: 0,
    });
  });

  it("sends large records in several events", async () => {
    const { people, follow } = setUp();
    people.insert(["c", "d", "e"].map((id) => ({ id, name: "x".repeat(800_000) })));
    const next = readerOf(await follow({ ids: ["a", "c", "d", "e"], columns: ["name"] }));
    const ids = async () => {
      const { records } = (await next()) as { records: { id: string }[] };
      return records.map(({ id }) => id);
    };
    expect([await ids(), await ids()]).toEqual([["a", "c", "d"], ["e"]]);
  });

  it("ends when the query no longer fits the schema, or the table is gone", async () => {
    const { main, people, follow } = setUp();
    const ending = await Promise.all(
      [{ columns: ["age"] }, { filter: { age: 30 } }, { filter: { "team.name": "Blue" } }].map(
        async (wanted) => readerOf(await follow({ ids: ["a"], ...wanted })),
      ),
    );
    const all = readerOf(await follow({ ids: ["a"] }));
    for (const next of [...ending, all]) await next();
    people.removeColumn("age");
    people.removeColumn("team");
    for (const next of ending) expect(await next()).toBeUndefined();
    expect(await all()).toMatchObject({ records: [{ id: "a", name: "Ann" }], count: 2 });
    main.deleteTable("people");
    expect(await all()).toBeUndefined();
    expect((await follow({ ids: [] })).status).toBe(404);
  });

  it.each([
    [{}, { code: "invalid_request", path: "/ids", rule: "E-3" }],
    [{ ids: ["a", 1] }, { code: "invalid_request", path: "/ids/1", rule: "E-3" }],
    [{ ids: Array(201).fill("a") }, { code: "invalid_request", path: "/ids", rule: "E-3" }],
    [
      { ids: [], sort: {} },
      { code: "invalid_request", path: "/sort", rule: "E-3" },
    ],
    [
      { ids: [], columns: ["nope"] },
      { code: "unknown_column", path: "/columns/0", rule: "P-9" },
    ],
    [
      { ids: [], filter: 3 },
      { code: "invalid_filter", path: "/filter", rule: "F-1" },
    ],
    [
      { ids: [], filter: { x: 1 } },
      { code: "unknown_column", path: "/filter/x", rule: "P-9" },
    ],
  ])("E-1: refuses %j, and leaves nothing open", async (body, fault) => {
    const { follow, engine } = setUp();
    for (let i = 0; i < 101; i++) {
      const answer = await follow(body);
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject(fault);
    }
    expect(Engine.contextOf(engine).feed.live).toBeUndefined();
    expect((await follow({ ids: [], filter: {} })).status).toBe(200);
  });

  it("takes no memory when its client leaves", async () => {
    const { engine } = createPeople();
    const memory = createMemory();
    await using server = await serve(engine, { control: createControl(), memory });
    const open = () => fetch(server.url + ROWS, { method: "POST", body: '{"ids": []}' });
    const answers = [await open(), await open()];
    expect(memory.kept).toBeGreaterThan(0);
    for (const { body } of answers) await body!.cancel();
    await expect.poll(() => memory.kept, { timeout: 20_000 }).toBe(0);

    // One that ends its side together with the request.
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    const head = `POST ${ROWS} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 11\r\n\r\n`;
    socket.end(`${head}{"ids": []}`).resume();
    await once(socket, "close");
    await expect.poll(() => memory.kept, { timeout: 20_000 }).toBe(0);
  }, 30_000);
});
