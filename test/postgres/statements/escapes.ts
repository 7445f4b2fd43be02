import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PostgresTarget } from "../../../src/postgres.js";
import { defineColumns } from "../../columns.js";
import { ABSENT, ATTACKS } from "./attacks.js";
import { openShop, type Shop } from "./fixture.js";

/** A function of PostgreSQL, with the types of its parameters. */
export interface ServerFunction {
  readonly name: string;
  readonly kind: string;
  readonly types: readonly string[];
}

/** Functions with side effects or results that depend on more than their arguments. */
export const IMPURE_FUNCTIONS = `select distinct on (proname, provolatile) proname as name, prokind as kind,
    array(select format_type(t, null) from unnest(proargtypes) with ordinality as u(t, n) order by n) as types
  from pg_proc where pronamespace = 'pg_catalog'::regnamespace
    and (provolatile <> 'i' or proname ~ '^(pg_|lo_|acl|makeaclitem|satisfies)')
  order by 1, provolatile`;

/** Functions of their arguments, the settings, the time or chance. */
const COMPUTING = new RegExp(
  `^(?:${[
    "age|clock_timestamp|statement_timestamp|transaction_timestamp|now|timeofday|time.*|date.*|extract",
    "make_timestamptz|interval_pl_timestamptz|overlaps|in_range|generate_series",
    "array_(?:sample|shuffle|to_json|to_string)|jsonb?_.*|row_to_json|enum_(?:first|last|range)",
    "(?:any|text)(?:text|any)cat|concat(?:_ws)?|convert(?:_from|_to)?|format|length|quote_(?:literal|nullable)",
    "money|numeric|to_(?:char|date|jsonb?|number|timestamp|tsquery|tsvector)",
    "(?:phraseto|plainto|websearch_to)_tsquery|ts_headline|ts_match_t[qt]",
    "gen_random_uuid|uuidv[47]|random(?:_normal)?|pg_lsn.*|pg_size_(?:bytes|pretty)",
  ].join("|")})$`,
);

/** A value of a type that fits a parameter of any type. */
function concrete(type: string): string {
  if (!type.startsWith('"any') && !type.startsWith("any")) return type;
  if (type.includes("range")) return "int4range";
  return type.includes("array") ? "int[]" : "int";
}

/**
 * Requires that no statement reaches more than the tables of its branch.
 *
 * @param listFunctions runs {@link IMPURE_FUNCTIONS} on a server of the same version
 */
export function describeEscapes(
  target: () => Promise<PostgresTarget>,
  listFunctions: () => Promise<readonly ServerFunction[]>,
): void {
  let shop: Shop;
  beforeAll(async () => {
    shop = await openShop(await target());
    // Creates the role of statements.
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
    it("is refused, also after another one, and changes nothing", async () => {
      const before = await contents();
      for (const { how, statement } of tried) {
        const answer = await shop.sql(statement);
        expect([answer.status, answer.code], statement).toEqual([400, "invalid_request"]);
        if (!ABSENT.test(answer.message)) {
          expect(answer.message.slice(0, how.length), statement).toBe(how);
        }
        // The message may only contain names from the statement.
        const shown = answer.message.replaceAll(/\btb_\d+\b|twinbase statement/g, (name) =>
          statement.includes(name) ? "" : name,
        );
        expect(shown, statement).not.toMatch(/\btb_\d|pg_temp_|twinbase statement|hunter2/);
        const batch = await shop.batch("select * from users", statement);
        expect(batch.status, statement).toBe(400);
      }
      expect(await contents()).toBe(before);
      const { records } = await shop.sql(
        "select count(*) as users, current_user::text as role, '2024-01-01'::timestamptz as time from users",
      );
      expect(records).toEqual([{ users: 2, role: "twinbase_sql", time: "2024-01-01 00:00:00+00" }]);
    });
  });

  it("a statement calls no function that does more than compute", async () => {
    const functions = await listFunctions();
    expect(functions.length).toBeGreaterThan(600);
    const called = new Set<string>();
    for (const { name, kind, types } of functions) {
      const given = types.map((type) => `null::${concrete(type)}`).join(", ");
      const call = `pg_catalog."${name}"(${given})${kind === "w" ? " over ()" : ""}`;
      const { status, code } = await shop.post("shop:empty/sql", { statement: `select ${call}` });
      if (status === 200) called.add(name);
      else expect([status, code], call).toEqual([400, "invalid_request"]);
    }
    expect([...called].filter((name) => !COMPUTING.test(name))).toEqual([]);
    expect(called.size).toBeGreaterThan(80);
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
    "select S.x.id from users",
    "select S.x.* from users",
    "update users set age = S.x.id",
    "select id from users order by S.x.id",
    `select '${" ".repeat(2000)}S.x'::regoper`,
    "select null::information_schema.sql_identifier operator(S.+) 1",
    ...["regoper", "regoperator", "regproc", "regprocedure", "regclass", "regtype"].flatMap(
      (type) => [`select '"S" . x'::${type}`, `select '"S" . x(int4, int4)'::${type}`],
    ),
    ...["regcollation", "regconfig", "regdictionary"].map((type) => `select '"S" . x'::${type}`),
    ...["nope", "pg_sleep(0)", "$1::int"].map((fault) => `select 'S'::regnamespace, ${fault}`),
    `select 'S'::U&"reg\\006eamespace", nope`,
    "select * from users where 'S'::regnamespace is null and nope",
    `select json_value('{"a":"S.x"}', '$.a' returning regconfig)`,
    `select * from json_table('{"a":"S.x"}', '$' columns (a regdictionary path '$.a'))`,
  ])("a refusal does not reveal which schemas exist: %s", async (statement) => {
    const answers = await Promise.all(
      ["tb_1", "tb_2", "twinbase", "tb_99", "nobodys"].map(async (schema) => {
        const { status, code, message } = await shop.sql(statement.replaceAll("S", schema));
        return [status, code, message.replaceAll(schema, "S")];
      }),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size, String(answers)).toBe(1);
    expect(answers[0]?.[0]).toBe(400);
  });

  it.each(["", ", nope", ", pg_sleep(0)"])(
    "a refusal does not reveal which roles exist: with [%s]",
    async (fault) => {
      const answers = await Promise.all(
        ["twinbase_sql", "test", "postgres", "nobodys"].map(async (role) => {
          return (await shop.sql(`select '${role}'::regrole${fault}`)).message;
        }),
      );
      expect(new Set(answers).size, String(answers)).toBe(1);
    },
  );

  it("a statement leaves no temporary objects for the next one", async () => {
    await shop.sql("insert into teams (name) values ('a')");
    await shop.sql("select * from users, teams");
    const { message } = await shop.sql('select * from "twinbase changes"');
    expect(message).toBe('relation "twinbase changes" does not exist');
    const engine = await shop.db.toEngine();
    expect(engine.workspaces().map(({ id }) => id)).toEqual(["w"]);
  });

  it("a table may have the name of a system table or type", async () => {
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
    expect(message).toBe("permission denied for table pg_class");
  });
}
