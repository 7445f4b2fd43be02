import fc from "fast-check";
import { readPointer } from "../../errors.js";
import { oneOf } from "../arbitraries/people.js";
import type { JsonObject } from "../oracle/model.js";
import { defineLaw, type Law } from "./law.js";
import type { Scene } from "./scene.js";

const ROLES = ["owner", "maintainer", "stranger"] as const;

type Statuses = readonly [owner: number, maintainer: number, stranger: number];

/** 404, or 401 under `xata`. */
const UNSEEN = -1;

interface Operation {
  readonly method: string;
  /** After `/workspaces/{id}`; `{me}` is an owner, `{other}` the caller, `{invite}` an open invitation. */
  readonly path: string;
  readonly body?: JsonObject;
  readonly statuses: Statuses;
}

const OWNERS_ONLY = [403, 404] as const;
const OPERATIONS: readonly Operation[] = [
  { method: "GET", path: "", statuses: [200, 200, 404] },
  { method: "PUT", path: "", body: { name: "New" }, statuses: [200, 200, 404] },
  { method: "DELETE", path: "", statuses: [204, 204, 404] },
  { method: "GET", path: "/settings", statuses: [200, 200, 404] },
  { method: "GET", path: "/members", statuses: [200, 200, 404] },
  {
    method: "PUT",
    path: "/members/{me}",
    body: { role: "maintainer" },
    statuses: [204, ...OWNERS_ONLY],
  },
  { method: "DELETE", path: "/members/{me}", statuses: [204, ...OWNERS_ONLY] },
  {
    method: "PUT",
    path: "/members/{other}",
    body: { role: "maintainer" },
    statuses: [204, 204, 404],
  },
  {
    method: "PUT",
    path: "/members/{other}",
    body: { role: "owner" },
    statuses: [204, ...OWNERS_ONLY],
  },
  { method: "DELETE", path: "/members/{other}", statuses: [204, 204, 404] },
  {
    method: "POST",
    path: "/invites",
    body: { email: "guest@example.com", role: "owner" },
    statuses: [201, ...OWNERS_ONLY],
  },
  {
    method: "POST",
    path: "/invites",
    body: { email: "guest@example.com", role: "maintainer" },
    statuses: [201, 201, 404],
  },
  {
    method: "PATCH",
    path: "/invites/{invite}",
    body: { role: "maintainer" },
    statuses: [200, 200, 404],
  },
  {
    method: "PATCH",
    path: "/invites/{invite}",
    body: { role: "owner" },
    statuses: [200, ...OWNERS_ONLY],
  },
  { method: "DELETE", path: "/invites/{invite}", statuses: [204, 204, 404] },
  { method: "POST", path: "/invites/{invite}/resend", body: {}, statuses: [204, 204, 404] },
  { method: "GET", path: "/dbs", statuses: [200, 200, UNSEEN] },
  { method: "GET", path: "/regions", statuses: [200, 200, UNSEEN] },
];

const KEY_NAMES: readonly string[] = ["conformance-a", "conformance-b"];

const OTHER = { headers: { authorization: `Bearer \${otherKey}` } };

