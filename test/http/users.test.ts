import { describe, expect, it } from "vitest";
import { exportEngine, importEngine } from "../../src/export.js";
import { createFetch, type HandlerOptions } from "../../src/http.js";
import { type AnyEngine, createEngine } from "../../src/index.js";
import { ask as send } from "./ask.js";
import type { Fetch } from "./checked-fetch.js";
import { createFixture } from "./fixture.js";

const ANN = {
  email: "ann@example.com",
  fullname: "Ann",
  keys: ["key-ann", "key-ann-2"],
  workspaces: ["acme"],
};
const BOB = { email: "bob@example.com", fullname: "Bob", keys: ["key-bob"], workspaces: [] };
const options: HandlerOptions = { users: [ANN, BOB] };

const QUERY = "POST http://acme.us-east-1.localhost/db/shop:main/tables/users/query";
const SHOP = "http://acme.us-east-1.localhost/dbs/shop";
const USER = "http://localhost/user";

const ask = (fetch: Fetch, authorization: string, request: string, body?: object) =>
  send({ fetch }, request, body, { authorization });

describe("closed mode", () => {
  const ann = { id: "usr_1", email: ANN.email, fullname: "Ann", image: "" };

  it.each<[title: string, authorization: string, request: string]>([
    ["U-1: other schemes than Bearer are 401", "Basic key-ann", QUERY],
    ["E-6: checks the key before the route", "", "GET http://localhost/nowhere"],
    ["E-6: checks the key before the method", "Bearer nobody", `POST ${USER}`],
  ])("%s", async (_, authorization, request) => {
    const answer = await ask(createFetch(createFixture(), options), authorization, request);
    const body = { code: "unauthorized", message: "invalid API key" };
    expect(answer).toMatchObject({ status: 401, body });
  });

  it("U-1: lists the caller's workspaces only", async () => {
    const fetch = createFetch(createFixture(), options);
    const list = async (key: string) =>
      (await ask(fetch, `Bearer ${key}`, "GET http://localhost/workspaces")).body;
    const acme = { id: "acme", unique_id: "acme", name: "acme", slug: "acme" };
    const workspaces = [{ ...acme, role: "owner", plan: "free" }];
    expect([await list("key-ann"), await list("key-bob")]).toEqual([
      { workspaces },
      { workspaces: [] },
    ]);
  });

  it("U-2: a user changes and deletes only itself", async () => {
    const fetch = createFetch(createFixture(), options);
    const changes = { email: "b@example.org", fullname: "B" };
    expect((await ask(fetch, "Bearer key-bob", `PUT ${USER}`, changes)).status).toBe(200);
    expect((await ask(fetch, "Bearer key-ann", `GET ${USER}`)).body).toEqual(ann);
    expect((await ask(fetch, "Bearer key-ann", `DELETE ${USER}`)).status).toBe(204);
    expect((await ask(fetch, "Bearer key-ann-2", `GET ${USER}`)).status).toBe(401);
    expect((await ask(fetch, "Bearer key-bob", `GET ${USER}`)).status).toBe(200);
  });

  it.each(["documented", "xata"] as const)(
    "D-5: answers non-members of a workspace as if it did not exist, under %s",
    async (profile) => {
      const status = profile === "xata" ? 401 : 404;
      for (const url of [
        "http://localhost/workspaces/{id}/dbs",
        "http://localhost/workspaces/{id}/dbs/secret",
        "http://{id}.us-east-1.example.com/dbs/secret",
        "http://localhost/ws/{id}/us-east-1/dbs/secret",
        "http://localhost/ws/{id}/us-east-1/db/secret:main",
      ]) {
        const [other, nobody] = await Promise.all(
          ["other", "nobody"].map(async (id) => {
            const fetch = createFetch(createFixture(profile), options);
            const answer = await ask(fetch, "Bearer key-ann", `GET ${url.replace("{id}", id)}`);
            return JSON.stringify(answer).replaceAll(id, "{id}");
          }),
        );
        expect(other).toBe(nobody);
        expect(JSON.parse(other ?? "")).toMatchObject({ status });
      }
    },
  );

  it("D-5: reveals no default workspace to non-members", async () => {
    const fetch = createFetch(createFixture(), { ...options, workspace: "other" });
    const answer = await ask(fetch, "Bearer key-ann", "GET http://localhost/dbs/secret");
    expect(answer.status).toBe(404);
    expect(JSON.stringify(answer)).not.toContain("other");
  });

  it("U-1: is the default if the engine has keys, also after its last user is deleted", async () => {
    const engine = createFixture();
    const { id } = engine.createUser(ANN);
    const fetch = createFetch(engine);
    expect(await statusOf(engine)).toBe(401);
    expect(await statusOf(engine, { auth: "open" })).toBe(200);
    engine.deleteUser(id);
    expect((await fetch(USER)).status).toBe(401);
  });

  it("U-1, A-1: does not start when callers of open mode create keys", async () => {
    const engine = createFixture();
    const fetch = createFetch(engine);
    const makeKey = (name: string) =>
      fetch(`http://api.localhost/user/keys/${name}`, { method: "POST" });
    expect((await makeKey("mine")).status).toBe(201);
    const { id } = engine.createUser({ email: "cyd@example.com", fullname: "Cyd" }); // without a key
    expect((await makeKey("default-2")).status).toBe(201);
    expect((await fetch("http://localhost/user")).status).toBe(200);
    // A second handler and an import are open too.
    expect(await statusOf(engine)).toBe(200);
    expect(await statusOf(importEngine(exportEngine(engine)))).toBe(200);
    engine.addKey(id, "key-cyd");
    expect((await fetch("http://localhost/user")).status).toBe(401);
    expect(await statusOf(engine)).toBe(401);
  });

  it("U-1: starts when the built-in user gets a key", async () => {
    const engine = createFixture();
    const fetch = createFetch(engine);
    engine.addKey("usr_0", "key-own");
    expect((await fetch("http://localhost/user")).status).toBe(401);
    expect(await statusOf(engine)).toBe(401);
  });

  it("U-1: applies later changes of keys and memberships", async () => {
    const engine = createFixture();
    const fetch = createFetch(engine, { auth: "closed" });
    const expectStatus = async (status: number) =>
      expect(await ask(fetch, "Bearer key-cyd", `GET ${SHOP}`)).toMatchObject({ status });
    await expectStatus(401);
    const { id } = engine.createUser({ email: "cyd@example.com", fullname: "Cyd" });
    engine.addKey(id, "key-cyd");
    await expectStatus(404);
    engine.addMember("acme", id);
    await expectStatus(200);
    engine.removeKey("key-cyd");
    await expectStatus(401);
  });
});

