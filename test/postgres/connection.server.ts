import { expect, inject, it } from "vitest";
import { plain } from "../../src/postgres/driver.js";
import { openServer } from "../../src/postgres/server.js";
import { openPostgres } from "../../src/postgres.js";

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