/** Requires a target with two users. */
export const ACCOUNT_LAWS: readonly Law[] = [
  defineLaw({
    id: "roles-may-what-they-may",
    title: "owners, maintainers and non-members have the permissions of their role",
    rules: ["A-3", "A-2", "A-4"],
    tier: "strict",
    needs: ["accounts", "otherUser"],
    cases: () =>
      fc.record({
        fixture: fc.constant({ tables: [] }),
        role: oneOf(ROLES),
        operation: oneOf(OPERATIONS),
      }),
    async check(scene, { role, operation }) {
      const ask = controlOf(scene);
      const me = await ask("GET", "/user");
      const other = await ask("GET", "/user", OTHER);
      const made = await ask("POST", "/workspaces", { body: { name: "roles" } });
      scene.expect({ status: 201 }, "creating a workspace succeeds");
      const at = `/workspaces/${String(readPointer(made.body, "/id"))}`;
      try {
        if (role !== "stranger") await inviteOther(scene, at, other.body, role);
        const body = { email: "open@example.com", role: "maintainer" };
        const open = await ask("POST", `${at}/invites`, { body });
        scene.expect({ status: 201 }, "an owner can invite");
        const before = await stateOf(scene, at);
        const path = operation.path
          .replace("{me}", String(readPointer(me.body, "/id")))
          .replace("{other}", String(readPointer(other.body, "/id")))
          .replace("{invite}", String(readPointer(open.body, "/inviteId")));
        const rest = operation.body === undefined ? OTHER : { ...OTHER, body: operation.body };
        const hidden = scene.traits.profile.base === "xata" ? 401 : 404;
        const wanted = operation.statuses[ROLES.indexOf(role)] ?? UNSEEN;
        const status = wanted === UNSEEN ? hidden : wanted;
        await ask(operation.method, at + path, rest);
        scene.expect({ status }, `${operation.method} ${operation.path} as ${role}`);
        if (status < 400) return;
        const after = await stateOf(scene, at);
        if (after !== before) scene.fail("a rejected request changes nothing", before, after);
      } finally {
        // The other user may be the only owner now.
        await ask("DELETE", at);
        await ask("DELETE", at, OTHER);
      }
    },
  }),
  defineLaw({
    id: "members-are-as-changed",
    title: "owners change roles and remove members, except the last owner",
    rules: ["A-3"],
    tier: "strict",
    needs: ["accounts", "otherUser"],
    share: 0.6,
    cases: () => {
      const change = fc.tuple(
        oneOf(["me", "other"] as const),
        oneOf(["owner", "maintainer", "none"] as const),
      );
      return fc.record({
        fixture: fc.constant({ tables: [] }),
        role: oneOf(["owner", "maintainer"] as const),
        changes: fc.array(change, { minLength: 1, maxLength: 3 }),
      });
    },
    async check(scene, { role, changes }) {
      const ask = controlOf(scene);
      const me = await ask("GET", "/user");
      const other = await ask("GET", "/user", OTHER);
      const made = await ask("POST", "/workspaces", { body: { name: "members" } });
      scene.expect({ status: 201 }, "creating a workspace succeeds");
      const at = `/workspaces/${String(readPointer(made.body, "/id"))}`;
      const idOf = { me: readPointer(me.body, "/id"), other: readPointer(other.body, "/id") };
      const roles = new Map<keyof typeof idOf, string>([
        ["me", "owner"],
        ["other", role],
      ]);
      try {
        await inviteOther(scene, at, other.body, role);
        for (const [who, next] of changes) {
          if (roles.get("me") !== "owner") return;
          const before = roles.get(who);
          const owners = [...roles.values()].filter((each) => each === "owner").length;
          const isLast = before === "owner" && next !== "owner" && owners === 1;
          const path = `${at}/members/${String(idOf[who])}`;
          if (next === "none") await ask("DELETE", path);
          else await ask("PUT", path, { body: { role: next } });
          const status = before === undefined ? 404 : isLast ? 403 : 204;
          scene.expect({ status }, `${who}, ${before ?? "no member"}, becomes ${next}`);
          if (status === 204 && next === "none") roles.delete(who);
          else if (status === 204) roles.set(who, next);
          const asker = roles.has("me") ? {} : OTHER;
          const { body } = await ask("GET", `${at}/members`, asker);
          const members = readPointer(body, "/members");
          const found = (Array.isArray(members) ? members : [])
            .map(
              (each) =>
                `${String(readPointer(each, "/userId"))} ${String(readPointer(each, "/role"))}`,
            )
            .sort();
          const wanted = [...roles].map(([each, held]) => `${String(idOf[each])} ${held}`).sort();
          if (found.join() !== wanted.join()) scene.fail("the members", wanted, found);
        }
      } finally {
        // The other user may be the only owner now.
        await ask("DELETE", at);
        await ask("DELETE", at, OTHER);
      }
    },
  }),
  defineLaw({
    id: "keys-work-until-they-are-deleted",
    title: "a key works from creation to deletion, and the list has the working keys",
    rules: ["A-1"],
    tier: "strict",
    needs: ["accounts", "http"],
    share: 0.6,
    cases: () => {
      const act = fc.tuple(oneOf(["POST", "DELETE"]), oneOf(KEY_NAMES));
      return fc.record({
        fixture: fc.constant({ tables: [] }),
        acts: fc.array(act, { minLength: 1, maxLength: 5 }),
      });
    },
    async check(scene, { acts }) {
      const ask = controlOf(scene);
      const made: MadeKey[] = [];
      const held = new Map<string, MadeKey>();
      try {
        for (const [method, name] of acts) {
          const before = held.get(name);
          const answer = await ask(method, `/user/keys/${name}`);
          if (method === "POST") {
            scene.expect({ status: before === undefined ? 201 : 422 }, `making ${name}`);
            if (before !== undefined) continue;
            const key = { key: String(readPointer(answer.body, "/key")), isDeleted: false };
            held.set(name, key);
            made.push(key);
          } else {
            scene.expect({ status: before === undefined ? 404 : 204 }, `deleting ${name}`);
            if (before !== undefined) before.isDeleted = true;
            held.delete(name);
          }
          for (const { key, isDeleted } of made) {
            await ask("GET", "/user", { headers: { authorization: `Bearer ${key}` } });
            scene.expect({ status: isDeleted ? 401 : 200 }, "a key works until it is deleted");
          }
          const listed = await ask("GET", "/user/keys");
          const keys = readPointer(listed.body, "/keys");
          const names = (Array.isArray(keys) ? keys : [])
            .map((each) => String(readPointer(each, "/name")))
            .filter((each) => KEY_NAMES.includes(each))
            .sort();
          const wanted = [...held.keys()].sort();
          if (names.join() !== wanted.join())
            scene.fail("the list contains the working keys", wanted, names);
        }
      } finally {
        for (const name of held.keys()) await ask("DELETE", `/user/keys/${name}`);
      }
    },
  }),
];

interface MadeKey {
  readonly key: string;
  isDeleted: boolean;
}

function controlOf(scene: Scene): (...request: ControlRequest) => ReturnType<Scene["send"]> {
  return (method, path, rest = {}) => scene.send({ address: "control", method, path, ...rest });
}

type ControlRequest = readonly [method: string, path: string, rest?: object];

async function inviteOther(scene: Scene, at: string, other: unknown, role: string): Promise<void> {
  const ask = controlOf(scene);
  const body = { email: String(readPointer(other, "/email")), role };
  const invite = await ask("POST", `${at}/invites`, { body });
  const key = String(readPointer(invite.body, "/inviteKey"));
  await ask("POST", `${at}/invites/${key}/accept`, { body: {}, ...OTHER });
  scene.expect({ status: 204 }, "accepting an invitation succeeds");
}

async function stateOf(scene: Scene, at: string): Promise<string> {
  const answers = [];
  for (const path of [at, `${at}/members`]) {
    answers.push((await controlOf(scene)("GET", path)).text);
  }
  return answers.join("\n");
}
