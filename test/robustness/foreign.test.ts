/** @module-tag slow */
import { Agent, request as sendRequest } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  createRequests,
  listOperations,
  type Operation,
  readNames,
  type SampleRequest,
} from "../../scripts/attack/bad-requests.mjs";
import { SETUP, samplesOf, toXata } from "../../scripts/attack/samples.mjs";
import { exportEngine } from "../../src/export.js";
import { createFetch, type HandlerOptions } from "../../src/http.js";
import { type AnyEngine, createEngine, type ProfileName } from "../../src/index.js";
import { serve } from "../../src/node.js";
import { runs, seed } from "../generated.js";

type Sent = Pick<SampleRequest, "operation" | "method" | "url"> & { readonly body?: unknown };
type Ask = (url: string, init?: RequestInit) => Promise<Response>;
type Names = Record<string, string>;

/** Occurs in every text of the foreign workspace, and in no request. */
const SECRET = "hidden7fox";
/** Its spellings in an answer, including base64 at each of three offsets. */
const WRITTEN = new RegExp(
  [SECRET, ...[0, 1, 2].map((before) => btoa(" ".repeat(before) + SECRET).slice(4, 12))].join("|"),
  "i",
);
const KEYS = { owner: `o-${SECRET}`, maintainer: `m-${SECRET}`, stranger: "key of a stranger" };
const ON_CALLER = /^\/(?:user|workspaces|openapi\.json)(?:[/?]|$)(?!acme)/;

interface World {
  readonly engine: AnyEngine;
  readonly names: Names;
  readonly operations: readonly Operation[];
  readonly ask: (key: string | null, sent: Sent, base?: string) => Promise<Answered>;
}

interface Answered {
  readonly status: number;
  readonly headers: string;
  readonly text: string;
}

type Way = "in process" | "over a socket";

/** Sends requests to an engine in closed mode. */
async function openAsk(engine: AnyEngine, way: Way, options: HandlerOptions): Promise<Ask> {
  const closed: HandlerOptions = { auth: "closed", ...options };
  if (way === "in process") return createFetch(engine, closed);
  // Both servers have to return the same file addresses.
  const server = await serve(engine, { publicUrl: "http://x", hosts: "*", ...closed });
  onTestFinished(server.close);
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  return (url, { method = "GET", headers, body } = {}) => {
    const { host, pathname, search } = new URL(url);
    return new Promise((resolve, reject) => {
      const content = Buffer.from((body as string | undefined) ?? "");
      const length = { "content-length": String(content.length) };
      const given = { ...(headers as Record<string, string>), ...length, host };
      const request = sendRequest(
        { agent, port: server.port, method, path: pathname + search, headers: given },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            const { date: _, ...rest } = response.headers;
            const init = { status: response.statusCode!, headers: rest as Record<string, string> };
            resolve(new Response(init.status === 204 ? null : Buffer.concat(chunks), init));
          });
        },
      );
      request.on("error", reject);
      request.end(content);
    });
  };
}

/** A closed service with a workspace `acme` full of secrets, and a workspace of the stranger. */
async function open(
  profile: ProfileName,
  options: HandlerOptions = {},
  way: Way = "in process",
): Promise<World> {
  const engine: AnyEngine = createEngine({ profile: profile as "documented", seed: 5, now: 0 });
  engine.createWorkspace("acme", { name: SECRET });
  engine.createWorkspace("home").createDatabase("mine").branch("main").createTable("users", []);
  for (const [role, key] of Object.entries(KEYS)) {
    const email = role === "stranger" ? "stranger@b.c" : `${role}-${SECRET}@b.c`;
    const { id } = engine.createUser({ email, fullname: email, keys: [key] });
    if (role === "stranger") engine.addMember("home", id, "owner");
    else engine.addMember("acme", id, role as "owner");
  }
  const handler = await openAsk(engine, way, options);
  const local = (body: string): string => (profile === "xata" ? toXata(body) : body);
  const ask: World["ask"] = async (key, { method, url, body }, base = "http://x") => {
    const init: RequestInit = { method };
    if (key !== null) init.headers = { authorization: `Bearer ${key}` };
    if (body !== undefined && method !== "GET" && method !== "HEAD") {
      init.body = local(typeof body === "string" ? body : JSON.stringify(body));
    }
    const answer = await handler(base + url, init);
    const headers = JSON.stringify([...answer.headers]);
    return { status: answer.status, headers, text: await answer.text() };
  };
  const asOwner: Ask = (url, { method = "GET", body } = {}) =>
    handler(url, {
      method,
      headers: { authorization: `Bearer ${KEYS.owner}` },
      ...(typeof body === "string" && { body: local(body) }),
    });
  // Faults and snapshots belong to the control routes, not to a workspace.
  const own = SETUP.filter(([, path]) => !path.startsWith("/_twinbase/"));
  const sendAll = async (requests: typeof SETUP): Promise<void> => {
    for (const [method, url, body] of requests) {
      const { status, text } = await ask(KEYS.owner, { operation: "", method, url, body });
      expect(status, `${method} ${url}: ${text}`).toBeLessThan(300);
    }
  };
  await sendAll(own);
  const names = await readNames(asOwner);
  await sendAll(SECRETS);
  return { engine, names, operations: await listOperations(asOwner), ask };
}

