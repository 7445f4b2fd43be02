import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { createLocalFetch } from "../../src/http.js";
import { createEngine } from "../../src/index.js";
import { serve } from "../../src/node.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const NSSWITCH = "/etc/nsswitch.conf";
const FILES_ONLY = "hosts: files dns\n";

/** How to run a program where names below localhost do not resolve; undefined if not permitted. */
function plainSystem(folder: string): readonly string[] | undefined {
  try {
    if (!/^hosts:.*\b(?:myhostname|resolve)\b/m.test(readFileSync(NSSWITCH, "utf8"))) return [];
    const file = join(folder, "nsswitch.conf");
    writeFileSync(file, FILES_ONLY);
    const mount = [
      "unshare",
      "-rm",
      "sh",
      "-c",
      `mount --bind ${file} ${NSSWITCH} && exec "$@"`,
      "sh",
    ];
    execFileSync(mount[0]!, [...mount.slice(1), "true"], { stdio: "ignore" });
    return mount;
  } catch {
    return undefined;
  }
}

const PROGRAM = `
import { buildClient } from "@xata.io/client";
const [port] = process.argv.slice(2);
const tables = [{ name: "people", columns: [{ name: "name", type: "string" }] }];
const read = async (databaseURL) => {
  const { db } = new (buildClient())({ databaseURL, branch: "main", apiKey: "any" }, tables);
  return (await db.people.getAll()).map(({ id }) => id).join();
};
const statusOf = async (url, init) => {
  try { return (await fetch(url, init)).status; } catch (error) { return error.cause.code; }
};
const local = "http://Acme-a1b2c3.us-east-1.localhost:" + port;
console.log(JSON.stringify([
  await statusOf(local + "/db/shop:main"),
  await read(local + "/db/shop"),
  await statusOf("https://Renamed-a1b2c3.us-east-1.xata.sh/db/shop:main").catch(String),
  await statusOf(new Request("https://api.xata.io/user/keys/mine", { method: "POST", body: "{}" })),
  await read("https://Acme-a1b2c3.us-east-1.xata.sh/db/shop").catch((error) => error.cause?.code),
]));
`;

describe("twinbase/local", () => {
  it("D-6: serves both forms of addresses where names below localhost do not resolve", async (context) => {
    const folder = mkdtempSync(join(root, "node_modules/.twinbase-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const system = plainSystem(folder);
    if (system === undefined) return context.skip();
    const engine = createEngine({ profile: "xata" });
    const main = engine.createWorkspace("acme-a1b2c3").createDatabase("shop").branch("main");
    main.createTable("people", [{ name: "name", type: "string" }]).insert({ id: "ada" });
    const server = await serve(engine);
    onTestFinished(() => server.close());
    const file = join(folder, "program.mjs");
    writeFileSync(file, PROGRAM);
    const run = async (...options: string[]): Promise<unknown> => {
      const command = [...system, process.execPath, ...options, file, String(server.port)];
      const env = { ...process.env, TWINBASE_URL: `http://localhost:${server.port}` };
      const { stdout } = await promisify(execFile)(command[0]!, command.slice(1), { env });
      return JSON.parse(stdout);
    };
    const [plain] = (await run()) as unknown[];
    expect(plain, "a plain system").toMatch(/^(?:ENOTFOUND|EAI_AGAIN)$/);
    const local = pathToFileURL(join(root, "dist/local.js")).href;
    expect(await run(`--import=${local}`)).toEqual([200, "ada", 200, 201, "ada"]);
  });
});

describe("createLocalFetch", () => {
  const sent: [url: string, host: string | null][] = [];
  const fetch = createLocalFetch("http://localhost:4000/", async (input, init) => {
    const request = new Request(input, init);
    sent.push([request.url, request.headers.get("host")]);
    return new Response(await request.text());
  });

  it.each([
    [
      "https://Acme-a1.us-east-1.xata.sh/db/a:b?x=1",
      "http://localhost:4000/ws/acme-a1/us-east-1/db/a:b?x=1",
    ],
    ["https://w.eu.upload.xata.sh/db/a:b", "http://localhost:4000/ws/w/eu/db/a:b"],
    ["https://api.xata.io/user", "http://localhost:4000/user"],
    ["http://w.eu.localhost:5000/db/a", "http://localhost:5000/ws/w/eu/db/a"],
    ["https://example.com/db/a", "https://example.com/db/a"],
    ["https://evil.xata.sh.example.com/a", "https://evil.xata.sh.example.com/a"],
    ["http://localhost:5000/db/a", "http://localhost:5000/db/a"],
  ])("D-6: sends %s to %s", async (from, to) => {
    await fetch(from);
    expect(sent.at(-1)).toEqual([to, null]);
    const answer = await fetch(new Request(from, { method: "PUT", body: "text" }));
    expect(await answer.text()).toBe("text");
    expect(sent.at(-1)).toEqual([to, null]);
  });
});
