import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ALL_WAYS,
  type Client,
  closeDatabases,
  describeClients,
  type Setup,
  setUp,
} from "./npm-clients.js";

afterAll(closeDatabases);

describeClients(ALL_WAYS, "@xata.io/client $title", ({ version, way }) => {
  const { module } = version;
  let setup: Setup;
  let db: Client["db"];

  beforeEach(async () => {
    setup = await setUp(version, way);
    ({ db } = setup.client);
    await setup.fill((main) => {
      main.table("teams").insert([
        { id: "t1", name: "Ants" },
        { id: "t2", name: "Bees" },
      ]);
      main.table("users").insert([
        {
          id: "u1",
          email: "ann@example.com",
          name: "Ann",
          age: 30,
          rating: 4.5,
          active: true,
          bio: "Likes ants.",
          born: "1994-01-02T03:04:05.006Z",
          labels: ["red", "blue"],
          team: "t1",
          settings: { theme: { dark: true }, sizes: [1, 2] },
        },
        { id: "u2", email: "bob@example.com", name: "Bob", age: 40, labels: [], team: "t2" },
        { id: "u3", email: "cyd@example.com", name: "Cyd", age: 30, rating: 3, active: false },
        { id: "u4", name: "dee", labels: ["red"], team: "t1" },
      ]);
    });
  });

  afterEach(() => setup.close());

  describe("writing", () => {
    it("X-1: creates a record, with or without an id", async () => {
      const made = await db.users.create({ name: "Eve", age: 50 });
      expect(made).toMatchObject({ id: expect.stringMatching(/^rec_/), name: "Eve", age: 50 });
      expect(made.getMetadata()).toMatchObject({ version: 0, createdAt: expect.any(Date) });
      expect(await db.users.create("u9", { name: "Nia" })).toMatchObject({ id: "u9", name: "Nia" });
      expect(await db.users.create({ id: "u10", name: "Tia" }, ["name"])).toMatchObject({
        id: "u10",
        name: "Tia",
      });
      await expect(db.users.create("u9", { name: "Again" })).rejects.toMatchObject({ status: 422 });
    });

    it("X-3: creates several records", async () => {
      const made = await db.users.create([{ name: "Eve" }, { id: "u9", name: "Nia" }]);
      expect(made.map((user) => user?.name)).toEqual(["Eve", "Nia"]);
      expect(made[1]?.id).toBe("u9");
      await expect(db.users.create([{ name: "Fay" }, { id: "u9" }])).rejects.toMatchObject({
        status: 400,
        errors: [expect.objectContaining({ index: 1, message: expect.any(String) })],
      });
      expect(await db.users.filter({ name: "Fay" }).getAll()).toEqual([]);
    });

    it("X-1: reads one, several and missing records", async () => {
      expect(await db.users.read("u1")).toMatchObject({ id: "u1", name: "Ann" });
      expect(await db.users.read("nobody")).toBeNull();
      const many = await db.users.read(["u3", "nobody", "u1"], ["name"]);
      expect(many.map((user) => user?.name ?? null)).toEqual(["Cyd", null, "Ann"]);
      await expect(db.users.readOrThrow("nobody")).rejects.toThrow("not found");
    });

    it("X-1: updates one and several records, and by version", async () => {
      expect(await db.users.update("u1", { age: 31 })).toMatchObject({ age: 31, name: "Ann" });
      const increment = { id: "u1", age: { $increment: 1 } };
      expect(await db.users.update(increment, ["age"])).toMatchObject({ age: 32 });
      expect(await db.users.update("nobody", { age: 1 })).toBeNull();
      expect(await db.users.update("u1", { age: 33 }, { ifVersion: 0 })).toBeNull();
      expect(await db.users.update("u1", { age: 33 }, { ifVersion: 2 })).toMatchObject({ age: 33 });
      const many = await db.users.update([
        { id: "u1", age: 1 },
        { id: "nobody", age: 2 },
        { id: "u2", age: 3 },
      ]);
      expect(many.map((user) => user?.age ?? null)).toEqual([1, null, 3]);
    });

    it.each([
      ["createOrUpdate", "Ann", "Bob"],
      ["createOrReplace", null, null],
    ] as const)("X-1: %s", async (method, one, other) => {
      const write = db.users[method].bind(db.users) as typeof db.users.createOrUpdate;
      expect(await write("u1", { age: 31 })).toMatchObject({ id: "u1", name: one, age: 31 });
      expect(await write({ id: "u9", age: 9 })).toMatchObject({ id: "u9", age: 9 });
      const many = await write([
        { id: "u2", age: 5 },
        { id: "u8", age: 6 },
      ]);
      expect(many.map((user) => [user?.id, user?.age, user?.name ?? null])).toEqual([
        ["u2", 5, other],
        ["u8", 6, null],
      ]);
    });

    it("X-1: deletes one and several records", async () => {
      expect(await db.users.delete("u1")).toMatchObject({ id: "u1", name: "Ann" });
      expect(await db.users.delete("u1")).toBeNull();
      const many = await db.users.delete(["u2", "u1", "u3"]);
      expect(many.map((user) => user?.name ?? null)).toEqual(["Bob", null, "Cyd"]);
      expect(await db.users.getAll()).toHaveLength(1);
      await expect(db.users.deleteOrThrow("u1")).rejects.toThrow("not found");
    });

    it("X-1: writes by methods of records", async () => {
      const ann = await db.users.readOrThrow("u1");
      expect(await ann.update({ age: 31 })).toMatchObject({ age: 31, name: "Ann" });
      expect(await ann.read()).toMatchObject({ age: 31 });
      expect(await ann.replace({ age: 32 })).toMatchObject({ age: 32, name: null });
      await ann.delete();
      expect(await ann.read()).toBeNull();
    });

    it("X-3: runs transactions", async () => {
      const { results } = await setup.client.transactions.run([
        { insert: { table: "users", record: { id: "u9", name: "Nia" }, createOnly: true } },
        { update: { table: "users", id: "u1", fields: { age: 31 }, columns: ["name", "age"] } },
        { get: { table: "users", id: "u2", columns: ["name"] } },
        { delete: { table: "users", id: "u3" } },
      ]);
      expect(results).toEqual([
        { operation: "insert", id: "u9", rows: 1 },
        { operation: "update", id: "u1", rows: 1, columns: { name: "Ann", age: 31 } },
        { operation: "get", columns: { name: "Bob" } },
        { operation: "delete", rows: 1 },
      ]);
      const refused = setup.client.transactions.run([
        { delete: { table: "users", id: "u1" } },
        { delete: { table: "users", id: "nobody", failIfMissing: true } },
      ]);
      await expect(refused).rejects.toMatchObject({
        status: 400,
        errors: [{ index: 1, message: "table [users]: no rows deleted" }],
      });
      expect(await db.users.read("u1")).not.toBeNull();
    });
  });

  describe("values", () => {
    it("T-7, T-8, T-11: sends and returns dates, lists and JSON values", async () => {
      const born = new Date("2001-02-03T04:05:06.789Z");
      const values = { born, labels: ["b", "a", "b"], settings: { a: [1, { b: null }], ü: "ö" } };
      const made = await db.users.create(values);
      expect(made).toMatchObject(values);
      expect(await db.users.read("u1")).toMatchObject({
        born: new Date("1994-01-02T03:04:05.006Z"),
        settings: { theme: { dark: true }, sizes: [1, 2] },
      });
      expect((await db.users.read("u2"))?.born).toBeNull();
      await expectIds(db.users.filter({ born: { $lt: born } }), "u1");
      await expectIds(db.users.filter({ born }), made.id);
      await expectIds(db.users.filter({ "settings->theme->dark": true } as object), "u1");
    });

    it("T-9: accepts links as records or ids, and returns records", async () => {
      const bees = await db.teams.readOrThrow("t2");
      const made = await db.users.create({ name: "Eve", team: bees }, ["name", "team.name"]);
      expect(made.team).toMatchObject({ id: "t2", name: "Bees" });
      expect(await db.users.update("u3", { team: "t1" }, ["team.name"])).toMatchObject({
        team: { id: "t1", name: "Ants" },
      });
      expect(await db.users.update("u3", { team: null }, ["team.name"])).toMatchObject({
        team: null,
      });
    });
  });

  describe("filters", () => {
    it("F-2 … F-13: by the functions of the module, and by methods of queries", async () => {
      const users = (filter: object) => db.users.filter(filter);
      const { gt, greaterThan, ge, gte, greaterEquals, greaterThanEquals } = module;
      const { lt, lessThan, le, lte, lessEquals, lessThanEquals } = module;
      const { is, equals, isNot, exists, notExists, contains, startsWith, endsWith } = module;
      const { includes, includesAny, includesAll, includesNone, pattern } = module;
      const by = (compare: readonly (typeof gt)[], age: number, ids: string) =>
        compare.map((make): [Query, string] => [users({ age: make(age) }), ids]);
      const young = users({ age: 30 });
      const red = users({ labels: includes("red") });
      const found: [query: Query, ids: string][] = [
        ...by([gt, greaterThan], 30, "u2"),
        ...by([ge, gte, greaterEquals, greaterThanEquals], 30, "u1 u2 u3"),
        ...by([lt, lessThan], 40, "u1 u3"),
        ...by([le, lte, lessEquals, lessThanEquals], 40, "u1 u2 u3"),
        [users({ name: gt("B" as never) }), "u2 u3 u4"],
        [users(exists("email")), "u1 u2 u3"],
        [users(notExists("team")), "u3"],
        [users({ email: startsWith("ann@") }), "u1"],
        [db.users.filter("name", endsWith("d")), "u3"],
        [users({ bio: contains("ants") }), "u1"],
        [users({ name: pattern("?o*") }), "u2"],
        [users({ name: is("Ann") }), "u1"],
        [users({ name: equals("Ann") }), "u1"],
        [users({ name: "Ann" }), "u1"],
        [users({ age: isNot(30) }), "u2"],
        [users({ id: { $any: ["u1", "u3"] } }), "u1 u3"],
        [red, "u1 u4"],
        [users({ labels: includesAny("blue") }), "u1"],
        [users({ labels: includesAll("red") }), "u2 u3 u4"],
        [users({ labels: includesNone("blue") }), "u2 u3 u4"],
        [db.users.any(young, red), "u1 u3 u4"],
        [db.users.all(young, red), "u1"],
        [db.users.not(young), "u2"],
        [db.users.none(young), "u2"],
        [young.filter("name", "Cyd"), "u3"],
        [users({ "team.name": "Ants" }), "u1 u4"],
        [users({ team: { id: "t2" } }), "u2"],
      ];
      for (const [query, ids] of found) await expectIds(query, ids);
    });

    it.skipIf(module.iPattern === undefined)("F-11: iPattern and iContains", async () => {
      await db.users.create({ id: "u5", name: "ÄRNE" });
      await expectIds(db.users.filter({ name: module.iContains("ärn") }), "u5");
      await expectIds(db.users.filter({ name: module.iPattern("b?B") }), "u2");
    });
  });

  describe("selecting and sorting", () => {
    it("P-5: selects columns and linked columns", async () => {
      const ann = await db.users
        .select(["name", "team.name", "team.id"])
        .filter("id", "u1")
        .getFirst();
      expect(ann).toMatchObject({ id: "u1", name: "Ann", team: { id: "t1", name: "Ants" } });
      expect(ann).not.toHaveProperty("age");
      const whole = await db.users.select(["*", "team.*"]).filter("id", "u1").getFirst();
      expect(whole).toMatchObject({ age: 30, team: { name: "Ants" } });
    });

    it("S-1, S-4: sorts by several columns, by linked columns, and randomly", async () => {
      await expectIds(db.users.sort("age", "desc").sort("name", "asc"), "u4 u2 u1 u3");
      await expectIds(db.users.sort("team.name", "desc"), "u3 u2 u1 u4");
      const ids = await idsOf(db.users.sort("*", "random"));
      expect(ids.toSorted()).toEqual(["u1", "u2", "u3", "u4"]);
    });

    it("P-11: selects reverse links", async () => {
      const columns = [
        "name",
        {
          name: "<-users.team",
          as: "members",
          columns: ["name"],
          sort: [{ name: "desc" }],
          limit: 2,
        },
      ];
      const teams = await db.teams.select(columns as ["name"]).getAll();
      expect(teams.map((team) => JSON.parse(JSON.stringify(team)))).toMatchObject([
        { name: "Ants", members: { records: [{ name: "dee" }, { name: "Ann" }] } },
        { name: "Bees", members: { records: [{ name: "Bob" }] } },
      ]);
    });
  });

  describe("pages", () => {
    beforeEach(async () => {
      const records = Array.from({ length: 445 }, (_, i) => ({
        id: `v${String(i).padStart(3, "0")}`,
        age: 100 + i,
      }));
      await setup.fill((main) => void main.table("users").load(records));
    });

    const many = (): Client["db"]["users"] => db.users;

    it("G-1: getFirst, getMany and getAll", async () => {
      const some = many()
        .filter({ age: { $ge: 100 } })
        .sort("age", "asc");
      expect(await some.getFirst()).toMatchObject({ id: "v000" });
      expect(await many().filter({ name: "nobody" }).getFirst()).toBeNull();
      await expect(many().filter({ name: "nobody" }).getFirstOrThrow()).rejects.toThrow();
      expect(await some.getMany({ pagination: { size: 30 } })).toHaveLength(30);
      expect(await some.getMany({ pagination: { size: 300 } })).toHaveLength(300);
      expect((await some.getMany({ pagination: { size: 2, offset: 3 } }))[0]).toMatchObject({
        id: "v003",
      });
      const all = await some.getAll();
      expect(all.map(({ id }) => id)).toEqual(
        Array.from({ length: 445 }, (_, i) => `v${String(i).padStart(3, "0")}`),
      );
      expect(await many().getAll({ batchSize: 100 })).toHaveLength(449);
    });

    it("G-5: next, previous, start and end page", async () => {
      const first = await many()
        .sort("id", "asc")
        .getPaginated({ pagination: { size: 3 } });
      expect(first.records.map(({ id }) => id)).toEqual(["u1", "u2", "u3"]);
      expect(first.hasNextPage()).toBe(true);
      const second = await first.nextPage();
      expect(second.records.map(({ id }) => id)).toEqual(["u4", "v000", "v001"]);
      const wider = await second.nextPage(5, 1);
      expect(wider.records.map(({ id }) => id)).toEqual(["v003", "v004", "v005", "v006", "v007"]);
      const back = await wider.previousPage(3);
      expect(back.records.map(({ id }) => id)).toEqual(["v000", "v001", "v002"]);
      expect((await back.startPage(2)).records.map(({ id }) => id)).toEqual(["u1", "u2"]);
      const end = await back.endPage(2);
      expect(end.records.map(({ id }) => id)).toEqual(["v443", "v444"]);
      expect((await end.nextPage()).records).toHaveLength(0);
      expect((await many().endPage(1)).records.map(({ id }) => id)).toEqual(["v444"]);
    });

    it("G-5: iterates over batches and records", async () => {
      const batches: number[] = [];
      for await (const batch of many().getIterator({ batchSize: 150 })) batches.push(batch.length);
      expect(batches).toEqual([150, 150, 149]);
      const ids: string[] = [];
      for await (const { id } of many().filter({ age: { $lt: 103 } })) ids.push(id);
      expect(ids).toEqual(["u1", "u2", "u3", "v000", "v001", "v002"]);
    });

    it("G-1: reports a page that is too large", async () => {
      const { PAGINATION_MAX_SIZE: size } = module;
      expect(await many().getPaginated({ pagination: { size } })).toMatchObject({
        meta: { page: { size } },
      });
      await expect(many().getPaginated({ pagination: { size: size + 1 } })).rejects.toMatchObject({
        status: 400,
        message: `page size exceeds max limit of ${size}`,
      });
    });
  });

  describe("errors", () => {
    it("T-16, F-16: report invalid values and filters", async () => {
      // Programs without a type checker pass anything.
      const wrong = { age: "old" } as unknown as { age: number };
      for (const call of [() => db.users.create(wrong), () => db.users.filter(wrong).getAll()]) {
        await expect(call()).rejects.toMatchObject({
          status: 400,
          message: expect.stringContaining("age"),
          requestId: expect.stringMatching(/^req_/),
        });
      }
    });

    it("E-8: have the service's texts as messages", async () => {
      const misspelt = { $any: [{ age: 1 }, { aeg: 1 }] } as object;
      await expect(db.users.filter(misspelt).getMany()).rejects.toMatchObject({
        status: 400,
        message: "filter invalid: column [aeg]: column not found",
      });
      await db.users.create({ email: "taken@example.com" });
      const text = "invalid record: column [email]: is not unique";
      await expect(db.users.create({ email: "taken@example.com" })).rejects.toMatchObject({
        status: 400,
        errors: [{ message: text, status: 400 }],
      });
      await expect(
        db.users.create([{ email: "taken@example.com" }, { email: "new@example.com" }]),
      ).rejects.toMatchObject({ errors: [{ index: 0, message: `table [users]: ${text}` }] });
    });
  });

  describe("aggregates", () => {
    it("X-6: summarizes by linked columns, and filters summaries", async () => {
      const { summaries } = await db.users
        .filter({ age: { $gt: 0 } })
        .sort("team.name" as "name", "asc")
        .summarize({
          columns: ["team.name"],
          summaries: {
            n: { count: "*" },
            rated: { count: "rating" },
            oldest: { max: "age" },
            youngest: { min: "age" },
            total: { sum: "age" },
            mean: { average: "age" },
          },
        });
      expect(summaries.map((summary) => JSON.parse(JSON.stringify(summary)))).toMatchObject([
        { team: { name: "Ants" }, n: 1, rated: 1, oldest: 30, youngest: 30, total: 30, mean: 30 },
        { team: { name: "Bees" }, n: 1, rated: 0, oldest: 40, youngest: 40, total: 40, mean: 40 },
        { team: { name: null }, n: 1, rated: 1, oldest: 30, youngest: 30, total: 30, mean: 30 },
      ]);
      const filtered = await db.users.summarize({
        columns: ["age"],
        summaries: { n: { count: "*" } },
        summariesFilter: { n: { $gt: 1 } },
        sort: [{ age: "desc" }],
        pagination: { size: 5 },
      });
      expect(filtered.summaries).toMatchObject([{ age: 30, n: 2 }]);
    });

    it("X-6: returns aggregations, under a filter", async () => {
      const top = {
        topValues: { column: "age", size: 1, aggs: { r: { max: { column: "rating" } } } },
      };
      const years = { dateHistogram: { column: "born", calendarInterval: "year" } };
      const asked = { n: { count: "*" }, top, years } as const;
      const { aggs } = await db.users.aggregate(asked as never, {
        id: { $any: ["u1", "u2", "u3"] },
      });
      expect(aggs).toEqual({
        n: 3,
        top: { values: [{ $key: 30, $count: 2, r: 4.5 }] },
        years: { values: [{ $key: "1994-01-01T00:00:00.000Z", $count: 1 }] },
      });
    });
  });
});

async function expectIds(query: Query, ids: string): Promise<void> {
  expect((await idsOf(query)).join(" ")).toBe(ids);
}

interface Query {
  getAll(): Promise<{ id: string }[]>;
}

async function idsOf(query: Query): Promise<string[]> {
  return Array.from(await query.getAll(), ({ id }) => id);
}
