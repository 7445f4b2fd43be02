import { beforeEach, describe, expect, it } from "vitest";
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
  ["PUT", "/workspaces/acme", { name: "New" }, [200, 403, 404, 401]],
  ["PUT", "/workspaces/acme", { nmae: "New" }, [400, 403, 404, 401]],
  ["DELETE", "/workspaces/acme", undefined, [204, 403, 404, 401]],
  ["GET", "/workspaces/acme/settings", undefined, [200, 200, 404, 401]],
  ["PATCH", "/workspaces/acme/settings", { a: 1 }, [200, 200, 404, 401]],
  ["GET", "/workspaces/acme/members", undefined, [200, 200, 404, 401]],
  ["PUT", "/workspaces/acme/members/{maintainer}", { role: "owner" }, [204, 403, 404, 401]],
  ["PUT", "/workspaces/acme/members/{maintainer}", { role: "king" }, [400, 403, 404, 401]],
  ["PUT", "/workspaces/acme/members/{maintainer}", {}, [400, 403, 404, 401]],
  ["PUT", "/workspaces/acme/members/{owner}", { role: "maintainer" }, [403, 403, 404, 401]],
  ["PUT", "/workspaces/acme/members/{stranger}", { role: "owner" }, [404, 403, 404, 401]],
  ["DELETE", "/workspaces/acme/members/{maintainer}", undefined, [204, 403, 404, 401]],
  ["DELETE", "/workspaces/acme/members/{owner}", undefined, [403, 403, 404, 401]],
  ["DELETE", "/workspaces/acme/members/{stranger}", undefined, [404, 403, 404, 401]],
  ["POST", "/workspaces/acme/invites", { email: "a@b.c", role: "owner" }, [201, 403, 404, 401]],
  ["POST", "/workspaces/acme/invites", { email: "a@b.c" }, [400, 403, 404, 401]],
  ["POST", "/workspaces/acme/invites", { email: "no", role: "owner" }, [400, 403, 404, 401]],
  ["PATCH", "/workspaces/acme/invites/{invite}", { role: "owner" }, [200, 403, 404, 401]],
  ["PATCH", "/workspaces/acme/invites/nope", { role: "owner" }, [404, 403, 404, 401]],
  ["DELETE", "/workspaces/acme/invites/{invite}", undefined, [204, 403, 404, 401]],
  ["POST", "/workspaces/acme/invites/{invite}/resend", undefined, [204, 403, 404, 401]],
  ["POST", "/workspaces/acme/invites/{inviteKey}/accept", undefined, [204, 204, 204, 401]],
  ["POST", "/workspaces/acme/invites/{invite}/accept", undefined, [404, 404, 404, 401]],
  ["GET", "/workspaces/acme/dbs", undefined, [200, 200, -1, 401]],
  ["GET", "/workspaces/acme/regions", undefined, [200, 200, -1, 401]],
];

describe.each(["documented", "xata"] as const)("A-3: permissions by role, under %s", (profile) => {
  const rows = MATRIX.flatMap(([method, path, body, statuses]) =>
    ROLES.map((role, index) => {
      const unseen = profile === "xata" ? 401 : 404;
      const status = statuses[index] === -1 ? unseen : statuses[index]!;
      return {
        title: `${method} ${path} ${JSON.stringify(body)}`,
        role,
        method,
        path,
        body,
        status,
      };
    }),
  );

  it.each(rows)("$title as $role: $status", async ({ role, method, path, body, status }) => {
    const { engine, ids, ask } = await open(profile);
    const address = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name);
    const before = stateOf(engine);
    const answer = await ask(role, method, address, body);
    expect(answer.status).toBe(status);
    if (status >= 400) expect(stateOf(engine)).toEqual(before);
    if (role !== "stranger" || status < 400) return;
    // A workspace that is not seen is answered as one that does not exist.
    const other = await ask(role, method, address.replace("/acme", "/none"), body);
    const blank = ({ id: _, ...rest }: Answered["body"]) => JSON.stringify(rest);
    expect(other.status).toBe(status);
    expect(blank(other.body)).toBe(blank(answer.body).replaceAll("acme", "none"));
  });
});

