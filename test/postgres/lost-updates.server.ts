import { fork } from "node:child_process";
import { resolve } from "node:path";
import { expect, inject, it } from "vitest";
import { openPostgres } from "../../src/postgres.js";
import { freshDatabase, isCluster, onServer, runsHere } from "./cluster.js";

const WORKER = resolve(import.meta.dirname, "../../scripts/postgres-worker.mjs");
/** The number of increments of all processes. */
const increments = Number(process.env.TWINBASE_POSTGRES_INCREMENTS ?? 10_000);
const PROCESSES = 4;
const LANES = 2;
const COUNTERS = ["c0", "c1", "c2"];

const loses = runsHere("updates without row locks", "triggers on tables", !isCluster);

it.each([
  ["a server with row locks", false] as const,
  ...(loses
    ? [["a server without row locks, like a cluster that moves the table", true] as const]
    : []),
])(
  `loses none of ${increments} increments of ${PROCESSES} processes on %s`,
  async (_, isLockless) => {
    const url = await freshDatabase(inject("postgresUrl"), `updates_${isLockless}`);
    await using db = await openPostgres(url, { workspaces: ["w"] });
    await db.change((engine) => {
      const main = engine.workspace("w").createDatabase("d").branch("main");
      main.createTable("counters", [{ name: "n", type: "int" }]);
    });
    await db.transact({ database: "d" }, (main) =>
      main.table("counters").insert(COUNTERS.map((id) => ({ id, n: 0 }))),
    );
    if (isLockless) await loseLocks(url);
    const statuses = (
      await Promise.all(
        Array.from({ length: PROCESSES }, (_, place) =>
          runWorker(url, `p${place}`, increments / PROCESSES),
        ),
      )
    ).flat();
    const done = statuses.filter((status) => status === 200).length;
    const { records } = await db.query({ database: "d", table: "counters" });
    const counted = records.reduce((sum, { n }) => sum + Number(n), 0);
    process.stdout.write(
      `${done} of ${statuses.length} increments acknowledged, ${counted} made\n`,
    );
    expect(new Set(statuses.filter((status) => status !== 200))).toEqual(
      new Set(isLockless ? statuses.filter((status) => status === 503) : []),
    );
    expect(counted).toBe(done);
    expect(done).toBeGreaterThan(increments * 0.9);
  },
);

/** The statuses that one process received. */
function runWorker(url: string, name: string, count: number): Promise<number[]> {
  const child = fork(WORKER, [url, name, String(LANES), String(count)]);
  const statuses: number[] = [];
  child.on("message", (message) => {
    const { kind, status } = message as { kind: string; status: number }; // as the process sends it
    if (kind === "increment") statuses.push(status);
  });
  return new Promise((end, fail) => {
    child.once("error", fail);
    child.once("exit", () => end(statuses));
  });
}

/**
 * Moves the rows behind a view and a function, so that `select for update` locks nothing, as on a
 * cluster while a table is moved to another worker.
 */
async function loseLocks(url: string): Promise<void> {
  await onServer(url, async (client) => {
    const { rows } = await client.query<{ schema: string; name: string; columns: string[] }>(
      `select table_schema as schema, table_name as name, array_agg(column_name::text) as columns
       from information_schema.columns where table_schema ~ '^tb_' and table_name <> 'version'
       group by 1, 2`,
    );
    for (const { schema, name, columns } of rows) {
      const table = `${schema}.${name}`;
      const values = columns.map((column) => `new.${column}`).join(", ");
      await client.query(`
        alter table ${table} rename to ${name}_rows;
        create function ${table}_read() returns setof ${table}_rows language plpgsql as $$ begin
          return query select * from ${table}_rows;
        end $$;
        create view ${table} as select * from ${table}_read();
        create function ${table}_write() returns trigger language plpgsql as $$ begin
          update ${table}_rows set (${columns.join(", ")}) = row(${values})
            where id = old.id and version = old.version;
          if not found then return null; end if;
          return new;
        end $$;
        create trigger write instead of update on ${table} for each row execute function ${table}_write();
      `);
    }
  });
}
