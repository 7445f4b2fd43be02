import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PostgresTarget } from "../../../src/postgres.js";
import { createCheck } from "../../http/description.js";
import { NOW, openShop, type Shop } from "./fixture.js";

const TIME = new Date(NOW).toISOString().replace(".000", "");
const SQL_TIME = TIME.replace("T", " ").replace("Z", "+00");

/**
 * Tests of SQL statements.
 *
 * @param merges whether the server supports `merge` into views
 */
export function describeStatements(
  target: () => Promise<PostgresTarget>,
  merges: () => Promise<boolean> = async () => true,
): void {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(await target());
  });
  afterAll(() => shop.db.close());

  const records = async (statement: string, params?: unknown[]): Promise<unknown[]> => {
    const answer = await shop.sql(statement, params);
    expect(answer.status, answer.message).toBe(200);
    return answer.records;
  };

  describe("a statement that reads", () => {
    it("reads tables and columns by name, with types of PostgreSQL", async () => {
      const { columns, total } = await shop.sql("select * from users");
      expect(columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
        "id text",
        "xata.version int4",
        "xata.createdAt timestamptz",
        "xata.updatedAt timestamptz",
        "name text",
        "email text",
        "age int8",
        "rating float8",
        "active bool",
        "bio text",
        "born timestamptz",
        "labels _text",
        "team text",
        "settings jsonb",
        "place _float8",
        "portrait jsonb",
        "papers jsonb",
        "address.city text",
        "address.zip int8",
      ]);
      expect(total).toBe(2);
      const [ann, bob] = await records("select * from users order by id");
      expect(ann).toMatchObject({
        id: "u1",
        age: 30,
        rating: 4.5,
        active: true,
        born: "1994-01-02 03:04:05.006007+00",
        labels: ["red", 'a"b'],
        settings: { theme: { dark: true }, "zero\u0000": 1 },
        place: [0.5, -1],
        portrait: { name: "a.png", size: 5 },
        papers: [{ name: "b.txt" }],
        "address.city": "Oslo",
        "address.zip": null,
        "xata.version": 0,
        "xata.createdAt": SQL_TIME,
      });
      expect(JSON.stringify(ann)).not.toContain("aGVsbG8");
      expect(bob).toMatchObject({ id: "u2", name: "Bob\u0000\u0001", labels: null });
    });

    it("returns times that drizzle reads with and without `withTimezone`", async () => {
      const rows = (await records(
        "select born, born::timestamp as local, array[born] as list from users where id = 'u1'",
      )) as { born: string; local: string; list: string[] }[];
      const [{ born, local, list }] = rows as [(typeof rows)[number]];
      const time = Date.parse("1994-01-02T03:04:05.006Z");
      // As its columns decode them: it appends the offset without `withTimezone`.
      expect([born, `${born}+0000`, `${local}+0000`].map((text) => Date.parse(text))).toEqual(
        Array(3).fill(time),
      );
      expect([local, list]).toEqual([
        "1994-01-02 03:04:05.006007",
        ["1994-01-02T03:04:05.006007+00:00"],
      ]);
    });

    it("joins, groups and orders, with trailing semicolons and comments", async () => {
      const statement = `select t.name, count(u.id) as n, sum(age)::int8 from teams t
        left join users u on u.team = t.id group by t.id, t.name order by 1 desc; -- by name`;
      expect(await records(statement)).toEqual([
        { name: "Bees", n: 0, sum: null },
        { name: "Ants", n: 1, sum: 30 },
      ]);
    });

    it("converts parameters to the types of their uses", async () => {
      const statement = "select id from users where age > $1 and name = $2 and email = any($3)";
      const values = ["Bob\u0000\u0001", ["bob@example.com", "'; drop table users"]];
      expect(await records(statement, ["30", ...values])).toEqual([{ id: "u2" }]);
      expect(await records(statement, [40, ...values])).toEqual([]);
      const given = [1, "2", [1, { b: "\u0000" }], true, null, ['a"\\', null], '{"c": "\\u0000"}'];
      expect(
        await records(
          "select $1::int + 1 as a, $2 || 'x' as b, $3::jsonb as c, $4::bool as d, $5::date as e, $6::text[] as f, $7::json as g",
          given,
        ),
      ).toEqual([
        {
          a: 2,
          b: "2x",
          c: [1, { b: "\u0000" }],
          d: true,
          e: null,
          f: ['a"\\', null],
          g: { c: "\u0000" },
        },
      ]);
      const many = Array.from({ length: 100 }, (_, i) => i);
      const sum = `select ${many.map((i) => `$${i + 1}::int`).join(" + ")} as sum`;
      expect(await records(sum, many)).toEqual([{ sum: 4950 }]);
    });

    it("T-4: refuses lone surrogates in parameters", async () => {
      for (const [value, path] of [
        ["\ud800", "/params/0"],
        [["a", "\udfff"], "/params/0"],
      ]) {
        const answer = await shop.sql("select $1::text as a", [value]);
        expect([answer.status, answer.rule, answer.path]).toEqual([400, "T-4", path]);
      }
    });

    it("E-4: returns deeply nested JSON with escaped characters", async () => {
      const nested = `repeat('[', 3000) || '"\\u0001\\\\u0001"' || repeat(']', 3000)`;
      const answer = await shop.sql(`select (${nested})::json as a`);
      expect(answer.status).toBe(200);
      const inner = JSON.stringify(answer.records[0]?.a).slice(3000, -3000);
      expect(JSON.parse(inner)).toBe("\u0001\\u0001");
    });

    it("returns rows as arrays on request, and numbers with all digits", async () => {
      const statement =
        "select 1 as a, 2 as a, 'x'::bpchar, 'NaN'::float8, '{{1},{null}}'::int[], '1 day'::interval";
      const {
        status,
        rows,
        records: none,
        columns,
      } = await shop.post("shop:main/sql", {
        statement,
        responseType: "array",
        consistency: "eventual",
        params: null,
      });
      expect([status, rows, none]).toEqual([
        200,
        [[1, 2, "x", "NaN", [[1], [null]], "1 day"]],
        undefined,
      ]);
      expect(columns.map(({ type }) => type)).toEqual([
        "int4",
        "int4",
        "bpchar",
        "float8",
        "_int4",
        "interval",
      ]);
      expect(await records("select 1 as a, 2 as a")).toEqual([{ a: 2 }]);
      const response = await shop.db.fetch("http://localhost/db/shop:main/sql", {
        method: "POST",
        body: '{"statement": "select 12345678901234567890.10 as n"}',
      });
      expect(await response.text()).toContain('{"n":12345678901234567890.10}');
    });

    it("L-11: is refused for an answer above the limit", async () => {
      const { status, rule, path } = await shop.sql(
        "select repeat('x', 1000000) from generate_series(1, 70)",
      );
      expect([status, rule, path]).toEqual([400, "L-11", "/statement"]);
    });

    it("supports rows, lists and JSON as values", async () => {
      const found = await records(`select (t).name, row_to_json(t)->>'name' as json,
          (select array_length(array_agg(a), 1) from teams a) as rows, x.n, e.key, p."Size"
        from teams t, json_to_record('{"n": 1}') as x(n int), json_each('{"k": 1}') e,
          json_populate_record(null::teams, '{"Size": 7}') p
        where t.id = 't1'`);
      expect(found).toEqual([{ name: "Ants", json: "Ants", rows: 2, n: 1, key: "k", Size: 7 }]);
    });

    it("gets a truncated error message", async () => {
      const { status, message } = await shop.sql("select repeat('x', 3000000)::int");
      expect(status).toBe(400);
      const start = 'invalid input syntax for type integer: "';
      expect(message).toBe(start.padEnd(1000, "x"));
    });

    it("is refused if it contains U+0000", async () => {
      for (const statement of ["select 1\0", "select '\0'", "select 1;\0 end; select 2"]) {
        const { status, code, path } = await shop.sql(statement);
        expect([status, code, path]).toEqual([400, "invalid_request", "/statement"]);
      }
    });

    it("reads only tables of its branch", async () => {
      const empty = await shop.post("shop:empty/sql", { statement: "select * from users" });
      expect(empty.message).toBe('relation "users" does not exist');
      const other = await shop.sql("select * from passwords");
      expect(other.status).toBe(400);
      expect(other.message).toBe('relation "passwords" does not exist');
      const own = await shop.post("secrets:main/sql", { statement: "select * from passwords" });
      expect(own.records).toMatchObject([{ id: "p1", word: "hunter2" }]);
    });

    it("reads changes of records and schema by other calls at once", async () => {
      await shop.db.change((engine) => {
        const main = engine.workspace("w").database("shop").branch("main");
        main.createTable("Odd~name-1", [{ name: "a-b", type: "int" }]);
      });
      const odd = { database: "shop" };
      await shop.db.transact(odd, (main) => void main.table("Odd~name-1").insert({ "a-b": 4 }));
      expect(await records('select "a-b" from "Odd~name-1"')).toEqual([{ "a-b": 4 }]);
      await shop.db.change((engine) => {
        engine.workspace("w").database("shop").branch("main").deleteTable("Odd~name-1");
      });
      expect((await shop.sql('select * from "Odd~name-1"')).status).toBe(400);
    });
  });

  describe("a statement that writes", () => {
    it("R-6: sets ids, versions and times like other writes", async () => {
      const inserted = await records("insert into teams (name) values ($1), ('Dogs') returning *", [
        "Cats\u0000",
      ]);
      const expected = {
        Size: 3,
        "xata.version": 0,
        "xata.createdAt": SQL_TIME,
        "xata.updatedAt": SQL_TIME,
      };
      expect(inserted).toEqual([
        { id: expect.stringMatching(/^rec_[0-9a-v]{20}$/), name: "Cats\u0000", ...expected },
        { id: expect.stringMatching(/^rec_[0-9a-v]{20}$/), name: "Dogs", ...expected },
      ]);
      const [cats, dogs] = inserted as { id: string }[];
      expect(cats!.id < dogs!.id).toBe(true);
      expect(
        await records(
          'update teams set "Size" = "Size" + 1 where id = any($1) returning "Size", "xata.version" as v',
          [[cats!.id, dogs!.id]],
        ),
      ).toEqual([
        { Size: 4, v: 1 },
        { Size: 4, v: 1 },
      ]);
      const filter = { id: { $any: [cats!.id, dogs!.id] } };
      const shown = await shop.db.query({ database: "shop", table: "teams" }, { filter });
      expect(shown.records).toMatchObject([
        { name: "Cats\u0000", Size: 4, xata: { version: 1, createdAt: TIME } },
        { name: "Dogs", Size: 4, xata: { version: 1 } },
      ]);
      expect(await records("delete from teams where id = any($1)", [[cats!.id, dogs!.id]])).toEqual(
        [],
      );
      const left = await shop.db.query({ database: "shop", table: "teams" }, { filter });
      expect(left.records).toEqual([]);
    });

    it("writes every type of column", async () => {
      await records(
        `insert into users (id, rating, active, bio, born, labels, team, settings, place, "address.city")
          values ('u5', 0.1, false, E'\\n', '2020-01-01 00:00:00.000001+01', array['x', 'y'], 't1', $1, '{1,2}', 'Rome')`,
        [{ a: "\u0000" }],
      );
      await records(
        `update users set "address.zip" = 7, settings = settings || '{"b": [1]}' where id = 'u5'`,
      );
      const { records: found } = await shop.db.query(
        { database: "shop", table: "users" },
        { filter: { id: "u5" } },
      );
      expect(found).toMatchObject([
        {
          rating: 0.1,
          active: false,
          bio: "\n",
          born: "2019-12-31T23:00:00.000001Z",
          labels: ["x", "y"],
          team: { id: "t1" },
          settings: '{"a":"\\u0000","b":[1]}',
          place: [1, 2],
          address: { city: "Rome", zip: 7 },
          xata: { version: 1 },
        },
      ]);
      await records("delete from users where id = 'u5'");
    });

    it("loads all records that it changes at once", async () => {
      const many = "insert into teams (name) select 'many ' || n from generate_series(1, $1) n";
      const statementsOf = async (count: number): Promise<number> => {
        await records(many, [count]);
        const before = shop.db.stats().statements;
        await records(`update teams set "Size" = "Size" + 1 where name like 'many%'`);
        const { statements } = shop.db.stats();
        expect(await records(`select "Size" from teams where name like 'many%'`)).toEqual(
          Array(count).fill({ Size: 4 }),
        );
        await records("delete from teams where name like 'many%'");
        return statements - before;
      };
      expect(await statementsOf(200)).toBe(await statementsOf(2));
    });

    it("T-11: stores strings of JSON as they are", async () => {
      const stored = ["1", "hello", '{"a":1}'];
      for (const [i, value] of stored.entries()) {
        const id = `json${i}`;
        await records("insert into users (id, settings) values ($1, to_jsonb($2::text))", [
          id,
          value,
        ]);
        await records("update users set age = 1 where id = $1", [id]);
        const { db } = shop;
        const found = await db.transact({ database: "shop" }, (main) =>
          main.table("users").get(id),
        );
        expect(found?.settings).toBe(JSON.stringify(value));
        await records("delete from users where id = $1", [id]);
      }
    });

    it("refuses on conflict", async () => {
      for (const id of ["t1", "t77"])
        for (const action of ["do nothing", "(id) do nothing", "(id) do update set name = 'x'"]) {
          const insert = `insert into teams (id) values ('${id}') on conflict ${action}`;
          for (const statement of [insert, `with a as (${insert} returning id) select * from a`]) {
            const answer = await shop.sql(statement);
            expect(answer.status, answer.message).toBe(400);
          }
        }
    });

    it("E-3: refuses unused parameters", async () => {
      const { status, message } = await shop.sql("select 1 as a", [1]);
      expect(status).toBe(400);
      const text = "invalid SQL: unused parameters: used 0 of 1 parameters";
      expect(message).toContain(text);
      for (const statement of ["select * fro teams where id = $1", "nonsense"]) {
        expect(await shop.sql(statement, ["t1"])).toMatchObject({ status: 400, message: text });
        expect((await shop.sql(statement)).message).toContain("syntax error");
      }
    });

    it("writes to several tables", async () => {
      expect(
        await records(
          "with t as (insert into teams (id, name) values ('t8', 'Eight') returning id) insert into users (id, team) select 'u8', id from t returning team",
        ),
      ).toEqual([{ team: "t8" }]);
      await records("delete from teams where id = 't8'");
      await records("delete from users where id = 'u8'");
    });

    it("supports merge from PostgreSQL 17 on", async () => {
      await records("insert into teams (id, name) values ('t8', 'Eight')");
      const merge =
        await shop.sql(`merge into teams t using (values ('t8', 'Acht'), ('t7', 'Sieben')) v(id, name)
        on t.id = v.id when matched then update set name = v.name
        when not matched then insert (id, name) values (v.id, v.name)`);
      const found = await records("select id, name from teams where id in ('t7', 't8') order by 1");
      await records("delete from teams where id in ('t7', 't8')");
      if (await merges()) {
        expect([merge.status, found]).toEqual([
          200,
          [
            { id: "t7", name: "Sieben" },
            { id: "t8", name: "Acht" },
          ],
        ]);
      } else {
        expect([merge.status, found]).toEqual([400, [{ id: "t8", name: "Eight" }]]);
        expect(merge.message).toMatch(/^(?:cannot execute MERGE|syntax error)/);
      }
    });

    it("E-8: refuses a taken unique value in the words of the service", async () => {
      const { message } = await shop.sql("insert into teams (id, name) values ('x', 'Ants')");
      expect(message).toContain("invalid record: column [name]: is not unique");
    });

    it("enforces the rules of records, and changes nothing after a violation", async () => {
      const refused: [statement: string, code: string, rule: string, part: string][] = [
        [
          "insert into users (id, email) values ('x', 'x@y.z'), ('y', 'nonsense')",
          "invalid_record",
          "T-6",
          "email",
        ],
        ["insert into teams (id, name) values ('x', 'Ants')", "invalid_record", "T-16", "unique"],
        [`insert into teams (id, "Size") values ('x', null)`, "invalid_record", "T-16", "null"],
        ["insert into teams (id) values ('t1')", "id_in_use", "R-3", "already exists"],
        ["insert into users (id, rating) values ('x', 'NaN')", "invalid_record", "T-3", "rating"],
        [
          "insert into users (id, labels) values ('x', array[null])",
          "invalid_record",
          "T-8",
          "labels",
        ],
        [`update users set age = 9007199254740993`, "invalid_record", "T-2", "age"],
        ["update users set portrait = '{}' where id = 'u1'", "invalid_request", "H-1", "files"],
        ["update users set id = 'x'", "invalid_request", "E-3", "id"],
        [`update users set "xata.version" = 9`, "invalid_request", "E-3", "metadata"],
        [
          `insert into teams ("xata.createdAt") values (now())`,
          "invalid_request",
          "E-3",
          "metadata",
        ],
      ];
      const all =
        "select u.*, t.* from users u full join teams t on t.id = u.team order by u.id, t.id";
      const before = await records(all);
      for (const [statement, code, rule, part] of refused) {
        const answer = await shop.sql(statement);
        const { status, path } = answer;
        expect({ status, path, code: answer.code, rule: answer.rule }, statement).toEqual({
          status: 400,
          path: "/statement",
          code,
          rule,
        });
        expect(answer.message).toContain(part);
      }
      expect(await records(all)).toEqual(before);
    });
  });

  describe("a batch", () => {
    it("runs its statements in order", async () => {
      const { status, results } = await shop.batch(
        `update teams set "Size" = 9 where id = 't1'`,
        [`update teams set "Size" = "Size" + $1 where id = 't1'`, [1]],
        `select "Size", "xata.version" as v from teams where id = 't1'`,
      );
      expect(status).toBe(200);
      expect(results[2]).toMatchObject({ records: [{ Size: 10, v: 2 }], total: 1 });
      expect(await shop.batch()).toMatchObject({ status: 200, results: [] });
    });

    it("E-5: is atomic, and reports the invalid statement", async () => {
      const answer = await shop.batch(
        `update teams set "Size" = 77 where id = 't1'`,
        "insert into teams (id) values ('new')",
        "select 1 / 0",
      );
      expect(answer).toMatchObject({
        status: 400,
        message: "division by zero",
        path: "/statements/2/statement",
      });
      expect(await records(`select count(*) from teams where "Size" = 77 or id = 'new'`)).toEqual([
        { count: 0 },
      ]);
    });
  });

  describe("a request", () => {
    it.each<[body: unknown, path: string]>([
      [{ statement: " \n" }, "/statement"],
      [{ statement: "-- nothing" }, "/statement"],
      [{ statement: "select 1", params: [1] }, "/params"],
      [{ statement: "select $1::int", params: [] }, "/params"],
      [{ statement: "select $1::int", params: ["x"] }, "/statement"],
      [{ statement: "select $2::int", params: [1, 2] }, "/statement"],
    ])("E-3: is refused with its path: %j", async (body, path) => {
      const answer = await shop.post("shop:main/sql", body);
      expect(answer).toMatchObject({ status: 400, code: "invalid_request", path });
    });

    it("E-6: is refused for an unknown name in its address first", async () => {
      expect(await shop.post("nothing:main/sql", {})).toMatchObject({ code: "database_not_found" });
      expect(await shop.post("shop:none/sql", { a: 1 })).toMatchObject({
        code: "branch_not_found",
      });
      expect(await shop.post("shop:main/sql?a=1", {})).toMatchObject({ status: 400 });
    });

    it("gets the database's message for invalid SQL", async () => {
      const message = async (text: string): Promise<string> => (await shop.sql(text)).message;
      expect(await message("selec 1")).toBe('syntax error at or near "selec"');
      expect(await message("select nope from users")).toBe('column "nope" does not exist');
      expect(await message("select * from userz")).toBe('relation "userz" does not exist');
      expect(await message("select 1 / (age - 30) from users")).toBe("division by zero");
      expect(await message("select name::int from users")).toMatch(/^invalid input syntax/);
    });

    it("is answered as the OpenAPI description says", async () => {
      const response = await shop.db.fetch("http://localhost/openapi.json");
      const description = (await response.json()) as Parameters<typeof createCheck>[0];
      const check = createCheck(description);
      for (const [path, body] of [
        ["sql", { statement: "select * from users" }],
        ["sql", { statement: "select 1", responseType: "array" }],
        ["sql", { statement: "select" }],
        ["sql", { statement: "selec" }],
        ["sql/batch", { statements: [{ statement: "select 1" }] }],
      ] as const) {
        const url = `http://localhost/db/shop:main/${path}`;
        const answer = await shop.db.fetch(url, { method: "POST", body: JSON.stringify(body) });
        const { status, headers } = answer;
        const given = { status, headers: Object.fromEntries(headers), text: await answer.text() };
        expect(check("POST", `/db/shop:main/${path}`, given)).toBeNull();
      }
    });
  });
}
