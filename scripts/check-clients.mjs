// Checks that the npm client's version `next`, and the packages for Kysely, Drizzle and imports, work against `serve`:
// each writes, pages and searches, as far as it can. check-moving.mjs runs the other versions.
// node scripts/check-clients.mjs
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";
import { createLocalFetch } from "../dist/http.js";
import { createEngine } from "../dist/index.js";
import { serve } from "../dist/node.js";
import { openPostgres } from "../dist/postgres.js";
import { inFolder, makeProject } from "./packed.mjs";

const NEXT = "0.0.0-next.v93343b9646f57a1e5c51c35eccf0767c2bb80baa";
/** With the versions of Kysely and Drizzle that their packages name; examples/sql-builders has the current ones. */
const PLUGINS = [
  ...["@xata.io/kysely@0.2.1", "kysely@0.27.4", "@xata.io/drizzle@0.0.24", "drizzle-orm@0.33.0"],
  ...["@xata.io/importer@1.1.6", "@xata.io/client@0.30.1"],
];
const USERS = [
  { name: "name", type: "string" },
  { name: "age", type: "int" },
];
const TABLES = [{ name: "users", columns: USERS }];
const databaseURL = "https://acme.us-east-1.xata.sh/db/shop";
const COUNT = 45;
const SIZE = 20;

await inFolder(async (folder) => {
  makeProject(folder, [`client-next@npm:@xata.io/client@${NEXT}`, ...PLUGINS]);
  const load = createRequire(join(folder, "package.json"));
  await checkNext(load("client-next"));
  console.log("next works in memory");
  const db = await openPostgres({ pglite: true }, { profile: "xata-next", workspaces: ["acme"] });
  await checkNext(load("client-next"), db);
  await db.close();
  console.log("next works over PostgreSQL");
  await checkPlugins(load);
});

/** The importer, and the packages that send SQL, on one table. */
async function checkPlugins(load) {
  const db = await openPostgres({ pglite: true }, { profile: "xata", workspaces: ["acme"] });
  await db.change((engine) => {
    const main = engine.workspace("acme").createDatabase("shop").branch("main");
    main.createTable("users", USERS);
  });
  const server = await serve(db);
  try {
    const fetch = createLocalFetch(server.url);
    const options = { databaseURL, branch: "main", apiKey: "any", fetch };
    // Its CommonJS build fails on a dependency.
    const { XataImportPlugin } = await import(
      load.resolve("@xata.io/importer").replace("cjs", "mjs")
    );
    const { KyselyPlugin } = load("@xata.io/kysely");
    const plugins = { import: new XataImportPlugin(), kysely: new KyselyPlugin() };
    const xata = new (load("@xata.io/client").buildClient(plugins))(options, TABLES);
    await importCsv(xata);
    console.log("@xata.io/importer works over PostgreSQL");
    await useKysely(xata.kysely);
    console.log("@xata.io/kysely works over PostgreSQL");
    await useDrizzle(xata, load);
    console.log("@xata.io/drizzle works over PostgreSQL");
  } finally {
    await server.close();
    await db.close();
  }
}

/** A CSV as `xata import` loads it: in batches, whose invalid rows are reported and left out. */
async function importCsv(xata) {
  const lines = Array.from({ length: COUNT }, (_, i) => `user ${i},${i}`);
  const csv = ["name,age", ...lines, `${"x".repeat(2049)},1`].join("\n");
  const location = { workspace: "acme", region: "us-east-1", database: "shop", branch: "main" };
  const errors = [];
  await xata.import.parseCsvStreamBatches({
    fileStream: Readable.from([csv]),
    fileSizeBytes: csv.length,
    parserOptions: { columns: USERS },
    batchRowCount: SIZE,
    onBatch: async ({ columns, data }) => {
      const batchRows = data.map((row) => row.data);
      const options = { columns, table: "users", batchRows };
      errors.push(...((await xata.import.importBatch(location, options)).errors ?? []));
    },
  });
  assert.deepEqual(
    errors.map(({ index }) => index),
    [COUNT % SIZE],
  );
  assert.equal((await xata.db.users.getAll()).length, COUNT);
}

async function useKysely(kysely) {
  await kysely.insertInto("users").values({ id: "ada", name: "Ada", age: 200 }).execute();
  await kysely.updateTable("users").set({ age: 201 }).where("id", "=", "ada").execute();
  const query = kysely.selectFrom("users").select(["name", "age"]).orderBy("age").limit(SIZE);
  const pages = [];
  for (let offset = 0; offset < 3 * SIZE; offset += SIZE)
    pages.push(await query.offset(offset).execute());
  assert.deepEqual(
    pages.map(({ length }) => length),
    [SIZE, SIZE, COUNT + 1 - 2 * SIZE],
  );
  const found = await query.where("name", "ilike", "%ADA%").execute();
  assert.deepEqual(found, [{ name: "Ada", age: 201 }]);
  const { numDeletedRows } = await kysely
    .deleteFrom("users")
    .where("id", "=", "ada")
    .executeTakeFirst();
  assert.equal(typeof numDeletedRows, "bigint");
}

