import { describe, expect, it } from "vitest";
import { expectRefused, openTable, refused } from "./fixture.js";

const NUMBERS = [
  { name: "i", type: "int" },
  { name: "f", type: "float" },
  { name: "s", type: "string" },
  { name: "doc", type: "json" },
  { name: "u", type: "int", unique: true },
  { name: "o", type: "object", columns: [{ name: "n", type: "int" }] },
];

describe("number operations", () => {
  const open = (record: object = { i: 6, f: 1.5, o: { n: 2 } }) => {
    const table = openTable(NUMBERS);
    table.insert({ id: "a", ...record });
    return table;
  };

  it("X-2: refuses results outside of the column's type", () => {
    const table = open({ i: 7, f: 1e308 });
    const refusals: object[] = [
      { i: { $divide: 0 } },
      { i: { $divide: -0 } },
      { f: { $divide: 0 } },
      { i: { $divide: 2 } },
      { i: { $increment: 0.5 } },
      { i: { $multiply: 2 ** 53 } },
      { i: { $increment: Number.MAX_SAFE_INTEGER } },
      { f: { $multiply: 10 } },
    ];
    for (const changes of refusals) {
      const path = `/${Object.keys(changes)[0]}`;
      expectRefused(
        () => table.update("a", { s: "never", ...changes }),
        `invalid_record X-2 ${path}`,
      );
    }
    expect(table.get("a")).toMatchObject({ i: 7, f: 1e308, service: { version: 0 } });
    expect(table.get("a")).not.toHaveProperty("s");
    expect(table.update("a", { i: { $increment: Number.MAX_SAFE_INTEGER - 7 } }).i).toBe(
      Number.MAX_SAFE_INTEGER,
    );
  });

  it("X-2: works in updates only", () => {
    const table = open();
    const given = { i: { $increment: 1 } };
    for (const call of [
      () => table.insert(given),
      () => table.insert([{ o: {} }, given].slice(1)),
      () => table.replace("a", given),
      () => table.put("a", given),
      () => table.put("new", given),
      () => table.upsert("new", given),
    ]) {
      const { code, rule, path, message, errors } = refused(call);
      expect({ code, rule }).toEqual({ code: "invalid_record", rule: "X-2" });
      expect(errors?.[0]?.message ?? message).toContain("only an update of an existing record");
      expect(path).toMatch(/\/i$/);
    }
    expect(table.count()).toBe(1);
  });

  it("X-2: takes one operation with one number, on numbers", () => {
    const table = open();
    for (const value of [
      { $increment: 1, $multiply: 2 },
      { $increment: "1" },
      { $increment: null },
      { $increment: Number.NaN },
      { $increment: Number.POSITIVE_INFINITY },
      { $increment: 1n },
      { $add: 1 },
      { $increment: 1, x: 1 },
      {},
    ]) {
      expectRefused(() => table.update("a", { i: value }), "invalid_record T-2 /i");
    }
    expectRefused(() => table.update("a", { s: { $increment: 1 } }), "invalid_record T-4 /s");
    expectRefused(
      () => table.update("a", { o: { $increment: 1 } }),
      "invalid_record T-10 /o/$increment",
    );
    expect(table.update("a", { doc: { $increment: 1 } }).doc).toEqual({ $increment: 1 });
  });

  it("X-2: checks the result for unique columns", () => {
    const table = open({ u: 1 });
    table.insert({ id: "b", u: 3 });
    expectRefused(() => table.update("a", { u: { $increment: 2 } }), "invalid_record T-16 /u");
    expect(table.update("b", { u: { $decrement: 1 } }).u).toBe(2);
    expect(table.update("a", { u: { $increment: 2 } }).u).toBe(3);
  });
});

describe("conditions of a write", () => {
  it("X-1: ifVersion must equal the record's version", () => {
    const table = openTable(NUMBERS);
    table.insert({ id: "a", i: 1 });
    table.update("a", { i: 2 });
    const conflict = (call: () => unknown): void => {
      expectRefused(call, "version_conflict X-1");
      expect(refused(call).status).toBe(422);
    };
    for (const ifVersion of [0, 2, 99]) {
      conflict(() => table.update("a", { i: 3 }, { ifVersion }));
      conflict(() => table.replace("a", { i: 3 }, { ifVersion }));
      conflict(() => table.upsert("a", { i: 3 }, { ifVersion }));
      conflict(() => table.put("a", { i: 3 }, { ifVersion }));
      conflict(() => table.delete("a", { ifVersion }));
      conflict(() => table.upsert("new", {}, { ifVersion }));
      expect(table.put(`new${ifVersion}`, {}, { ifVersion }).service).toMatchObject({ version: 0 });
    }
    expect(table.update("a", { i: 3 }, { ifVersion: 1 }).service).toMatchObject({ version: 2 });
    expect(table.put("a", { i: 4 }, { ifVersion: 2 }).i).toBe(4);
    expect(table.delete("a", { ifVersion: 3 })).toBe(true);
    expect(table.delete("a", { ifVersion: 3 })).toBe(false);
  });

  it("E-3: checks keys and values of options", () => {
    const table = openTable(NUMBERS);
    table.insert({ id: "a", i: 1 });
    const update = (options: unknown) => () => table.update("a", { i: 9 }, options);
    for (const ifVersion of [-1, 0.5, "0", null, true, Number.NaN]) {
      expectRefused(update({ ifVersion }), "invalid_request X-1 /ifVersion");
    }
    for (const createOnly of [1, "true", null]) {
      const call = (): unknown => table.put("a", {}, { createOnly });
      expectRefused(call, "invalid_request E-3 /createOnly");
    }
    expectRefused(update({ ifversion: 0 }), "invalid_request E-3 /ifversion", /ifVersion/);
    expectRefused(update({ createOnly: true }), "invalid_request E-3 /createOnly");
    for (const options of [null, 1, "x", []]) expect(refused(update(options)).rule).toBe("E-3");
    expect(table.get("a")?.i).toBe(1);
  });
});
