import { buildClient, type SchemaInference, type XataRecord } from "@xata.io/client";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createDouble, type DoubleOptions, type GivenSchema } from "../../src/testing.js";

const tables = [
  {
    name: "teams",
    columns: [{ name: "name", type: "string" }],
    revLinks: [{ column: "team", table: "users" }],
  },
  {
    name: "users",
    columns: [
      { name: "email", type: "email", unique: true },
      { name: "team", type: "link", link: { table: "teams" } },
    ],
  },
] as const;
type Tables = SchemaInference<typeof tables>;
type Schema = { [table in keyof Tables]: Tables[table] & XataRecord };
const records = { teams: [{ id: "blue", name: "Blue" }], users: [{ id: "ada", team: "blue" }] };
const address = "https://test.us-east-1.xata.sh/db/app:main/tables/users/data/ada";

const original: typeof fetch = globalThis.fetch;
afterEach(() => {
  vi.useRealTimers();
  globalThis.fetch = original;
});

function create(options: Pick<DoubleOptions<[], "xata">, "keys" | "now" | "otherHosts"> = {}) {
  return createDouble({ schema: tables, records, ...options });
}

describe("createDouble", () => {
  it.each<[string, GivenSchema]>([
    ["the tables of a generated client", tables],
    [
      "the JSON of a schema dump",
      { formatVersion: "1.0", tables: JSON.parse(JSON.stringify(tables)) },
    ],
    ["columns by table", { teams: tables[0].columns, users: tables[1].columns }],
  ])("creates the tables of %s", (_, schema) => {
    const { branch } = createDouble<GivenSchema>({ schema, records });
    expect(branch.tables().map(({ name }) => name)).toEqual(["teams", "users"]);
    const { records: found } = branch.table("users").query({ columns: ["team.name"] });
    expect(found).toMatchObject([{ id: "ada", team: { name: "Blue" } }]);
  });

  it("accepts a table named tables", () => {
    const { branch } = createDouble({ schema: { tables: [{ name: "seats", type: "int" }] } });
    expect(branch.table("tables").schema().columns).toEqual([{ name: "seats", type: "int" }]);
  });

  it("serves the npm client", async () => {
    const double = create();
    const Client = buildClient();
    const xata = new Client<Schema>(double.client, tables);
    const found = await xata.db.users.select(["*", "team.*"]).getFirst();
    expect(found).toMatchObject({ id: "ada", team: { name: "Blue" } });
    expect(double.journal.expect({ operation: "queryTable", table: "users" }, 1)).toHaveLength(1);
  });

  it("serves the database of its URL", async () => {
    const databaseURL = "http://acme-1.eu-west-1.example.com:8080/db/shop";
    const { client, branch } = createDouble({
      schema: tables,
      records,
      databaseURL,
      branch: "dev",
    });
    const found = await client.fetch(`${databaseURL}:dev/tables/users/data/ada`);
    expect(found.status).toBe(200);
    expect([branch.database, branch.name]).toEqual(["shop", "dev"]);
  });

  it("D-5: accepts a URL with upper-case letters, by its options, stub() and any display name", async () => {
    const databaseURL = "https://Ann-Lee-s-workspace-a1b2c3.us-east-1.xata.sh/db/app";
    const double = createDouble({ schema: tables, records, databaseURL });
    const Client = buildClient();
    const { db } = new Client<Schema>(double.client, tables);
    expect(await db.users.read("ada")).toMatchObject({ id: "ada" });
    using _ = double.stub();
    for (const name of ["Ann-Lee-s", "ANN-LEE-S", "Renamed"]) {
      const stubbed = new Client<Schema>(
        { databaseURL: databaseURL.replace("Ann-Lee-s", name), branch: "main", apiKey: "key" },
        tables,
      );
      expect(await stubbed.db.users.read("ada"), name).toMatchObject({ id: "ada" });
    }
    const call = { operation: "getRecord", workspace: "Ann-Lee-s-workspace-a1b2c3" } as const;
    double.journal.expect(call, 3);
  });

  it("accepts the URL of a local server", async () => {
    const databaseURL = "http://local.us-east-1.localhost:4000/db/files";
    const double = createDouble({ schema: tables, records, databaseURL });
    const Client = buildClient();
    const { db } = new Client<Schema>(double.client, tables);
    expect(await db.users.read("ada")).toMatchObject({ id: "ada" });
    await expect(double.fetch("http://localhost:4001/")).rejects.toThrow("localhost:4001 is not");
  });

  it("throws for invalid options", () => {
    const create = (options: object) => () => createDouble(options);
    expect(create({ sede: 1 })).toThrow("did you mean seed?");
    expect(create({ otherHosts: "ignore" })).toThrow("otherHosts: expected fail or pass");
    expect(create({ hosts: "localhost" })).toThrow("hosts: expected an array of strings");
    expect(create({ keys: "secret" })).toThrow("keys: expected an array of strings");
    expect(create({ databaseURL: "shop" })).toThrow("https://{workspace}.{region}.xata.sh/db/");
    expect(create({ schema: [{ name: "a", columns: [{ name: "b", type: "strng" }] }] })).toThrow();
    expect(create({ records: { users: [{}] } })).toThrow("users");
  });

  it("accepts only its keys", async () => {
    const { fetch, client } = create({ keys: ["secret"] });
    const ask = async (key: string) =>
      (await fetch(address, { headers: { authorization: `Bearer ${key}` } })).status;
    const keys = ["secret", "other", client.apiKey];
    expect(await Promise.all(keys.map(ask))).toEqual([200, 401, 200]);
    expect(client.apiKey).toMatch(/^secret~/);
  });
});

