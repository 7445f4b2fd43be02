import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPackage } from "../built-package.js";

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

let home: string;

beforeAll(() => {
  home = buildPackage();
}, 120_000);

afterAll(() => rmSync(home, { recursive: true, force: true }));

describe("the command line", () => {
  it("prints its version", async () => {
    const { version } = JSON.parse(readFileSync(resolve(home, "package.json"), "utf8")) as {
      version: string;
    };
    expect(await run(["--version"])).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it.each([
    ["serv", 2, /^twinbase: unknown command serv; did you mean serve\?\n/],
    ["help serv", 2, /did you mean serve\?/],
    [
      "advise",
      2,
      /^twinbase advise: expected <postgres:\S+ \| pglite:folder>\ntwinbase advise --help tells more\n$/,
    ],
    ["copy only.ndjson", 2, /^twinbase copy: expected <export .+> <export .+>\n/],
    ["inspect a b", 2, /^twinbase inspect: expected <export \| folder>\n/],
    ["init a b", 2, /^twinbase init: expected \[folder\]\n/],
    [
      "serve --prot 1",
      2,
      /^twinbase serve: unknown option --prot; did you mean --port\?\ntwinbase serve --help lists them\n$/,
    ],
    ["serve --nothing-like-it", 2, /^twinbase serve: unknown option --nothing-like-it\n/],
    ["serve --port abc", 2, /^twinbase serve: --port: expected .* to 65535, found "abc"\n/],
    ["serve --watch --data x", 2, /^twinbase serve: --data cannot be combined with --watch\n/],
    ["query few.ndjson --sort n:down", 2, /^twinbase query: --sort n:down: expected asc, desc or /],
    ["query package.json --filter {a:1}", 2, /^twinbase query: --filter: keys need quotes, as in /],
    ["query nowhere.csv", 1, /^twinbase query: nowhere\.csv: no such file\n$/],
    ["serve dist", 1, /^twinbase serve: dist: expected a file, found a folder\n$/],
  ])("rejects %s with %d", async (line, expected, message) => {
    await writeLines("few.ndjson", 3);
    const { code, stdout, stderr } = await run(line.split(" "));
    expect([code, stdout]).toEqual([expected, ""]);
    expect(stderr).toMatch(message);
  });

  it("prints the help of a command by help or --help", async () => {
    const { stdout, code } = await run(["help", "serve"]);
    expect({ stdout, code }).toEqual({ stdout: (await run(["serve", "--help"])).stdout, code: 0 });
    expect((await run(["help"])).stdout).toMatch(/^usage: twinbase <command>/);
  });

  it("prints help without optional packages, and how to install them", async () => {
    // Most projects do not have fast-check installed.
    const blocked = `data:text/javascript,${encodeURIComponent(
      'export const resolve = (name, context, next) => { if (name === "fast-check") throw Object.assign(new Error("Cannot find package \'fast-check\'"), { code: "ERR_MODULE_NOT_FOUND" }); return next(name, context); };',
    )}`;
    const register = `data:text/javascript,${encodeURIComponent(
      `import { register } from "node:module"; register(${JSON.stringify(blocked)});`,
    )}`;
    const env = { NODE_OPTIONS: `--import=${register}` };
    const help = await run(["conform", "--help"], env);
    expect(help.stdout).toMatch(/^usage: twinbase conform /);
    expect(help.code).toBe(0);
    const { code, stderr } = await run(["conform", "http://x", "--allow-writes"], env);
    expect(code).toBe(2);
    expect(stderr).toBe(
      "twinbase conform: needs fast-check; install it beside twinbase: npm install -D fast-check\n" +
        "twinbase conform --help tells more\n",
    );
    const misspelt = await run(["conform", "http://x", "--tier", "most"], env);
    expect(misspelt.stderr).toMatch(/--tier: expected core or complete or strict, found most\n/);
  });

  it("suggests another port if one is taken", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await run(["serve", "--port", String(port)]);
    server.close();
    expect(code).toBe(1);
    expect(stderr).toBe(
      `twinbase serve: port ${port} of 127.0.0.1 is in use; pass another --port, or 0 for a free one\n`,
    );
  });

  it("exits quietly when its reader closes the pipe", async () => {
    const file = await writeLines("many.ndjson", 5000);
    const args = ["dist/cli.js", "query", file, "--limit", "5000", "--json"];
    const child = spawn(process.execPath, args, { cwd: home });
    let stderr = "";
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.stdout.once("data", () => child.stdout.destroy());
    const [code] = await once(child, "close");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("prints a table of more rows than the arguments of a call", { tags: ["slow"] }, async () => {
    const file = await writeLines("more.ndjson", 130_000);
    const { code, stdout, stderr } = await run(["query", file, "--limit", "130000"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/\n130000 of 130000 records\n$/);
  });

  it("refuses records beyond a small heap with the option that raises it", {
    tags: ["slow"],
  }, async () => {
    const file = await writeLines("full.ndjson", 700_000);
    const { code, stderr } = await run(["query", file], {
      NODE_OPTIONS: "--max-old-space-size=64",
    });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `twinbase query: ${file}: the records do not fit into a heap of 64 MB; run it with NODE_OPTIONS=--max-old-space-size=128\n`,
    });
  });

  it("queries standard input in any format", async () => {
    const texts = [
      "n;m\n1;x\n2;y\n",
      '[{"n":1},{"n":2}]',
      '{"n":1}\n{"n":2}\n',
      '{"records":[{"n":2}]}',
    ];
    for (const text of texts) {
      const args = ["query", "-", "--sort", "n:desc", "--json", "--limit", "1"];
      const { stdout } = await run(args, {}, text);
      expect(JSON.parse(stdout)).toMatchObject([{ n: 2 }]);
    }
  });

  it("reports renamed columns", async () => {
    const file = join(home, "renamed.csv");
    writeFileSync(file, "Größe,Straße Nr.\n1,2\n");
    const { stderr, stdout } = await run(["query", file, "--schema"]);
    expect(stdout).toBe("Grosse: int\nStrasse_Nr_: int\n");
    expect(stderr).toBe(
      `${file}: renamed columns: "Größe" is Grosse, "Straße Nr." is Strasse_Nr_\n`,
    );
  });
});

function run(args: readonly string[], env: NodeJS.ProcessEnv = {}, input = ""): Promise<Run> {
  return new Promise((done) => {
    const options = { cwd: home, env: { ...process.env, ...env }, maxBuffer: 1 << 28 };
    const child = execFile(
      process.execPath,
      ["dist/cli.js", ...args],
      options,
      (error, stdout, stderr) =>
        done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

async function writeLines(name: string, count: number): Promise<string> {
  const file = join(home, name);
  const stream = createWriteStream(file);
  for (let n = 0; n < count; n++) stream.write(`{"n":${n},"text":"some text of line ${n}"}\n`);
  stream.end();
  await once(stream, "finish");
  return file;
}
