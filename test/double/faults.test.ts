import { XataApiClient } from "@xata.io/client";
import { describe, expect, it } from "vitest";
import { createFaults, createFetch, type FaultRule, type Faults } from "../../src/http.js";
import { type AnyEngine, createEngine } from "../../src/index.js";
import { serve } from "../../src/node.js";
import { expectRefusal } from "../refusal.js";

const QUERY = { operation: "queryTable", table: "users" } as const;

describe("faults of the npm client", () => {
  it("are errors with status and message, as often as `times`", async () => {
    const { faults, query } = setUp();
    faults.add({ on: QUERY, answer: { status: 503 }, times: 2 });
    for (let i = 0; i < 2; i++) {
      await expect(query()).rejects.toMatchObject({
        status: 503,
        message: "fault injected (503)",
        requestId: expect.stringMatching(/^req_/),
      });
    }
    expect((await query()).records).toHaveLength(1);
  });

  it("have any status and body", async () => {
    const { faults, query } = setUp();
    faults.add({ answer: { status: 400, body: { message: "no such thing", errors: [{ n: 1 }] } } });
    await expect(query()).rejects.toMatchObject({ status: 400, errors: [{ n: 1 }] });
    faults.add({
      answer: { status: 502, body: "<html>", headers: { "content-type": "text/html" } },
    });
    await expect(query()).rejects.toMatchObject({ status: 502 });
  });

  it("have headers, whose names ignore case", async () => {
    const { faults, fetch } = setUp();
    const headers = { "Content-Type": "text/html", "X-Request-Id": "mine", "x-n": "1", "X-N": "2" };
    faults.add({ answer: { status: 502, body: "<html>", headers } });
    const answer = await fetch("http://acme.eu.test/user");
    expect(answer.headers.get("content-type")).toBe("text/html");
    expect(answer.headers.get("x-request-id")).toBe("mine");
    expect(answer.headers.get("x-n")).toBe("1, 2");
  });

  it("with 429 are retried", async () => {
    const { faults, query } = setUp();
    const headers = { "x-ratelimit-reset": "0" };
    const fault = faults.add({ on: QUERY, answer: { status: 429, headers } });
    expect((await query()).records).toHaveLength(1);
    expect(fault.strikes).toBe(1);
  });

  it("drop the connection, and truncate an answer", async () => {
    const { faults, query } = setUp();
    faults.add({ drop: "request" });
    await expect(query()).rejects.toThrow("fetch failed");
    faults.add({ truncate: 10 });
    await expect(query()).rejects.toThrow();
    expect((await query()).records).toHaveLength(1);
  });
});

describe("a dropped connection", () => {
  const engine = createEngine({ now: 0, seed: 1 });
  engine.createWorkspace("acme").createDatabase("shop");
  const address = "/db/shop:main";

  it.each([
    ["before the answer", { drop: "request" }, "fetch failed"],
    ["within the answer", { truncate: 5 }, "terminated"],
  ] as const)("%s is the error of a real fetch", async (_, rule, message) => {
    const faults = createFaults();
    const server = await serve(engine, { workspace: "acme", faults });
    const own = createFetch(engine, { workspace: "acme", faults });
    for (const [send, url] of [
      [fetch, server.url],
      [own, "http://localhost"],
    ] as const) {
      faults.add(rule);
      const failed = send(url + address).then((answer) => answer.text());
      const error = await failed.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(TypeError);
      expect(error).toMatchObject({ message, cause: { code: "UND_ERR_SOCKET" } });
    }
    await server.close();
  });
});