describe("a double", () => {
  it("resets time, ids, faults and journal", async () => {
    const double = create({ now: new Date(0), keys: ["secret"] });
    const { users } = double.tables;
    const first = users.insert({}).id;
    double.clock.advance(1000);
    double.faults.add({ answer: { status: 503 } });
    double.reset();
    expect(double.clock.now()).toBe(0);
    const headers = { authorization: "Bearer secret" };
    expect((await double.fetch(address, { headers })).status).toBe(200);
    double.reset();
    expect(double.journal.entries()).toEqual([]);
    expect(users.count()).toBe(1);
    expect(users.insert({}).id).toBe(first);
  });

  it("has independent forks", async () => {
    const double = create({ keys: ["secret"] });
    const fork = double.fork();
    fork.tables.users.delete("ada");
    fork.faults.add({ times: Number.POSITIVE_INFINITY, answer: { status: 429 } });
    const ask = { headers: { authorization: "Bearer secret" } };
    const answers = [await double.fetch(address, ask), await fork.fetch(address, ask)];
    expect(answers.map(({ status }) => status)).toEqual([200, 429]);
    expect([double, fork].map(({ journal }) => journal.entries().length)).toEqual([1, 1]);
    fork.reset();
    expect((await fork.client.fetch(address, ask)).status).toBe(200); // the state of the fork
  });

  it("replaces the global fetch until it is restored", async () => {
    const double = create();
    {
      using _ = double.stub();
      expect((await globalThis.fetch(address)).status).toBe(200);
      double.stub(); // has no further effect
    }
    expect(globalThis.fetch).toBe(original);
    double.stub();
    const other = vi.fn();
    const stub = globalThis.fetch;
    globalThis.fetch = other;
    expect(() => double.unstub()).toThrow("replaced after stub()");
    globalThis.fetch = stub;
    double[Symbol.dispose]();
    expect(globalThis.fetch).toBe(original);
  });
});

describe("requests to other hosts", () => {
  it("fail with the name of the host", async () => {
    const { fetch, journal } = create();
    const body = new Request("https://api.example.com/v1/pay?key=secret", { method: "POST" });
    await expect(fetch(body)).rejects.toThrow(
      /^POST https:\/\/api\.example\.com\/v1\/pay: api\.ex/,
    );
    await expect(fetch("https://notxata.sh/")).rejects.toThrow(
      "notxata.sh is not a host of the service",
    );
    expect(journal.entries()).toEqual([]);
  });

  it("go to the original fetch with otherHosts: pass", async () => {
    const real = vi.fn(async () => new Response("real"));
    globalThis.fetch = real;
    const double = create({ otherHosts: "pass" });
    using _ = double.stub();
    expect(await (await fetch("https://api.example.com/")).text()).toBe("real");
    expect((await fetch(address)).status).toBe(200);
    expect(real).toHaveBeenCalledTimes(1);
  });
});

describe("a double under fake timers", () => {
  it("uses their time", async () => {
    // As sinon and jest do, which fake more than vitest; examples/jest fakes process.nextTick too.
    vi.useFakeTimers({ now: 1000, toFake: [...FAKED] });
    const double = create();
    expect((await double.fetch(address)).status).toBe(200);
    vi.advanceTimersByTime(5000);
    expect(double.tables.users.insert({}).xata.createdAt).toBe("1970-01-01T00:00:06Z");
    const { status } = await double.fetch(address, { method: "PATCH", body: '{"email":"a@b.c"}' });
    expect(status).toBe(200);
  });

  it("delays answers by their time", async () => {
    vi.useFakeTimers({ toFake: [...FAKED] });
    const double = create();
    double.faults.add({ delay: 60_000 });
    const answer = double.fetch(address);
    const done = vi.fn();
    void answer.then(done);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(done).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect((await answer).status).toBe(200);
  });
});

const FAKED = [
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval",
  "setImmediate",
  "clearImmediate",
  "Date",
  "performance",
  "queueMicrotask",
] as const;