const SECRETS: typeof SETUP = [
  ["PUT", `/workspaces/acme/dbs/d${SECRET}`, {}],
  ["PUT", `/db/shop:b${SECRET}?from=main`, { metadata: { repository: SECRET } }],
  ["PUT", `/db/shop:b${SECRET}/tables/t${SECRET}`, {}],
  ["POST", `/db/shop:b${SECRET}/tables/users/columns`, { name: `c${SECRET}`, type: "text" }],
  [
    "PATCH",
    "/db/shop:main/tables/users/data/u1",
    {
      name: `Ann ${SECRET} red`,
      labels: [SECRET],
      doc: { [SECRET]: SECRET },
      home: { zip: 5, city: SECRET },
      papers: [{ id: "one" }, { id: SECRET, name: SECRET, base64Content: btoa(SECRET) }],
    },
  ],
  ["POST", "/db/shop:main/tables/users/data", { id: `r${SECRET}`, email: `${SECRET}@b.c` }],
  ["PUT", `/db/shop:main/tables/users/data/r${SECRET}/column/photo/file`, SECRET],
  ["PATCH", "/dbs/shop/settings", { deep: SECRET }],
  ["PATCH", "/workspaces/acme/settings", { theme: SECRET }],
  ["POST", "/workspaces/acme/invites", { email: `guest-${SECRET}@b.c`, role: "owner" }],
  ["POST", "/dbs/shop/gitBranches", { gitBranch: SECRET, serviceBranch: "dev" }],
  ["PATCH", "/dbs/shop/migrations/1", { title: SECRET, body: SECRET }],
  ["POST", `/user/keys/k${SECRET}`, {}],
];

/** The same service after the foreign workspace and its members are deleted. */
async function openWithout(...given: Parameters<typeof open>): Promise<World> {
  const world = await open(...given);
  world.engine.deleteWorkspace("acme");
  for (const id of ["usr_1", "usr_2"]) world.engine.deleteUser(id);
  return world;
}