describe("faults", () => {
  it("strike matching operations, tables, records and paths", async () => {
    const { faults, ask } = setUp();
    faults.add({ on: { operation: "getRecord", record: "ada" }, answer: { status: 500 } });
    faults.add({ on: { path: /\/teams\// }, answer: { status: 418 } });
    faults.add({ on: { table: "users", method: "DELETE" }, answer: { status: 507 } });
    expect(await ask("GET", "tables/users/data/bob")).toBe(404);
    expect(await ask("POST", "tables/users/query")).toBe(200);
    expect(await ask("GET", "tables/users/data/ada")).toBe(500);
    expect(await ask("POST", "tables/teams/query")).toBe(418);
    expect(await ask("DELETE", "tables/users/data/ada")).toBe(507);
    expect(await ask("GET", "tables/users/data/ada")).toBe(200);
  });

  it("strike the nth call", async () => {
    const { faults, ask } = setUp();
    faults.add({ on: QUERY, nth: 3, answer: { status: 500 } });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) {
      await ask("GET", "tables/users/data/ada");
      statuses.push(await ask("POST", "tables/users/query"));
    }
    expect(statuses).toEqual([200, 200, 500, 200, 200]);
  });

  it("strike with a probability, repeatable by seed, until removed", async () => {
    const run = async (seed: number): Promise<number[]> => {
      const { faults, ask } = setUp(seed);
      const statuses: number[] = [];
      {
        using fault = faults.add({ probability: 0.5, times: Infinity, answer: { status: 500 } });
        for (let i = 0; i < 40; i++) statuses.push(await ask("POST", "tables/users/query"));
        expect(fault.strikes).toBe(statuses.filter((status) => status === 500).length);
      }
      expect(await ask("POST", "tables/users/query")).toBe(200);
      return statuses;
    };
    const first = await run(1);
    expect(new Set(first)).toEqual(new Set([200, 500]));
    expect(await run(1)).toEqual(first);
    expect(await run(2)).not.toEqual(first);
  });

  it("prevent a write, or drop its answer", async () => {
    const { faults, ask, engine } = setUp();
    const users = usersOf(engine);
    for (const rule of [{ drop: "request" }, { answer: { status: 500 } }] as const) {
      faults.add(rule);
      await ask("POST", "tables/users/data").catch(() => {});
      expect(users.count()).toBe(1);
    }
    faults.add({ drop: "answer" });
    await expect(ask("POST", "tables/users/data")).rejects.toThrow();
    expect(users.count()).toBe(2);
  });

  it("delay the answer of the engine", async () => {
    const { faults, ask } = setUp();
    faults.add({ delay: 30 });
    const started = performance.now();
    expect(await ask("POST", "tables/users/query")).toBe(200);
    expect(performance.now() - started).toBeGreaterThan(25);
  });

  it("that delay are aborted by the signal, before the write", async () => {
    const { faults, fetch, engine } = setUp();
    faults.add({ delay: 60_000 });
    const call = fetch(`${BASE}/tables/users/data`, {
      method: "POST",
      body: "{}",
      signal: AbortSignal.timeout(20),
    });
    await expect(call).rejects.toMatchObject({ name: "TimeoutError" });
    expect(usersOf(engine).count()).toBe(1);
  });

  it("are removed by clear", async () => {
    const { faults, ask } = setUp();
    for (let i = 0; i < 5; i++) faults.add({ answer: { status: 500 }, times: Infinity });
    faults.clear();
    expect(await ask("POST", "tables/users/query")).toBe(200);
  });

  it.each([
    [{}, ""],
    [{ nth: 0, delay: 1 }, "/nth"],
    [{ probability: 2, delay: 1 }, "/probability"],
    [{ times: 0, delay: 1 }, "/times"],
    [{ delay: -1 }, "/delay"],
    [{ answer: { status: 99 } }, "/answer/status"],
    [{ answer: {} }, "/answer/status"],
    [{ answer: { status: 200, headers: { "x-a": "b\r\nc" } } }, "/answer/headers"],
    [{ answer: { status: 200, headers: { "x a": "b" } } }, "/answer/headers"],
    [{ answer: { status: 200, body: { n: 1n } } }, "/answer/body"],
    [{ drop: "all" }, "/drop"],
    [{ dely: 1 }, "/dely"],
    [{ on: { tabel: "x" }, delay: 1 }, "/on/tabel"],
    [{ on: { operation: "queryTabel" }, delay: 1 }, "/on/operation"],
    [{ on: { method: "get" }, delay: 1 }, "/on/method"],
  ])("are refused if invalid: %o", (rule, path) => {
    const add = () => createFaults().add(rule as FaultRule); // invalid rules are the test
    if (path === "") expectRefusal(add, { code: "invalid_request" });
    else expectRefusal(add, { code: "invalid_request", path });
  });
});

describe("faults over a socket", () => {
  it("answer, drop connections and truncate answers", async () => {
    const engine = createUsers();
    const faults = createFaults();
    await using server = await serve(engine, { workspace: "acme", faults });
    const ask = () =>
      fetch(`${server.url}/db/shop:main/tables/users/query`, { method: "POST", body: "{}" });
    faults.add({ answer: { status: 503, headers: { "retry-after": "1" } } });
    const refused = await ask();
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    faults.add({ drop: "request" });
    await expect(ask()).rejects.toThrow();
    for (const truncate of [0, 5]) {
      faults.add({ truncate });
      const cut = await ask();
      expect(cut.status).toBe(200);
      await expect(cut.text()).rejects.toThrow();
    }
    expect((await ask()).status).toBe(200);
  });

  it("that delay end with their connection, before the write", async () => {
    const engine = createUsers();
    const faults = createFaults();
    await using server = await serve(engine, { workspace: "acme", faults, closeTimeout: 50 });
    faults.add({ delay: 60_000 });
    const insert = fetch(`${server.url}/db/shop:main/tables/users/data`, {
      method: "POST",
      body: "{}",
      signal: AbortSignal.timeout(50),
    });
    await expect(insert).rejects.toThrow();
    await server.close();
    expect(usersOf(engine).count()).toBe(1);
  });
});

const BASE = "https://acme.eu.example.com/db/shop:main";

interface Setup {
  readonly engine: AnyEngine;
  readonly faults: Faults;
  readonly fetch: typeof fetch;
  /** The status of an answer. */
  readonly ask: (method: string, path: string) => Promise<number>;
  /** A query by the npm client. */
  readonly query: () => Promise<{ readonly records: readonly unknown[] }>;
}

function setUp(seed = 1): Setup {
  const engine = createUsers();
  const faults = createFaults({ seed });
  const fetch = createFetch(engine, { faults });
  const api = new XataApiClient({ fetch, apiKey: "key" });
  return {
    engine,
    faults,
    fetch: fetch as typeof globalThis.fetch, // takes and gives the same
    ask: async (method, path) => {
      const body = method === "POST" ? { body: "{}" } : {};
      return (await fetch(`${BASE}/${path}`, { method, ...body })).status;
    },
    query: () =>
      api.searchAndFilter.queryTable({
        pathParams: {
          workspace: "acme",
          region: "eu",
          dbBranchName: "shop:main",
          tableName: "users",
        },
        body: {},
      }),
  };
}

function createUsers(): AnyEngine {
  const engine = createEngine({ profile: "xata", seed: 1, now: 0 });
  const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
  main.createTable("users", [{ name: "email", type: "email" }]).insert({ id: "ada" });
  main.createTable("teams");
  return engine;
}

function usersOf(engine: AnyEngine) {
  return engine.workspace("acme").database("shop").branch("main").table("users");
}
