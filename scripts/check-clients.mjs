// Checks that versions of the npm client that are still in lockfiles work against `serve`: each writes, pages and searches.
// node scripts/check-clients.mjs
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createLocalFetch } from "../dist/http.js";
import { createEngine } from "../dist/index.js";
import { serve } from "../dist/node.js";
import { inFolder, makeProject } from "./packed.mjs";

const VERSIONS = ["0.20.2", "0.23.5", "0.26.9", "0.28.4", "0.30.1"];
const TABLES = [{ name: "users", columns: [{ name: "name", type: "string" }] }];
const databaseURL = "https://acme.us-east-1.xata.sh/db/shop";
const COUNT = 45;
const SIZE = 20;

await inFolder(async (folder) => {
  makeProject(
    folder,
    VERSIONS.map((version) => `client-${version}@npm:@xata.io/client@${version}`),
  );
  const load = createRequire(join(folder, "package.json"));
  for (const version of VERSIONS) {
    await checkClient(load(`client-${version}`));
    console.log(`${version} works`);
  }
});

async function checkClient({ buildClient }) {
  const engine = createEngine({ profile: "xata" });
  const main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
  main.createTable(TABLES[0].name, TABLES[0].columns);
  const server = await serve(engine);
  try {
    const fetch = createLocalFetch(server.url);
    const { db, search } = new (buildClient())(
      { databaseURL, branch: "main", apiKey: "any", fetch },
      TABLES,
    );
    await useRecords(db.users);
    await readPages(db.users);
    const found = await search.all("ada", { tables: ["users"] });
    const { records = found } = found; // an object from 0.28
    assert.deepEqual(
      records.map(({ table, record }) => [table, record.name]),
      [["users", "Ada"]],
    );
  } finally {
    await server.close();
  }
}

async function useRecords(users) {
  const { id } = await users.create({ name: "Bob" });
  await users.update(id, { name: "Ada" });
  assert.equal((await users.read(id)).name, "Ada");
  await users.createOrUpdate("gone", { name: "Eve" });
  await users.delete("gone");
  assert.equal(await users.read("gone"), null);
}

async function readPages(users) {
  const names = Array.from({ length: COUNT }, (_, index) => `user ${index}`);
  await users.create(names.map((name) => ({ name })));
  const query = users.filter({ name: { $startsWith: "user" } }).sort("xata.createdAt");
  const read = [];
  let page = await query.getPaginated({ pagination: { size: SIZE } });
  for (; ; page = await page.nextPage()) {
    read.push(page.records.map(({ name }) => name));
    if (!page.hasNextPage()) break;
  }
  assert.deepEqual(
    read.map(({ length }) => length),
    [SIZE, SIZE, COUNT - 2 * SIZE],
  );
  assert.deepEqual(read.flat().sort(), names.sort());
  assert.equal((await users.getAll()).length, COUNT + 1);
}
