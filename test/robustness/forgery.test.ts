import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportEngine, importEngine } from "../../src/export.js";
import { enableFiles } from "../../src/files.js";
import { createFetch, type HandlerOptions } from "../../src/http.js";
import { type AnyEngine, createEngine } from "../../src/index.js";
import { openEngine, serve } from "../../src/node.js";

const ANN = { email: "ann@example.com", fullname: "Ann", workspaces: ["acme"] };
const EVE = { email: "eve@example.com", fullname: "Eve", workspaces: ["eve"] };
const PHOTO = { name: "p", base64Content: "QQ==" };

/** An engine with a workspace of Ann and one of Eve; in closed mode each has a key. */
function createWorld(seed: number | undefined, isClosed: boolean): AnyEngine {
  const engine = enableFiles(createEngine({ now: 0, ...(seed !== undefined && { seed }) }));
  for (const id of ["acme", "eve"]) {
    const main = engine.createWorkspace(id).createDatabase("shop").branch("main");
    main.createTable("people", [{ name: "photo", type: "file" }]);
    main.table("people").insert([{ id: "a", photo: PHOTO }, {}]);
  }
  engine.createUser({ ...ANN, keys: isClosed ? ["key of Ann"] : [] });
  engine.createUser({ ...EVE, keys: isClosed ? ["key of Eve"] : [] });
  return engine;
}

