/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createControl, createFaults, createFetch } from "../../src/http.js";
import { type EngineServer, type ServeOptions, serve } from "../../src/node.js";
import { openPostgres } from "../../src/postgres.js";
import { createFixture } from "./fixture.js";
import { type Sent, sendOverSocket } from "./ways.js";
import "../postgres/copied-database.js";

const TRANSACTION = {
  method: "POST",
  path: "/db/shop:main/transaction",
  body: { operations: [{ delete: { table: "users", id: "u1" } }] },
};
const QUERY = { method: "POST", path: "/db/shop:main/tables/users/query", body: {} };
const READ = { method: "GET", path: "/db/shop:main/tables/users/data/u2" };
const HOST = "acme.us-east-1.localhost";
const EVIL = "https://evil.example";
const FORBIDDEN = { status: 403, code: "forbidden", rule: "E-7" };

interface Outcome {
  readonly status: number;
  readonly code?: string;
  readonly rule?: string;
}

type Headers = Readonly<Record<string, string>>;

async function ask(options: ServeOptions, sent: Sent, headers: Headers = {}): Promise<Outcome> {
  await using server = await serve(createFixture(), { workspace: "acme", ...options });
  return await askServer(server, sent, headers);
}

async function askServer(
  { port }: EngineServer,
  sent: Sent,
  { host = HOST, ...headers }: Headers = {},
): Promise<Outcome> {
  const { status, text } = await sendOverSocket(port, { ...sent, host, headers });
  const { code, rule } = text.startsWith("{") ? JSON.parse(text) : {};
  return { status, ...(status >= 400 && { code, rule }) };
}

describe("E-7: pages of other origins", () => {
  it.each([
    [{ origin: EVIL, "content-type": "text/plain" }],
    [{ origin: EVIL }],
    [{ origin: "null" }],
    [{ origin: "http://localhost:1" }],
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "same-site" }],
    [{ origin: `http://${HOST}`, "sec-fetch-site": "cross-site" }],
  ])("may only read: %j", async (headers) => {
    await using server = await serve(createFixture(), {
      workspace: "acme",
      control: createControl(),
    });
    for (const sent of [TRANSACTION, QUERY, { method: "DELETE", path: "/dbs/shop" }]) {
      expect(await askServer(server, sent, headers)).toEqual(FORBIDDEN);
    }
    for (const path of ["reset", "service/dbs/shop", "faults"]) {
      const sent = { method: "POST", path: `/_twinbase/${path}`, body: {} };
      expect(await askServer(server, sent, headers)).toEqual(FORBIDDEN);
    }
    const read = { ...READ, path: READ.path.replace("u2", "u1") };
    expect((await askServer(server, read)).status).toBe(200);
  });

  it("do not trigger faults", async () => {
    const faults = createFaults();
    const fault = faults.add({ answer: { status: 503 } });
    expect(await ask({ faults }, QUERY, { origin: EVIL })).toEqual(FORBIDDEN);
    expect(fault.strikes).toBe(0);
  });

  it.each([["*" as const], [[EVIL]]])("may write if cors is %j", async (cors) => {
    const headers = { origin: EVIL, "content-type": "text/plain" };
    expect((await ask({ cors }, TRANSACTION, headers)).status).toBe(200);
  });

  it("may not write if cors allows another origin", async () => {
    expect(await ask({ cors: ["https://good.example"] }, TRANSACTION, { origin: EVIL })).toEqual(
      FORBIDDEN,
    );
  });

  it("are checked by servers over PostgreSQL too", async () => {
    await using db = await openPostgres({ pglite: true }, { workspaces: ["acme"] });
    await using server = await serve(db, { workspace: "acme" });
    const sent = { method: "PUT", path: "/workspaces/acme/dbs/made", body: {} };
    expect(await askServer(server, sent, { origin: EVIL })).toEqual(FORBIDDEN);
    expect(await askServer(server, sent, { host: "evil.example" })).toEqual(FORBIDDEN);
    expect((await askServer(server, sent)).status).toBe(201);
  });
});

describe("E-7: pages of the service, and programs", () => {
  const own = { origin: `http://${HOST}`, "sec-fetch-site": "same-origin" };

  it("may write", async () => {
    for (const headers of [own, { ...own, "content-type": "application/json; charset=utf-8" }]) {
      const json = { "content-type": "application/json", ...headers };
      expect((await ask({}, TRANSACTION, json)).status).toBe(200);
    }
    expect((await ask({}, TRANSACTION, { "sec-fetch-site": "none" })).status).toBe(200);
    for (const type of ["application/x-www-form-urlencoded", "text/plain", "application/json"]) {
      expect((await ask({}, TRANSACTION, { "content-type": type })).status).toBe(200);
    }
  });

  it("need a JSON content type, as pages", async () => {
    const refused = { status: 400, code: "invalid_request", rule: "E-7" };
    for (const type of [
      ...["text/plain", "application/x-www-form-urlencoded", "application/jsonp", ""],
    ]) {
      expect(await ask({}, TRANSACTION, { ...own, "content-type": type })).toEqual(refused);
    }
  });
});

