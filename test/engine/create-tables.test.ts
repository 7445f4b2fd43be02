import { beforeEach, describe, expect, it } from "vitest";
import { exportEngine } from "../../src/export.js";
import { type Branch, createEngine, type Engine, type TableColumns } from "../../src/index.js";
import { expectRefusal } from "../refusal.js";

type Expected = Parameters<typeof expectRefusal>[1];

const NAME = { name: "name", type: "string" } as const;

describe("createTables", () => {
  let engine: Engine;
  let main: Branch;

  beforeEach(() => {
    engine = createEngine({ now: 0, seed: 1 });
    main = engine.createWorkspace("acme").createDatabase("shop").branch("main");
    main.createTable("teams", [NAME]);
  });

  it("M-1: creates tables in order, and returns their handles by name", () => {
    const { users, cities } = main.createTables({
      users: [NAME, { name: "age", type: "int" }],
      cities: [],
    });
    expect(main.tables()).toEqual([{ name: "teams" }, { name: "users" }, { name: "cities" }]);
    expect([users.name, cities.name]).toEqual(["users", "cities"]);
    expect(users.schema().columns).toEqual([NAME, { name: "age", type: "int" }]);
    users.insert({ id: "ada", name: "Ada", age: 36 });
    cities.insert({ id: "rome" });
    expect(main.table("users").get("ada")).toMatchObject({ name: "Ada", age: 36 });
    expect(main.table("cities").count()).toBe(1);
  });

  it("M-1: creates no tables from an empty object", () => {
    expect(main.createTables({})).toEqual({});
    expect(main.tables()).toEqual([{ name: "teams" }]);
  });

  it("T-17: links to later, earlier, existing and the same tables", () => {
    const { users, offices } = main.createTables({
      users: [
        NAME,
        { name: "office", type: "link", link: { table: "offices" } },
        { name: "boss", type: "link", link: { table: "users" } },
      ],
      offices: [
        NAME,
        { name: "keeper", type: "link", link: { table: "users" } },
        { name: "team", type: "link", link: { table: "teams" } },
      ],
    });
    main.table("teams").insert({ id: "blue", name: "Blue" });
    offices.insert({ id: "attic", name: "Attic", keeper: "ada", team: "blue" });
    users.insert([
      { id: "ada", name: "Ada", office: "attic" },
      { id: "bob", name: "Bob", office: "attic", boss: "ada" },
    ]);
    const { records } = users.query({
      columns: ["boss.office.keeper.name"],
      filter: { "boss.office.keeper.office.team.name": "Blue" },
      sort: { "office.team.name": "asc" },
    });
    expect(records.map(({ id }) => id)).toEqual(["bob"]);
    expect(records[0]?.boss?.office?.keeper?.name).toBe("Ada");
  });

  it.each<[string, TableColumns, Expected]>([
    ["a taken name (M-1)", { a: [], teams: [] }, { code: "table_exists", path: "/teams" }],
    ["one in any case (N-6)", { Teams: [] }, { code: "table_exists", rule: "N-6" }],
    ["two in any case (N-6)", { a: [], A: [] }, { code: "table_exists", path: "/A" }],
    ["a bad name (N-1)", { a: [], "a/b": [] }, { code: "invalid_name", path: "/a~1b" }],
    [
      "a bad column (N-3)",
      { a: [NAME], b: [NAME, { name: "id", type: "int" }] },
      { code: "invalid_schema", path: "/b/1/name", rule: "N-3" },
    ],
    [
      "a link without a target (T-17)",
      { a: [NAME], b: [{ name: "to", type: "link" }] },
      { code: "invalid_schema", rule: "T-17" },
    ],
  ])("E-5: refuses %s, and creates no table", (_, tables, refusal) => {
    const before = [...exportEngine(engine)].join("");
    expectRefusal(() => main.createTables(tables), refusal);
    expect([...exportEngine(engine)].join("")).toBe(before);
  });

  it.each<[string, unknown, Expected]>([
    ["an array", [NAME], { code: "invalid_request", rule: "E-3" }],
    ["nothing", undefined, { code: "invalid_request", rule: "E-3" }],
    ["null for columns", { a: null }, { code: "invalid_schema", path: "/a" }],
  ])("E-3: refuses %s", (_, tables, refusal) => {
    const call = main as unknown as { createTables(tables: unknown): unknown };
    expectRefusal(() => call.createTables(tables), refusal);
    expect(main.tables()).toEqual([{ name: "teams" }]);
  });

  it("R-9: an undefined table counts as absent", () => {
    const call = main as unknown as { createTables(tables: unknown): object };
    expect(Object.keys(call.createTables({ a: undefined, b: [] }))).toEqual(["b"]);
  });

  it("N-5: a table may be named __proto__", () => {
    const tables = main.createTables(JSON.parse('{"__proto__": []}') as TableColumns);
    expect(Object.keys(tables)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(tables)).toBe(Object.prototype);
    expect(main.table("__proto__").count()).toBe(0);
  });

  it("E-6: reports a missing branch first", () => {
    engine.workspace("acme").deleteDatabase("shop");
    const call = main as unknown as { createTables(tables: unknown): object };
    expectRefusal(() => call.createTables(5), { code: "database_not_found" });
  });

  it("G-13: tables have the same identities as if created one by one", () => {
    const cursors = [createOneByOne, createTogether].map((create) => {
      const other = createEngine({ now: 0, seed: 1 });
      const branch = other.createWorkspace("acme").createDatabase("shop").branch("main");
      create(branch);
      return ["a", "b"].map((name) => branch.table(name).query().meta.page.cursor);
    });
    expect(cursors[0]).toEqual(cursors[1]);
    expect(new Set(cursors[0]).size).toBe(2);
  });
});

function createOneByOne(branch: Branch): void {
  branch.createTable("a");
  branch.createTable("b");
}

function createTogether(branch: Branch): void {
  branch.createTables({ a: [], b: [] });
}