function stateOf(engine: AnyEngine): unknown {
  return engine.workspaces().map(({ id }) => {
    const workspace = engine.workspace(id);
    const roles = engine.users().map((user) => [user, engine.roleOf(id, user.id)]);
    return [workspace.metadata(), workspace.settings(), roles, engine.users().map(keysOf)];
  });

  function keysOf({ id }: { id: string }): unknown {
    return engine.keys(id);
  }
}

describe("keys", () => {
  let world: World;
  beforeEach(async () => {
    world = await open("documented");
  });

  it("A-1: are made, listed without themselves, and deleted", async () => {
    const { ask } = world;
    const made = await ask("owner", "POST", "/user/keys/mine");
    expect(made).toEqual({
      status: 201,
      body: { name: "mine", key: expect.any(String), createdAt: "2024-01-31T12:00:00Z" },
    });
    const { body } = await ask("owner", "GET", "/user/keys");
    expect(body).toEqual({
      keys: ["default", "mine"].map((name) => ({ name, createdAt: "2024-01-31T12:00:00Z" })),
    });
    expect((await ask("stranger", "DELETE", "/user/keys/mine")).status).toBe(404);
    expect((await ask("owner", "POST", "/user/keys/mine")).body.code).toBe("key_exists");
    expect((await ask("owner", "POST", "/user/keys/mine")).status).toBe(422);
    expect((await ask("owner", "POST", "/user/keys/a%20b")).body.code).toBe("invalid_name");
    expect((await ask("owner", "DELETE", "/user/keys/nope")).body.code).toBe("key_not_found");
    expect((await ask("owner", "DELETE", "/user/keys/mine")).status).toBe(204);
    expect((await ask("owner", "DELETE", "/user/keys/default")).status).toBe(204);
    expect((await ask("owner", "GET", "/user")).status).toBe(401);
  });
});

describe("workspaces", () => {
  it("A-2: have ids of their slugs, no two the same", async () => {
    const { ask } = await open("documented");
    const make = () => ask("stranger", "POST", "/workspaces", { name: "My Team (new)" });
    const { body } = await make();
    expect(body.id).toMatch(/^my-team-new--[0-9a-z]{6}$/);
    expect(body.slug).toBe("My-Team-new-");
    expect((await make()).body.id).not.toBe(body.id);
  });
});

describe("invites", () => {
  it("A-3: make a member once, within seven days", async () => {
    const { engine, ids, ask } = await open("documented");
    const members = () => ask("owner", "GET", "/workspaces/acme/members");
    expect((await members()).body).toEqual({
      members: [
        { userId: ids.owner, fullname: "owner", email: "owner@example.com", role: "owner" },
        {
          userId: ids.maintainer,
          fullname: "maintainer",
          email: "maintainer@example.com",
          role: "maintainer",
        },
      ],
      invites: [
        {
          inviteId: ids.invite,
          email: "guest@example.com",
          expires: "2024-02-07T12:00:00Z",
          role: "maintainer",
        },
      ],
    });
    const week = 7 * 24 * 3600 * 1000;
    engine.clock.advance(week - 1);
    await ask("owner", "POST", `/workspaces/acme/invites/${ids.invite}/resend`);
    engine.clock.advance(week - 1);
    const accept = `/workspaces/acme/invites/${ids.inviteKey}/accept`;
    expect((await ask("stranger", "POST", accept)).status).toBe(204);
    expect(engine.roleOf("acme", ids.stranger!)).toBe("maintainer");
    expect((await ask("stranger", "POST", accept)).body.code).toBe("invite_not_found");
    const late = await ask("owner", "POST", "/workspaces/acme/invites", {
      email: "late@example.com",
      role: "owner",
    });
    engine.clock.advance(week);
    expect((await members()).body.invites).toEqual([]);
    const key = late.body.inviteKey as string;
    const answer = await ask("maintainer", "POST", `/workspaces/acme/invites/${key}/accept`);
    expect(answer.body.code).toBe("invite_not_found");
  });

  it("A-3: an owner who accepts an invitation is still an owner", async () => {
    const { engine, ids, ask } = await open("documented");
    await ask("owner", "POST", `/workspaces/acme/invites/${ids.inviteKey}/accept`);
    expect(engine.roleOf("acme", ids.owner!)).toBe("owner");
  });
});
