import { expect, inject, it } from "vitest";
import { openPostgres } from "../../src/postgres.js";
import { freshDatabase, onServer } from "./cluster.js";

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
  // The catalog's three tables, the version of the database, and the table of each branch.
  expect(tables).toHaveLength(6);
  expect(tables.filter(({ identity, keyed }) => identity !== "d" || !keyed)).toEqual([]);
});
