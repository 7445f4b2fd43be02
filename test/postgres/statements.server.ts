import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { freshDatabase, onServer, runsHere } from "./cluster.js";
import { describeStatements } from "./statements/cases.js";
import { describeEscapes, IMPURE_FUNCTIONS } from "./statements/escapes.js";
import { openAgain, openShop } from "./statements/fixture.js";

const fresh = (name: string): Promise<string> => freshDatabase(inject("postgresUrl"), name);

const merges = (): Promise<boolean> =>
  onServer(inject("postgresUrl"), async (client) => {
    const { rows } = await client.query("select current_setting('server_version_num')::int as n");
    return rows[0].n >= 170_000;
  });

// Sequential: in a cluster both use one database.
describe("statements", () => describeStatements(() => fresh("statements"), merges));
describe("escapes", () =>
  describeEscapes(
    () => fresh("escapes"),
    () =>
      onServer(
        inject("postgresUrl"),
        async (client) => (await client.query(IMPURE_FUNCTIONS)).rows,
      ),
  ));

// Made once: in a cluster all tests use one database.
describe("objects of others", () => {
  let url: string;
  let shop: Awaited<ReturnType<typeof openShop>>;
  let hidden: { config: number; dictionary: number };
  const onOthers = (text: string): Promise<pg.QueryResult[]> =>
    onServer(url, async (client) => [await client.query(text)].flat());
  beforeAll(async () => {
    url = await fresh("statements_others");
    await onOthers(`create schema "z-pg_y"; create table "z-pg_y".a (); create schema hidden;
      create text search configuration hidden.mine (copy = english);
      create text search dictionary hidden.words (template = simple);
      create table public.customers (ssn text); create sequence public.counts;
      create operator public.+ (function = int4pl, leftarg = int, rightarg = int);
      create collation public.german (provider = icu, locale = 'de'); create type public.secret as enum ('a');
      create domain public.small as int check (value < 3);
      create function public.spy(int) returns int immutable language sql return $1`);
    const [made] = await onOthers(`select c.oid as config, d.oid as dictionary
      from pg_ts_config c, pg_ts_dict d where cfgname = 'mine' and dictname = 'words'`);
    hidden = made?.rows[0];
    shop = await openShop(url);
  });
  afterAll(async () => {
    await shop.db.close();
    await onOthers(`drop schema "z-pg_y", hidden cascade; drop table public.customers;
      drop operator public.+ (int, int);
      drop collation public.german; drop sequence public.counts;
      drop type public.secret; drop domain public.small; drop function public.spy`);
  });

  it.each<[made: string, missing: string, ...statements: string[]]>([
    ["public.customers", "public.nobodys", "select * from X", "select nope from X", "select X(1)"],
    ["'public.customers'", "'public.nobodys'", "select X::regclass, nope", "select nextval(X)"],
    ["public.spy", "public.nobodys", "select X(1)", "select X(1), nope"],
    ["public.secret", "public.nobodys", "select enum_range(null::X)", "select null::X[]"],
    ["public.small", "public.nobodys", "select 5::X", "select '1'::X", "select null::X[]"],
    ['"z-pg_y"', '"z-pg_n"', "select * from X.a", "select X.f(1)", "select null::X.a"],
    ["test=r/test", "nobody=r/nobody", "select 'X'::aclitem", "select 'X'::aclitem, nope"],
    ["test=r/test", "nobody=r/nobody", "select '{X}'::aclitem[], nope"],
    ["test=r/test", "nobody=r/nobody", "select nope from aclexplode('{X}')"],
    ["test=r", "nobody=r", "select 1 from pg_namespace n(a,b,c,d) where d @> 'X'"],
    ["test=r", "nobody=r", "select coalesce(initprivs, '{X}'), nope from pg_init_privs"],
    ["test=r", "nobody=r", `select '(1,a,10,"{X}")'::pg_namespace[], nope`],
    ["'pub'\n'lic.customers'", "'pub'\n'lic.nobodys'", "select X::regclass, nope"],
    ["'pub' --\n 'lic.customers'", "'pub'\n--\n'lic.nobodys'", "select X::regclass, nope"],
    ["'pub'\n'lic.counts'", "'pub'\n'lic.nobodys'", "select nextval(X)"],
    ["E'\\x70ublic.customers'", "E'\\x70ublic.nobodys'", "select X::regclass, nope"],
    ["U&'\\0070ublic.customers'", "U&'\\0070ublic.nobodys'", "select X::regclass, nope"],
    ['{"p\\ublic.customers"}', '{"p\\ublic.nobodys"}', "select 'X'::regclass[], nope"],
    ['pub"lic".spy', 'pub"lic".nobody', "select '(X,,,,,,,,,,,,,,,,,,,,,)'::pg_aggregate, nope"],
    [
      "public.+",
      "public.-",
      "select 1 operator(X) 1",
      "select array[1] = any(select 1 operator(X) 1)",
    ],
    ["public.german", "public.nobodys", "select 'a' collate X", "select 1 order by 'a' collate X"],
    [
      "public.german",
      "public.nobodys",
      "select * from json_to_record('{}') as r(a text collate X)",
    ],
  ])("are refused as if they did not exist: %s, %s", async (made, missing, ...statements) => {
    for (const statement of statements) {
      const answers = await Promise.all(
        [made, missing].map(async (name) => {
          const { status, message } = await shop.sql(statement.replace("X", name));
          return [status, message];
        }),
      );
      const refused = [400, "permission denied, or nothing of that name"];
      expect(answers, statement).toEqual([refused, refused]);
    }
  });

  it("leave other errors their messages", async () => {
    const { sql } = shop;
    expect(await sql("select 1/0 as public")).toMatchObject({ message: "division by zero" });
    const text = "select nope from users where name = 'it''s x'\n order by 1";
    expect(await sql(text)).toMatchObject({ message: `column "nope" does not exist` });
  });

  it("are not shown by their numbers", async () => {
    for (const statement of [
      `select i::oid::regconfig::text from generate_series(16384, 20000) i`,
      `select ${hidden.config}::oid::regconfig::text`,
      `select '${hidden.config}'::regconfig::text`,
      `select format('%s', ${hidden.dictionary}::oid::regdictionary)`,
      `select to_tsvector('${hidden.config}', 'a b')`,
      `select to_tsvector(${hidden.config}::oid::regconfig, 'a b')`,
      `select ts_lexize('${hidden.dictionary}', 'a')`,
    ]) {
      const { status, message } = await shop.sql(statement);
      const refusal = "permission denied, or nothing of that name";
      expect([status, message], statement).toEqual([400, refusal]);
    }
    const own = await shop.sql(
      "select to_tsvector('english', 'dogs') as a, ts_lexize('simple', 'A') as b",
    );
    expect(own.records).toEqual([{ a: "'dog':1", b: ["a"] }]);
  });
});

