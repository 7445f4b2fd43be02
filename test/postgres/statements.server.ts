import pg from "pg";
import { describe, expect, inject, it } from "vitest";
import { freshDatabase, runsHere } from "./cluster.js";
import { describeStatements } from "./statements/cases.js";
import { describeEscapes } from "./statements/escapes.js";
import { openAgain, openShop } from "./statements/fixture.js";

const fresh = (name: string): Promise<string> => freshDatabase(inject("postgresUrl"), name);

// One after the other: in a cluster both are in one database.
describe("statements", () => describeStatements(() => fresh("statements")));
describe("escapes", () => describeEscapes(() => fresh("escapes")));

describe("statements on a server", () => {
  it("L-10: are ended after a time, and the connection goes on", async () => {
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

  it("lose no write to another: what they were computed from is as they saw it", async () => {
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

const runs = runsHere("a role without rights", "another role, made for it");

describe.runIf(runs)("a role without rights", () => {
  it("is told what SQL needs, and runs it from then on", async () => {
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
