/** @module-tag slow */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "../../../src/node.js";
import { VERSIONS } from "../../http/npm-clients.js";
import { openShop, type Shop } from "./fixture.js";
import "../copied-database.js";

type Server = Awaited<ReturnType<typeof serve>>;

/** The common part of both versions; the earlier one returns less. */
interface SqlClient {
  readonly sql: ((query: unknown, ...values: unknown[]) => Promise<SqlResult>) & {
    readonly batch: (query: unknown) => Promise<{ results: SqlResult[] }>;
  };
}

interface SqlResult {
  readonly records: unknown[];
  readonly rows: unknown[][];
  readonly columns: unknown[];
  readonly warning: unknown;
}

let shop: Shop;
let server: Server;

beforeAll(async () => {
  shop = await openShop({ pglite: true });
  server = await serve(shop.db, { workspace: "w", region: "us-east-1" });
});

afterAll(async () => {
  await server.close();
  await shop.db.close();
});

describe.each(VERSIONS)("xata.sql of @xata.io/client $version", ({ version, module }) => {
  const isCurrent = version === "0.30.1";

  describe.each(["in process", "over a socket"])("%s", (way) => {
    let client: SqlClient;
    beforeAll(() => {
      const host = isCurrent
        ? `http://w.us-east-1.localhost:${server.port}/db/shop`
        : `${server.url}/ws/w/us-east-1/db/shop`;
      const isLocal = way === "in process";
      const options = {
        apiKey: "key",
        branch: "main",
        fetch: isLocal ? shop.db.fetch : globalThis.fetch,
        databaseURL: isLocal ? "https://w.us-east-1.xata.sh/db/shop" : host,
      };
      const DatabaseClient = module.buildClient();
      client = new DatabaseClient(options as never, [] as never) as unknown as SqlClient;
    });

    it("runs a tagged template, and an object with parameters", async () => {
      const age = 35;
      const found = await client.sql`select id, age from users where age < ${age} order by id`;
      expect(found.records).toEqual([{ id: "u1", age: 30 }]);
      const statement = "select $1::text as a, $2::int as b, $3::jsonb as c, $4::text[] as d";
      const params = ["'; drop table users; --", 2, { e: [1] }, ["x", 'y"']];
      const given = await client.sql({ statement, params, consistency: "strong" });
      expect(given.records).toEqual([{ a: params[0], b: 2, c: { e: [1] }, d: ["x", 'y"'] }]);
      if (!isCurrent) return;
      expect(given.columns).toEqual([
        { name: "a", type: "text" },
        { name: "b", type: "int4" },
        { name: "c", type: "jsonb" },
        { name: "d", type: "_text" },
      ]);
      const rows = await client.sql({ statement: "select 1, 2", responseType: "array" });
      expect(rows).toMatchObject({ rows: [[1, 2]], records: undefined });
    });

    it("writes, and gets errors", async () => {
      const name = `O'Hara ${way} ${version}`;
      const { records } =
        await client.sql`insert into users (name) values (${name}) returning id, name`;
      expect(records).toEqual([{ id: expect.stringMatching(/^rec_/), name }]);
      await client.sql`delete from users where name = ${name}`;
      await expect(client.sql({ statement: "selec 1" })).rejects.toMatchObject({
        status: 400,
        message: 'syntax error at or near "selec"',
      });
    });

    it.runIf(isCurrent)("runs a batch", async () => {
      const { results } = await client.sql.batch({
        statements: [
          { statement: "update users set bio = $1 where id = 'u1'", params: ["new"] },
          { statement: "select bio from users where id = 'u1'" },
        ],
        responseType: "array",
      });
      expect(results.map(({ rows }) => rows)).toEqual([[], [["new"]]]);
    });
  });
});

it("U-1: requires a key in closed mode, and membership of the workspace", async () => {
  const closed = await openShop(
    { pglite: true },
    {
      users: [
        { email: "ann@example.com", fullname: "Ann", keys: ["ann"], workspaces: ["w"] },
        { email: "bob@example.com", fullname: "Bob", keys: ["bob"] },
      ],
    },
  );
  const body = { statement: "select id from teams order by 1" };
  expect((await closed.post("shop:main/sql", body)).status).toBe(401);
  expect((await closed.post("shop:main/sql", body, "nobody")).status).toBe(401);
  const bob = await closed.post("shop:main/sql", body, "bob");
  expect(bob.code).toBe("workspace_not_found");
  const ann = await closed.post("shop:main/sql", body, "ann");
  expect(ann).toMatchObject({ status: 200, records: [{ id: "t1" }, { id: "t2" }] });
  await closed.db.close();
});
