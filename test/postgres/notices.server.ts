import { expect, inject, it } from "vitest";
import { openPostgres } from "../../src/postgres.js";
import { freshDatabase, isCluster, onServer, runsHere } from "./cluster.js";

const runs = runsHere("notices of a commit", "triggers on tables", !isCluster);

it.runIf(runs).each([
  ["a notice", "notice", "00000", 201],
  ["a notice of a condition", "notice", "42P07", 201],
  ["a warning of another condition", "warning", "01003", 201],
  ["a commit that failed on a worker", "warning", "01000", 503],
])("a write whose commit reports %s (%s %s) answers %i", async (_, level, code, status) => {
  const url = await freshDatabase(inject("postgresUrl"), "notices");
  await using db = await openPostgres(url, { workspaces: ["w"] });
  await db.change((engine) => {
    engine.workspace("w").createDatabase("d").branch("main").createTable("t", []);
  });
  await onServer(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select schemaname || '.' || tablename as name from pg_tables where schemaname ~ '^tb_' and tablename ~ '^t'",
    );
    const table = rows[0]?.name;
    await client.query(`create function ${table}_say() returns trigger language plpgsql as $$ begin
        raise ${level} 'failed to commit transaction on worker:5432' using errcode = '${code}';
        return null;
      end $$;
      create constraint trigger say after insert on ${table} deferrable initially deferred
        for each row execute function ${table}_say()`);
  });
  const insert = (path: string, body: object) =>
    db.fetch(`http://localhost/db/d:main/${path}`, { method: "POST", body: JSON.stringify(body) });
  // A single statement commits implicitly, several by a commit.
  expect((await insert("tables/t/data", {})).status).toBe(status);
  const operations = ["a", "b"].map((id) => ({ insert: { table: "t", record: { id } } }));
  expect((await insert("transaction", { operations })).status).toBe(status === 201 ? 200 : 503);
  expect((await db.query({ database: "d", table: "t" })).records).toHaveLength(3);
});
