// Checks that the npm client's version `next`, the packages for Kysely, Drizzle and imports, and the `xata` command line
// work against `serve`, as far as each can. check-moving.mjs runs the other versions of the client.
// node scripts/check-clients.mjs
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { createLocalFetch } from "../dist/http.js";
import { createEngine } from "../dist/index.js";
import { serve } from "../dist/node.js";
import { openPostgres } from "../dist/postgres.js";
import { inFolder, makeProject, ROOT } from "./packed.mjs";

const NEXT = "0.0.0-next.v93343b9646f57a1e5c51c35eccf0767c2bb80baa";
/** With the versions of Kysely and Drizzle that their packages name; examples/sql-builders has the current ones. */
const PLUGINS = [
  ...["@xata.io/kysely@0.2.1", "kysely@0.27.4", "@xata.io/drizzle@0.0.24", "drizzle-orm@0.33.0"],
  ...["@xata.io/importer@1.1.6", "@xata.io/client@0.30.1"],
];
/** The last version of the command line, and one that reads local addresses otherwise. */
const [CLI, EARLIER_CLI] = ["0.15.15", "0.15.10"];
const USERS = [
  { name: "name", type: "string" },
  { name: "age", type: "int" },
];
const TABLES = [{ name: "users", columns: USERS }];
const databaseURL = "https://acme.us-east-1.xata.sh/db/shop";
const COUNT = 45;
const SIZE = 20;

await inFolder(async (folder) => {
  makeProject(folder, [
    `client-next@npm:@xata.io/client@${NEXT}`,
    ...PLUGINS,
    ...[CLI, EARLIER_CLI].map((version) => `cli-${version}@npm:@xata.io/cli@${version}`),
  ]);
  const load = createRequire(join(folder, "package.json"));
  await checkNext(load("client-next"));
  console.log("next works in memory");
  const db = await openPostgres({ pglite: true }, { profile: "xata-next", workspaces: ["acme"] });
  await checkNext(load("client-next"), db);
  await db.close();
  console.log("next works over PostgreSQL");
  await checkPlugins(load);
  for (const version of [CLI, EARLIER_CLI]) {
    await checkCommandLine(folder, version);
    console.log(`@xata.io/cli ${version} works in memory`);
  }
});

/** The command line, by the commands of docs/generated-client.md and docs/history.md. */
async function checkCommandLine(folder, version) {
  const engine = createEngine({ profile: "xata" });
  const database = engine.createWorkspace("local").createDatabase("files");
  const main = database.branch("main");
  main.createTable("users", USERS);
  const server = await serve(engine);
  try {
    const read = (page) =>
      readFileSync(join(ROOT, page), "utf8").replaceAll(":4000", `:${server.port}`);
    const page = read("docs/generated-client.md");
    const [, setUp, codegen] = /^(export .*?)\nnpx @xata\S+ (.*?)$/ms.exec(page);
    const dbs = Array.from(read("docs/history.md").matchAll(/`(--db \S+)`/g), ([, text]) => text);
    const cwd = join(folder, version);
    mkdirSync(cwd);
    writeFileSync(join(cwd, "more.csv"), "name,age\nAda,36\nBob,4\n");
    const program = join(folder, "node_modules", `cli-${version}`, "bin/run.js");
    const env = { ...process.env, HOME: cwd };
    const xata = async (args) => {
      const command = `${setUp}\nexec node ${program} ${args} < /dev/null`;
      const run = promisify(execFile)("sh", ["-ec", command], { cwd, env, timeout: 30_000 });
      return (await run).stdout;
    };
    await xata(codegen);
    assert.match(readFileSync(join(cwd, "src/xata.ts"), "utf8"), /name: "age", type: "int"/);
    assert.match(await xata(`branch list ${dbs[0]}`), /^main /m);
    if (version !== CLI) return;
    await xata("branch create twig");
    const dump = await xata(`schema dump --branch main ${dbs[0]}`);
    assert.deepEqual(JSON.parse(dump).tables, [{ name: "users", columns: USERS }]);
    main.table("users").addColumn({ name: "email", type: "email" });
    await xata(`pull main ${dbs[0]}`);
    await xata(`push twig --yes ${dbs[0]}`);
    const twig = database.branch("twig").table("users");
    assert.deepEqual(twig.schema(), main.table("users").schema());
    await xata(`import csv more.csv --create --branch main ${dbs[1]}`);
    const { records } = main.table("more").query({ columns: ["name", "age"] });
    assert.deepEqual(
      records.map(({ name, age }) => [name, age]),
      [
        ["Ada", 36],
        ["Bob", 4],
      ],
    );
  } finally {
    await server.close();
  }
}

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
