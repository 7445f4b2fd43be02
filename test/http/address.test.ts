import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { type Case, checkCase, get, post, put } from "./cases.js";
import { createFixture, NOW } from "./fixture.js";
import { openWays, type Way } from "./ways.js";

const USERS = "/db/shop:main/tables/users";
const found = {
  status: 200,
  body: { id: "u1", service: { version: 0, createdAt: NOW, updatedAt: NOW } },
};
const path = `${USERS}/data/u1?columns=`;

describe("the workspace of a request", () => {
  it.each<Case>([
    {
      title: "D-5: is named by the path, whatever the host",
      send: { ...get(`/ws/acme/eu-west-1${path}`), host: "other.us-east-1.example.com" },
      ...found,
    },
    {
      title: "D-5: is decoded once",
      send: get(`/ws/%61cme/us-east-1${path}`),
      ...found,
    },
  ])("$title", (given) => checkCase(createFixture(), given));

  it("D-5: is the only one there is where no default is set", async () => {
    const engine = createEngine();
    engine.createWorkspace("acme").createDatabase("shop");
    const fetch = createFetch(engine);
    expect((await fetch("http://localhost/dbs/shop")).status).toBe(200);
    engine.createWorkspace("other").createDatabase("shop");
    const answer = await fetch("http://localhost/dbs/shop");
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: "workspace_not_found" });
  });

  it("D-6: is the only one that has the database, where the default has none of the name", async () => {
    const engine = createFixture();
    engine.createWorkspace("third").createDatabase("mine");
    const fetch = createFetch(engine, { workspace: "acme" });
    const statusOf = async (path: string) => (await fetch(`http://localhost${path}`)).status;
    expect(await statusOf("/dbs/shop")).toBe(200);
    expect(await statusOf("/db/mine:main")).toBe(200);
    expect(await statusOf("/dbs/none")).toBe(404);
    engine.workspace("other").createDatabase("mine");
    expect(await statusOf("/db/mine:main")).toBe(404);
    engine.workspace("acme").createDatabase("mine");
    expect(await statusOf("/db/mine:main")).toBe(200);
  });

  it("D-6: is none that the caller does not see", async () => {
    const engine = createFixture();
    const users = [{ email: "a@b.c", fullname: "A", keys: ["k"], workspaces: ["acme"] }];
    const fetch = createFetch(engine, { users, workspace: "acme" });
    const headers = { authorization: "Bearer k" };
    expect((await fetch("http://localhost/dbs/secret", { headers })).status).toBe(404);
  });

  it("D-6: depends on the caller only, as members and databases come and go", async () => {
    const engine = createEngine();
    for (const id of ["acme", "other"]) engine.createWorkspace(id).createDatabase("shop");
    const fetch = createFetch(engine, {
      users: ["acme", "other"].map((id) => ({
        email: `${id}@b.c`,
        fullname: id,
        keys: [id],
        workspaces: [id],
      })),
    });
    const saved = engine.snapshot();
    const other = engine.userByKey("other")!.id;
    const ask = async (key: string) => {
      const answer = await fetch("http://localhost/db/shop:main/metadata", {
        headers: { authorization: `Bearer ${key}` },
      });
      return answer.status;
    };
    for (let round = 0; round < 2; round++) {
      expect([await ask("acme"), await ask("other")]).toEqual([200, 200]);
      engine.addMember("acme", other);
      expect([await ask("acme"), await ask("other")]).toEqual([200, 404]);
      engine.workspace("acme").deleteDatabase("shop");
      expect([await ask("acme"), await ask("other")]).toEqual([404, 200]);
      engine.restore(saved);
    }
    engine.deleteWorkspace("other");
    expect([await ask("acme"), await ask("other")]).toEqual([200, 404]);
  });

  it("D-5: comes from the Host header where a client was sent elsewhere", async () => {
    const fetch = createFetch(createFixture());
    const headers = { host: "acme.us-east-1.localhost:6001" };
    expect((await fetch("http://localhost:6001/dbs/shop", { headers })).status).toBe(200);
  });
});

describe("names in a path", () => {
  let ways: Way[];

  beforeAll(async () => {
    ways = await openWays(createFixture());
  });

  afterAll(() => Promise.all(ways.map((way) => way.close())));

  it.each(["a b", "ü", "100%", "a/b", "a%2Fb", "?#&=+", "日本", "a:b", "'\"<>"])(
    "X-1: %j as the id of a record comes back as it went in",
    async (id) => {
      const record = `${USERS}/data/${encodeURIComponent(id)}`;
      for (const way of ways) {
        const written = await way.send(put(record, { age: 5 }));
        expect(JSON.parse(written.text)).toMatchObject({ id });
        const read = await way.send(get(record));
        expect(JSON.parse(read.text)).toMatchObject({ id, age: 5 });
      }
    },
  );

  it("N-2: the colon between database and branch may be encoded", async () => {
    for (const way of ways) {
      expect((await way.send(post("/db/shop%3Amain/tables/users/query"))).status).toBe(200);
    }
  });

  it("N-1: a slash in a name is no boundary of segments", async () => {
    for (const way of ways) {
      const answer = await way.send(put("/db/shop:main/tables/a%2Fb"));
      expect(JSON.parse(answer.text)).toMatchObject({ code: "invalid_name" });
    }
  });
});