it("U-1: in open mode, keys identify the built-in user", async () => {
  const fetch = createFetch(createFixture());
  const body = { id: "usr_0", email: "user@example.com", fullname: "Built-in User", image: "" };
  expect(await ask(fetch, "Bearer any", `GET ${USER}`)).toEqual({ status: 200, body });
});

describe("workspaces and users given as options", () => {
  it("U-1: are created once, by the first handler", async () => {
    const engine = createEngine();
    const given: HandlerOptions = { workspaces: ["acme", "other"], users: [ANN, BOB] };
    createFetch(engine, given);
    createFetch(engine, given);
    expect(engine.workspaces().map(({ id }) => id)).toEqual(["acme", "other"]);
    expect(engine.users().map(({ fullname }) => fullname)).toEqual(["Built-in User", "Ann", "Bob"]);
  });

  it("E-3: are validated", () => {
    const engine = createEngine();
    const wrong: [unknown, string][] = [
      [{ workspce: "acme" }, "/workspce"],
      [{ auth: "half" }, "/auth"],
      [{ bodyBytes: -1 }, "/bodyBytes"],
      [{ cors: "https://example.com" }, "/cors"],
      [{ users: [{ email: "nobody" }] }, "/email"],
    ];
    for (const [given, path] of wrong) {
      // Callers without a type checker pass anything.
      expect(() => createFetch(engine, given as HandlerOptions)).toThrow(
        expect.objectContaining({ code: "invalid_request", path }),
      );
    }
  });
});

async function statusOf(engine: AnyEngine, given?: HandlerOptions): Promise<number> {
  return (await createFetch(engine, given)("http://localhost/user")).status;
}
