/** @module-tag slow */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildPackage } from "../../built-package.js";

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

describe("the command conform", () => {
  let home: string;
  let server: ChildProcess;
  let url: string;

  const conform = (...args: string[]): Promise<Run> =>
    new Promise((done) => {
      const options = { cwd: home, maxBuffer: 64 * 1024 * 1024 };
      execFile(
        process.execPath,
        ["dist/cli.js", "conform", ...args],
        options,
        (error, stdout, stderr) =>
          done({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
      );
    });

  const startServer = async (...options: string[]): Promise<[ChildProcess, string]> => {
    const args = ["dist/cli.js", "serve", "--port", "0", ...options];
    const child = spawn(process.execPath, args, {
      cwd: home,
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      printed += chunk;
      const address = /http:\/\/127\.0\.0\.1:\d+(?=\s)/.exec(printed)?.[0];
      if (address !== undefined) return [child, address];
    }
    throw new Error(`the server ended: ${printed}`);
  };

  beforeAll(async () => {
    home = buildPackage();
    [server, url] = await startServer("--seed", "1");
  }, 120_000);

  afterAll(() => {
    server?.kill("SIGKILL");
    rmSync(home, { recursive: true, force: true });
  });

  it("checks a server in another process, and writes its reports", { tags: ["slow"] }, async () => {
    const outs = ["r.html", "r.json", "r.xml", "r.txt"].flatMap((file) => ["--out", file]);
    const run = await conform(url, "--only", "F,G,B", "--runs", "2", ...outs);
    expect(run.stderr).toBe("");
    expect(run.stdout).toMatch(/^conforms\n/);
    expect(run.code).toBe(0);
    const read = (file: string): string => readFileSync(join(home, file), "utf8");
    const [summary] = read("r.txt").split("\n\nrules ");
    const files = ["r.html", "r.json", "r.xml", "r.txt"].map((file) => `wrote ${file}\n`);
    expect(run.stdout).toBe(`${summary}\n${files.join("")}`);
    expect(JSON.parse(read("r.json"))).toMatchObject({ conforms: true, seed: 1, runs: 2 });
    expect(read("r.xml")).toContain("<testsuites>");
    expect(read("r.html")).toContain("The service conforms");
  });

  it("prints divergences at once, and exits with 1", async () => {
    // The server is of the other profile.
    const run = await conform(url, "--profile", "xata", "--only", "B-2", "--runs", "2");
    expect(run.stderr).toContain("diverges: B-2 vector:the-mapping-starts-empty");
    expect(run.stdout).toMatch(/^diverges\n/);
    expect(run.code).toBe(1);
  });

  it("allows known deviations", async () => {
    const known = [{ what: "B-2", reason: "the other profile", expires: "9999-01-01" }];
    writeFileSync(join(home, "known.json"), JSON.stringify(known));
    const args = ["--profile", "xata", "--only", "vector:the-mapping-starts-empty"];
    const run = await conform(url, ...args, "--deviations", "known.json", "--quiet");
    expect([run.code, run.stderr]).toEqual([0, ""]);
  });

  it("stops at the first divergence, with --fail-fast", async () => {
    const run = await conform(url, "--profile", "xata", "--only", "B,F", "--fail-fast");
    expect(run.stdout.match(/^DIVERGES/gm)).toHaveLength(1);
    expect(run.stderr.split("\n")).toHaveLength(2);
    expect(run.code).toBe(1);
  });

  it("runs several clients, with --concurrent", async () => {
    const run = await conform(url, "--only", "concurrent", "--concurrent", "--runs", "2");
    expect(run.stdout).toMatch(/^checks +3: 3 passed/m);
    expect(run.code).toBe(0);
  });

  it("stores a history and reports changes", async () => {
    const only = ["--only", "vector:the-mapping-starts-empty", "--history", "kept/runs"];
    const first = await conform(url, ...only);
    expect(first.stdout).not.toContain("since");
    const second = await conform(url, ...only, "--profile", "xata");
    expect(second.stdout).toMatch(/^since 20.*:\n {2}diverges since:\n {4}B-2 vector:the-mapping/m);
    const third = await conform(url, ...only);
    expect(third.stdout).toMatch(/^since 20.*:\n {2}no longer diverges:\n {4}B-2 vector:the-map/m);
    expect(readdirSync(join(home, "kept/runs"))).toHaveLength(3);
    writeFileSync(join(home, "kept/runs/notes.txt"), "not a run");
    writeFileSync(join(home, "kept/runs/2000-01-01T00-00-00.000Z.json"), "{}");
    const wrong = await conform(url, ...only);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("2000-01-01T00")]);
  });

  it("exits with 3 and a message if nothing answers, or the workspace does not exist", async () => {
    const silent = await conform("http://127.0.0.1:9", "--only", "F-5", "--quiet");
    expect([silent.code, silent.stdout]).toEqual([3, ""]);
    expect(silent.stderr).toMatch(
      /^twinbase conform: http:\/\/127\.0\.0\.1:9: it does not answer: .*\n$/,
    );
    const moved = createServer((_, answer) => answer.writeHead(301, { location: url }).end());
    await new Promise<void>((done) => moved.listen(0, "127.0.0.1", done));
    const { port } = moved.address() as AddressInfo; // a port, not a pipe
    const redirected = await conform(`http://127.0.0.1:${port}`);
    moved.close();
    expect(redirected.stderr).toContain(`answered 301: redirects to ${url}`);
    const elsewhere = await conform(url, "--workspace", "nowhere");
    expect([elsewhere.code, elsewhere.stdout]).toEqual([3, ""]);
    expect(elsewhere.stderr).toMatch(
      /: it cannot create a table: PUT .*: answered 404: workspace \[nowhere\] not found.*\n$/,
    );
    const deeper = await conform(`${url}/workspaces/local`);
    expect([deeper.code, deeper.stdout]).toEqual([3, ""]);
    expect(deeper.stderr).toContain("probe: answered 404: no such route: /workspaces/local/db/");
  });

  it("names the service's profile if it differs from the requested one", async () => {
    const [other, address] = await startServer("--control", "--profile", "xata");
    try {
      const run = await conform(address, "--only", "F-5");
      expect(run.stderr).toBe(
        `twinbase conform: ${address}: it has the profile xata, not documented; pass --profile xata\n`,
      );
      expect((await conform(address, "--only", "F-5", "--profile", "xata")).code).toBe(0);
    } finally {
      other.kill("SIGKILL");
    }
  });

  it("names options that cover more rules", async () => {
    const run = await conform(url, "--runs", "1", "--only", "U,A");
    expect(run.stdout).toContain("  U-1: --auth open --with user\n");
    expect(run.stdout).toContain("  U-2: --with user\n");
    expect(run.stdout).toMatch(/ {2}(?:[DEX]-\d+ )*A-1 .*: --with accounts\n/);
    const given = ["--auth", "open", "--with", "user,accounts"];
    const covered = await conform(url, "--runs", "1", "--only", "U,A", ...given);
    expect(covered.stdout).not.toMatch(/ {2}(U-1|A-1).*: --/);
  });

  it.each([
    [[], "expected <workspace url>"],
    [["ftp://x"], "expected an address"],
    [["http://127.0.0.1:1", "--runs", "none"], "--runs"],
    [["http://127.0.0.1:1", "--tier", "all"], "core or complete or strict, found all"],
    [["http://127.0.0.1:1", "--out", "report.pdf"], "report.pdf"],
    [["http://127.0.0.1:1", "--only", "F-99"], "F-99"],
    [["http://127.0.0.1:1", "--nope"], "--nope"],
    [["http://127.0.0.1:1", "--deviations", "none.json"], "none.json"],
    [["https://example.org"], "another machine"],
  ])("exits with 2 for %j", async (args, message) => {
    const run = await conform(...args);
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(message);
    expect(run.stderr).toMatch(/\ntwinbase conform --help (lists them|tells more)\n$/);
  });

  it("deletes its databases, also after Ctrl-C", async () => {
    const child = spawn(process.execPath, ["dist/cli.js", "conform", url, "--runs", "50"], {
      cwd: home,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stderr = "";
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.stdout.resume();
    const ended = new Promise<number | null>((done) => child.once("exit", done));
    const listDatabases = async (): Promise<string[]> => {
      const listed = await fetch(`${url}/workspaces/local/dbs`);
      const { databases } = (await listed.json()) as { databases: { name: string }[] };
      return databases.map(({ name }) => name);
    };
    // The server began with one database.
    while ((await listDatabases()).length < 2) await new Promise((next) => setTimeout(next, 10));
    child.kill("SIGINT");
    expect(await ended).toBe(3);
    expect(stderr).toContain("stopping");
    expect(await listDatabases()).toEqual(["files"]);
  });
});
