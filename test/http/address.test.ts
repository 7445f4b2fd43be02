import { describe, expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import type { Fetch } from "./checked-fetch.js";
import { createFixture } from "./fixture.js";

async function statusOf(fetch: Fetch, path: string, key = "key"): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(path.startsWith("/") ? `http://localhost${path}` : path, { headers })).status;
}

describe("the workspace of a request", () => {
  it("D-5: is decoded, and comes from the path before the host", async () => {
    const fetch = createFetch(createFixture());
    const url = "http://other.us-east-1.example.com/ws/%61cme/eu-west-1/dbs/shop";
    expect(await statusOf(fetch, url)).toBe(200);
  });

  it("D-5: is the only workspace if the request names none", async () => {
    const engine = createEngine();
    engine.createWorkspace("acme").createDatabase("shop");
    const fetch = createFetch(engine);
    expect(await statusOf(fetch, "/dbs/shop")).toBe(200);
    engine.createWorkspace("other").createDatabase("shop");
    const answer = await fetch("http://localhost/dbs/shop");
    expect(await answer.json()).toMatchObject({ code: "workspace_not_found" });
  });

  it("D-6: is the default if the request names none, else the only one that has the database", async () => {
    const engine = createFixture();
    engine.createWorkspace("third").createDatabase("mine");
    const fetch = createFetch(engine, { workspace: "acme" });
    expect(await statusOf(fetch, "/db/mine:main")).toBe(200);
    engine.workspace("other").createDatabase("mine");
    expect(await statusOf(fetch, "/db/mine:main")).toBe(404);
    engine.workspace("acme").createDatabase("mine");
    expect(await statusOf(fetch, "/db/mine:main")).toBe(200);
  });

  it("D-6: is never one that the caller is not a member of", async () => {
    const users = [{ email: "a@b.c", fullname: "A", keys: ["k"], workspaces: ["acme"] }];
    const fetch = createFetch(createFixture(), { users, workspace: "acme" });
    expect(await statusOf(fetch, "/dbs/secret", "k")).toBe(404);
  });

  it("D-6: follows changes of members and databases", async () => {
    const engine = createEngine();
    const ids = ["acme", "other"];
    for (const id of ids) engine.createWorkspace(id).createDatabase("shop");
    const users = ids.map((id) => {
      return { email: `${id}@b.c`, fullname: id, keys: [id], workspaces: [id] };
    });
    const fetch = createFetch(engine, { users });
    const saved = engine.snapshot();
    const other = engine.userByKey("other")!.id;
    const expectStatuses = async (...statuses: number[]) =>
      expect(
        await Promise.all(ids.map((key) => statusOf(fetch, "/db/shop:main/metadata", key))),
      ).toEqual(statuses);
    for (let round = 0; round < 2; round++) {
      await expectStatuses(200, 200);
      engine.addMember("acme", other);
      await expectStatuses(200, 404);
      engine.workspace("acme").deleteDatabase("shop");
      await expectStatuses(404, 200);
      engine.restore(saved);
    }
    engine.deleteWorkspace("other");
    await expectStatuses(200, 404);
  });

  it("D-5: comes from the Host header that a client sends with another URL", async () => {
    const fetch = createFetch(createFixture());
    const headers = { host: "acme.us-east-1.localhost:6001" };
    expect((await fetch("http://localhost:6001/dbs/shop", { headers })).status).toBe(200);
  });
});
