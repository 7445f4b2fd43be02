import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PostgresTarget } from "../../../src/postgres.js";
import { openShop, type Shop, said } from "./fixture.js";

/** What runs, and what it says, on whatever database: nothing of it may be done. */
const ESCAPES: readonly (readonly [what: string, ...statements: string[]])[] = [
  [
    "leaves the role",
    "set role postgres",
    "reset role",
    "reset all",
    "set session authorization default",
    "select set_config('role', 'none', true)",
    "select pg_catalog.set_config('role', session_user, false)",
    "update users set name = set_config('role', 'none', false)",
    "discard all",
    "grant twinbase_sql to public",
    "alter role twinbase_sql superuser",
    "create role mallory superuser",
  ],
  [
    "is several statements",
    "select 1; select 2",
    "select 1; reset role; select * from twinbase.documents",
    "end",
    "commit",
    "rollback",
    "rollback to savepoint statement",
    "select 1; end",
    "select 1; end; create table tb_1.mine (a int); select 1",
    "begin atomic select 1; end",
    "savepoint a",
    "release savepoint statement",
    "prepare transaction 'a'",
  ],
  [
    "runs SQL out of a text",
    "do $$ begin reset role; end $$",
    "call pg_catalog.pg_sleep(1)",
    "select query_to_xml('select * from twinbase.documents', true, true, '')",
    "select table_to_xml('pg_catalog.pg_class', true, true, '')",
    "select schema_to_xml('twinbase', true, true, '')",
    "select cursor_to_xml('c', 1, true, true, '')",
    "select * from ts_stat('select 1')",
    "select ts_rewrite('a'::tsquery, 'select 1')",
    "prepare s as select 1",
    "execute s",
    "deallocate all",
    "declare c cursor with hold for select 1",
    "fetch all from c",
    "create function f() returns int language sql as 'select 1'",
    "create temp view v as select 1",
    "create rule r as on select to users do instead select 1",
  ],
  [
    "reads the catalog, or another database",
    "select * from twinbase.documents",
    "select * from tb_2.t4",
    "select * from tb_1.version",
    "select * from pg_class",
    "select * from pg_catalog.pg_proc",
    "select * from pg_stat_activity",
    "select * from pg_settings",
    "select * from pg_prepared_statements",
    "select * from information_schema.tables",
    "select 1 where exists (select from pg_class)",
    "with a as (table pg_roles) select * from a",
    "select (select count(*) from pg_class)",
    "select case when (select count(*) from pg_namespace) > 1 then 1 end from users",
    'select * from "twinbase changes"',
    'select * from pg_temp."twinbase changes"',
    "insert into \"twinbase changes\" values ('users', 'DELETE', '{}', null)",
    'select last_value from pg_temp."twinbase ids"',
    "insert into tb_2.t4 (id) values ('x')",
    "delete from twinbase.documents",
    "update tb_1.version set version = 0",
    "select pg_get_viewdef('users'::regclass)",
    "select 'users'::regclass::oid",
    "select 1259::regclass::text",
    "select array[1259]::regclass[]::text",
    "select to_regclass('tb_2.t4')",
    "select pg_relation_size('tb_2.t4')",
    "select has_table_privilege('tb_2.t4', 'select')",
    "select col_description(1, 1)",
    "select satisfies_hash_partition(1259::oid, 2, 0, 1)",
    "select makeaclitem(10, 10, 'SELECT', false)::text",
    "select acldefault('r', 10)::text",
    "select null::aclitem[]",
    "select b::text from xmltable('/a' passing '<a>1259</a>' columns b regclass path '.')",
    "select a::text from json_to_record('{\"a\": 1259}') as x(a regclass)",
    "select x::text from json_to_record('{\"a\": 1259}') as x(b int, a regclass)",
    "select x::text from json_table('[1259]', '$[*]' columns (b int path '$', a regclass path '$')) x",
    "select json_value('1259', '$' returning regclass)::text",
    "select json_populate_record(null::pg_aggregate, '{\"aggfnoid\": 1300}')::text",
    "select json_populate_recordset(null::pg_catalog.pg_aggregate, '[{\"aggfnoid\": 1300}]')::text",
    "select '{}'::pg_aggregate[]",
    "select session_user",
    "select name, upper(current_catalog) from users",
    "select current_setting('data_directory')",
    "show all",
    "explain (analyze, verbose) select * from users",
    "explain select * from users",
  ],
  [
    "reaches the server, its files or its network",
    "copy (select 1) to program 'id'",
    "copy users from program 'id'",
    "copy users to '/var/users'",
    "select pg_read_file('/etc/passwd')",
    "select pg_read_binary_file('/etc/passwd')",
    "select * from pg_ls_dir('/')",
    "select lo_import('/etc/passwd')",
    "select lo_from_bytea(0, 'x')",
    "select lo_create(0)",
    "select * from dblink('host=localhost', 'select 1') as t(a int)",
    "select xmlparse(document '<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>')::text like '%root%' or 1 / 0 = 1",
    "load 'plpgsql'",
    "create extension dblink",
    "alter system set work_mem = '1MB'",
    "select pg_reload_conf()",
  ],
  [
    "troubles other sessions",
    "select pg_sleep(60)",
    "update users set name = pg_sleep(60)::text",
    "select pg_advisory_lock(8315161595823087)",
    "select pg_advisory_xact_lock(8315161595823087)",
    "select pg_try_advisory_lock(1)",
    "select pg_terminate_backend(1)",
    "select pg_cancel_backend(1)",
    "select pg_notify('a', 'b')",
    "listen a",
    "notify a",
    "lock table users",
    "select pg_export_snapshot()",
    "vacuum",
    "truncate users",
    "drop view users",
    "drop table tb_1.t1 cascade",
    "drop schema tb_1 cascade",
    "create temp table t (a int)",
    "create temp table t as select 1",
    "select 1 as a into t",
    "alter table users add column a int",
    "set statement_timeout = 0",
    "select set_config('statement_timeout', '0', false)",
    "select set_config('TimeZone', 'Asia/Tokyo', false)",
    "select setseed(0)",
    "select nextval('pg_temp.\"twinbase ids\"')",
  ],
];

