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

  it("names the command that a misspelt one most likely is", async () => {
    const { code, stderr } = await run(["serv"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^twinbase: there is no command serv; did you mean serve\?\n/);
  });

  it("lists every command without its dependencies, and says how to install them", async () => {
    // Most projects do not have fast-check installed.
    const blocked = `data:text/javascript,${encodeURIComponent(
      'export const resolve = (name, context, next) => { if (name === "fast-check") throw Object.assign(new Error("Cannot find package \'fast-check\'"), { code: "ERR_MODULE_NOT_FOUND" }); return next(name, context); };',
    )}`;
    const register = `data:text/javascript,${encodeURIComponent(
      `import { register } from "node:module"; register(${JSON.stringify(blocked)});`,
    )}`;
    const env = { NODE_OPTIONS: `--import=${register}` };
    const told = await run(["conform", "--help"], env);
    expect(told.stdout).toMatch(/^usage: twinbase conform /);
    expect(told.code).toBe(0);
    const { code, stderr } = await run(["conform", "http://x", "--allow-writes"], env);
    expect(code).toBe(2);
    expect(stderr).toBe(
      "twinbase conform: needs fast-check; install it beside twinbase: npm install -D fast-check\n" +
        "twinbase conform --help tells more\n",
    );
    const misspelt = await run(["conform", "http://x", "--tier", "most"], env);
    expect(misspelt.stderr).toMatch(/--tier: expected core or complete or strict, found most\n/);
  });

  it.each([
    ["advise", "<postgres://… | pglite:folder>"],
    [
      "copy only.ndjson",
      "<export | postgres://… | pglite:folder> <export | postgres://… | pglite:folder>",
    ],
    ["inspect a b", "<export>"],
    ["init a b", "[folder]"],
  ])("names the operands of %s", async (line, operands) => {
    const [command = "", ...rest] = line.split(" ");
    expect(await run([command, ...rest])).toEqual({
      code: 2,
      stdout: "",
      stderr: `twinbase ${command}: expected ${operands}\ntwinbase ${command} --help tells more\n`,
    });
  });

  it.each([
    ["serve --prot 1", "unknown option --prot; did you mean --port?", "lists them"],
    ["serve --nothing-like-it", "unknown option --nothing-like-it", "lists them"],
    [
      "serve --port abc",
      "--port: expected a whole number from 0 to 65535, found abc",
      "tells more",
    ],
    ["serve --watch --data x", "--data does not go with --watch", "tells more"],
  ])("says in a line what is wrong with %s", async (line, message, help) => {
    const args = line.split(" ");
    const { code, stdout, stderr } = await run(args);
    const expected = `twinbase ${args[0]}: ${message}\ntwinbase ${args[0]} --help ${help}\n`;
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: "", stderr: expected });
  });

  it("helps with a command by either way of asking", async () => {
    const { stdout, code } = await run(["help", "serve"]);
    expect({ stdout, code }).toEqual({ stdout: (await run(["serve", "--help"])).stdout, code: 0 });
    expect((await run(["help", "serv"])).stderr).toMatch(/did you mean serve\?/);
    expect((await run(["help"])).stdout).toMatch(/^usage: twinbase <command>/);
  });

  it("reports a missing file, and a folder in place of a file", async () => {
    expect((await run(["query", "nowhere.csv"])).stderr).toBe(
      "twinbase query: nowhere.csv: there is no such file\n",
    );
    expect((await run(["serve", "dist"])).stderr).toBe(
      "twinbase serve: dist: expected a file, found a folder\n",
    );
  });

  it("says of a port that is taken how to get another", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { code, stderr } = await run(["serve", "--port", String(port)]);
    server.close();
    expect(code).toBe(1);
    expect(stderr).toBe(
      `twinbase serve: port ${port} of 127.0.0.1 is taken; give another --port, or 0 for a free one\n`,
    );
  });

  it("reports the fault in a filter that is not JSON", async () => {
    const { stderr } = await run(["query", "package.json", "--filter", "{a:1}"]);
    expect(stderr).toMatch(
      /^twinbase query: --filter: keys want quotes, as in \{"name": "Ann"\}; /,
    );
  });

  it("ends quietly when its reader has had enough", async () => {
    const file = await writeLines("many.ndjson", 50_000);
    const child = spawn(
      process.execPath,
      ["dist/cli.js", "query", file, "--limit", "50000", "--json"],
      {
        cwd: home,
      },
    );
    let stderr = "";
    child.stderr.on("data", (chunk) => (stderr += chunk));
    child.stdout.once("data", () => child.stdout.destroy());
    const [code] = await once(child, "close");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  it("prints a table of more rows than a call takes arguments", async () => {
    const file = await writeLines("more.ndjson", 130_000);
    const { code, stdout, stderr } = await run(["query", file, "--limit", "130000"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/\n130000 of 130000 records\n$/);
  });

  it("queries standard input, in whatever format", async () => {
    const texts = [
      "n;m\n1;x\n2;y\n",
      '[{"n":1},{"n":2}]',
      '{"n":1}\n{"n":2}\n',
      '{"records":[{"n":2}]}',
    ];
    for (const text of texts) {
      const { stdout } = await run(
        ["query", "-", "--sort", "n:desc", "--json", "--limit", "1"],
        {},
        text,
      );
      expect(JSON.parse(stdout)).toMatchObject([{ n: 2 }]);
    }
  });

  it("says which columns were renamed", async () => {
    const file = join(home, "renamed.csv");
    writeFileSync(file, "Größe,Straße Nr.\n1,2\n");
    const { stderr, stdout } = await run(["query", file, "--schema"]);
    expect(stdout).toBe("Grosse: int\nStrasse_Nr: object\n  column: int\n");
    expect(stderr).toBe(
      `${file}: the column "Größe" is named Grosse\n` +
        `${file}: the column "Straße Nr" is named Strasse_Nr\n` +
        `${file}: the column "" is named column\n`,
    );
  });

  it("rejects an unknown direction", async () => {
    const file = await writeLines("few.ndjson", 3);
    const { code, stderr } = await run(["query", file, "--sort", "n:down"]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^twinbase query: --sort n:down: expected asc, desc or random, found down\n/,
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
