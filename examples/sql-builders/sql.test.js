import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { buildClient } from "@xata.io/client";
import { XataDialect } from "@xata.io/kysely";
import { count, desc, eq, gt } from "drizzle-orm";
import { integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/xata-http";
import { Kysely, sql } from "kysely";
import { openPostgres } from "twinbase/postgres";

const databaseURL = "https://acme.us-east-1.xata.sh/db/shop"; // as in the application
const tables = [
  { name: "teams", columns: [{ name: "name", type: "string" }] },
  {
    name: "users",
    columns: [
      { name: "email", type: "email", unique: true },
      { name: "age", type: "int" },
      { name: "expires_at", type: "datetime" },
      { name: "team", type: "link", link: { table: "teams" } },
    ],
  },
];
let db;
let xata;
before(async () => {
  // PGlite: PostgreSQL in this process.
  db = await openPostgres(
    { pglite: true },
    { profile: "xata", workspaces: ["acme"], workspace: "acme" },
  );
  await db.change((engine) => {
    const main = engine.workspace("acme").createDatabase("shop").branch("main");
    main.createTables(Object.fromEntries(tables.map(({ name, columns }) => [name, columns])));
  });
  const options = { databaseURL, branch: "main", apiKey: "any", fetch: db.fetch };
  xata = new (buildClient())(options, tables);
  await xata.db.teams.create({ id: "blue", name: "Blue" });
});
after(() => db.close());

test("drizzle inserts, updates, joins, groups and deletes", async () => {
  const teams = pgTable("teams", { id: text("id"), name: text("name") });
  const users = pgTable("users", {
    id: text("id"),
    email: text("email"),
    age: integer("age"),
    team: text("team"),
  });
  const orm = drizzle(xata);
  const rows = [
    { email: "ada@example.com", age: 36, team: "blue" },
    { email: "bob@example.com", age: 20 },
  ];
  // Only the columns of the rows: ids are generated.
  const given = pgTable("users", {
    email: text("email"),
    age: integer("age"),
    team: text("team"),
  });
  const made = await orm.insert(given).values(rows).returning({ email: given.email });
  assert.deepEqual(made, [{ email: "ada@example.com" }, { email: "bob@example.com" }]);
  await orm.update(users).set({ age: 21 }).where(eq(users.email, "bob@example.com"));
  const found = await orm
    .select({ email: users.email, age: users.age, team: teams.name })
    .from(users)
    .leftJoin(teams, eq(users.team, teams.id))
    .where(gt(users.age, 20))
    .orderBy(desc(users.age));
  assert.deepEqual(found, [
    { email: "ada@example.com", age: 36, team: "Blue" },
    { email: "bob@example.com", age: 21, team: null },
  ]);
  const groups = await orm
    .select({ team: users.team, n: count() })
    .from(users)
    .groupBy(users.team)
    .orderBy(users.team);
  assert.deepEqual(groups, [
    { team: "blue", n: 1 },
    { team: null, n: 1 },
  ]);
  const expires = new Date("2030-01-01T00:00:00.123Z");
  const sessions = pgTable("users", { email: text("email"), expires: timestamp("expires_at") });
  await orm.update(sessions).set({ expires }).where(eq(sessions.email, "ada@example.com"));
  const [session] = await orm.select().from(sessions).where(gt(sessions.expires, new Date()));
  assert.deepEqual(session, { email: "ada@example.com", expires });
  await orm.delete(users);
  // What SQL has written, the client reads.
  assert.equal((await xata.db.users.getAll()).length, 0);
});

test("kysely inserts, updates, joins, groups and deletes", async () => {
  const kysely = new Kysely({ dialect: new XataDialect({ xata }) });
  await kysely
    .insertInto("users")
    .values([
      { email: "ada@example.com", age: 36, team: "blue" },
      { email: "bob@example.com", age: 20, team: null },
    ])
    .execute();
  await kysely.updateTable("users").set({ age: 21 }).where("email", "like", "bob%").execute();
  const found = await kysely
    .selectFrom("users")
    .leftJoin("teams", "teams.id", "users.team")
    .select(["users.email", "users.age", "teams.name"])
    .where("users.age", ">", 20)
    .orderBy("users.age", "desc")
    .execute();
  assert.deepEqual(found, [
    { email: "ada@example.com", age: 36, name: "Blue" },
    { email: "bob@example.com", age: 21, name: null },
  ]);
  const { oldest } = await kysely
    .selectFrom("users")
    .select(sql`max(age)`.as("oldest"))
    .executeTakeFirstOrThrow();
  assert.equal(oldest, 36);
  await kysely.deleteFrom("users").where("age", "<", 100).execute();
  assert.equal((await xata.db.users.getAll()).length, 0);
});
