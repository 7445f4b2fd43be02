import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { PostgresServer } from "../../scripts/postgres-server.mjs";
import { startServing } from "../../src/cli/serve.js";
import { openPostgres, type PostgresDatabase } from "../../src/postgres.js";
import { ask as send } from "../http/ask.js";
import { onServer, runsHere } from "./cluster.js";
import { SilentProxy } from "./silent-proxy.js";
import { startStandIn } from "./stand-in.js";

const STATEMENT_TIMEOUT = 3_000;
/** Longest time of a request, in milliseconds. */
const LONGEST = STATEMENT_TIMEOUT + 2_500;
/** Statements that a coordinator sends to all workers. */
const FOR_ALL_WORKERS = /^\s*(?:create|alter|drop)|run_command_on_workers/i;

interface Answer {
  readonly status: number;
  readonly message: string | undefined;
  readonly milliseconds: number;
}

const runs = runsHere("silent workers", "a server with a stand-in for Citus");

describe.runIf(runs)("beside a worker that is silent", () => {
  let server: PostgresServer;
  let proxy: SilentProxy;
  let db: PostgresDatabase;

  beforeAll(async () => {
    server = await startStandIn();
    proxy = await SilentProxy.open(server.url);
    db = await openPostgres(proxy.url, {
      workspaces: ["w"],
      statementTimeout: STATEMENT_TIMEOUT,
    });
    await db.change((engine) => {
      for (const name of ["a", "b", "c"]) {
        const main = engine.workspace("w").createDatabase(name).branch("main");
        main.createTable("t", [{ name: "n", type: "int" }]);
      }
    });
    for (const name of ["a", "b", "c"]) {
      await db.transact({ database: name }, (main) => main.table("t").insert({ id: "x", n: 1 }));
    }
  });
  beforeEach(() => proxy.heal());
  afterAll(async () => {
    proxy?.heal();
    await db?.close();
    proxy?.close();
    await server?.remove();
  });

  const ask = async (request: string, given?: unknown): Promise<Answer> => {
    const start = performance.now();
    const { status, body } = await send(db, request, given);
    const message = body.message as string | undefined; // of a refusal
    return { status, message, milliseconds: performance.now() - start };
  };
  const askAll = (count: number, request: string, body: unknown): Promise<Answer[]> =>
    Promise.all(Array.from({ length: count }, () => ask(request, body)));
  const silence = (database: string): void => {
    const { schema } = schemas[database]!; // of these
    proxy.silent = new RegExp(`\\b${schema}\\.`);
  };
  const schemas: Record<string, { schema: string }> = {
    a: { schema: "tb_1" },
    b: { schema: "tb_3" },
    c: { schema: "tb_5" },
  };

  it("other databases answer; its own are unavailable in time, and recover", async () => {
    silence("a");
    const silent = askAll(20, "POST /db/a:main/tables/t/query", {});
    const others = await Promise.all([
      askAll(20, "POST /db/b:main/tables/t/query", {}),
      askAll(20, "PATCH /db/c:main/tables/t/data/x", { n: 2 }),
      askAll(20, "POST /db/b:main/tables/t/data", { n: 1 }),
    ]);
    expect(new Set(others.flat().map(({ status }) => status))).toEqual(new Set([200, 201]));
    const answers = await silent;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(Math.max(...answers.map(({ milliseconds }) => milliseconds))).toBeLessThan(LONGEST);
    proxy.heal();
    expect(await ask("POST /db/a:main/tables/t/query", {})).toMatchObject({ status: 200 });
  });

  it("a transaction ends in time, with its rollback; the outcome of a write is unknown", async () => {
    silence("a");
    const operations = [
      { insert: { table: "t", record: { n: 1 } } },
      { update: { table: "t", id: "x", fields: { n: { $increment: 1 } } } },
    ];
    const transaction = await ask("POST /db/a:main/transaction", { operations });
    expect(transaction).toMatchObject({ status: 503, message: "the database does not answer" });
    expect(transaction.milliseconds).toBeLessThan(LONGEST);
    const insert = await ask("POST /db/a:main/tables/t/data", { n: 1 });
    expect(insert).toMatchObject({
      status: 503,
      message: "the connection broke during the commit: its outcome is unknown",
    });
    expect(insert.milliseconds).toBeLessThan(LONGEST);
  });

  it("a schema change fails, and blocks neither reads and writes of its database nor the catalog", async () => {
    proxy.silent = FOR_ALL_WORKERS;
    const change = ask("PUT /db/b:main/tables/u");
    const meanwhile = async (): Promise<void> => {
      const answers = await Promise.all([
        ask("GET /workspaces/w/dbs"),
        ask("POST /db/none:main/tables/t/query", {}),
        ask("POST /db/b:main/tables/t/query", { filter: { none: 1 } }),
        ask("POST /db/b:main/tables/t/data", { n: 1 }),
        ask("POST /db/b:main/tables/t/query", {}),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 404, 400, 201, 200]);
      expect(Math.max(...answers.map(({ milliseconds }) => milliseconds))).toBeLessThan(1_000);
    };
    await meanwhile();
    const changed = await change;
    expect(changed).toMatchObject({ status: 503 });
    expect(changed.message).toContain("citus_update_node");
    await meanwhile();
    proxy.heal();
    expect(await ask("PUT /db/b:main/tables/u")).toMatchObject({ status: 201 });
  });

  it("SQL and copies of branches do not wait for other workers", async () => {
    expect(await ask("PUT /db/b:dev", { from: "main" })).toMatchObject({ status: 201 });
    // Citus locks a table on all of its nodes.
    proxy.silent = /^lock table/;
    const statement = "select 1 as n";
    const answers = await Promise.all([
      ask("POST /db/b:main/sql", { statement }),
      ask("POST /db/b:main/sql/batch", { statements: [{ statement }] }),
      ask("POST /db/b:main/copy", { destinationBranch: "dev" }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("reads of the catalog do not wait for a change without an answer", async () => {
    proxy.silent = /^lock table/;
    const change = ask("PUT /db/b:main/tables/v");
    const read = await Promise.all([
      ask("GET /workspaces/w/dbs"),
      ask("POST /db/none:main/tables/t/query", {}),
    ]);
    expect(read.map(({ status }) => status)).toEqual([200, 404]);
    expect(Math.max(...read.map(({ milliseconds }) => milliseconds))).toBeLessThan(1_000);
    const { status, milliseconds } = await change;
    expect(status).toBe(503);
    expect(milliseconds).toBeLessThan(LONGEST);
  });

  it("calls to other workers go on, however many databases are on the silent one", async () => {
    const names = Array.from({ length: 24 }, (_, i) => `many${i}`);
    for (const name of names) {
      await db.change((engine) => {
        engine.workspace("w").createDatabase(name).branch("main").createTable("t", []);
      });
    }
    const own = { workspace: "w", statementTimeout: STATEMENT_TIMEOUT };
    await using second = await openPostgres(proxy.url, own);
    const rows = await onServer(server.url, async (client) => {
      const { rows } = await client.query<{ name: string; schema: string; worker: number }>(
        "select split_part(key, '/', 2) as name, schema, min(groupid) as worker from twinbase.documents join pg_dist_shard on logicalrelid = to_regclass(schema || '.version') join pg_dist_placement using (shardid) group by 1, 2",
      );
      return rows;
    });
    const isSilent = ({ worker }: { readonly worker: number }): boolean => worker === 1;
    const silent = rows.filter(isSilent).map(({ schema }) => schema);
    expect(silent.length).toBeGreaterThan(7);
    proxy.silent = new RegExp(`\\b(?:${silent.join("|")})\\.`);
    const end = performance.now() + 2 * STATEMENT_TIMEOUT;
    const statuses = await Promise.all(
      rows
        .filter(({ name }) => names.includes(name))
        .flatMap((place) => [place, place])
        .map(async (place) => {
          const found: number[] = [];
          while (performance.now() < end) {
            const path = `POST /db/${place.name}:main/tables/t/query`;
            found.push((await send(second, path, {})).status);
          }
          return isSilent(place) ? [] : found;
        }),
    );
    expect(new Set(statuses.flat())).toEqual(new Set([200]));
    expect(statuses.flat().length).toBeGreaterThan(100);
  });

  it("serve ends five seconds after SIGTERM, and answers the last calls", async () => {
    const args = ["--postgres", proxy.url, "--workspace", "w", "--database", "a", "--port", "0"];
    const { server: served } = await startServing(args, () => {});
    silence("a");
    const start = performance.now();
    const last = fetch(`${served.url}/db/a:main/tables/t/query`, { method: "POST", body: "{}" });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await served.close();
    expect((await last).status).toBe(503);
    expect(performance.now() - start).toBeLessThan(8_000);
  });

  it("a first opening says that a worker is silent", async () => {
    await onServer(server.url, (client) => client.query("create database empty"));
    const url = new URL(proxy.url);
    url.pathname = "/empty";
    await onServer(url.href, (client) => client.query("create extension citus"));
    proxy.silent = FOR_ALL_WORKERS;
    const start = performance.now();
    await expect(openPostgres(url.href)).rejects.toMatchObject({
      code: "unavailable",
      message: "cannot open the database: a worker does not answer",
    });
    expect(performance.now() - start).toBeLessThan(7_000);
  });

  it("a process starts, and changes users", async () => {
    proxy.silent = FOR_ALL_WORKERS;
    await using second = await openPostgres(proxy.url, { workspaces: ["w"] });
    await second.change((engine) =>
      engine.createUser({ email: "ada@example.org", fullname: "Ada", keys: ["k"] }),
    );
    const { records } = await second.query({ database: "b", table: "t" });
    expect(records.length).toBeGreaterThan(0);
  });
});
