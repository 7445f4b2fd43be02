const { buildClient } = require("@xata.io/client");
const { createDouble } = require("twinbase/testing");

const columns = [{ name: "email", type: "email" }];
const tables = [{ name: "users", columns }];
const records = { users: [{ id: "ada", email: "ada@example.com" }] };
const seeded = createDouble({ schema: tables, records, now: 0 });
const Client = buildClient();

test("a fork starts with the records of the double", async () => {
  const double = seeded.fork();
  const { db } = new Client(double.client, tables);
  expect(await db.users.read("ada")).toMatchObject({ email: "ada@example.com" });
  await db.users.delete("ada");
  expect([double, seeded].map(({ tables }) => tables.users.count())).toEqual([0, 1]);
});

test("the clock is the test's", async () => {
  const double = seeded.fork();
  double.clock.advance(60_000);
  const { db } = new Client(double.client, tables);
  const { xata } = await db.users.create({ email: "bob@example.com" });
  expect(xata.createdAt).toEqual(new Date(60_000));
});

test("the client tries again after a 429, and the journal has both calls", async () => {
  const double = seeded.fork();
  double.faults.add({ on: { operation: "getRecord" }, answer: { status: 429 } });
  jest.spyOn(console, "log").mockImplementation(() => {}); // the client logs its retries
  const { db } = new Client(double.client, tables);
  expect(await db.users.read("ada")).toMatchObject({ id: "ada" });
  const calls = double.journal.expect({ operation: "getRecord", record: "ada" }, 2);
  expect(calls.map(({ status }) => status)).toEqual([429, 200]);
});

test("fake timers are the time of a double without one", () => {
  jest.useFakeTimers({ now: 0 });
  const { users } = createDouble({ schema: tables }).tables;
  jest.advanceTimersByTime(5_000);
  expect(users.insert({}).xata.createdAt).toBe("1970-01-01T00:00:05Z");
  jest.useRealTimers();
});
