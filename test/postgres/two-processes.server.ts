import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { openPostgres, type PostgresDatabase } from "../../src/postgres.js";
import { ask } from "../http/ask.js";
import { freshDatabase } from "./cluster.js";

/** Two instances that share only the database, like two processes. */
let one: PostgresDatabase;
let other: PostgresDatabase;

beforeAll(async () => {
  const url = await freshDatabase(inject("postgresUrl"), "two_processes");
  one = await openPostgres(url, { workspaces: ["w"] });
  other = await openPostgres(url, { workspace: "w" });
});
afterAll(async () => {
  await one?.close();
  await other?.close();
});

const TABLE = "/db/d:main/tables/t";

it.each<[change: string, body: unknown, next: string, nextBody: unknown, status: number]>([
  ["PUT /workspaces/w/dbs/d", {}, "GET /db/d:main", undefined, 200],
  [`PUT ${TABLE}`, undefined, `POST ${TABLE}/data`, {}, 201],
  [`POST ${TABLE}/columns`, { name: "n", type: "int" }, `POST ${TABLE}/data`, { n: 1 }, 201],
  [`PATCH ${TABLE}/columns/n`, { name: "m" }, `POST ${TABLE}/data`, { m: 1 }, 201],
  [
    `POST ${TABLE}/columns`,
    { name: "n", type: "int" },
    `POST ${TABLE}/query`,
    { sort: { n: "asc" } },
    200,
  ],
  [`DELETE ${TABLE}/columns/n`, undefined, `POST ${TABLE}/data`, { n: 1 }, 400],
  [`DELETE ${TABLE}/columns/m`, undefined, `POST ${TABLE}/query`, { filter: { m: 1 } }, 400],
  [`POST ${TABLE}/columns`, { name: "m", type: "string" }, `POST ${TABLE}/data`, { m: "a" }, 201],
  ["PUT /db/d:feature", { from: "main" }, "POST /db/d:feature/tables/t/query", {}, 200],
  ["DELETE /db/d:feature", undefined, "POST /db/d:feature/tables/t/query", {}, 404],
  [`PATCH ${TABLE}`, { name: "u" }, "POST /db/d:main/tables/u/summarize", {}, 200],
  ["PUT /db/d:main/tables/t", undefined, `POST ${TABLE}/data`, { m: "a" }, 400],
  [
    `POST ${TABLE}/columns`,
    { name: "r", type: "string", notNull: true },
    `POST ${TABLE}/bulk`, // several inserts
    { records: Array.from({ length: 600 }, () => ({})) },
    400,
  ],
  ["DELETE /db/d:main/tables/u", undefined, "POST /db/d:main/tables/u/query", {}, 404],
  ["DELETE /workspaces/w/dbs/d", undefined, `POST ${TABLE}/query`, {}, 404],
])("%s is seen by the next request of another process", async (...row) => {
  const [change, body, next, nextBody, status] = row;
  const changed = await ask(one, change, body);
  expect(changed.status, JSON.stringify(changed.body)).toBeLessThan(300);
  const answer = await ask(other, next, nextBody);
  expect(answer.status, JSON.stringify(answer.body)).toBe(status);
});

// Last: in a cluster it uses the same database.
it("U-1: a key deleted by another process is refused, also if the service opened without users", async () => {
  const user = { email: "ada@example.org", fullname: "Ada", keys: ["first", "second"] };
  const url = await freshDatabase(inject("postgresUrl"), "keys");
  await using served = await openPostgres(url, { workspaces: ["w"] });
  await using beside = await openPostgres(url);
  await beside.change((engine) => engine.createUser(user));
  await served.change(() => {});
  const status = async (key: string): Promise<number> => {
    const headers = { authorization: `Bearer ${key}` };
    return (await served.fetch("http://localhost/user", { headers })).status;
  };
  expect([await status("first"), await status("third")]).toEqual([200, 401]);
  await beside.change((engine) => engine.removeKey("first"));
  expect([await status("first"), await status("second")]).toEqual([401, 200]);

  const { statements } = served.stats();
  const answers = Array.from({ length: 40 }, () => status("second"));
  expect(new Set(await Promise.all(answers))).toEqual(new Set([200]));
  expect(served.stats().statements - statements).toBeLessThan(40);
});
