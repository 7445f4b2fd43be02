import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PostgresServer } from "../../scripts/postgres-server.mjs";
import { openPostgres, type PostgresDatabase } from "../../src/postgres.js";
import { defineColumns } from "../columns.js";
import { onServer, runsHere } from "./cluster.js";
import { startStandIn } from "./stand-in.js";

const runs = runsHere("calls of Citus", "a server with a stand-in for its functions");

describe.runIf(runs)("a database with the extension Citus", () => {
  let server: PostgresServer;
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

  it("distributes each database's schema when it is created, before it has tables", async () => {
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

  it("stays usable after the documented statements move it", async () => {
    const docs = await readFile("docs/capacity.md", "utf8");
    const statements = docs.match(
      /select (?:citus_schema_move|citus_rebalance_start|citus_drain_node)[^;]*/g,
    );
    expect(statements).toHaveLength(3);
    for (const statement of statements ?? [])
      await ask(statement.replaceAll(/\s+/g, " ").replace("workspace/database", "w/a"));
    const [call] = await ask("select called, schema_name from citus.calls order by number desc");
    const [a] = await ask("select schema from twinbase.documents where key = 'w/a'");
    expect(call).toEqual({ called: "move to worker2:5432", schema_name: a?.schema });
    const { id } = await db.transact({ database: "a" }, (main) => main.table("t").insert({ n: 1 }));
    expect(id).toMatch(/^rec_/);
  });

  it("inserts rows by a list of values", async () => {
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

  it("answers 503 for databases of a worker that is down, and for no others", async () => {
    const [a] = await ask("select schema from twinbase.documents where key = 'w/a'");
    const gate = `${a?.schema}.version`;
    // The error of a coordinator for every table of the worker.
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
    const change = () =>
      db.change((engine) =>
        engine.workspace("w").database("a").branch("main").createTable("u", []),
      );
    await expect(change()).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("citus_update_node"),
    });
    // The write was not sent to the worker.
    const insert = { method: "POST", body: '{"n": 1}' };
    const refused = await db.fetch("http://localhost/db/a:main/tables/t/data", insert);
    expect(await refused.json()).toMatchObject({ message: "the database does not answer" });
    expect(await statusOf("b:main/tables/t/query", {})).toBe(200);
    expect(await statusOf("b:main/tables/t/data", { n: 1 })).toBe(201);
    await ask(`drop view ${gate}; alter table ${a?.schema}.away rename to version`);
    expect(await statusOf("a:main/tables/t/query", {})).toBe(200);
  });

  it.each([
    ["0A000", "subqueries of that kind are not supported", 501],
    ["XX000", "failure on connection marked as essential: worker:5432", 503],
    ["XX000", "SSL SYSCALL error: EOF detected", 503],
    ["XX000", "server closed the connection unexpectedly", 503],
    ["55000", "worker:5432 is a metadata node, but is out of sync", 503],
    ["25P03", "terminating connection due to idle-in-transaction timeout", 503],
    ["28P01", "password authentication failed", 503],
  ])("maps the error %s of a coordinator: %s", async (code, reason, status) => {
    const [a] = await ask("select schema from twinbase.documents where key = 'w/a'");
    const gate = `${a?.schema}.version`;
    await ask(`alter table ${gate} rename to away;
      create function ${a?.schema}.refuse() returns boolean language plpgsql as $$ begin
        raise exception '${reason}' using errcode = '${code}';
      end $$;
      create view ${gate} as select version from ${a?.schema}.away where ${a?.schema}.refuse()`);
    const bodies = { "tables/t/query": {}, sql: { statement: "select 1" } };
    const answers = await Promise.all(
      Object.entries(bodies).map(async ([path, body]) => {
        const sent = { method: "POST", body: JSON.stringify(body) };
        const response = await db.fetch(`http://localhost/db/a:main/${path}`, sent);
        const { message } = (await response.json()) as { message: string };
        return [response.status, message];
      }),
    );
    await ask(`drop view ${gate}; alter table ${a?.schema}.away rename to version;
      drop function ${a?.schema}.refuse()`);
    const messages = {
      "0A000": `PostgreSQL: ${reason}`,
      "55000": "the database is not ready: try again",
    };
    const expected = [status, messages[code as "0A000"] ?? "the database does not answer"];
    expect(answers).toEqual([expected, expected]);
  });

  it("answers 503 with an unknown outcome if a worker is lost during the commit", async () => {
    const gate = (await ask("select schema from twinbase.documents where key = 'w/a'"))[0]?.schema;
    const table = (
      await ask(`select tablename from pg_tables where schemaname = '${gate}' and tablename ~ '^t'`)
    )[0]?.tablename;
    await ask(`create function citus.lose() returns trigger language plpgsql as $$ begin
        raise exception 'could not commit transaction for shard 1 on at least one active node'
          using errcode = 'XX000';
      end $$`);
    const places = [`${gate}.${table}`, "twinbase.documents"];
    for (const place of places) {
      await ask(`create constraint trigger lose after insert or update on ${place}
        deferrable initially deferred for each row execute function citus.lose()`);
    }
    const unknown = { code: "unavailable", message: expect.stringContaining("outcome is unknown") };
    const write = db.transact({ database: "a" }, (main) => main.table("t").insert([{}, {}]));
    await expect(write).rejects.toMatchObject(unknown);
    const create = db.change((engine) => engine.workspace("w").createDatabase("d"));
    await expect(create).rejects.toMatchObject(unknown);
    for (const place of places) await ask(`drop trigger lose on ${place}`);
  });

  it("runs a write again whose commit a worker refused", async () => {
    const [a] = await ask("select schema from twinbase.documents where key = 'w/a'");
    const [table] = await ask(
      `select tablename from pg_tables where schemaname = '${a?.schema}' and tablename ~ '^t'`,
    );
    const place = `${a?.schema}.${table?.tablename}`;
    await ask("create sequence citus.refusals");
    await ask(`create function citus.refuse_once() returns trigger language plpgsql as $$ begin
        if nextval('citus.refusals') > 1 then return null; end if;
        raise warning 'violates foreign key constraint' using errcode = '23503';
        raise warning 'failed to commit transaction on worker:5432';
        raise exception 'could not commit transaction for shard 1 on at least one active node'
          using errcode = 'XX000';
      end $$`);
    await ask(`create constraint trigger refuse after insert on ${place}
      deferrable initially deferred for each row execute function citus.refuse_once()`);
    const ids = ["again1", "again2"];
    await db.transact({ database: "a" }, (main) => {
      main.table("t").insert(ids.map((id) => ({ id })));
    });
    await ask(`drop trigger refuse on ${place}`);
    const { records } = await db.query(
      { database: "a", table: "t" },
      { filter: { id: { $any: ids } } },
    );
    expect(records).toHaveLength(2);
  });

  it("limits waits for locks on the workers too", async () => {
    await ask("alter database postgres set log_statement = 'all'");
    await using second = await openPostgres(server.url, { workspace: "w" });
    await second.transact({ database: "a" }, (main) => main.table("t").insert([{}, {}]));
    await ask("alter database postgres reset log_statement");
    // Citus sends local settings to the workers of a transaction.
    const settings = (await server.readLog()).match(
      /(?<=execute \w+: |execute <unnamed>: )(?:begin|set local).*/g,
    );
    expect(settings?.slice(-4)).toEqual([
      "begin",
      "set local citus.propagate_set_commands = 'local'",
      "set local lock_timeout = 5000",
      "set local citus.propagate_set_commands = 'none'",
    ]);
  });

  it("refuses the address of a worker, and writes nothing", async () => {
    await ask("create database worker");
    const url = server.url.replace(/postgres$/, "worker");
    const onWorker = async (text: string): Promise<unknown[]> =>
      onServer(url, async (client) => (await client.query(text)).rows);
    await onWorker("create extension citus");
    await onWorker("update pg_dist_local_group set groupid = 1");
    await expect(openPostgres(url)).rejects.toMatchObject({
      code: "invalid_request",
      message: "expected the coordinator of the cluster, found a worker",
    });
    expect(await onWorker("select from pg_namespace where nspname = 'twinbase'")).toEqual([]);
  });

  it("creates an index by the size in the cluster, not on the coordinator", async () => {
    const request = { filter: { n: 7 } };
    for (let i = 0; i < 10; i++) await db.query({ database: "b", table: "t" }, request);
    await db.idle();
    const { indexes } = await db.explain({ database: "b", table: "t" }, request);
    expect(indexes).toMatchObject([{ isThere: true }]);
    expect((await db.advise()).unused).toEqual([]);
  });

  it("upgrades a database of an earlier version so that it can be moved", async () => {
    const [b] = await ask("select schema from twinbase.documents where key = 'w/b'");
    await ask(`alter table ${b?.schema}.version drop constraint version_pkey`);
    const move = `select citus_schema_move('${b?.schema}', 'host', 5432)`;
    await expect(ask(move)).rejects.toThrow("PRIMARY KEY");
    await (await openPostgres(server.url, { workspace: "w" })).close();
    await ask(move);
  });

  it("runs SQL as a role that cannot log in to a worker, including reads after writes", async () => {
    await ask("drop role if exists twinbase_sql");
    await ask("create role app login createrole");
    await ask("create database app owner app");
    const url = server.url.replace("//test@", "//app@").replace(/postgres$/, "app");
    await onServer(url.replace("//app@", "//test@"), (client) =>
      client.query("create extension citus"),
    );
    await using own = await openPostgres(url, { workspaces: ["w"], profile: "xata" });
    await own.change((engine) => {
      const main = engine.workspace("w").createDatabase("d").branch("main");
      main.createTable("t", defineColumns({ n: "int", tags: "multiple", more: "json" }));
    });
    const send = async (path: string, body: unknown): Promise<unknown> => {
      const sent = { method: "POST", body: JSON.stringify(body) };
      return (await own.fetch(`http://localhost/db/d:main/${path}`, sent)).json();
    };
    expect(
      await send("sql/batch", {
        statements: [
          { statement: "insert into t (id, n, tags, more) values ('a', 1, '{x}', '{\"b\": 2}')" },
          { statement: "update t set n = n + 1 where id = 'a'" },
          { statement: "select id, n, tags, more from t" },
        ],
      }),
    ).toMatchObject({
      results: [{}, {}, { records: [{ id: "a", n: 2, tags: ["x"] }] }],
    });
    expect(
      await send("sql", { statement: "select count(*) as c from t a join t b using (id)" }),
    ).toMatchObject({ records: [{ c: 1 }] });
  });
});
