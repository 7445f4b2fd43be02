import { describe, expect, it } from "vitest";
import { defineColumns } from "../columns.js";
import { expectRefused, openBranch, refused } from "./fixture.js";

describe("transactions", () => {
  const open = (profile: "documented" | "xata" = "documented") => {
    const branch = openBranch({ profile });
    const teams = branch.createTable("teams", defineColumns({ name: "string", n: "int" }));
    branch.createTable("players", [{ name: "team", type: "link", link: { table: "teams" } }]);
    teams.insert({ id: "red", name: "Red", n: 1 });
    return { branch, teams };
  };
  const insert = (record: object, more: object = {}) => ({
    insert: { table: "teams", record, ...more },
  });
  const update = (id: string, fields: object, more: object = {}) => ({
    update: { table: "teams", id, fields, ...more },
  });
  const remove = (id: string, more: object = {}) => ({ delete: { table: "teams", id, ...more } });
  const get = (id: string, more: object = {}) => ({ get: { table: "teams", id, ...more } });

  it("X-3: runs operations in order over several tables", () => {
    const { branch, teams } = open();
    const results = branch.transaction([
      insert({ id: "blue", name: "Blue" }),
      { insert: { table: "players", record: { id: "p", team: "blue" }, columns: ["team.name"] } },
      update("blue", { n: 5 }, { columns: ["n"] }),
      update("blue", { n: { $increment: 1 } }, { columns: ["n", "service.version"] }),
      { get: { table: "players", id: "p", columns: ["team.n", "id"] } },
      remove("red", { columns: ["name"] }),
      get("red"),
      remove("red"),
    ]);
    expect(results).toEqual([
      { operation: "insert", id: "blue", rows: 1, columns: {} },
      {
        operation: "insert",
        id: "p",
        rows: 1,
        columns: { team: { id: "blue", name: "Blue", service: expect.anything() } },
      },
      { operation: "update", id: "blue", rows: 1, columns: { n: 5 } },
      {
        operation: "update",
        id: "blue",
        rows: 1,
        columns: { n: 6, service: expect.objectContaining({ version: 2 }) },
      },
      {
        operation: "get",
        columns: { id: "p", team: { id: "blue", n: 6, service: expect.anything() } },
      },
      { operation: "delete", rows: 1, columns: { name: "Red" } },
      { operation: "get", columns: {} },
      { operation: "delete", rows: 0 },
    ]);
    expect(teams.get("blue")).toMatchObject({ n: 6, name: "Blue" });
    expect(teams.get("red")).toBeNull();
  });

  it("X-3: changes nothing on failure, and lists every bad operation", () => {
    const { branch, teams } = open();
    const before = [...teams.scan()];
    const operations = [
      insert({ id: "ok", name: "ok" }),
      insert({ nope: 1 }),
      update("gone", { n: 1 }),
      remove("gone", { failIfMissing: true }),
      update("red", { n: "x" }),
      update("red", { n: 1 }, { ifVersion: 9 }),
      get("red", { columns: ["nope"] }),
      { insert: { table: "nope", record: {} } },
      { move: {} },
      insert({ n: 1 }, { ifVersion: 0 }),
      insert({ id: "ok" }, { createOnly: true }),
      remove("red"),
    ];
    const { status, errors = [] } = refused(() => branch.transaction(operations));
    expect(status).toBe(400);
    expect(errors.map(({ index, code }) => [index, code])).toEqual([
      [1, "invalid_record"],
      [2, "record_not_found"],
      [3, "record_not_found"],
      [4, "invalid_record"],
      [5, "version_conflict"],
      [6, "unknown_column"],
      [7, "table_not_found"],
      [8, "invalid_request"],
      [9, "version_conflict"],
      [10, "id_in_use"],
    ]);
    for (const { index, message, path, rule } of errors) {
      const table = index === 7 ? "nope" : "teams";
      if (index !== 8) expect(message).toMatch(new RegExp(`^table \\[${table}\\]: `));
      expect(path, message).toMatch(new RegExp(`^/operations/${index}(/|$)`));
      expect(rule, message).toMatch(/^[A-Z]-\d+$/);
    }
    expect([...teams.scan()]).toEqual(before);
    // Generated ids are released.
    const { teams: other } = open();
    expect(teams.insert({}).id).toBe(other.insert({}).id);
  });

  it("X-3: checks the shape of operations", () => {
    const { branch, teams } = open();
    const refusedAt = (operation: unknown, path: string): void => {
      const { errors = [] } = refused(() => branch.transaction([get("red"), operation]));
      expect(errors).toMatchObject([{ index: 1, code: "invalid_request", path }]);
    };
    const base = "/operations/1";
    for (const operation of [null, 1, "get", [], {}, { get: {}, delete: {} }, { select: {} }]) {
      refusedAt(operation, base);
    }
    for (const [kind, fields] of [
      ["insert", { record: {} }],
      ["update", { id: "red", fields: {} }],
      ["delete", { id: "red" }],
      ["get", { id: "red" }],
    ] as const) {
      for (const value of [null, 1, []]) refusedAt({ [kind]: value }, `${base}/${kind}`);
      for (const table of [undefined, null, 1]) {
        refusedAt({ [kind]: { ...fields, table } }, `${base}/${kind}/table`);
      }
      refusedAt({ [kind]: { ...fields, table: "teams", more: 1 } }, `${base}/${kind}/more`);
      if (kind === "insert") continue;
      for (const id of [undefined, null, 1]) {
        refusedAt({ [kind]: { ...fields, table: "teams", id } }, `${base}/${kind}/id`);
      }
    }
    refusedAt(insert({}, { createOnly: "yes" }), `${base}/insert/createOnly`);
    refusedAt(update("red", {}, { upsert: 1 }), `${base}/update/upsert`);
    refusedAt(update("red", {}, { ifVersion: "0" }), `${base}/update/ifVersion`);
    refusedAt(remove("red", { failIfMissing: "no" }), `${base}/delete/failIfMissing`);
    refusedAt(get("red", { columns: "n" }), `${base}/get/columns`);
    expect(teams.get("red")).toMatchObject({ name: "Red", service: { version: 0 } });
  });

  it("X-3: takes 0 to 1,000 operations", () => {
    const { branch, teams } = open();
    expect(branch.transaction([])).toEqual([]);
    const many = (count: number) =>
      Array.from({ length: count }, (_, i) => insert({ id: `r${i}` }));
    for (const operations of [undefined, null, {}, "x", many(1001), Array(1e6).fill(get("red"))]) {
      expectRefused(() => branch.transaction(operations), "invalid_request X-3 /operations");
    }
    expect(branch.transaction(many(1000))).toHaveLength(1000);
    expect(teams.count()).toBe(1001);
  });

  it("E-1: truncates an overlong table name in the message", () => {
    const { branch } = open();
    const table = "x".repeat(5000);
    const { errors } = refused(() => branch.transaction([{ insert: { table, record: {} } }]));
    expect(errors?.[0]).toMatchObject({ code: "invalid_name", path: "/operations/0/insert/table" });
    expect(errors?.[0]?.message).toContain(`table [${"x".repeat(255)}…]: `);
    expect(errors?.[0]?.message.length).toBeLessThan(500);
  });

  it("X-3: checks unique columns after each operation", () => {
    const { branch, teams } = open();
    teams.addColumn({ name: "u", type: "string", unique: true });
    branch.transaction([insert({ id: "a", u: "x" }), remove("a"), insert({ id: "b", u: "x" })]);
    const { errors } = refused(() =>
      branch.transaction([insert({ id: "c", u: "x" }), remove("b"), insert({ id: "d", u: "x" })]),
    );
    expect(errors?.map(({ index }) => index)).toEqual([0]);
  });

  it("X-3: under xata columns have T-4 order, and an empty selection of a get has id and metadata", () => {
    const { branch } = open("xata");
    const results = branch.transaction([
      get("red", { columns: ["xata", "name", "n", "id"] }),
      get("red", { columns: [] }),
      update("red", { n: 2 }, { columns: ["name", "n"] }),
      get("nope", { columns: [] }),
    ]) as { columns: object }[];
    expect(Object.keys(results[0]!.columns)).toEqual(["id", "n", "name", "xata"]);
    expect(Object.keys(results[1]!.columns)).toEqual(["id", "xata"]);
    expect(Object.keys(results[2]!.columns)).toEqual(["n", "name"]);
    expect(results[3]!.columns).toEqual({});
    const plain = open().branch.transaction([get("red", { columns: [] })]);
    expect(plain).toEqual([{ operation: "get", columns: {} }]);
  });
});