describe("E-7: a host", () => {
  it.each([
    ["evil.example", 403],
    ["localhost.evil.example", 403],
    ["evillocalhost", 403],
    ["127.0.0.1.evil.example:80", 403],
    ["10.0.0.1", 403],
    ["[fe80::1]", 403],
    ["localhost", 200],
    ["LOCALHOST:4000", 200],
    ["localhost.", 200],
    ["127.0.0.1:4000", 200],
    ["127.9.9.9", 200],
    ["[::1]:4000", 200],
    ["acme.us-east-1.localhost:6001", 200],
    ["acme.us-east-1.upload.localhost.", 200],
  ])("%s gets %i, for control and reads too", async (host, status) => {
    await using server = await serve(createFixture(), {
      workspace: "acme",
      control: createControl(),
    });
    for (const path of [READ.path, "/_twinbase/journal", "/_twinbase/counts", "/_twinbase/"]) {
      const answer = await askServer(server, { method: "GET", path }, { host });
      expect(answer.status, path).toBe(status);
    }
    const headers = { origin: EVIL, "access-control-request-method": "PUT", host };
    const preflight = await askServer(server, { method: "OPTIONS", path: READ.path }, headers);
    expect(preflight.status).toBe(status === 403 ? 403 : 405);
  });

  it.each<[ServeOptions["hosts"], string, number]>([
    [["db.test"], "db.test", 200],
    [["DB.test"], "db.TEST:4000", 200],
    [["db.test"], "acme.us-east-1.db.test", 200],
    [["db.test"], "adb.test", 403],
    [["0.0.0.0"], "10.0.0.1:4000", 200],
    [["::"], "[fe80::1]", 200],
    [["0.0.0.0"], "evil.example", 403],
    [["10.0.0.1"], "10.0.0.1", 200],
    [["fe80::1"], "[fe80::1]:4000", 200],
    ["*", "evil.example", 200],
  ])("with hosts %j, %s gets %i", async (hosts, host, status) => {
    expect((await ask({ ...(hosts && { hosts }) }, READ, { host })).status).toBe(status);
  });

  it("may be the origin of a page if configured, for control too", async () => {
    const options = { hosts: ["db.test"], control: createControl() };
    const sent = { method: "POST", path: "/_twinbase/clock/advance", body: { ms: 1 } };
    const json = { "content-type": "application/json" };
    const page = { host: "db.test", origin: "http://db.test", ...json };
    expect((await ask(options, sent, page)).status).toBe(200);
    expect((await ask(options, sent, { ...page, origin: EVIL })).status).toBe(403);
  });

  it("is not checked by a handler without the option hosts", async () => {
    const sent = { method: "POST", body: "{}", headers: { origin: EVIL } };
    const url = "http://evil.example/db/shop:main/tables/users/query";
    const open = createFetch(createFixture(), { workspace: "acme" });
    expect((await open(url, sent)).status).toBe(200);
    const checked = createFetch(createFixture(), { workspace: "acme", hosts: ["good.example"] });
    expect((await checked(url, sent)).status).toBe(403);
  });

  it("is validated as an option", async () => {
    const paths: [hosts: unknown, path: string][] = [
      [5, "/hosts"],
      ["db.test", "/hosts"],
      [[5], "/hosts/0"],
      [["a.test", ""], "/hosts/1"],
    ];
    for (const [hosts, path] of paths) {
      const options = { hosts } as unknown as ServeOptions; // as callers without a type checker may
      await expect(serve(createFixture(), options)).rejects.toMatchObject({ path });
    }
  });
});

describe("U-1: control of a closed service", () => {
  const user = (name: string, workspaces: string[]) => ({
    email: `${name}@example.com`,
    fullname: name,
    keys: [name],
    workspaces,
  });
  const users = [user("ann", ["acme", "other"]), user("bob", ["acme"]), user("eve", [])];
  let server: EngineServer;
  beforeAll(async () => {
    const control = createControl({ key: "key of control" });
    const engine = createFixture();
    server = await serve(engine, { users, control, workspace: "acme" });
    engine.setBaseline();
  });
  afterAll(() => server.close());
  const statuses = (method: string, path: string, body?: unknown) =>
    Promise.all(
      ["ann", "key of control", "bob", "eve", "nobody"].map(async (key) => {
        const sent = { method, path, ...(body !== undefined && { body }) };
        return (await askServer(server, sent, { authorization: `Bearer ${key}` })).status;
      }),
    );

  it.each([
    ["GET", "counts"],
    ["GET", "journal"],
    ["GET", "faults"],
    ["GET", "snapshots"],
    ["GET", "clock"],
    ["POST", "reset"],
    ["POST", "diff"],
    ["POST", "journal/find"],
  ])(
    "%s /_twinbase/%s is for the control key, not for owners of all workspaces",
    async (method, path) => {
      const body = method === "POST" ? {} : undefined;
      expect(await statuses(method, `/_twinbase/${path}`, body)).toEqual([403, 200, 403, 403, 401]);
    },
  );

  it("shows health to users, and workspaces to their members", async () => {
    expect(await statuses("GET", "/_twinbase/health")).toEqual([200, 200, 200, 200, 401]);
    const explain = "/_twinbase/db/shop:main/tables/users/explain";
    expect(await statuses("POST", explain, {})).toEqual([200, 200, 200, 404, 401]);
    // The control key is not valid for the service.
    expect(await statuses("GET", "/user")).toEqual([200, 401, 200, 200, 401]);
  });
});
