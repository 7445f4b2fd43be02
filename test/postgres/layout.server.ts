import { expect, inject, it } from "vitest";
import { openPostgres } from "../../src/postgres.js";
import { freshDatabase, onServer } from "./cluster.js";

it("a damaged document stops only its database, and stays as it is", async () => {
  const url = await freshDatabase(inject("postgresUrl"), "damaged");
  await using first = await openPostgres(url, { workspaces: ["w"] });
  await first.change((engine) => {
    for (const name of ["a", "b"])
      engine.workspace("w").createDatabase(name).branch("main").createTable("t", []);
  });
  await onServer(url, (client) =>
    client.query("update twinbase.documents set content = left(content, 60) where key = 'w/a'"),
  );
  await using db = await openPostgres(url, { workspace: "w" });
  const message = "database [w/a]: its document is damaged: restore its row of twinbase.documents";
  const refused = { code: "unavailable", message };
  const query = (name: string) =>
    db.fetch(`http://localhost/db/${name}:main/tables/t/query`, { method: "POST", body: "{}" });
  expect((await query("b")).status).toBe(200);
  const answer = await query("a");
  expect([answer.status, await answer.json()]).toEqual([503, expect.objectContaining(refused)]);
  const create = db.change((engine) => engine.workspace("w").createDatabase("a"));
  await expect(create).rejects.toMatchObject(refused);
  await expect(db.toEngine()).rejects.toMatchObject(refused);
  await db.change((engine) => engine.workspace("w").createDatabase("c"));
  expect((await query("a")).status).toBe(503);
  const { rows } = await onServer(url, (client) =>
    client.query(
      "select key, to_regclass(schema || '.version') is null as gone from twinbase.documents where key <> '' order by key",
    ),
  );
  expect(rows).toEqual(["w/a", "w/b", "w/c"].map((key) => ({ key, gone: false })));
});

it("every table has a primary key, the replica identity by which a cluster moves it", async () => {
  const url = await freshDatabase(inject("postgresUrl"), "layout");
  await using db = await openPostgres(url, { workspaces: ["w"] });
  await db.change((engine) => {
    const shop = engine.workspace("w").createDatabase("shop");
    shop.branch("main").createTable("items", [{ name: "name", type: "string", unique: true }]);
    shop.createBranch("dev", { from: "main" });
  });
  const tables = await onServer(url, async (client) => {
    const { rows } = await client.query<{ name: string; identity: string; keyed: boolean }>(
      `select c.oid::regclass::text as name, relreplident as identity,
         exists (select from pg_index where indrelid = c.oid and indisprimary) as keyed
       from pg_class c join pg_namespace n on n.oid = relnamespace
       where relkind = 'r' and nspname ~ '^(twinbase$|tb_)'`,
    );
    return rows;
  });
  // The catalog's four tables, the version of the database, and the table of each branch.
  expect(tables).toHaveLength(7);
  expect(tables.filter(({ identity, keyed }) => identity !== "d" || !keyed)).toEqual([]);
});