type Send = (method: string, path: string, key?: string, body?: unknown) => Promise<Answered>;
interface Answered {
  readonly status: number;
  readonly id: string;
  readonly text: string;
  /** An answer of the service. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of any shape
  readonly body: any;
}

function open(engine: AnyEngine, options: HandlerOptions = {}): Send {
  const fetch = createFetch(engine, options);
  return async (method, path, key, body) => {
    const response = await fetch(`http://localhost${path}`, {
      method,
      headers: {
        "content-type": "application/json",
        ...(key && { authorization: `Bearer ${key}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const id = response.headers.get("x-request-id") ?? "";
    return {
      status: response.status,
      id,
      text,
      body: text.startsWith("{") ? JSON.parse(text) : {},
    };
  };
}

/** Creates secrets of Ann by a fixed sequence of calls. */
async function makeSecrets(
  send: Send,
): Promise<Record<"key" | "inviteKey" | "upload" | "workspace", string>> {
  const { key } = (await send("POST", "/user/keys/ci", "key of Ann")).body;
  const invite = { email: "bob@example.com", role: "owner" };
  const { inviteKey } = (await send("POST", "/workspaces/acme/invites", "key of Ann", invite)).body;
  const columns = { columns: ["photo.uploadUrl"] };
  const path = "/ws/acme/us-east-1/db/shop:main/tables/people/query";
  const { records } = (await send("POST", path, "key of Ann", columns)).body;
  const upload = String(records[0].photo.uploadUrl).replace("http://localhost", "");
  const { id } = (await send("POST", "/workspaces", "key of Ann", { name: "new" })).body;
  return { key, inviteKey, upload, workspace: id };
}

/** All answers to Eve, as text. */
async function watch(send: Send): Promise<string> {
  const people = "/ws/eve/us-east-1/db/shop:main/tables/people";
  const asked = [
    await send("GET", "/user", "no key"),
    await send("GET", "/user", "key of Eve"),
    await send("POST", `${people}/data`, "key of Eve", {}),
    await send("POST", `${people}/query`, "key of Eve", {
      columns: ["photo.*", "photo.signedUrl", "photo.uploadUrl"],
    }),
    await send("POST", `${people}/query`, "key of Eve", {
      sort: { "*": "random" },
      page: { size: 1 },
    }),
    await send("POST", "/workspaces", "key of Eve", { name: "mine" }),
    await send("POST", "/user/keys/mine", "key of Eve"),
    await send("POST", "/workspaces/eve/invites", "key of Eve", {
      email: "b@example.com",
      role: "owner",
    }),
  ];
  return asked.map(({ id, text }) => `${id}\n${text}`).join("\n");
}

/** A text, followed by its base64 parts decoded. */
function readAll(text: string): string {
  const words = text.match(/[\w-]{8,}/g) ?? [];
  const decoded = words.flatMap((word) =>
    [0, 1, 2, 3].map((from) => Buffer.from(word.slice(from), "base64url").toString("latin1")),
  );
  return [text, ...decoded].join("\n");
}

const LARGE = 3_141_592_653;

describe("A-5: secrecy of the seed and of secrets", () => {
  it.each([
    ["without a seed, open", undefined, false],
    ["without a seed, closed", undefined, true],
    ["with a seed, open", LARGE, false],
    ["with a seed, closed", LARGE, true],
    ["with a seed of 53 bits, closed", 2 ** 52 + LARGE, true],
  ])("no answer contains the seed: %s", async (_, given, isClosed) => {
    const engine = createWorld(given, isClosed);
    const { seed } = engine;
    const answers = readAll(await watch(open(engine)));
    for (const radix of [10, 16, 32, 36]) expect(answers).not.toContain(seed.toString(radix));
  });

  it("ids of requests and records have no common part", async () => {
    const answers = await watch(open(createWorld(LARGE, true)));
    const request = /req_[0-9a-v]{10}([0-9a-v]{10})/.exec(answers)?.[1];
    const record = /rec_[0-9a-v]{7}([0-9a-v]{8})/.exec(answers)?.[1];
    expect([typeof request, typeof record]).toEqual(["string", "string"]);
    expect(request).not.toContain(record);
  });

  it("secrets of an engine without a given seed do not follow from its seed", async () => {
    const engine = createWorld(undefined, true);
    const mine = await makeSecrets(open(createWorld(engine.seed, true)));
    const hers = await makeSecrets(open(engine));
    for (const [name, secret] of Object.entries(hers)) {
      expect(secret, name).not.toBe(mine[name as keyof typeof mine]);
    }
    const send = open(engine);
    expect((await send("GET", "/user", hers.key)).status).toBe(200);
    expect((await send("GET", "/user", mine.key)).status).toBe(401);
    const accept = (key: string) =>
      send("POST", `/workspaces/acme/invites/${key}/accept`, "key of Eve");
    expect((await accept(mine.inviteKey)).status).toBe(404);
    expect((await send("PUT", mine.upload, undefined, {})).status).toBe(404);
    expect((await send("PUT", hers.upload, undefined, {})).status).toBe(201);
    expect((await accept(hers.inviteKey)).status).toBeLessThan(300);
  });

  it("secrets differ after a restore", async () => {
    const engine = createWorld(undefined, true);
    const before = engine.snapshot();
    const first = await makeSecrets(open(engine));
    engine.restore(before);
    const second = await makeSecrets(open(engine));
    expect([first.key, first.inviteKey]).not.toEqual([second.key, second.inviteKey]);
    expect(first.key).not.toBe(second.key);
  });

  it.each([false, true])(
    "equal calls with equal seeds return equal secrets, closed: %s",
    async (isClosed) => {
      const secrets = () => makeSecrets(open(createWorld(LARGE, isClosed)));
      const [one, other] = [await secrets(), await secrets()];
      expect(one).toEqual(other);
      const { key, inviteKey } = await makeSecrets(open(createWorld(LARGE + 1, isClosed)));
      expect([key, inviteKey]).not.toEqual([one.key, one.inviteKey]);
    },
  );

  it("addresses of files stay valid after an export and in a data folder", async () => {
    const engine = createWorld(undefined, true);
    const { upload } = await makeSecrets(open(engine));
    const copy = importEngine(exportEngine(engine));
    expect((await open(copy)("PUT", upload, undefined, {})).status).toBe(201);
    const folder = mkdtempSync(join(tmpdir(), "forgery-"));
    const kept = await openEngine({ folder, initial: () => engine });
    const again = await makeSecrets(open(kept));
    await kept.close();
    const opened = await openEngine({ folder });
    for (const address of [upload, again.upload]) {
      expect((await open(opened)("PUT", address, undefined, {})).status).toBe(201);
    }
    await opened.close();
    rmSync(folder, { recursive: true });
  });
});

describe("A-5: a key created in open mode", () => {
  it("is refused once the service is closed, also after an export and in a data folder", async () => {
    const folder = mkdtempSync(join(tmpdir(), "forgery-"));
    const engine = await openEngine({ folder, initial: () => createWorld(undefined, false) });
    const send = open(engine);
    const { key } = (await send("POST", "/user/keys/mine")).body;
    expect((await send("GET", "/user", key)).status).toBe(200);
    engine.addKey("usr_0", "given");
    const ask = async (asked: AnyEngine) =>
      Promise.all([key, "given"].map(async (by) => (await open(asked)("GET", "/user", by)).status));
    expect(await ask(engine)).toEqual([401, 200]);
    expect(await ask(importEngine(exportEngine(engine)))).toEqual([401, 200]);
    const { key: own } = (await send("POST", "/user/keys/own", "given")).body;
    await engine.close();
    const again = await openEngine({ folder });
    expect(await ask(again)).toEqual([401, 200]);
    expect((await open(again)("GET", "/user", own)).status).toBe(200);
    await again.close();
    rmSync(folder, { recursive: true });
  });

  it("is refused if the option auth closes the service", async () => {
    const engine = createWorld(undefined, false);
    const { key } = (await open(engine)("POST", "/user/keys/mine")).body;
    expect((await open(engine, { auth: "closed" })("GET", "/user", key)).status).toBe(401);
  });
});

describe("A-5: a server", () => {
  it("warns if it is closed and its engine has a given seed", async () => {
    const warnings: string[] = [];
    const listen = (warning: Error & { code?: string }) => warnings.push(warning.code ?? "");
    process.on("warning", listen);
    for (const [seed, isClosed] of [
      [1, true],
      [1, false],
      [undefined, true],
    ] as const) {
      const server = await serve(createWorld(seed, isClosed));
      await server.close();
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off("warning", listen);
    expect(warnings).toEqual(["TWINBASE_SEED"]);
  });
});
