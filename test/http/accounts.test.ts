import { describe, expect, it } from "vitest";
import { createFetch } from "../../src/http.js";
import { type AnyEngine, createEngine, type ProfileName } from "../../src/index.js";

const CONTROL = "https://api.example.com";

const ROLES = ["owner", "maintainer", "stranger", "nobody"] as const;
type Caller = (typeof ROLES)[number];

interface World {
  readonly engine: AnyEngine;
  readonly ids: Readonly<Record<string, string>>;
  readonly ask: (as: Caller, method: string, path: string, body?: unknown) => Promise<Answered>;
}

interface Answered {
  readonly status: number;
  readonly body: { readonly [key: string]: unknown };
}

/** A closed service with a workspace `acme` of two members, an open invitation, and a third user. */
async function open(profile: ProfileName): Promise<World> {
  const engine = createEngine({ profile, seed: 3, now: Date.parse("2024-01-31T12:00:00Z") });
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
  const ask: World["ask"] = async (as, method, path, body) => {
    const answer = await fetch(CONTROL + path, {
      method,
      headers: { authorization: `Bearer key of ${as}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? {} : JSON.parse(text) };
  };
  const made = await ask("owner", "POST", "/workspaces/acme/invites", {
    email: "guest@example.com",
    role: "maintainer",
  });
  ids.invite = made.body.inviteId as string;
  ids.inviteKey = made.body.inviteKey as string;
  return { engine, ids, ask };
}

type Statuses = readonly [owner: number, maintainer: number, stranger: number, nobody: number];

const MATRIX: readonly (readonly [string, string, unknown, Statuses])[] = [
  ["GET", "/workspaces/acme", undefined, [200, 200, 404, 401]],
  ["PUT", "/workspaces/acme", { name: "New" }, [200, 200, 404, 401]],
  ["PUT", "/workspaces/acme", { nmae: "New" }, [400, 400, 404, 401]],
  ["DELETE", "/workspaces/acme", undefined, [204, 204, 404, 401]],
  ["GET", "/workspaces/acme/settings", undefined, [200, 200, 404, 401]],
  ["PATCH", "/workspaces/acme/settings", { a: 1 }, [200, 200, 404, 401]],
  ["GET", "/workspaces/acme/members", undefined, [200, 200, 404, 401]],
  ["PUT", "/workspaces/acme/members/{maintainer}", { role: "owner" }, [204, 403, 404, 401]],
  ["PUT", "/workspaces/acme/members/{maintainer}", { role: "king" }, [400, 400, 404, 401]],
  ["PUT", "/workspaces/acme/members/{maintainer}", { role: "maintainer" }, [204, 204, 404, 401]],
  ["PUT", "/workspaces/acme/members/{maintainer}", {}, [400, 400, 404, 401]],
  ["PUT", "/workspaces/acme/members/{owner}", { role: "maintainer" }, [403, 403, 404, 401]],
  ["PUT", "/workspaces/acme/members/{stranger}", { role: "owner" }, [404, 404, 404, 401]],
  ["DELETE", "/workspaces/acme/members/{maintainer}", undefined, [204, 204, 404, 401]],
  ["DELETE", "/workspaces/acme/members/{owner}", undefined, [403, 403, 404, 401]],
  ["DELETE", "/workspaces/acme/members/{stranger}", undefined, [404, 404, 404, 401]],
  ["POST", "/workspaces/acme/invites", { email: "a@b.c", role: "owner" }, [201, 403, 404, 401]],
  [
    "POST",
    "/workspaces/acme/invites",
    { email: "a@b.c", role: "maintainer" },
    [201, 201, 404, 401],
  ],
  ["POST", "/workspaces/acme/invites", { email: "a@b.c" }, [400, 400, 404, 401]],
  ["POST", "/workspaces/acme/invites", { email: "no", role: "owner" }, [400, 403, 404, 401]],
  ["PATCH", "/workspaces/acme/invites/{invite}", { role: "owner" }, [200, 403, 404, 401]],
  ["PATCH", "/workspaces/acme/invites/{invite}", { role: "maintainer" }, [200, 200, 404, 401]],
  ["PATCH", "/workspaces/acme/invites/nope", { role: "owner" }, [404, 404, 404, 401]],
  ["DELETE", "/workspaces/acme/invites/{invite}", undefined, [204, 204, 404, 401]],
  ["POST", "/workspaces/acme/invites/{invite}/resend", undefined, [204, 204, 404, 401]],
  ["POST", "/workspaces/acme/invites/{inviteKey}/accept", undefined, [204, 204, 204, 401]],
  ["POST", "/workspaces/acme/invites/{invite}/accept", undefined, [404, 404, 404, 401]],
  ["GET", "/workspaces/acme/dbs", undefined, [200, 200, -1, 401]],
  ["GET", "/workspaces/acme/regions", undefined, [200, 200, -1, 401]],
];

describe.each(["documented", "xata"] as const)("A-3: permissions by role, under %s", (profile) => {
  const rows = MATRIX.flatMap(([method, path, body, statuses]) =>
    ROLES.map((role, index) => ({ role, method, path, body, status: statuses[index]! })),
  );

  it.each(rows)("$method $path $body as $role: $status", async (row) => {
    const { role, method, body } = row;
    const unseen = profile === "xata" ? 401 : 404;
    const status = row.status === -1 ? unseen : row.status;
    const { engine, ids, ask } = await open(profile);
    const path = row.path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);
    const before = stateOf(engine);
    const answer = await ask(role, method, path, body);
    expect(answer.status).toBe(status);
    if (status >= 400) expect(stateOf(engine)).toEqual(before);
    if (role !== "stranger" || status < 400) return;
    // as if the workspace did not exist.
    const other = await ask(role, method, path.replace("/acme", "/none"), body);
    const blank = ({ id: _, ...rest }: Answered["body"]) => JSON.stringify(rest);
    expect(other.status).toBe(status);
    expect(blank(other.body)).toBe(blank(answer.body).replaceAll("acme", "none"));
  });
});

it.each(["PATCH", "DELETE", "POST"])(
  "A-3: a maintainer has no right to the invitation of an owner: %s",
  async (method) => {
    const { engine, ask } = await open("documented");
    const invites = "/workspaces/acme/invites";
    const made = await ask("owner", "POST", invites, { email: "b@example.com", role: "owner" });
    const before = stateOf(engine);
    const path = `${invites}/${made.body.inviteId}${method === "POST" ? "/resend" : ""}`;
    const body = method === "PATCH" ? { role: "maintainer" } : undefined;
    expect(await ask("maintainer", method, path, body)).toMatchObject({
      status: 403,
      body: { code: "forbidden", rule: "A-3" },
    });
    expect(stateOf(engine)).toEqual(before);
    expect((await ask("owner", method, path, body)).status).toBeLessThan(300);
  },
);

it("A-3: in open mode, the built-in user is the owner of a workspace without members", async () => {
  const engine = createEngine();
  engine.createWorkspace("acme");
  const fetch = createFetch(engine);
  const get = async (path: string) => (await fetch(CONTROL + path)).json();
  const member = { userId: "usr_0", fullname: "Built-in User", email: "user@example.com" };
  const owner = { ...member, role: "owner" };
  expect(await get("/workspaces/acme/members")).toEqual({ members: [owner], invites: [] });
  expect(await get("/workspaces/acme")).toMatchObject({ memberCount: 1 });
  expect(await get("/workspaces")).toMatchObject({ workspaces: [{ id: "acme", role: "owner" }] });
  const { id } = engine.createUser({ email: "ann@example.com", fullname: "Ann" });
  engine.addMember("acme", id, "maintainer");
  expect(await get("/workspaces/acme/members")).toMatchObject({ members: [{ userId: id }] });
  const closed = createFetch(engine, { auth: "closed" });
  expect((await closed(`${CONTROL}/workspaces/acme/members`)).status).toBe(401);
});

function stateOf(engine: AnyEngine): unknown {
  return engine.workspaces().map(({ id }) => {
    const workspace = engine.workspace(id);
    const users = engine.users().map((user) => {
      return [user, engine.roleOf(id, user.id), engine.keys(user.id)];
    });
    return [workspace.metadata(), workspace.settings(), users];
  });
}

it("A-1: keys are the user's own, and have names without spaces", async () => {
  const { ask } = await open("documented");
  expect((await ask("owner", "POST", "/user/keys/mine")).status).toBe(201);
  expect((await ask("stranger", "DELETE", "/user/keys/mine")).status).toBe(404);
  expect((await ask("owner", "POST", "/user/keys/a%20b")).body.code).toBe("invalid_name");
  expect((await ask("owner", "DELETE", "/user/keys/default")).status).toBe(204);
  expect((await ask("owner", "GET", "/user")).status).toBe(401);
});

it("A-2: workspaces of one name have different ids, derived from the slug", async () => {
  const { ask } = await open("documented");
  const make = () => ask("stranger", "POST", "/workspaces", { name: "My Team (new)" });
  const { body } = await make();
  expect(body.id).toMatch(/^my-team-new--[0-9a-z]{6}$/);
  expect(body.slug).toBe("My-Team-new-");
  expect((await make()).body.id).not.toBe(body.id);
});

describe("A-3: an invite", () => {
  const WEEK = 7 * 24 * 3600 * 1000;

  it("is accepted once, within seven days of its last mail", async () => {
    const { engine, ids, ask } = await open("documented");
    engine.clock.advance(WEEK - 1);
    await ask("owner", "POST", `/workspaces/acme/invites/${ids.invite}/resend`);
    engine.clock.advance(WEEK - 1);
    const accept = `/workspaces/acme/invites/${ids.inviteKey}/accept`;
    expect((await ask("stranger", "POST", accept)).status).toBe(204);
    expect(engine.roleOf("acme", ids.stranger!)).toBe("maintainer");
    expect((await ask("stranger", "POST", accept)).body.code).toBe("invite_not_found");
  });

  it("expires after seven days", async () => {
    const { engine, ids, ask } = await open("documented");
    engine.clock.advance(WEEK);
    const members = await ask("owner", "GET", "/workspaces/acme/members");
    expect(members.body.invites).toEqual([]);
    const accept = `/workspaces/acme/invites/${ids.inviteKey}/accept`;
    expect((await ask("maintainer", "POST", accept)).body.code).toBe("invite_not_found");
  });

  it("does not demote an owner who accepts it", async () => {
    const { engine, ids, ask } = await open("documented");
    await ask("owner", "POST", `/workspaces/acme/invites/${ids.inviteKey}/accept`);
    expect(engine.roleOf("acme", ids.owner!)).toBe("owner");
  });
});
