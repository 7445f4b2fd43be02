import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listMigrations } from "../../src/history.js";
import type { AnyEngine } from "../../src/index.js";
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
  let engine: AnyEngine;
  let server: EngineServer;
  let folder: string;

  beforeAll(async () => {
    engine = createFixture("xata");
    server = await serve(engine);
    folder = mkdtempSync(join(tmpdir(), "twinbase-xata-"));
  });

  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true });
  });

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

  const main = () => engine.workspace("acme").database("shop").branch("main");
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

  it("X-5: renames and deletes databases, deletes branches", async () => {
    const acme = engine.workspace("acme");
    const names = (list: readonly { name: string }[]) => list.map(({ name }) => name);
    acme.createDatabase("kiosk").createBranch("leaf", { from: "main" });
    const kiosk = `http://acme.us-east-1.localhost:${server.port}/db/kiosk`;
    await xata("branch", "delete", "leaf", "--db", kiosk, "--force", "--no-input");
    expect(names(acme.database("kiosk").branches())).toEqual(["main"]);
    await xata("dbs", "rename", "kiosk", "stall", "--workspace", "acme", "--force");
    expect(names(acme.databases())).toContain("stall");
    await xata("dbs", "delete", "stall", "--workspace", "acme", "--force");
    expect(names(acme.databases())).not.toContain("stall");
  });

  it("K-1: pulls, pushes and compares migrations", async () => {
    const acme = engine.workspace("acme");
    const trunk = acme.createDatabase("depot").branch("main");
    const depot = ["--db", `http://acme.us-east-1.localhost:${server.port}/db/depot`];
    trunk.createTable("boxes", [{ name: "label", type: "string" }]);
    trunk.table("boxes").addColumn({ name: "weight", type: "int" });
    const pulled = await xata("pull", "main", ...depot, "--skip-code-generation");
    expect(pulled).toContain("pulled 2 migrations");
    expect(await xata("pull", "main", ...depot, "--skip-code-generation")).toContain("No new");
    expect(await xata("push", "main", ...depot, "--yes")).toContain("No new migrations to push");
    const folderOf = join(folder, ".xata", "migrations");
    const ledger = readFileSync(join(folderOf, ".ledger"), "utf8").trim().split("\n");
    const last = listMigrations(trunk).at(-1)!;
    const added = {
      id: "mig_local_1",
      parentID: last.id,
      checksum: "1:abcdefabcdef",
      operations: [{ addTable: { table: "shelves" } }],
    };
    writeFileSync(join(folderOf, "mig_local_1_abcdefab.json"), JSON.stringify(added));
    writeFileSync(join(folderOf, ".ledger"), [...ledger, "mig_local_1_abcdefab", ""].join("\n"));
    expect(await xata("diff", "main", ...depot)).toContain("shelves");
    expect(await xata("push", "main", ...depot, "--yes")).toContain("Pushed 1 migrations");
    expect(trunk.tables().map(({ name }) => name)).toEqual(["boxes", "shelves"]);
    expect(await xata("diff", "main", ...depot)).toContain("No changes found");
    acme.database("depot").createBranch("twig", { from: "main" }).createTable("lamps");
    expect(await xata("diff", "twig", "main", ...depot)).toContain("lamps");
  });

  it("X-3: imports a file", async () => {
    const file = join(folder, "insects.csv");
    writeFileSync(file, "name,legs\nAnts,6\nBees,6\n");
    await xata(
      "import",
      "csv",
      file,
      "--table",
      "insects",
      "--create",
      ...db(),
      "--branch",
      "main",
    );
    const insects = main().table("insects");
    expect(insects.query({ columns: ["name", "legs"], sort: { name: "asc" } }).records).toEqual([
      expect.objectContaining({ name: "Ants", legs: 6 }),
      expect.objectContaining({ name: "Bees", legs: 6 }),
    ]);
  });

  it("X-1: makes random records", async () => {
    const before = main().table("users").count();
    await xata("random-data", "--table", "users", "--records", "5", ...db(), "--branch", "main");
    expect(main().table("users").count()).toBe(before + 5);
  });
});
