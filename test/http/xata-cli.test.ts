import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type EngineServer, serve } from "../../src/node.js";
import { createFixture } from "./fixture.js";

// The command line of the npm client brings hundreds of packages, so it is not installed with the
// others. 0.15.15 passes:
//   npm install --prefix ../xata-cli @xata.io/cli@0.15.15
//   XATA_CLI=../xata-cli/node_modules/@xata.io/cli/bin/run.js npx vitest run test/http/xata-cli
const { XATA_CLI } = process.env;
const cli: string = resolve(XATA_CLI ?? "");
const title =
  XATA_CLI === undefined
    ? "the xata command line (skipped: install @xata.io/cli elsewhere, set XATA_CLI to its bin/run.js)"
    : "the xata command line";

describe.skipIf(XATA_CLI === undefined)(title, () => {
  const folder = mkdtempSync(join(tmpdir(), "twinbase-xata-"));
  let server: EngineServer;

  beforeAll(async () => {
    server = await serve(createFixture("xata"));
  });

  afterAll(() => server.close());

  async function xata(...args: string[]): Promise<string> {
    const main = `http://localhost:${server.port}`;
    const env = {
      ...process.env,
      HOME: folder,
      XATA_API_KEY: "key",
      XATA_API_PROVIDER: `${main},http://{workspaceId}.{region}.localhost:${server.port}`,
    };
    const run = promisify(execFile);
    return (await run(process.execPath, [cli, ...args], { env, cwd: folder })).stdout;
  }

  const db = () => ["--db", `http://acme.us-east-1.localhost:${server.port}/db/shop`];

  it("X-5: lists workspaces, databases and branches", async () => {
    expect(await xata("workspace", "list")).toMatch(/acme[\s\S]*other/);
    expect(await xata("dbs", "list", "--workspace", "acme")).toContain("shop");
    expect(await xata("branch", "list", ...db())).toContain("main");
  });

  it("X-4: dumps and uploads a schema", async () => {
    const file = join(folder, "schema.json");
    await xata("schema", "dump", ...db(), "--branch", "main", "--file", file);
    const schema = JSON.parse(readFileSync(file, "utf8")) as { tables: { name: string }[] };
    expect(schema.tables.map(({ name }) => name)).toEqual(["teams", "users"]);
    const logs = { name: "logs", columns: [{ name: "line", type: "text" }] };
    writeFileSync(file, JSON.stringify({ tables: [...schema.tables, logs] }));
    const upload = ["schema", "upload", file, ...db(), "--branch", "main", "--yes"];
    expect(await xata(...upload)).toContain("logs");
    expect(await xata(...upload)).toContain("up to date");
    await xata("schema", "dump", ...db(), "--branch", "main", "--file", file);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ tables: [...schema.tables, logs] });
  });

  it("X-5: makes branches and databases", async () => {
    await xata("branch", "create", "twig", "--from", "main", ...db(), "--no-input");
    expect(await xata("branch", "list", ...db())).toContain("twig");
    await xata("dbs", "create", "mall", "--workspace", "acme", "--region", "us-east-1");
    expect(await xata("dbs", "list", "--workspace", "acme")).toContain("mall");
  });
});
