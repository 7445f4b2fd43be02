import { expect, inject, it } from "vitest";
import { plain } from "../../src/postgres/driver.js";
import { openServer } from "../../src/postgres/server.js";
import { openPostgres } from "../../src/postgres.js";
import { freshDatabase } from "./cluster.js";

it("tells why a server refuses to open a database", async () => {
  const url = new URL(inject("postgresUrl"));
  url.pathname = "/no_such_database";
  await expect(openPostgres(url.href)).rejects.toMatchObject({
    code: "unavailable",
    message: 'cannot open the database: database "no_such_database" does not exist',
  });
});

it("describes statements in a pipeline with a deferred one", async () => {
  const url = inject("postgresUrl");
  const driver = await openServer(url, { connections: 1, statementTimeout: 30_000 });
  try {
    const described = await driver.transact("snapshot", (session) => {
      session.defer(session.query(plain("select 1")));
      return Promise.all([
        session.describe("select $1::int4 as a"),
        session.describe("select $1::text as b, $2::bool as c"),
      ]);
    });
    expect(described).toEqual([
      { parameters: [23], columns: [{ name: "a", type: 23 }] },
      {
        parameters: [25, 16],
        columns: [
          { name: "b", type: 25 },
          { name: "c", type: 16 },
        ],
      },
    ]);
  } finally {
    await driver.close();
  }
});

it("L-10: statements that do not end leave connections to others, and are followed by answers", async () => {
  const url = await freshDatabase(inject("postgresUrl"), "endless");
  const options = { workspaces: ["w"], statementTimeout: 8_000 };
  await using db = await openPostgres(url, options);
  await db.change((engine) => {
    for (const name of ["a", "b"]) {
      engine.workspace("w").createDatabase(name).branch("main").createTable("t", []);
    }
  });
  const ask = async (
    path: string,
    body: unknown,
  ): Promise<{ status: number; message?: string }> => {
    const sent = { method: "POST", body: JSON.stringify(body) };
    const response = await db.fetch(`http://localhost/db/${path}`, sent);
    const { message } = (await response.json()) as { message?: string };
    return { status: response.status, ...(message === undefined ? {} : { message }) };
  };
  const rows = "generate_series(1, 100000)";
  const statement = `select count(*) from ${rows} a, ${rows} b, ${rows} c`;
  const endless = Array.from({ length: 10 }, () => ask("a:main/sql", { statement }));
  const others = Array.from({ length: 30 }, () => ask("b:main/tables/t/query", {}));
  expect(new Set((await Promise.all(others)).map(({ status }) => status))).toEqual(new Set([200]));
  const busy = { status: 503, message: "all connections are in use: try again" };
  expect(await ask("a:main/tables/t/query", {})).toEqual(busy);
  const ended = await Promise.all(endless);
  expect(ended.filter(({ status }) => status === 408)).toHaveLength(5);
  expect(ended.filter(({ status }) => status !== 408)).toEqual(
    Array.from({ length: 5 }, () => busy),
  );
  expect(await ask("a:main/tables/t/query", {})).toMatchObject({ status: 200 });
});
