import assert from "node:assert/strict";
import { test } from "node:test";
import { buildClient } from "@xata.io/client";
import { createDouble } from "twinbase/testing";

const columns = [{ name: "email", type: "email" }];
const tables = [{ name: "users", columns }];
const records = { users: [{ id: "ada", email: "ada@example.com" }] };
const seeded = createDouble({ schema: tables, records, now: 0 });
const Client = buildClient();

test("a fork starts with the records of the double", async () => {
  const double = seeded.fork();
  const { db } = new Client(double.client, tables);
  assert.equal((await db.users.read("ada")).email, "ada@example.com");
  await db.users.delete("ada");
  assert.deepEqual(
    [double, seeded].map(({ tables }) => tables.users.count()),
    [0, 1],
  );
});

test("the clock is the test's", async () => {
  const double = seeded.fork();
  double.clock.advance(60_000);
  const { db } = new Client(double.client, tables);
  const { xata } = await db.users.create({ email: "bob@example.com" });
  assert.deepEqual(xata.createdAt, new Date(60_000));
});

test("the client tries again after a 429, and the journal has both calls", async (t) => {
  const double = seeded.fork();
  double.faults.add({ on: { operation: "getRecord" }, answer: { status: 429 } });
  t.mock.method(console, "log", () => {}); // the client logs its retries
  const { db } = new Client(double.client, tables);
  assert.equal((await db.users.read("ada")).id, "ada");
  const calls = double.journal.expect({ operation: "getRecord", record: "ada" }, 2);
  assert.deepEqual(
    calls.map(({ status }) => status),
    [429, 200],
  );
});

test("fake timers are the time of a double without one", (t) => {
  t.mock.timers.enable({ apis: ["Date"], now: 0 });
  const { users } = createDouble({ schema: tables }).tables;
  t.mock.timers.tick(5_000);
  assert.equal(users.insert({}).xata.createdAt, "1970-01-01T00:00:05Z");
});