describe("statements on a server", () => {
  it("L-10: are cancelled after the time limit, and the connection stays usable", async () => {
    const { db, sql } = await openShop(await fresh("statements_time"), {
      statementTimeout: 1000,
      connections: 1,
    });
    const endless =
      "with recursive r as (select 1 as n union all select n + 1 from r) select max(n) from r";
    for (const statement of [endless, "select count(*) from generate_series(1, 1e12)"]) {
      const { status, code } = await sql(statement);
      expect([status, code]).toEqual([408, "query_timeout"]);
    }
    expect((await sql("select 1 as a")).records).toEqual([{ a: 1 }]);
    await db.close();
  });

  it("L-10: have one time limit, however often the schema changes meanwhile", async () => {
    const { db, sql } = await openShop(await fresh("statements_limit"), { statementTimeout: 1000 });
    const { reloads } = db.stats();
    const running = sql(
      "with recursive r as (select 1 as n union all select n + 1 from r) select max(n) from r",
    );
    await db.change((engine) => void engine.workspace("w").createDatabase("later"));
    const { status, code } = await running;
    expect([status, code]).toEqual([408, "query_timeout"]);
    expect(db.stats().reloads).toBe(reloads); // not run again
    await db.close();
  });

  it("L-10: end at the time limit when they wait to write", async () => {
    const url = await fresh("statements_wait");
    const { db, sql } = await openShop(url, { statementTimeout: 1000 });
    const other = new pg.Client(url);
    await other.connect();
    const { rows } = await other.query(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname ~ '^tb_' and tablename ~ '^t[0-9]+$'",
    );
    await other.query("begin");
    for (const { name } of rows) await other.query(`select 1 from ${name} for update`);
    const { status, code } = await sql("update users set age = 5");
    expect([status, code]).toEqual([408, "query_timeout"]);
    await other.end();
    expect((await sql("update users set age = 5")).status).toBe(200);
    await db.close();
  });

  // PGlite blocks on such JSON.
  it("T-11: refuse JSON that is nested too deep", async () => {
    const { db, sql } = await openShop(await fresh("statements_deep"));
    for (const depth of [4000, 6000, 14_000]) {
      const deep = `(repeat('[', ${depth}) || repeat(']', ${depth}))::jsonb`;
      for (const write of [
        `update users set settings = ${deep} where id = 'u1'`,
        `insert into users (settings) values (${deep})`,
      ]) {
        const { status, code } = await sql(write);
        expect([status, code]).toEqual([400, "invalid_record"]);
      }
    }
    await db.close();
  });

  it("are checked on connections whose temporary schema exists already", async () => {
    const url = await fresh("statements_temporary");
    // Each session takes the next of the server's slots, whose temporary schema stays.
    const slots = await onServer(url, async (client) => {
      return Number((await client.query("show max_connections")).rows[0].max_connections);
    });
    for (let i = 0; i < slots; i++) {
      await onServer(url, (client) => client.query("create temp table left_behind (n int)"));
    }
    const { db, sql } = await openShop(url, { connections: 1 });
    for (let i = 0; i < 4; i++) expect((await sql("select 1 as a")).status).toBe(200);
    for (let i = 0; i < 6; i++) {
      const { status, message } = await sql("select relname from pg_class limit 1");
      expect([status, message]).toEqual([400, "permission denied for table pg_class"]);
      const update = "update users set age = $1 where id = 'u1' returning age";
      expect((await sql(update, [i])).records).toEqual([{ age: i }]);
    }
    await db.close();
  });

  it("L-11: write nothing if the names of columns make the answer too long", async () => {
    const { db, sql } = await openShop(await fresh("statements_names"));
    const names = Array.from({ length: 1000 }, (_, i) => {
      return `1 as "${String(i).padStart(4, "0")}${"\u0005".repeat(59)}"`;
    });
    const insert = "with i as (insert into teams (id) values ('kept') returning id)";
    const { status, rule } = await sql(
      `${insert} select ${names.join(", ")} from generate_series(1, 500)`,
    );
    expect([status, rule]).toEqual([400, "L-11"]);
    expect((await sql("select id from teams where id = 'kept'")).records).toEqual([]);
    await db.close();
  });

  it.each([
    ["records", "insert into users (age) select 1"],
    ["bytes", "insert into users (bio) select repeat('long', 10000)"],
  ])("L-11: are refused as soon as they write too many %s", async (_, statement) => {
    const { db, sql } = await openShop(await fresh("statements_writes"));
    // To write all of them takes longer than the time limit.
    const many = "generate_series(1, 5000) a, generate_series(1, 5000) b";
    const { status, rule } = await sql(`${statement} from ${many}`);
    expect([status, rule]).toEqual([400, "L-11"]);
    await db.close();
  });

  it("get a short message about a long name", async () => {
    const { db, sql } = await openShop(await fresh("statements_message"));
    for (const type of ["regoper", "regproc"]) {
      const { status, message } = await sql(`select '${"a".repeat(90_000)}'::${type} is null`);
      expect([status, message.length < 1100]).toEqual([400, true]);
    }
    await db.close();
  });

  it.each([
    `${"/*".repeat(1001)}${"*/".repeat(1001)}`,
    `${"+".repeat(1001)}1`,
    `${", 1".repeat(2001)}`,
    `/* ${"a".repeat(100_000)} */`,
    `from users${" cross join users a".repeat(51)}`,
    `${" union select 1".repeat(200)}`,
  ])("are refused if PostgreSQL would read them in quadratic time or memory: %#", async (tail) => {
    const { db, sql } = await openShop(await fresh("statements_quadratic"));
    const { status, message } = await sql(`select 1 ${tail}`);
    expect([status, message.slice(0, 16)]).toEqual([400, "expected at most"]);
    expect((await sql(`select 1 /*${"*".repeat(990)}*/ as a`)).status).toBe(200);
    await db.close();
  });

  it.each([
    `select 3 /* ${"a".repeat(90_000)} */`,
    `select 3${", 1".repeat(1500)}`,
    `select 3 where ${"exists(select * from users) and ".repeat(198)} true`,
  ])("do not fill the memory of a connection, which is closed in time: %#", async (statement) => {
    const url = await fresh("statements_left");
    const { db, sql } = await openShop(url, { connections: 1 });
    const backend = (): Promise<number> =>
      onServer(url, async (client) => {
        const { rows } = await client.query(`select pid from pg_stat_activity
          where datname = current_database() and application_name = 'twinbase'`);
        return rows[0].pid;
      });
    await sql("select 1");
    const first = await backend();
    await sql("select 2");
    expect(await backend()).toBe(first);
    for (let i = 0; i < 8; i++) expect((await sql(statement)).status).toBe(200);
    expect((await sql("select 4 as a")).records).toEqual([{ a: 4 }]);
    expect(await backend()).not.toBe(first);
    await db.close();
  });

  it("L-11: are refused for too many short rows", async () => {
    const { db, sql } = await openShop(await fresh("statements_short"));
    const { status, rule } = await sql("select true from generate_series(1, 700000)");
    expect([status, rule]).toEqual([400, "L-11"]);
    await db.close();
  });

  it.each([
    ["select repeat('x', 1100000000)", "requested length too large"],
    ["select lpad('x', 1100000000)", "requested length too large"],
    ["select array_fill(1, array[1000000000])", "array size exceeds"],
    ["select repeat('x', 70000000)", "the answer is longer than"],
    ["select repeat('x', 1000000) from generate_series(1, 100)", "the answer is longer than"],
  ])("have a memory limit: %s", async (statement, how) => {
    const { db, sql } = await openShop(await fresh("statements_memory"));
    const { status, message } = await sql(statement);
    expect([status, message.slice(0, how.length)]).toEqual([400, how]);
    await db.close();
  });

  it("have a limit on temporary files", async () => {
    const url = await fresh("statements_files");
    const mayLimit = await onServer(url, async (client) => {
      const { rows } = await client.query("select current_setting('is_superuser') = 'on' as may");
      return rows[0].may as boolean;
    });
    const { db, sql } = await openShop(url);
    const wide = "select repeat('x', 1000) || n as t from generate_series(1, 4000000) n";
    const { status, message } = await sql(`select max(t) from (${wide} order by t) w`);
    // Without the privilege to limit files, the time limit applies.
    expect(mayLimit ? [400] : [400, 408]).toContain(status);
    if (status === 400) expect(message).toContain("temp_file_limit");
    await db.close();
  });

  it("L-10: share one time limit in a batch", async () => {
    const { db, batch, sql } = await openShop(await fresh("statements_batch"), {
      statementTimeout: 1000,
      connections: 1,
    });
    const many = new Array<string>(1000).fill("select count(*) from generate_series(1, 100000)");
    const { status, code, path } = await batch(...many);
    expect([status, code]).toEqual([408, "query_timeout"]);
    expect(path).toMatch(/^\/statements\/\d+\/statement$/);
    expect((await sql("select 1 as a")).records).toEqual([{ a: 1 }]);
    await db.close();
  });

  it("lose no update to another process", async () => {
    const url = await fresh("statements_writers");
    const one = await openShop(url);
    const other = await openAgain(url);
    const statuses: number[] = [];
    const writer = async (db: typeof other): Promise<void> => {
      for (let i = 0; i < 20; i++) {
        const body = JSON.stringify({
          statement: "update users set age = age + 1 where id = 'u1' returning age",
        });
        const { status } = await db.fetch("http://localhost/db/shop:main/sql", {
          method: "POST",
          body,
        });
        statuses.push(status);
      }
    };
    await Promise.all([one.db, other, one.db, other].map(writer));
    const { records } = await one.sql(`select age, "xata.version" as v from users where id = 'u1'`);
    const done = statuses.filter((status) => status === 200).length;
    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
    expect(records).toEqual([{ age: 30 + done, v: done }]);
    expect(done).toBeGreaterThan(40);
    await Promise.all([one.db.close(), other.close()]);
  });
});

