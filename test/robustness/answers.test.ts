/** @module-tag slow */
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { subscribe } from "../../src/changes.js";
import { createFaults, createFetch, createJournal, type Faults } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { serve } from "../../src/node.js";
import { defineColumns } from "../columns.js";

const DATA = "http://x/db/shop:main/tables/items/data";

function openItems() {
  const engine = createEngine({ seed: 1, now: 0 });
  const branch = engine.createWorkspace("acme").createDatabase("shop").branch("main");
  const table = branch.createTable("items", defineColumns({ t: "text", to: "-> items" }));
  return { engine, branch, table };
}

function send(method: string, body?: unknown): RequestInit {
  return body === undefined ? { method } : { method, body: JSON.stringify(body) };
}

describe("L-11: an answer above the limit", () => {
  it("is refused, and its writes are undone", async () => {
    const { engine, table } = openItems();
    const long = "x".repeat(15 * 2 ** 20);
    for (let i = 0; i < 19; i++) table.insert({ id: `r${i}`, t: long });
    const ask = createFetch(engine);
    const QUERY = "http://x/db/shop:main/tables/items/query";
    const before = digestOfIds(engine);
    const refusal = { code: "invalid_request", rule: "L-11" };
    const all = await ask(QUERY, send("POST", { page: { size: 19 } }));
    expect([all.status, await all.json()]).toMatchObject([400, refusal]);
    const some = await ask(QUERY, send("POST", { page: { size: 2 } }));
    expect(some.status).toBe(200);
    const gets = Array.from({ length: 19 }, (_, i) => ({ get: { table: "items", id: `r${i}` } }));
    const operations = [{ insert: { table: "items", record: { id: "new" } } }, ...gets];
    const transaction = await ask(
      "http://x/db/shop:main/transaction",
      send("POST", { operations }),
    );
    expect([transaction.status, await transaction.json()]).toMatchObject([400, refusal]);
    const records = Array.from({ length: 19 }, (_, i) => ({ id: `n${i}`, to: `r${i}` }));
    const bulk = await ask(
      "http://x/db/shop:main/tables/items/bulk?columns=to.t",
      send("POST", { records }),
    );
    expect([bulk.status, await bulk.json()]).toMatchObject([400, refusal]);
    expect(digestOfIds(engine)).toBe(before);
    // A single write that returns the linked records: a chain of 15 MiB each.
    for (let i = 0; i < 19; i++) table.update(`r${i}`, { to: `r${i + 1}` });
    const linked = `t,${Array.from({ length: 16 }, (_, i) => `${"to.".repeat(i + 1)}t`)},to.*`;
    table.insert({ id: "w", t: "é".repeat(8 * 2 ** 20), to: "r0" });
    const seen: unknown[] = [];
    using _listener = subscribe(engine, (changes) => seen.push(changes));
    const state = digestOfIds(engine);
    const writes = [
      ["PATCH", "w", { to: "r1" }],
      ["DELETE", "w", undefined],
    ] as const;
    for (const [method, id, body] of writes) {
      const response = await ask(`${DATA}/${id}?columns=${linked}`, send(method, body));
      expect([method, response.status, await response.json()]).toMatchObject([
        method,
        400,
        refusal,
      ]);
    }
    expect(digestOfIds(engine)).toBe(state);
    expect(seen).toEqual([]);
    expect(table.get("w")).toMatchObject({ service: { version: 0 } });
    const { records: plain } = (await (
      await ask("http://x/db/shop:main/tables/items/bulk?columns=id", send("POST", { records }))
    ).json()) as { records: unknown[] };
    expect(plain).toHaveLength(19);
  });

  it("E-5: is refused also beyond the maximum length of a string", async () => {
    const { engine, table } = openItems();
    // Each control character takes six characters in JSON.
    const long = "\u0001".repeat(10 * 2 ** 20);
    for (let i = 0; i < 9; i++) table.insert({ id: `r${i}`, t: long });
    const ask = createFetch(engine);
    const response = await ask("http://x/db/shop:main/tables/items/query", send("POST", {}));
    expect([response.status, await response.json()]).toMatchObject([400, { rule: "L-11" }]);
  });
});

describe("E-5: faults and clients that could crash a server", () => {
  it("answers 500 or closes the connection for invalid answers of faults", async () => {
    const { engine, table } = openItems();
    let rule: object = {};
    // An implementation of faults without checks.
    const faults: Faults = {
      ...createFaults(),
      strike: () => {
        if ("throws" in rule) throw new Error("inside");
        return rule;
      },
    };
    await using server = await serve(engine, { faults });
    const ask = () => fetch(`${server.url}/db/shop:main/tables/items/query`, { method: "POST" });
    rule = { answer: { status: 200, headers: { "x-a": "b\r\nc" } } };
    await expect(ask()).rejects.toThrow();
    for (const bad of [{ answer: { status: 200, body: { n: 1n } } }, { throws: true }]) {
      rule = bad;
      const response = await ask();
      expect(response.status).toBe(500);
      expect(await response.json()).toMatchObject({ code: "internal", message: "internal error" });
    }
    rule = { answer: { status: 204 } };
    expect((await ask()).status).toBe(204);
    using _ = subscribe(engine, () => {
      throw new Error("a listener");
    });
    table.insert({ id: "a" });
    expect(table.count()).toBe(1);
  });

  it("E-5: answers a client that has closed its side of the connection", async () => {
    const { engine, table } = openItems();
    await using server = await serve(engine);
    const body = JSON.stringify({ id: "a" });
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect({ port: server.port, allowHalfOpen: true });
      let text = "";
      socket.on("data", (chunk) => {
        text += String(chunk);
      });
      socket.on("end", () => resolve(text));
      socket.on("error", reject);
      socket.end(
        `POST /db/shop:main/tables/items/data HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
      );
    });
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(table.count()).toBe(1);
  });
});

describe("a journal", () => {
  it("E-5: limits its bytes, and leaves out longer ones", async () => {
    const { engine } = openItems();
    const journal = createJournal({ bytes: 30_000 });
    const ask = createFetch(engine, { journal });
    for (let i = 0; i < 20; i++)
      await ask(DATA, send("POST", { id: `r${i}`, t: "x".repeat(2000) }));
    expect(journal.entries().map(({ index }) => index)).toEqual([16, 17, 18, 19]);
    await ask(DATA, send("POST", { id: "big", t: "x".repeat(24_000) }));
    expect(journal.entries().at(-1)).toMatchObject({
      index: 20,
      request: expect.stringMatching(/^240\d\d characters, which are not kept$/),
      response: { id: "big" },
    });
    journal.clear();
    await ask(DATA, send("POST", { id: "next" }));
    expect(journal.entries()).toHaveLength(1);
  });
});

/** Ids and links of all records, without the long texts. */
function digestOfIds(engine: ReturnType<typeof openItems>["engine"]): string {
  const table = engine.workspace("acme").database("shop").branch("main").table("items");
  return JSON.stringify([...table.scan({ columns: ["to"] })]);
}
