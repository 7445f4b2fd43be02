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

  it.each(["documented", "xata"] as const)(
    "D-5: is found in any spelling, under %s",
    async (profile) => {
      const engine = createEngine({ profile });
      for (const id of ["Ann-Lee-s-workspace-a1b2c3", "Twin", "TWIN", "bob-x9y8z7", "Cy-x9y8z7"]) {
        engine.createWorkspace(id).createDatabase("shop");
      }
      const byName = profile === "xata" ? 200 : 404;
      const none = profile === "xata" ? 401 : 404;
      const spellings: readonly [name: string, status: number][] = [
        ["ann-lee-s-workspace-a1b2c3", 200],
        ["ANN-LEE-S-WORKSPACE-A1B2C3", 200],
        ["Renamed-A1B2C3", byName],
        ["a1b2c3", none],
        ["TWIN", 200],
        ["twin", none], // either
        ["Bob-x9y8z7", 200],
        ["other-x9y8z7", none], // either
      ];
      for (const [name, status] of spellings) {
        const fetch = createFetch(engine, { workspace: name });
        expect(await statusOf(fetch, "/dbs/shop"), name).toBe(status);
        for (const path of ["/db/shop:main", "/dbs/shop/gitBranches"]) {
          expect(await statusOf(fetch, `/ws/${name}/us-east-1${path}`), name).toBe(status);
          const headers = { host: `${name}.us-east-1.xata.sh` };
          const { status: found } = await fetch(`http://localhost${path}`, { headers });
          expect(found, name).toBe(status);
        }
        expect(await statusOf(fetch, `/workspaces/${name}/dbs/shop`), name).toBe(status);
      }
    },
  );

  it("D-5: another spelling is none that the caller is not a member of", async () => {
    const engine = createEngine({ profile: "xata" });
    for (const id of ["mine-a1b2c3", "Hers-a1b2c3"]) engine.createWorkspace(id).createDatabase("d");
    const users = [{ email: "a@b.c", fullname: "A", keys: ["k"], workspaces: ["mine-a1b2c3"] }];
    const fetch = createFetch(engine, { users });
    expect(await statusOf(fetch, "/ws/MINE-a1b2c3/x/db/d:main", "k")).toBe(200);
    // Were Hers visible, two would end so.
    expect(await statusOf(fetch, "/ws/any-a1b2c3/x/db/d:main", "k")).toBe(200);
    const answer = await fetch("http://localhost/ws/hers-A1B2C4/x/db/d:main", {
      headers: { authorization: "Bearer k" },
    });
    expect(await answer.json()).toMatchObject({ message: "workspace [hers-A1B2C4] not found" });
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
