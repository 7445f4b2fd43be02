import { execFile, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { createControl, createFetch, type HandlerOptions } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { serve } from "../../src/node.js";
import { ask as send } from "./ask.js";

const START = Date.UTC(2024, 0, 1);

function createPeople() {
  const engine = createEngine({ now: START, seed: 1 });
  const main = engine.createWorkspace("local").createDatabase("files").branch("main");
  main.createTable("people", [{ name: "name", type: "string" }]).insert({ id: "a", name: "Ann" });
  engine.setBaseline();
  return engine;
}

function setUp(options: HandlerOptions = { control: createControl() }) {
  const fetch = createFetch(createPeople(), options);
  return (method: string, path: string, body?: object, headers = {}) =>
    send({ fetch }, `${method} ${path}`, body, headers);
}

const QUERY = "/db/files:main/tables/people/query";
const DATA = "/db/files:main/tables/people/data";

interface Listed {
  readonly faults: readonly { readonly id: string }[];
  readonly gone?: object;
}

describe("E-3: control under /_twinbase/", () => {
  it("does not exist by default", async () => {
    const ask = setUp({ cors: "*" });
    for (const request of ["GET health", "POST reset", "GET reset"]) {
      const [method = "", path] = request.split(" ");
      const body = { code: "route_not_found" };
      expect(await ask(method, `/_twinbase/${path}`)).toMatchObject({ status: 404, body });
    }
    expect(JSON.stringify((await ask("GET", "/openapi.json")).body)).not.toContain("_twinbase");
  });

  it("is not accessible from other origins, even with cors", async () => {
    const ask = setUp({ control: createControl(), cors: "*" });
    await ask("POST", DATA, { name: "Bob" });
    const headers = { origin: "https://evil.example" };
    for (const path of ["/_twinbase", "/ws/local/eu/_twinbase", "/_TWINBASE"]) {
      expect((await ask("POST", `${path}/reset`, {}, headers)).status).toBe(404);
    }
    expect(await ask("POST", QUERY, {}, headers)).toMatchObject({ body: { records: [{}, {}] } });
  });

  it("summarizes each call of the journal, with the reason of an error", async () => {
    const ask = setUp();
    await ask("POST", QUERY, { filter: { nmae: "Ann" }, sort: ["name"] });
    await ask("PATCH", `${DATA}/a`, { name: "Bea" });
    await ask("POST", QUERY, { filter: { name: "Ann" }, columns: ["name", "agee"] });
    const lines = async (search: string) => {
      const { body } = await ask("GET", `/_twinbase/journal?bodies=false${search}`);
      return body.entries;
    };
    const [query, patch, columns] = await lines("");
    expect(query).toMatchObject({ brief: '{"nmae":"Ann"}', reason: expect.stringMatching(/nmae/) });
    expect(patch).toMatchObject({ brief: 'a {"name":"Bea"}' });
    expect(columns).toMatchObject({
      brief: '/columns/1: "agee"',
      reason: expect.stringMatching(/agee/),
    });
    expect(query).not.toHaveProperty("request");
    expect(Math.abs(query!.at - Date.now())).toBeLessThan(60_000);
    expect(await lines("&text=BEA")).toHaveLength(1);
  });

  it("is accessible from its own origin on local hosts, elsewhere with a key", async () => {
    const fetch = createFetch(createPeople(), { control: createControl() });
    const mounted = createFetch(createPeople(), { control: createControl(), basePath: "/twin" });
    const users = [{ email: "a@b.c", fullname: "A", keys: ["k"], workspaces: ["local"] }];
    const closed = createFetch(createPeople(), { control: createControl({ key: "k2" }), users });
    const advance = async (to: typeof fetch, url: string, origin: string, key = "") => {
      const headers = { origin, authorization: `Bearer ${key}` };
      return (await to(url, { method: "POST", headers, body: '{"ms": 1}' })).status;
    };
    const path = "/_twinbase/clock/advance";
    for (const origin of [
      "http://localhost:4000",
      "http://127.0.0.1",
      "http://[::1]:4000",
      "https://demo.localhost",
    ]) {
      expect(await advance(fetch, `${origin}${path}`, origin)).toBe(200);
      expect(await advance(mounted, `${origin}/twin${path}`, origin)).toBe(200);
      for (const other of ["http://evil.example", `${origin}1`, "null", ""]) {
        expect(await advance(fetch, `${origin}${path}`, other)).toBe(404);
      }
    }
    // DNS rebinding: other names need a key.
    const name = "http://evil.example:4000";
    expect(await advance(fetch, `${name}${path}`, name)).toBe(404);
    expect(await advance(closed, `${name}${path}`, name, "k2")).toBe(200);
    expect(await advance(closed, `${name}${path}`, "http://other.example", "k2")).toBe(404);
    expect(await advance(closed, `${name}${path}`, name, "x")).toBe(401);
  });

  it("needs a key in closed mode", async () => {
    const users = [{ email: "a@b.c", fullname: "A", keys: ["k"], workspaces: ["local"] }];
    const ask = setUp({ control: createControl(), users });
    expect(await ask("GET", "/_twinbase/health")).toMatchObject({ status: 401 });
    const headers = { authorization: "Bearer k" };
    expect(await ask("GET", "/_twinbase/health", undefined, headers)).toEqual({
      status: 200,
      body: { status: "ok", profile: "documented", metadataColumn: "service", links: "free" },
    });
  });

  it.each([["local"], []])(
    "U-1: is closed to members of %j without its own key",
    async (...own) => {
      const workspaces = own.filter((name) => name !== undefined);
      const users = [{ email: "a@b.c", fullname: "A", keys: ["k"], workspaces }];
      const live = "POST db/files:main/tables/people/live";
      const routes = ["POST reset", "GET counts", "GET journal", "GET clock", "GET events", live];
      for (const key of [undefined, "control"]) {
        const ask = setUp({ control: createControl({ key }), users });
        const statusOf = async (route: string, bearer: string) => {
          const [method = "", path] = route.split(" ");
          const headers = { authorization: `Bearer ${bearer}` };
          return (await ask(method, `/_twinbase/${path}`, undefined, headers)).status;
        };
        for (const route of routes) {
          expect(await statusOf(route, "k")).toBe(403);
          expect(await statusOf(route, "undefined")).toBe(401);
        }
        expect(await statusOf("GET counts", "control")).toBe(key === undefined ? 401 : 200);
      }
    },
  );

  it("U-1: its key gives all permissions there, and none elsewhere", async () => {
    const users = [{ email: "a@b.c", fullname: "A", keys: ["k"], workspaces: [] }];
    const ask = setUp({ control: createControl({ key: "control" }), users });
    const headers = { authorization: "Bearer control" };
    const there = await ask("GET", "/_twinbase/service/workspaces", undefined, headers);
    expect(there.body).toMatchObject({ workspaces: [{ id: "local", role: "owner" }] });
    const record = await ask("GET", `/_twinbase/service${DATA}/a`, undefined, headers);
    expect(record).toMatchObject({ status: 200, body: { name: "Ann" } });
    expect((await ask("GET", "/workspaces", undefined, headers)).status).toBe(401);
  });

  it("counts records, resets, and stores snapshots by name", async () => {
    const ask = setUp();
    const count = async () => {
      const { body } = await ask("GET", "/_twinbase/counts");
      return body.tables.map(({ records }: { records: number }) => records);
    };
    const { body } = await ask("GET", "/_twinbase/counts");
    expect(body).toEqual({
      tables: [
        { workspace: "local", database: "files", branch: "main", table: "people", records: 1 },
      ],
    });
    await ask("POST", DATA, { name: "Bob" });
    const snapshot = "/_twinbase/snapshots/two%20people";
    const before = Date.now();
    expect((await ask("PUT", snapshot)).status).toBe(201);
    await ask("POST", DATA, { name: "Cyd" });
    expect(await count()).toEqual([3]);
    expect((await ask("POST", `${snapshot}/restore`)).status).toBe(200);
    expect(await count()).toEqual([2]);
    const { snapshots, taken } = (await ask("GET", "/_twinbase/snapshots")).body;
    expect(snapshots).toEqual(["two people"]);
    expect(taken).toEqual([expect.any(Number)]);
    expect(taken[0]).toBeGreaterThanOrEqual(before);
    expect((await ask("DELETE", snapshot)).status).toBe(204);
    expect((await ask("DELETE", snapshot)).status).toBe(404);
    expect((await ask("POST", `${snapshot}/restore`)).status).toBe(404);
    expect((await ask("POST", "/_twinbase/reset")).status).toBe(200);
    expect(await count()).toEqual([1]);
    expect((await ask("GET", "/_twinbase/reset")).status).toBe(405);
  });

  it("reads, sets and advances the clock", async () => {
    const ask = setUp();
    expect((await ask("GET", "/_twinbase/clock")).body).toEqual({ now: "2024-01-01T00:00:00Z" });
    const set = await ask("PUT", "/_twinbase/clock", { now: "2030-01-01T01:00:00+01:00" });
    expect(set.body).toEqual({ now: "2030-01-01T00:00:00Z" });
    const moved = await ask("POST", "/_twinbase/clock/advance", { ms: 1500 });
    expect(moved.body).toEqual({ now: "2030-01-01T00:00:01.5Z" });
    expect((await ask("POST", DATA, {})).body).toMatchObject({
      service: { createdAt: "2030-01-01T00:00:01.5Z" },
    });
    for (const body of [{ now: "soon" }, {}, { nwo: "2030-01-01T00:00:00Z" }]) {
      expect((await ask("PUT", "/_twinbase/clock", body)).status).toBe(400);
    }
    for (const ms of [-1, "1", null]) {
      expect((await ask("POST", "/_twinbase/clock/advance", { ms })).status).toBe(400);
    }
    await ask("POST", "/_twinbase/reset");
    expect((await ask("GET", "/_twinbase/clock")).body).toEqual({ now: "2024-01-01T00:00:00Z" });
  });

  it("adds, lists, counts and removes faults", async () => {
    const ask = setUp();
    const fault = { on: { operation: "queryTable" }, answer: { status: 503 }, times: "always" };
    const added = await ask("POST", "/_twinbase/faults", fault);
    expect(added).toEqual({ status: 201, body: { id: "1" } });
    expect((await ask("POST", QUERY)).status).toBe(503);
    expect((await ask("POST", QUERY)).status).toBe(503);
    expect((await ask("GET", "/_twinbase/faults")).body).toEqual({
      faults: [{ id: "1", strikes: 2, rule: fault }],
    });
    expect((await ask("DELETE", "/_twinbase/faults/1")).status).toBe(204);
    expect((await ask("POST", QUERY)).status).toBe(200);
    expect((await ask("DELETE", "/_twinbase/faults/1")).status).toBe(404);
    await ask("POST", "/_twinbase/faults", { drop: "request", times: "always" });
    expect((await ask("DELETE", "/_twinbase/faults")).status).toBe(204);
    expect((await ask("POST", QUERY)).status).toBe(200);
    expect(await ask("POST", "/_twinbase/faults", { on: { tabel: "x" }, delay: 1 })).toMatchObject({
      status: 400,
      body: { path: "/on/tabel" },
    });
    await ask("POST", "/_twinbase/faults", fault);
    await ask("POST", "/_twinbase/reset");
    expect((await ask("POST", QUERY)).status).toBe(200);
    expect((await ask("GET", "/_twinbase/faults")).body).toEqual({ faults: [] });
  });

  it("lists the last hundred finished faults, and counts the others", async () => {
    const ask = setUp();
    await ask("POST", "/_twinbase/faults", { on: { table: "none" }, answer: { status: 503 } });
    for (let i = 0; i < 150; i++) {
      await ask("POST", "/_twinbase/faults", { answer: { status: 503 }, nth: 1, times: 2 });
      expect((await ask("POST", QUERY)).status).toBe(503);
    }
    const list = async () => (await ask("GET", "/_twinbase/faults")).body as Listed;
    await ask("POST", "/_twinbase/faults", { answer: { status: 503 } });
    const { faults, gone } = await list();
    expect(gone).toEqual({ faults: 50, strikes: 50 });
    expect(faults.map(({ id }) => id)).toEqual(["1", ...faults.slice(1).map(({ id }) => id)]);
    expect(faults).toHaveLength(102);
    await ask("POST", "/_twinbase/reset");
    expect(await list()).toEqual({ faults: [] });
  });

  it.each([200.5, 199, 600, "200", null])("refuses a fault with status %j", async (status) => {
    const ask = setUp();
    const refused = await ask("POST", "/_twinbase/faults", { answer: { status } });
    expect(refused).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });

  it("lists, finds and clears requests other than its own", async () => {
    const ask = setUp();
    await ask("POST", QUERY, { filter: { name: "Ann" } });
    await ask("POST", QUERY);
    const { body } = await ask("GET", "/_twinbase/journal");
    expect(body).toMatchObject({ entries: [{ operation: "queryTable", status: 200 }, {}] });
    const found = await ask("POST", "/_twinbase/journal/find", { filteredBy: "name" });
    expect(found.body).toMatchObject({ entries: [{ request: { filter: { name: "Ann" } } }] });
    const misspelt = await ask("POST", "/_twinbase/journal/find", { filterdBy: "name" });
    expect(misspelt).toMatchObject({ status: 400, body: { path: "/filterdBy" } });
    expect((await ask("DELETE", "/_twinbase/journal")).status).toBe(204);
    expect((await ask("GET", "/_twinbase/journal")).body).toEqual({ entries: [] });
  });

  it("lists the calls from an index, and returns one", async () => {
    const ask = setUp();
    for (const name of ["Ann", "Bob", "Cyd"]) await ask("POST", QUERY, { filter: { name } });
    const since = await ask("GET", "/_twinbase/journal?from=1&bodies=false");
    const { entries } = since.body;
    expect(entries).toMatchObject([{ index: 1 }, { index: 2, status: 200 }]);
    expect(entries.filter((entry: object) => "request" in entry || "response" in entry)).toEqual(
      [],
    );
    expect((await ask("GET", "/_twinbase/journal/1")).body).toMatchObject({
      request: { filter: { name: "Bob" } },
      response: { records: [] },
    });
    for (const index of ["3", "01", "x"]) {
      expect((await ask("GET", `/_twinbase/journal/${index}`)).status).toBe(404);
    }
    for (const search of ["from=-1", "from=1&from=2", "bodies=no", "form=1"]) {
      expect((await ask("GET", `/_twinbase/journal?${search}`)).status).toBe(400);
    }
  });

  it("lists the changes between two snapshots, or to the present", async () => {
    const ask = setUp();
    await ask("PUT", "/_twinbase/snapshots/a");
    await ask("PUT", `${DATA}/b`, { name: "Bob" });
    await ask("PUT", "/_twinbase/snapshots/b");
    await ask("PATCH", `${DATA}/a`, { name: "Anna" });
    await ask("DELETE", `${DATA}/b`);
    const diff = async (body: object) => (await ask("POST", "/_twinbase/diff", body)).body;
    const at = { workspace: "local", database: "files", branch: "main", table: "people" };
    expect(await diff({ before: "a", after: "b" })).toEqual({
      changes: [{ kind: "record_inserted", ...at, record: expect.objectContaining({ id: "b" }) }],
      more: false,
    });
    expect(await diff({ before: "b" })).toMatchObject({
      changes: [
        { kind: "record_deleted", record: { id: "b" } },
        { kind: "record_updated", before: { name: "Ann" }, after: { name: "Anna" } },
      ],
      more: false,
    });
    expect(await diff({ before: "b", limit: 1 })).toMatchObject({ changes: [{}], more: true });
    expect(await diff({ after: "b", limit: 2 })).toMatchObject({ changes: [{}, {}], more: false });
    expect(await diff({})).toEqual({ changes: [], more: false });
    expect(await ask("POST", "/_twinbase/diff", { before: "c" })).toMatchObject({ status: 404 });
    for (const body of [{ limit: 0 }, { limit: 1.5 }, { before: 1 }, { befor: "a" }]) {
      expect(await ask("POST", "/_twinbase/diff", body)).toMatchObject({
        status: 400,
        body: { path: `/${Object.keys(body)[0]}` },
      });
    }
  });

  it("lists the changes between two branches", async () => {
    const ask = setUp();
    await ask("PUT", "/db/files:next", { from: "main" });
    const other = "/db/files:next/tables";
    await ask("PATCH", `${other}/people/data/a`, { name: "Anna" });
    await ask("PUT", `${other}/pets`);
    const path = "/ws/local/eu/_twinbase/db/files:main/diff/next";
    expect(await ask("POST", path)).toMatchObject({
      status: 200,
      body: {
        changes: [
          { kind: "table_created", branch: "main", table: "pets" },
          { kind: "record_updated", before: { name: "Ann" }, after: { name: "Anna" } },
        ],
        more: false,
      },
    });
    expect(await ask("POST", path, { limit: 1 })).toMatchObject({
      body: { changes: [{}], more: true },
    });
    expect(await ask("POST", "/_twinbase/db/files:main/diff/none")).toMatchObject({
      status: 404,
      body: { code: "branch_not_found" },
    });
  });

  it("explains queries, and pages beyond the offset limit", async () => {
    const ask = setUp();
    const records = Array.from({ length: 1200 }, (_, i) => ({ id: `p${1000 + i}`, name: `${i}` }));
    await ask("POST", "/db/files:main/tables/people/bulk", { records });
    const table = "/_twinbase/db/files:main/tables/people";
    expect(await ask("POST", `${table}/explain`, { filter: { id: "p1001" } })).toMatchObject({
      body: { access: { kind: "ids", ids: 1 }, estimate: { rows: 1 } },
    });
    const page = { size: 2, offset: 1000 };
    const sort = { id: "asc" };
    expect(await ask("POST", QUERY, { sort, page })).toMatchObject({ status: 400 });
    expect(await ask("POST", `${table}/query`, { sort, page })).toMatchObject({
      status: 200,
      body: { records: [{ id: "p1999" }, { id: "p2000" }] },
    });
  });

  it("R-5: changes all records that match a filter, or none", async () => {
    const ask = setUp();
    const table = "/_twinbase/db/files:main/tables/people";
    const records = [{ id: "b", name: "Bo" }, { id: "c" }];
    await ask("POST", "/db/files:main/tables/people/bulk", { records });
    const filter = { name: "Ann" };
    const where = (body: object) => ask("POST", `${table}/where`, body);
    expect(await where({ update: { filter, fields: { name: null } } })).toEqual({
      status: 200,
      body: { records: 1 },
    });
    expect(await where({ update: { filter: {}, fields: { name: 1 } } })).toMatchObject({
      status: 400,
      body: { errors: [{ code: "invalid_record", index: 0, path: "/update/fields/name" }, {}, {}] },
    });
    expect(await where({ delete: { filter: { nope: 1 } } })).toMatchObject({
      status: 400,
      body: { code: "unknown_column", path: "/delete/filter/nope" },
    });
    expect(await where({ delete: {} })).toMatchObject({
      status: 400,
      body: { code: "invalid_request", path: "/delete/filter", rule: "E-3" },
    });
    const left = { $notExists: "name" };
    expect(await where({ delete: { filter: left } })).toMatchObject({ body: { records: 2 } });
    expect(await ask("POST", QUERY)).toMatchObject({ body: { records: [{ id: "b" }] } });
  });

  it("forwards to the service without faults and journal", async () => {
    const ask = setUp();
    await ask("POST", "/_twinbase/faults", { answer: { status: 503 }, times: "always" });
    expect((await ask("POST", QUERY)).status).toBe(503);
    await ask("DELETE", "/_twinbase/journal");
    expect(await ask("POST", `/_twinbase/service${QUERY}`, { filter: { name: "Ann" } })).toEqual({
      status: 200,
      body: expect.objectContaining({ records: [expect.objectContaining({ id: "a" })] }),
    });
    expect((await ask("GET", "/ws/local/eu/_twinbase/service/dbs/files")).status).toBe(200);
    expect((await ask("GET", "/_twinbase/journal")).body).toEqual({ entries: [] });
    expect((await ask("GET", "/_twinbase/service/_twinbase/health")).status).toBe(404);
  });

  it("is described if enabled", async () => {
    const { body } = await setUp()("GET", "/openapi.json");
    const described = Object.keys(body.paths).filter((path) => path.startsWith("/_twinbase/"));
    const docs = readFileSync(resolve(import.meta.dirname, "../../docs/control.md"), "utf8");
    const shape = (path: string) =>
      path.replaceAll("{db_branch_name}", "{db}:{branch}").replaceAll(/\{\w+\}/g, "{}");
    const documented = new Set(
      Array.from(docs.matchAll(/[A-Z] (\/[a-z/{}:_]+)/g), ([, path]) => shape(`/_twinbase${path}`)),
    );
    expect(described.length).toBeGreaterThan(8);
    for (const path of described) expect(documented).toContain(shape(path));
    expect(described.filter((path) => path.includes("service"))).toEqual([]);
  });
});

const python = spawnSync("python3", ["--version"]).status === 0;

it.skipIf(!python)("runs the example of docs/python.md", async () => {
  const docs = readFileSync(resolve(import.meta.dirname, "../../docs/python.md"), "utf8");
  const program = /^```python\n([\s\S]*?)^```$/m.exec(docs)?.[1] ?? "";
  await using server = await serve(createPeople(), {
    control: createControl(),
    workspace: "local",
  });
  const env = { ...process.env, TWINBASE_URL: server.url };
  const run = promisify(execFile)("python3", ["-"], { env });
  run.child.stdin?.end(program);
  expect(await run).toEqual({ stdout: "1 records\n", stderr: "" });
});
