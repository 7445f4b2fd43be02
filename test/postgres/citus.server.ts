import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgres, type PostgresDatabase } from "../../src/postgres.js";
import { onServer, runsHere, type TestServer } from "./cluster.js";
import { startStandIn } from "./stand-in.js";

const runs = runsHere("what is called of Citus", "a server with a stand-in for its functions");

describe.runIf(runs)("where the database has the extension Citus", () => {
  let server: TestServer;
  let db: PostgresDatabase;

  beforeAll(async () => {
    server = await startStandIn(["log_statement=mod"]);
    db = await openPostgres(server.url, { workspaces: ["w"] });
    await db.change((engine) => {
      for (const name of ["a", "b"]) {
        const main = engine.workspace("w").createDatabase(name).branch("main");
        main.createTable("t", [{ name: "n", type: "int" }]);
      }
    });
  });
  afterAll(async () => {
    await db?.close();
    await server?.remove();
  });

  const ask = (text: string): Promise<Record<string, unknown>[]> =>
    onServer(server.url, async (client) => (await client.query(text)).rows);

  it("gives each database's schema to a worker as it is made, before it has tables", async () => {
    const calls = await ask("select called, schema_name, tables from citus.calls order by number");
    const schemas = await ask(
      "select schema from twinbase.documents where place > 0 order by place",
    );
    expect(schemas).toHaveLength(2);
    expect(calls).toEqual(
      schemas.map(({ schema }) => ({ called: "distribute", schema_name: schema, tables: "0" })),
    );
    await expect(
      db.change((engine) => {
        engine.workspace("w").createDatabase("c");
        throw new Error("not made");
      }),
    ).rejects.toThrow("not made");
    expect(await ask("select count(*) as n from citus.calls")).toEqual([{ n: "2" }]);
  });

  it("moves a database as the documentation says, which goes on", async () => {
    const docs = await readFile("docs/postgres.md", "utf8");
    const [, statement = ""] = /`(select citus_schema_move[^`]*)`/.exec(docs) ?? [];
    await ask(statement.replaceAll(/\s+/g, " ").replace("workspace/database", "w/a"));
    const [call] = await ask("select called, schema_name from citus.calls order by number desc");
    const [a] = await ask("select schema from twinbase.documents where key = 'w/a'");
    expect(call).toEqual({ called: "move to host:5432", schema_name: a?.schema });
    const { id } = await db.transact({ database: "a" }, (main) => main.table("t").insert({ n: 1 }));
    expect(id).toMatch(/^rec_/);
  });

  it("writes rows by their values, of which Citus says which one is taken", async () => {
    const rows = Array.from({ length: 300 }, (_, n) => ({ id: `r${n}`, n }));
    await db.transact({ database: "b" }, (main) => main.table("t").insert(rows));
    await db.transact({ database: "b" }, (main) => {
      for (const { id } of rows.slice(0, 3)) main.table("t").update(id, { n: { $increment: 1 } });
    });
    const log = await server.readLog();
    expect(log).toMatch(/insert into tb_\d+\.t\d+ \([^)]*\) values \(/);
    expect(log).not.toContain("unnest");
    expect(
      (await db.query({ database: "b", table: "t" }, { filter: { n: 1 } })).records,
    ).toMatchObject([{ id: "r0" }]);
  });

  it("answers 503 for the databases of a worker that is down, and for no other", async () => {
    const [a] = await ask("select schema from twinbase.documents where key = 'w/a'");
    const gate = `${a?.schema}.version`;
    // As a coordinator says it, of every table of the worker.
    await ask(`alter table ${gate} rename to away;
      create function ${a?.schema}.ask_worker() returns boolean language plpgsql as $$ begin
        raise exception 'connection to the remote node failed' using errcode = '08006';
      end $$;
      create view ${gate} as select version from ${a?.schema}.away where ${a?.schema}.ask_worker()`);
    const statusOf = async (path: string, body?: unknown): Promise<number> => {
      const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      return (await db.fetch(`http://localhost/db/${path}`, sent)).status;
    };
    expect(await statusOf("a:main/tables/t/query", {})).toBe(503);
    expect(await statusOf("a:main/tables/t/data", { n: 1 })).toBe(503);
    expect(await statusOf("b:main/tables/t/query", {})).toBe(200);
    expect(await statusOf("b:main/tables/t/data", { n: 1 })).toBe(201);
    await ask(`drop view ${gate}; alter table ${a?.schema}.away rename to version`);
    expect(await statusOf("a:main/tables/t/query", {})).toBe(200);
  });
});