const runs = runsHere("other roles", "a superuser to create them");

describe.runIf(runs)("with other roles", () => {
  it("rejects functions created in pg_catalog", async () => {
    const url = await fresh("statements_extended");
    const admin = new pg.Client(url);
    await admin.connect();
    const { db, sql } = await openShop(url);
    await admin.query(
      "create function pg_catalog.mine() returns int language sql immutable as 'select 1'",
    );
    const { status, message } = await sql("select mine()");
    expect([status, message]).toEqual([400, "permission denied, or nothing of that name"]);
    await db.close();
    await admin.end();
  });

  it("names the missing privileges, and works after they are granted", async () => {
    const url = await fresh("statements_role");
    const admin = new pg.Client(url);
    await admin.connect();
    const { rows } = await admin.query<{ is: boolean }>(
      "select exists (select from pg_roles where rolname = 'twinbase_sql') as is",
    );
    await admin.query("create role plain login");
    await admin.query(`grant create on database ${new URL(url).pathname.slice(1)} to plain`);
    const { db, sql } = await openShop(url.replace("//test@", "//plain@"));
    const refused = await sql("select 1 as a");
    expect(refused).toMatchObject({ status: 501, code: "not_implemented" });
    expect(refused.message).toContain("create role twinbase_sql nologin");
    if (!rows[0]?.is) await admin.query("create role twinbase_sql nologin");
    await admin.query("grant twinbase_sql to plain");
    expect((await sql("select 1 as a")).records).toEqual([{ a: 1 }]);
    const { records } = await sql("update teams set name = 'A' where id = 't1' returning name");
    expect(records).toEqual([{ name: "A" }]);
    expect((await sql("select set_config('role', 'plain', true)")).status).toBe(400);
    await db.close();
    await admin.end();
  });
});