/** Requires that no statement reaches more than the tables of its branch. */
export function describeEscapes(target: () => Promise<PostgresTarget>): void {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(await target());
    // What is made once is there.
    await shop.sql("select 1");
  });
  afterAll(() => shop.db.close());

  const contents = async (): Promise<string> => {
    const engine = await shop.db.toEngine();
    const databases = engine.workspace("w").databases();
    const branches = databases.flatMap(({ name }) => {
      const database = engine.workspace("w").database(name);
      return database
        .branches()
        .map((branch) => [name, branch.name, database.branch(branch.name)] as const);
    });
    return JSON.stringify(
      branches.map(([database, name, branch]) => [
        database,
        name,
        branch.tables().map((table) => [table.name, [...branch.table(table.name).scan()]]),
      ]),
    );
  };

  describe.each(ESCAPES)("a statement that %s", (_, ...statements) => {
    it("is refused, whatever goes before it, and has done nothing", async () => {
      const before = await contents();
      for (const statement of statements) {
        const answer = await shop.sql(statement);
        expect(answer.status, statement).toBe(400);
        expect(answer.code, statement).toBe("invalid_request");
        // The message may name what the statement names, and nothing that it does not.
        const told = answer.message.replaceAll(/\btb_\d+\b/g, (name) =>
          statement.includes(name) ? "" : name,
        );
        expect(told, statement).not.toMatch(/\btb_\d|pg_temp_|twinbase statement|hunter2/);
        const batch = await shop.batch("select * from users", statement);
        expect(batch.status, statement).toBe(400);
      }
      expect(await contents()).toBe(before);
      const { records } = await shop.sql(
        "select count(*) as users, current_user::text as role, '2024-01-01'::timestamptz as time from users",
      );
      expect(records).toEqual([{ users: 2, role: "twinbase_sql", time: "2024-01-01T00:00:00Z" }]);
    });
  });

  it.each([
    "select * from S.t1",
    "select * from S.version, users",
    "insert into S.t1 (id) values ('x')",
    "select S.f()",
    "select * from S.f() r",
    "select null::S.t1",
    "select null::S.t1[]",
    "select 1 operator(S.+) 1",
    "select 'a' collate S.x",
    "select 'S.t1'::regclass",
    "select 'S.f'::regproc",
    "select 'S'::regnamespace",
    "select 'S.x'::regconfig",
    "select cast(null as S.x)",
    "select * from json_to_record('{}') as r(a S.t1)",
  ])("does not tell which schemas there are: %s", async (statement) => {
    const answers = await Promise.all(
      ["tb_1", "tb_2", "twinbase", "tb_99", "nobodys"].map(async (schema) => {
        const { status, code, message } = await shop.sql(statement.replaceAll("S", schema));
        return [status, code, message.replaceAll(schema, "S")];
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size, String(answers)).toBe(1);
    expect(answers[0]?.[0]).toBe(400);
  });

  it("does not tell which roles there are", async () => {
    const answers = await Promise.all(
      ["twinbase_sql", "test", "postgres", "nobodys"].map(async (role) => {
        return (await shop.sql(`select '${role}'::regrole`)).message;
      }),
    );
    expect(new Set(answers).size, String(answers)).toBe(1);
  });

  it("leaves nothing of a statement to the next, in a session or out of it", async () => {
    await shop.sql("insert into teams (name) values ('a')");
    await shop.sql("select * from users, teams");
    const { message } = await shop.sql('select * from "twinbase changes"');
    expect(message).toBe(said('relation "twinbase changes" does not exist'));
    const engine = await shop.db.toEngine();
    expect(engine.workspaces().map(({ id }) => id)).toEqual(["w"]);
  });

  it("names in a table that shadows the database's own change nothing", async () => {
    await shop.db.change((engine) => {
      const main = engine.workspace("w").database("shop").branch("main");
      for (const name of ["pg_class", "text", "int8", "twinbase", "select"]) {
        main.createTable(name, [
          { name: "oid", type: "int" },
          { name: "ctid", type: "string" },
          { name: "select", type: "string" },
        ]);
      }
    });
    const insert = await shop.sql(
      `insert into "text" (oid, ctid, "select") values (1, 'a', 'b') returning oid::int8, ctid::text, "select"`,
    );
    expect(insert).toMatchObject({ status: 200, records: [{ oid: 1, ctid: "a", select: "b" }] });
    const own = await shop.sql("select count(*)::int8 as n from pg_temp.pg_class");
    expect(own).toMatchObject({ status: 200, records: [{ n: 0 }] });
    const { message } = await shop.sql("select count(*)::int8 as n from pg_class");
    expect(message).toBe(said("permission denied for table pg_class"));
  });
}
