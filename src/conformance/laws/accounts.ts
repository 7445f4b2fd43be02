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

/**
 * The path is after `/workspaces/{id}`; `{me}` is an owner, `{other}` the caller, `{invite}` an open
 * invitation.
 */
type Operation = readonly [method: string, path: string, statuses: Statuses, body?: JsonObject];

const MEMBERS: Statuses = [200, 200, 404];
const CHANGES: Statuses = [204, 204, 404];
const OWNERS: Statuses = [204, 403, 404];
const [OWNER, MAINTAINER] = [{ role: "owner" }, { role: "maintainer" }];
const GUEST = { email: "guest@example.com" };
const OPERATIONS: readonly Operation[] = [
  ["GET", "", MEMBERS],
  ["PUT", "", MEMBERS, { name: "New" }],
  ["DELETE", "", CHANGES],
  ["GET", "/settings", MEMBERS],
  ["GET", "/members", MEMBERS],
  ["PUT", "/members/{me}", OWNERS, MAINTAINER],
  ["DELETE", "/members/{me}", OWNERS],
  ["PUT", "/members/{other}", CHANGES, MAINTAINER],
  ["PUT", "/members/{other}", OWNERS, OWNER],
  ["DELETE", "/members/{other}", CHANGES],
  ["POST", "/invites", [201, 403, 404], { ...GUEST, ...OWNER }],
  ["POST", "/invites", [201, 201, 404], { ...GUEST, ...MAINTAINER }],
  ["PATCH", "/invites/{invite}", MEMBERS, MAINTAINER],
  ["PATCH", "/invites/{invite}", [200, 403, 404], OWNER],
  ["DELETE", "/invites/{invite}", CHANGES],
  ["POST", "/invites/{invite}/resend", CHANGES, {}],
  ["GET", "/dbs", [200, 200, UNSEEN]],
  ["GET", "/regions", [200, 200, UNSEEN]],
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
    check: (scene, { role, operation: [method, path, statuses, body] }) =>
      inWorkspace(scene, role, async ({ ask, at, me, other }) => {
        const open = await ask("POST", `${at}/invites`, {
          body: { email: "open@example.com", ...MAINTAINER },
        });
        scene.expect({ status: 201 }, "an owner can invite");
        const before = await stateOf(scene, at);
        const filled = path
          .replace("{me}", me)
          .replace("{other}", other)
          .replace("{invite}", String(readPointer(open.body, "/inviteId")));
        const hidden = scene.traits.profile.base === "xata" ? 401 : 404;
        const wanted = statuses[ROLES.indexOf(role)] ?? UNSEEN;
        const status = wanted === UNSEEN ? hidden : wanted;
        await ask(method, at + filled, body === undefined ? OTHER : { ...OTHER, body });
        scene.expect({ status }, `${method} ${path} as ${role}`);
        if (status < 400) return;
        const after = await stateOf(scene, at);
        if (after !== before) scene.fail("a rejected request changes nothing", before, after);
      }),
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
    check: (scene, { role, changes }) =>
      inWorkspace(scene, role, async ({ ask, at, ...ids }) => {
        const roles = new Map<"me" | "other", string>([
          ["me", "owner"],
          ["other", role],
        ]);
        for (const [who, next] of changes) {
          if (roles.get("me") !== "owner") return;
          const before = roles.get(who);
          const owners = [...roles.values()].filter((each) => each === "owner").length;
          const isLast = before === "owner" && next !== "owner" && owners === 1;
          const path = `${at}/members/${ids[who]}`;
          if (next === "none") await ask("DELETE", path);
          else await ask("PUT", path, { body: { role: next } });
          const status = before === undefined ? 404 : isLast ? 403 : 204;
          scene.expect({ status }, `${who}, ${before ?? "no member"}, becomes ${next}`);
          if (status === 204 && next === "none") roles.delete(who);
          else if (status === 204) roles.set(who, next);
          const { body } = await ask("GET", `${at}/members`, roles.has("me") ? {} : OTHER);
          const members = readPointer(body, "/members") as readonly JsonObject[]; // the form of a list
          const found = members.map((each) => `${String(each.userId)} ${String(each.role)}`).sort();
          const wanted = [...roles].map(([each, held]) => `${ids[each]} ${held}`).sort();
          if (found.join() !== wanted.join()) scene.fail("the members", wanted, found);
        }
      }),
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
      const made: { readonly key: string; isDeleted: boolean }[] = [];
      const held = new Map<string, (typeof made)[number]>();
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
          const keys = readPointer(listed.body, "/keys") as readonly JsonObject[]; // the form of a list
          const names = keys
            .map(({ name }) => String(name))
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

type Ask = (method: string, path: string, rest?: object) => ReturnType<Scene["send"]>;

function controlOf(scene: Scene): Ask {
  return (method, path, rest = {}) => scene.send({ address: "control", method, path, ...rest });
}

interface Members {
  readonly ask: Ask;
  /** The path of the workspace. */
  readonly at: string;
  readonly me: string;
  readonly other: string;
}

/** Makes a workspace of the caller, in which the other user has a role, and deletes it. */
async function inWorkspace(
  scene: Scene,
  role: (typeof ROLES)[number],
  run: (members: Members) => Promise<void>,
): Promise<void> {
  const ask = controlOf(scene);
  const [{ body: me }, { body: other }] = [
    await ask("GET", "/user"),
    await ask("GET", "/user", OTHER),
  ];
  const made = await ask("POST", "/workspaces", { body: { name: "roles" } });
  scene.expect({ status: 201 }, "creating a workspace succeeds");
  const at = `/workspaces/${String(readPointer(made.body, "/id"))}`;
  const idOf = (user: unknown): string => String(readPointer(user, "/id"));
  try {
    if (role !== "stranger") {
      const body = { email: String(readPointer(other, "/email")), role };
      const invite = await ask("POST", `${at}/invites`, { body });
      const key = String(readPointer(invite.body, "/inviteKey"));
      await ask("POST", `${at}/invites/${key}/accept`, { body: {}, ...OTHER });
      scene.expect({ status: 204 }, "accepting an invitation succeeds");
    }
    await run({ ask, at, me: idOf(me), other: idOf(other) });
  } finally {
    // The other user may be the only owner now.
    await ask("DELETE", at);
    await ask("DELETE", at, OTHER);
  }
}

async function stateOf(scene: Scene, at: string): Promise<string> {
  const ask = controlOf(scene);
  return `${(await ask("GET", at)).text}\n${(await ask("GET", `${at}/members`)).text}`;
}
