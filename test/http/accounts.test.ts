import { describe, expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import { type AnyEngine, createEngine } from "../../src/index.js";
import { type Answered, ask as send } from "./ask.js";

type Caller = "owner" | "maintainer" | "stranger";

interface World {
  readonly engine: AnyEngine;
  readonly ids: Readonly<Record<string, string>>;
  readonly ask: (as: Caller, method: string, path: string, body?: unknown) => Promise<Answered>;
}

/** A closed service with a workspace `acme` of two members, an open invitation, and a third user. */
async function open(): Promise<World> {
  const engine = createEngine({ seed: 3, now: Date.parse("2024-01-31T12:00:00Z") });
  engine.createWorkspace("acme").createDatabase("shop");
  engine.createWorkspace("home");
  const user = (fullname: Caller): string => {
    const email = `${fullname}@example.com`;
    return engine.createUser({ email, fullname, keys: [`key of ${fullname}`] }).id;
  };
  const ids: Record<string, string> = {};
  for (const name of ["owner", "maintainer", "stranger"] as const) ids[name] = user(name);
  engine.addMember("acme", ids.owner!, "owner");
  engine.addMember("acme", ids.maintainer!, "maintainer");
  engine.addMember("home", ids.stranger!, "owner");
  const fetch = createFetch(engine, { auth: "closed" });
  const ask: World["ask"] = (as, method, path, body) =>
    send({ fetch }, `${method} ${path}`, body, { authorization: `Bearer key of ${as}` });
  const made = await ask("owner", "POST", "/workspaces/acme/invites", {
    email: "guest@example.com",
    role: "maintainer",
  });
  ids.invite = made.body.inviteId;
  ids.inviteKey = made.body.inviteKey;
  return { engine, ids, ask };
}

it("A-3: in open mode, the built-in user is the owner of a workspace without members", async () => {
  const engine = createEngine();
  engine.createWorkspace("acme");
  const fetch = createFetch(engine);
  const get = async (path: string) => (await send({ fetch }, `GET ${path}`)).body;
  const member = { userId: "usr_0", fullname: "Built-in User", email: "user@example.com" };
  const owner = { ...member, role: "owner" };
  expect(await get("/workspaces/acme/members")).toEqual({ members: [owner], invites: [] });
  expect(await get("/workspaces/acme")).toMatchObject({ memberCount: 1 });
  expect(await get("/workspaces")).toMatchObject({ workspaces: [{ id: "acme", role: "owner" }] });
  const { id } = engine.createUser({ email: "ann@example.com", fullname: "Ann" });
  engine.addMember("acme", id, "maintainer");
  expect(await get("/workspaces/acme/members")).toMatchObject({ members: [{ userId: id }] });
  const closed = createFetch(engine, { auth: "closed" });
  expect((await closed("http://localhost/workspaces/acme/members")).status).toBe(401);
});

it("A-1: keys are the user's own, and have names without spaces", async () => {
  const { ask } = await open();
  expect((await ask("owner", "POST", "/user/keys/mine")).status).toBe(201);
  expect((await ask("stranger", "DELETE", "/user/keys/mine")).status).toBe(404);
  expect((await ask("owner", "POST", "/user/keys/a%20b")).body.code).toBe("invalid_name");
  expect((await ask("owner", "DELETE", "/user/keys/default")).status).toBe(204);
  expect((await ask("owner", "GET", "/user")).status).toBe(401);
});

it("A-2: workspaces of one name have different ids, derived from the slug", async () => {
  const { ask } = await open();
  const make = () => ask("stranger", "POST", "/workspaces", { name: "My Team (new)" });
  const { body } = await make();
  expect(body.id).toMatch(/^my-team-new--[0-9a-z]{6}$/);
  expect(body.slug).toBe("My-Team-new-");
  expect((await make()).body.id).not.toBe(body.id);
});

describe("A-3: an invite", () => {
  const WEEK = 7 * 24 * 3600 * 1000;

  it("is accepted once, within seven days of its last mail", async () => {
    const { engine, ids, ask } = await open();
    engine.clock.advance(WEEK - 1);
    await ask("owner", "POST", `/workspaces/acme/invites/${ids.invite}/resend`);
    engine.clock.advance(WEEK - 1);
    const accept = `/workspaces/acme/invites/${ids.inviteKey}/accept`;
    expect((await ask("stranger", "POST", accept)).status).toBe(204);
    expect(engine.roleOf("acme", ids.stranger!)).toBe("maintainer");
    expect((await ask("stranger", "POST", accept)).body.code).toBe("invite_not_found");
  });

  it("expires after seven days", async () => {
    const { engine, ids, ask } = await open();
    engine.clock.advance(WEEK);
    const members = await ask("owner", "GET", "/workspaces/acme/members");
    expect(members.body.invites).toEqual([]);
    const accept = `/workspaces/acme/invites/${ids.inviteKey}/accept`;
    expect((await ask("maintainer", "POST", accept)).body.code).toBe("invite_not_found");
  });

  it("does not demote an owner who accepts it", async () => {
    const { engine, ids, ask } = await open();
    await ask("owner", "POST", `/workspaces/acme/invites/${ids.inviteKey}/accept`);
    expect(engine.roleOf("acme", ids.owner!)).toBe("owner");
  });
});
