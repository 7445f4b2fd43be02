import { describe, expect, it } from "vitest";
import { exportEngine, importEngine } from "../../src/export.js";
import { createFetch, type HandlerOptions } from "../../src/http.js";
import { type AnyEngine, createEngine } from "../../src/index.js";
import { type Case, checkCase, control, get, post, put, remove } from "./cases.js";
import { createFixture } from "./fixture.js";
import type { Sent } from "./ways.js";

const query = post("/db/shop:main/tables/users/query", { page: { size: 1 } });
const ANN = {
  email: "ann@example.com",
  fullname: "Ann",
  keys: ["key-ann", "key-ann-2"],
  workspaces: ["acme"],
};
const BOB = { email: "bob@example.com", fullname: "Bob", keys: ["key-bob"], workspaces: [] };
const options: HandlerOptions = { users: [ANN, BOB] };

const by = (key: string | null, sent: Sent): Sent => ({
  ...sent,
  headers: { authorization: key === null ? "" : `Bearer ${key}` },
});

const BASIC = { authorization: "Basic key-ann" };
const REFUSED = { status: 401, code: "unauthorized", message: "invalid API key" };

describe("closed mode", () => {
  const SEES_ACME = {
    workspaces: [
      {
        ...{ id: "acme", unique_id: "acme", name: "acme", slug: "acme" },
        ...{ role: "owner", plan: "free" },
      },
    ],
  };
  const annAs = { id: "usr_1", email: ANN.email, fullname: "Ann", image: "" };
  const bobAs = { id: "usr_2", email: BOB.email, fullname: "Bob", image: "" };
  const removeAnn = by("key-ann", control(remove("/user")));
  const changeBob = by("key-bob", control(put("/user", { email: "b@example.org", fullname: "B" })));
  const user = control(get("/user"));
  const workspaces = control(get("/workspaces"));

  it.each<[title: string, send: Sent, expected: Partial<Case>]>([
    ["U-1: a missing key is 401", by(null, query), REFUSED],
    ["U-1: an unknown key is 401", by("nobody", query), REFUSED],
    ["U-1: what is no bearer is 401", { ...query, headers: BASIC }, REFUSED],
    ["U-1: a member is let in", by("key-ann", query), {}],
    ["U-1: every key of a member is let in", by("key-ann-2", query), {}],
    ["U-1: a key stands for its user", by("key-bob", user), { body: bobAs }],
    ["U-1: a user sees its own workspaces", by("key-ann", workspaces), { body: SEES_ACME }],
    ["U-1: a user may see none", by("key-bob", workspaces), { body: { workspaces: [] } }],
    ["E-6: the key comes before the route", by(null, get("/nowhere")), REFUSED],
    ["E-6: the key comes before the method", by("nobody", control(post("/user"))), REFUSED],
    [
      "U-2: a deleted user's keys are refused",
      by("key-ann-2", query),
      { before: [removeAnn], ...REFUSED },
    ],
    ["U-2: a user changes itself alone", by("key-ann", user), { before: [changeBob], body: annAs }],
  ])("%s", (title, send, expected) =>
    checkCase(createFixture(), { title, send, status: 200, ...expected }, options),
  );

  it.each(["documented", "xata"] as const)(
    "D-5: under %s a workspace of others is answered as one that does not exist",
    async (profile) => {
      const ask = async (workspace: string, sent: (id: string) => string): Promise<unknown> => {
        const fetch = createFetch(createFixture(profile), options);
        const headers = { authorization: "Bearer key-ann" };
        const answer = await fetch(sent(workspace), { headers });
        const text = (await answer.text()).replaceAll(workspace, "…");
        return { status: answer.status, text, id: answer.headers.get("x-request-id") };
      };
      const addresses = [
        (id: string) => `http://localhost/workspaces/${id}/dbs`,
        (id: string) => `http://localhost/workspaces/${id}/dbs/secret`,
        (id: string) => `http://${id}.us-east-1.example.com/dbs/secret`,
        (id: string) => `http://localhost/ws/${id}/us-east-1/dbs/secret`,
        (id: string) => `http://localhost/ws/${id}/us-east-1/db/secret:main`,
      ];
      for (const address of addresses) {
        expect(await ask("other", address)).toEqual(await ask("nobody", address));
        expect(await ask("other", address)).toMatchObject({
          status: profile === "xata" ? 401 : 404,
        });
      }
    },
  );

  it("D-5: reveals no default workspace to non-members", async () => {
    const fetch = createFetch(createFixture(), { ...options, workspace: "other" });
    const headers = { authorization: "Bearer key-ann" };
    const answer = await fetch("http://localhost/dbs/secret", { headers });
    expect(answer.status).toBe(404);
    expect(await answer.text()).not.toContain("other");
  });

  it("U-1: holds from the start where the engine has keys", async () => {
    const engine = createFixture();
    engine.createUser(ANN);
    expect(await statusOf(engine)).toBe(401);
    expect(await statusOf(engine, { auth: "open" })).toBe(200);
  });

  it("U-1, A-1: keys that callers of open mode make for themselves do not close it", async () => {
    const engine = createFixture();
    const fetch = createFetch(engine);
    const makeKey = (name: string) =>
      fetch(`http://api.localhost/user/keys/${name}`, { method: "POST" });
    expect((await makeKey("mine")).status).toBe(201);
    const { id } = engine.createUser({ email: "cyd@example.com", fullname: "Cyd" }); // without a key
    expect((await makeKey("default-2")).status).toBe(201);
    expect((await fetch("http://localhost/user")).status).toBe(200);
    // Nor when the engine is served once more, or is made again of its export.
    expect(await statusOf(engine)).toBe(200);
    expect(await statusOf(importEngine(exportEngine(engine)))).toBe(200);
    engine.addKey(id, "key-cyd");
    expect((await fetch("http://localhost/user")).status).toBe(401);
    expect(await statusOf(engine)).toBe(401);
  });

  it("U-1: a key given to the built-in user closes it", async () => {
    const engine = createFixture();
    const fetch = createFetch(engine);
    engine.addKey("usr_0", "of one's own");
    expect((await fetch("http://localhost/user")).status).toBe(401);
    expect(await statusOf(engine)).toBe(401);
  });

  it("U-1: is still closed after the last user is deleted", async () => {
    const engine = createFixture();
    const { id } = engine.createUser(ANN);
    const fetch = createFetch(engine);
    engine.deleteUser(id);
    expect((await fetch("http://localhost/user")).status).toBe(401);
  });

  it("U-1: follows keys and memberships that are given later", async () => {
    const engine = createFixture();
    const fetch = createFetch(engine, { auth: "closed" });
    const ask = async (): Promise<number> => {
      const headers = { authorization: "Bearer key-cyd" };
      return (await fetch("http://acme.us-east-1.localhost/dbs/shop", { headers })).status;
    };
    expect(await ask()).toBe(401);
    const { id } = engine.createUser({ email: "cyd@example.com", fullname: "Cyd" });
    engine.addKey(id, "key-cyd");
    expect(await ask()).toBe(404);
    engine.addMember("acme", id);
    expect(await ask()).toBe(200);
    engine.removeKey("key-cyd");
    expect(await ask()).toBe(401);
  });
});

describe("open mode", () => {
  const builtIn = { id: "usr_0", email: "user@example.com", fullname: "Built-in User", image: "" };

  it.each<[title: string, send: Sent, body: unknown]>([
    ["U-1: no key is let in", by(null, query), undefined],
    ["U-1: any key is let in", by("whatever", query), undefined],
    ["U-1: any key is the built-in user", by("whatever", control(get("/user"))), builtIn],
  ])("%s", (title, send, body) => checkCase(createFixture(), { title, send, status: 200, body }));
});

describe("workspaces and users given as options", () => {
  it("U-1: are made once, however often the engine is served", async () => {
    const engine = createEngine();
    const given: HandlerOptions = { workspaces: ["acme", "other"], users: [ANN, BOB] };
    createFetch(engine, given);
    createFetch(engine, given);
    expect(engine.workspaces().map(({ id }) => id)).toEqual(["acme", "other"]);
    expect(engine.users().map(({ fullname }) => fullname)).toEqual(["Built-in User", "Ann", "Bob"]);
  });

  it("E-3: are checked", () => {
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
