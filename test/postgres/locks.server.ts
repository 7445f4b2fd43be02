import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PostgresServer } from "../../scripts/postgres-server.mjs";
import { openPostgres, type PostgresDatabase } from "../../src/postgres.js";
import { defineColumns } from "../columns.js";
import { runsHere } from "./cluster.js";

const CHANGES = 100;
const runs = runsHere("locks", "the log of a server");

describe.runIf(runs)("six writers beside schema changes", () => {
  let server: PostgresServer;
  let db: PostgresDatabase;

  beforeAll(async () => {
    server = await PostgresServer.create(["deadlock_timeout=10ms"]);
    db = await openPostgres(server.url, { workspaces: ["w"], connections: 20 });
    await db.change((engine) => {
      const main = engine.workspace("w").createDatabase("d").branch("main");
      main.createTable("t", defineColumns({ n: "int", name: "string unique", to: "-> t" }));
    });
    const records = ["a", "b", "c"].map((id) => ({ id, n: 0 }));
    await db.transact({ database: "d" }, (main) => main.table("t").insert(records));
  });
  afterAll(async () => {
    await db?.close();
    await server?.remove();
  });

  it("never wait for each other in a circle", async () => {
    const refusals = new Set<string>();
    let isDone = false;
    const send = async (method: string, path: string, body: object): Promise<void> => {
      const sent = { method, body: JSON.stringify(body) };
      const response = await db.fetch(`http://localhost/db/d:main/${path}`, sent);
      const answer = await response.text();
      if (response.status >= 400) refusals.add(`${response.status} ${answer}`);
    };
    const increment = { n: { $increment: 1 } };
    const update = { update: { table: "t", id: "c", fields: increment } };
    const work: [method: string, path: string, body: () => object][] = [
      ["PATCH", "tables/t/data/a", () => ({ n: 1 })],
      ["PATCH", "tables/t/data/b", () => increment],
      ["POST", "tables/t/data", () => ({ n: 2 })],
      ["POST", "tables/t/bulk", () => ({ records: [{ n: 3 }, { n: 4, to: "a" }] })],
      ["POST", "transaction", () => ({ operations: [update, { get: { table: "t", id: "a" } }] })],
      ["POST", "tables/t/query", () => ({ filter: { "to.n": 1 } })],
    ];
    const lanes = work.map(async ([method, path, body]) => {
      while (!isDone) await send(method, path, body());
    });
    try {
      for (let i = 0; i < CHANGES; i++) {
        await db.change((engine) => {
          const table = engine.workspace("w").database("d").branch("main").table("t");
          if (i % 2 === 0) table.addColumn({ name: "more", type: "int" });
          else table.removeColumn("more");
        });
      }
    } finally {
      isDone = true;
      await Promise.all(lanes);
    }
    const log = await server.readLog();
    expect(log.match(/deadlock detected/g) ?? []).toEqual([]);
    expect([...refusals]).toEqual([]);
  });
});