async function useDrizzle(xata, load) {
  const { asc, count, eq, ilike } = load("drizzle-orm");
  const { integer, pgTable, text } = load("drizzle-orm/pg-core");
  const id = text("id").primaryKey();
  const users = pgTable("users", { id, name: text("name"), age: integer("age") });
  const db = load("@xata.io/drizzle").drizzle(xata, { schema: { users } });
  const made = await db.insert(users).values({ id: "ada", name: "Ada", age: 200 }).returning();
  assert.deepEqual(made, [{ id: "ada", name: "Ada", age: 200 }]);
  await db.update(users).set({ age: 201 }).where(eq(users.id, "ada"));
  const page = await db
    .select()
    .from(users)
    .orderBy(asc(users.age))
    .limit(SIZE)
    .offset(2 * SIZE);
  assert.equal(page.length, COUNT + 1 - 2 * SIZE);
  const first = await db.query.users.findFirst({ where: ilike(users.name, "%ADA%") });
  assert.deepEqual(first, { id: "ada", name: "Ada", age: 201 });
  await db.delete(users).where(eq(users.id, "ada"));
  assert.deepEqual(await db.select({ n: count() }).from(users), [{ n: COUNT }]);
}

/** The client of databases with PostgreSQL access, whose records have `xata_id`. */
async function checkNext({ buildClient }, db) {
  const setUp = (engine) => {
    const main = engine.workspace("acme").createDatabase("shop").branch("main");
    main.createTable("teams", [{ name: "name", type: "string" }]);
    const link = { name: "team", type: "link", link: { table: "teams" } };
    const columns = [{ name: "name", type: "string" }, { name: "age", type: "int" }, link];
    main.createTable("users", columns);
    return ["teams", "users"].map((name) => ({ name, ...main.table(name).schema() }));
  };
  const engine = createEngine({ profile: "xata-next" });
  engine.createWorkspace("acme");
  const tables = db === undefined ? setUp(engine) : await db.change(setUp);
  const server = await serve(db ?? engine);
  try {
    const fetch = createLocalFetch(server.url);
    const client = buildClient();
    const options = { databaseURL, branch: "main", apiKey: "any", fetch };
    const xata = new client(options, tables);
    await useNext(xata, db !== undefined);
  } finally {
    await server.close();
  }
}

async function useNext({ db: { users, teams }, search, transactions, sql }, isPostgres) {
  const team = await teams.create({ name: "red" });
  const ada = await users.create({ name: "Ada", age: 3, team });
  assert.equal(ada.xata_version, 0);
  assert.equal(ada.team.xata_id, team.xata_id);
  assert.equal((await ada.update({ age: 4 })).xata_version, 1);
  assert.equal((await users.update({ xata_id: ada.xata_id, age: 5 })).age, 5);
  await users.create([{ xata_id: "bob", name: "Bob", team: team.xata_id }, { name: "Cy" }]);
  assert.equal((await users.read("bob")).team.xata_id, team.xata_id);
  const both = await users.read([ada.xata_id, "bob"], ["*", "team.*"]);
  assert.deepEqual(
    both.map((record) => [record.name, record.team.name]),
    [
      ["Ada", "red"],
      ["Bob", "red"],
    ],
  );
  const filter = { "team.xata_id": team.xata_id, xata_createdat: { $gt: new Date(0) } };
  const page = await users
    .filter(filter)
    .sort("xata_createdat", "desc")
    .sort("xata_id")
    .getPaginated({ pagination: { size: 1 } });
  assert.deepEqual([page.records[0].name, (await page.nextPage()).records[0].name], ["Bob", "Ada"]);
  assert.equal((await users.filter({ xata_version: 2 }).getFirst()).name, "Ada");
  const { results } = await transactions.run([
    { insert: { table: "users", record: { xata_id: "eve", name: "Eve" } } },
    { get: { table: "users", id: "eve", columns: ["name", "xata_version"] } },
    { delete: { table: "users", id: "eve" } },
  ]);
  assert.deepEqual(results[1].columns, { name: "Eve", xata_version: 0 });
  const grouped = await users.summarize({ columns: ["team"], summaries: { n: { count: "*" } } });
  assert.equal(grouped.summaries[0].team.xata_id, team.xata_id);
  if (isPostgres) {
    const { records: rows } = await sql`select xata_id, xata_version from users where name = 'Bob'`;
    assert.deepEqual(rows, [{ xata_id: "bob", xata_version: 0 }]);
  }
  const { records } = await search.all("ada", { tables: ["users"] });
  assert.equal(records[0].record.xata_table, "users");
  assert.equal(records[0].record.xata_id, ada.xata_id);
  await ada.delete();
  assert.equal(await users.read(ada), null);
  await users.delete(await users.filter({ xata_id: "bob" }).getAll());
  assert.deepEqual(
    (await users.getAll()).map(({ name }) => name),
    ["Cy"],
  );
}
