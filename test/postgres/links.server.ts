import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { openPostgres, type PostgresDatabase } from "../../src/postgres.js";
import { defineColumns } from "../columns.js";
import { ask } from "../http/ask.js";
import { freshDatabase, isCluster, onServer, runsHere } from "./cluster.js";

/** Two instances that share only the database, like two processes. */
let one: PostgresDatabase;
let other: PostgresDatabase;
let url: string;

const TABLES = "/db/d:main/tables";
const TEAMS = 60;

beforeAll(async () => {
  url = await freshDatabase(inject("postgresUrl"), "links");
  one = await openPostgres(url, { workspaces: ["w"], profile: "xata" });
  other = await openPostgres(url, { workspace: "w", profile: "xata" });
  await one.change((engine) => {
    const main = engine.workspace("w").createDatabase("d").branch("main");
    main.createTable("teams", defineColumns({ name: "string" }));
    main.createTable(
      "users",
      defineColumns({ name: "string", team: "-> teams", boss: "-> users" }),
    );
  });
});
afterAll(async () => {
  await one?.close();
  await other?.close();
});

const insertTeams = (): Promise<unknown> =>
  one.transact({ database: "d" }, (main) => {
    main.table("teams").insert(Array.from({ length: TEAMS }, (_, i) => ({ id: `t${i}` })));
    main.table("users").insert(Array.from({ length: TEAMS }, (_, i) => ({ id: `u${i}` })));
  });

const WRITES: [name: string, write: (i: number) => [request: string, body: unknown]][] = [
  ["an insert", (i) => [`POST ${TABLES}/users/data`, { id: `new${i}`, team: `t${i}` }]],
  ["an update", (i) => [`PATCH ${TABLES}/users/data/u${i}`, { team: `t${i}` }]],
  [
    "a bulk",
    (i) => [
      `POST ${TABLES}/users/bulk`,
      {
        records: [
          { id: `new${i}`, team: `t${i}` },
          { id: `more${i}`, boss: `new${i}` },
        ],
      },
    ],
  ],
  [
    "a transaction",
    (i) => [
      "POST /db/d:main/transaction",
      {
        operations: [
          { update: { table: "users", id: `u${i}`, fields: { team: `t${i}` } } },
          { insert: { table: "users", record: { id: `new${i}`, team: `t${i}` } } },
        ],
      },
    ],
  ],
  [
    "SQL",
    (i) => [
      "POST /db/d:main/sql",
      { statement: `update users set team = 't${i}' where id = 'u${i}'` },
    ],
  ],
];
const DELETIONS: [name: string, deletion: (i: number) => [request: string, body?: unknown]][] = [
  ["a deletion", (i) => [`DELETE ${TABLES}/teams/data/t${i}`]],
  [
    "one by SQL",
    (i) => ["POST /db/d:main/sql", { statement: `delete from teams where id = 't${i}'` }],
  ],
];

it.each(
  WRITES.flatMap(([name, write]) =>
    DELETIONS.map(([other, deletion]) => ({ name, other, write, deletion })),
  ),
)(
  "T-18: $name and $other of another process leave no link to a deleted record",
  async ({ write, deletion }) => {
    await insertTeams();
    const answers = await Promise.all(
      Array.from({ length: TEAMS }, async (_, i) => {
        const [request, body] = write(i);
        const [removal, statement] = deletion(i);
        const [written, removed] = await Promise.all([
          ask(one, request, body),
          ask(other, removal, statement),
        ]);
        return { written, removed };
      }),
    );
    expect(answers.map(({ removed }) => removed).filter(({ status }) => status >= 300)).toEqual([]);
    const refused = answers.filter(({ written }) => written.status >= 300);
    for (const { written } of refused) expect(written).toMatchObject({ status: 400 });
    const { body } = await ask(one, `POST ${TABLES}/users/query`, { filter: { $exists: "team" } });
    expect(body.records).toEqual([]);
    await ask(one, "POST /db/d:main/sql", { statement: "delete from users" });
    process.stdout.write(
      `${answers.length - refused.length} links written, ${refused.length} refused\n`,
    );
  },
);

it("T-18: a link that a deletion set to null is a write of its record", async () => {
  await insertTeams();
  await ask(one, `PATCH ${TABLES}/users/data/u0`, { team: "t0" });
  await ask(other, `DELETE ${TABLES}/teams/data/t0`);
  const { body } = await ask(one, `GET ${TABLES}/users/data/u0`);
  expect(body).toMatchObject({ id: "u0", xata: { version: 2 } });
  expect(body).not.toHaveProperty("team");
});

const runs = runsHere("indexes of links", "a server that is no cluster", !isCluster);
it.runIf(runs)("T-18: a deletion finds links by an index", async () => {
  await onServer(url, async (client) => {
    const { rows } = await client.query<{ name: string; link: string }>(
      `select conrelid::regclass::text as name, attname as link from pg_constraint
       join pg_attribute on attrelid = conrelid and attnum = conkey[1] where contype = 'f'`,
    );
    expect(rows).toHaveLength(2);
    await client.query("set enable_seqscan = off");
    for (const { name, link } of rows) {
      const plan = await client.query(`explain select from ${name} where ${link} = 'x'`);
      expect(JSON.stringify(plan.rows)).toContain("Index");
    }
  });
});
