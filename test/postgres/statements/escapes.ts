import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PostgresTarget } from "../../../src/postgres.js";
import { defineColumns } from "../../columns.js";
import { ABSENT, ATTACKS } from "./attacks.js";
import { openShop, type Shop, said } from "./fixture.js";

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

  const attacks = ATTACKS.map(([what, ...refusals]) => ({
    what,
    tried: refusals.flatMap(([how, ...statements]) =>
      statements.map((statement) => ({ how, statement })),
    ),
  }));

  describe.each(attacks)("a statement that $what", ({ tried }) => {
    it("is refused, whatever goes before it, and has done nothing", async () => {
      const before = await contents();
      for (const { how, statement } of tried) {
        const answer = await shop.sql(statement);
        expect([answer.status, answer.code], statement).toEqual([400, "invalid_request"]);
        if (!ABSENT.test(answer.message)) {
          expect(answer.message.slice(0, how.length), statement).toBe(how);
        }
        // The message may name what the statement names, and nothing that it does not.
        const told = answer.message.replaceAll(/\btb_\d+\b|twinbase statement/g, (name) =>
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
        main.createTable(name, defineColumns({ oid: "int", ctid: "string", select: "string" }));
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