/** The contents of an engine, without counters and deleted keys, which a restore keeps. */
function contentsOf(engine: AnyEngine): string {
  const lines = [...exportEngine(engine)].join("").trimEnd().split("\n");
  const contents = lines.filter((line) => !/^\["(twinbase|commit|set","deletedKey)",/.test(line));
  return contents.map((line) => line.replace(/,"[^"]*"\]$/, "")).join("\n");
}

function foreignPart(engine: AnyEngine): string {
  const saved = engine.snapshot();
  for (const { id } of engine.workspaces()) if (id !== "acme") engine.deleteWorkspace(id);
  engine.deleteUser("usr_3");
  const text = contentsOf(engine);
  engine.restore(saved);
  return text;
}

const BASES = ["http://x", "http://x/ws/acme/us-east-1", "http://acme.us-east-1.example.com"];

/** The names that a stranger can guess: no file addresses and no invitation keys. */
function guessed({ url = "", uploadUrl = "", ...names }: Names): Names {
  const other = (token: string) => (token.startsWith("A") ? "B" : "A") + token.slice(1);
  return { ...names, url: other(url), uploadUrl: other(uploadUrl), invite_key: names.invite_id! };
}

/** Compares each answer to a stranger with that of a service without the foreign workspace. */
class Stranger {
  readonly #full: World;
  readonly #without: World;
  readonly #before: readonly [all: string, foreign: string];
  readonly #saved: readonly [ReturnType<AnyEngine["snapshot"]>, ReturnType<AnyEngine["snapshot"]>];

  constructor(full: World, without: World) {
    this.#full = full;
    this.#without = without;
    this.#before = [contentsOf(full.engine), foreignPart(full.engine)];
    this.#saved = [full.engine.snapshot(), without.engine.snapshot()];
  }

  /** @param isJudged whether the contents are compared also after a refused request */
  async ask(key: string | null, sent: Sent, base: string, isJudged = true): Promise<Answered> {
    const [full, without] = [this.#full, this.#without];
    const shown = `${sent.method} ${base}${sent.url} ${JSON.stringify(sent.body)?.slice(0, 500)}`;
    const answer = await full.ask(key, sent, base);
    const other = await without.ask(key, sent, base);
    const answered = `${answer.headers} ${answer.text}`;
    expect(answered, shown).not.toMatch(WRITTEN);
    for (const name of ["url", "uploadUrl", "invite_key"]) {
      expect(answered, shown).not.toContain(full.names[name]);
    }
    expect(answer, shown).toEqual(other);
    if (answer.status >= 400) {
      if (isJudged) expect(contentsOf(full.engine), shown).toBe(this.#before[0]);
      return answer;
    }
    if (sent.method !== "GET") expect(foreignPart(full.engine), shown).toBe(this.#before[1]);
    full.engine.restore(this.#saved[0]);
    without.engine.restore(this.#saved[1]);
    return answer;
  }
}

describe.each(["documented", "xata"] as const)("a foreign workspace, under %s", (profile) => {
  it.each([
    [undefined, "in process"],
    ["acme", "in process"],
    [undefined, "over a socket"],
  ] as const)(
    "U-1, D-5, A-4: no operation reveals or changes it (default workspace: %s, %s)",
    async (workspace, way) => {
      const full = await open(profile, { workspace }, way);
      const stranger = new Stranger(full, await openWithout(profile, { workspace }, way));
      for (const operation of full.operations) {
        for (const sent of samplesOf(operation, guessed(full.names))) {
          for (const base of BASES) {
            const shown = `${sent.operation}: ${sent.method} ${base}${sent.url}`;
            const { status } = await stranger.ask(KEYS.stranger, sent, base);
            const isAccount = /^\/workspaces\/acme(?!\/(?:dbs|regions))/.test(sent.url);
            const isFile = sent.url.startsWith("/file/");
            // Without a workspace in the address, it is the only one of the stranger (D-6).
            const isNamed =
              workspace !== undefined || base !== BASES[0] || sent.url.startsWith("/workspaces/");
            const unseen = profile === "xata" && isNamed && !isAccount && !isFile ? 401 : 404;
            if (ON_CALLER.test(sent.url)) expect(status, shown).not.toBe(401);
            else if (status !== 501) expect(status, shown).toBe(unseen);
            for (const key of [null, "nobody", SECRET]) {
              const refused = await stranger.ask(key, sent, base, false);
              if (isFile || status === 501) continue; // open to all (H-4, O-1)
              expect([refused.status, refused.text], shown).toEqual([401, expect.anything()]);
              expect(JSON.parse(refused.text)).toMatchObject({ message: "invalid API key" });
            }
          }
        }
      }
    },
  );

  it(`U-1: no generated invalid request reveals or changes it, seed ${seed}`, async () => {
    const full = await open(profile);
    const stranger = new Stranger(full, await openWithout(profile));
    let count = 0;
    const generated = createRequests(full.operations, guessed(full.names), seed);
    for (const sent of generated) {
      const base = BASES[count % BASES.length]!;
      await stranger.ask(KEYS.stranger, sent, base, count % 20 === 0);
      if (++count >= 1500 * runs) break;
    }
    expect(contentsOf(full.engine)).toBe(contentsOf((await open(profile)).engine));
  });

  it("A-3: a maintainer lacks only what gives or takes the role of an owner", async () => {
    const { engine, names, operations, ask } = await open(profile);
    const before = contentsOf(engine);
    const saved = engine.snapshot();
    const refused = new Set<string>();
    for (const operation of operations) {
      for (const sent of samplesOf(operation, names)) {
        const { status, text } = await ask(KEYS.maintainer, sent);
        const shown = `${sent.operation}: ${sent.method} ${sent.url}: ${status} ${text}`;
        if (status === 403) {
          refused.add(sent.operation);
          expect(contentsOf(engine), shown).toBe(before);
        } else if (!/^\/user\/keys\/spare/.test(sent.url) && status !== 501) {
          expect(status, shown).toBeLessThan(300); // the request is valid: only the permission is missing
        }
        engine.restore(saved);
      }
    }
    expect([...refused].sort()).toEqual([
      "inviteWorkspaceMember",
      "removeWorkspaceMember",
      "updateWorkspaceMemberInvite",
      "updateWorkspaceMemberRole",
    ]);
  });

  it("H-3, H-4: files are served sandboxed, without content sniffing", async () => {
    const { engine, names, ask } = await open(profile);
    const table = engine.workspace("acme").database("shop").branch("main").table("users");
    const html = { name: "a.html", mediaType: "text/html", base64Content: btoa("<script>") };
    table.update("u1", { photo: { ...html, enablePublicUrl: true } } as never);
    const { photo } = table.get("u1", { columns: ["photo.url"] }) as { photo?: { url: string } };
    const byToken = photo!.url.replace(/^.*(?=\/file\/)/, "");
    const byRecord = "/db/shop:main/tables/users/data/u1/column/photo/file";
    expect(byToken).not.toContain(names.url);
    for (const url of [byToken, byRecord]) {
      const sent = { operation: "", method: "GET", url };
      const { status, headers, text } = await ask(KEYS.owner, sent);
      expect([status, text]).toEqual([200, "<script>"]);
      expect(Object.fromEntries(JSON.parse(headers) as [string, string][])).toMatchObject({
        "content-type": "text/html",
        "content-security-policy": "sandbox",
        "x-content-type-options": "nosniff",
      });
    }
  });
});
