import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, readFileSync, rmSync, writeFileSync } from "node:fs";
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

  it("tells of each command without what the command needs", async () => {
    // Where fast-check is not installed, as in most projects.
    const blocked = `data:text/javascript,${encodeURIComponent(
      'export const resolve = (name, context, next) => { if (name === "fast-check") throw Object.assign(new Error("Cannot find package \'fast-check\'"), { code: "ERR_MODULE_NOT_FOUND" }); return next(name, context); };',
    )}`;
    const register = `data:text/javascript,${encodeURIComponent(
      `import { register } from "node:module"; register(${JSON.stringify(blocked)});`,
    )}`;
    const told = await run(["conform", "--help"], { NODE_OPTIONS: `--import=${register}` });
    expect(told.stdout).toMatch(/^usage: twinbase conform /);
    expect(told.code).toBe(0);
    const refused = await run(["conform", "http://x"], { NODE_OPTIONS: `--import=${register}` });
    expect(refused.stderr).toContain("needs fast-check");
  });

  it.each(["advise", "copy", "inspect"])("says what %s is to be given", async (command) => {
    const { code, stderr } = await run([command]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      new RegExp(`^twinbase ${command}: give .*\\n\\nusage: twinbase ${command} `),
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

  it("names a direction that there is not", async () => {
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
