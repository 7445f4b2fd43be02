import { describe, expect, it } from "vitest";
import { expectRefused, NOW_TEXT, openTable, refusalOf, type UntypedTable } from "./fixture.js";

describe("unique", () => {
  it.each<[type: object, one: unknown, other: unknown, same: unknown]>([
    [{ type: "int" }, 0, 1, -0],
    [
      { type: "datetime" },
      "2022-01-31T10:20:30Z",
      NOW_TEXT.replace("Z", ".000001Z"),
      "2022-01-31T11:20:30.0+01:00",
    ],
    [{ type: "multiple" }, ["a", "b"], ["b", "a"], ["a", "b"]],
    [{ type: "link", link: { table: "items" } }, "a", "b", { id: "a" }],
    [{ type: "json" }, { x: 1, y: [2] }, { x: 1, y: [3] }, { y: [2], x: 1 }],
    [{ type: "vector", vector: { dimension: 2 } }, [1, 2], [2, 1], [1, 2]],
  ])("T-16: %j: equal values are not unique", (type, one, other, same) => {
    const table = openTable([{ name: "u", unique: true, ...type }]);
    table.insert([{ id: "a", u: one }, { id: "b", u: other }, { id: "c" }]);
    const message = /\[items\].*\[u\].*unique/;
    for (const call of [() => table.insert({ u: same }), () => table.update("c", { u: same })]) {
      expectRefused(call, "invalid_record", "T-16", "/u", message);
    }
    table.update("a", { u: null });
    expect(table.insert({ u: same }).u).toBeDefined();
  });

  it("T-16: finds a taken value among thousands, and reuses a freed one", () => {
    const table = openTable([{ name: "u", type: "int", unique: true }]);
    table.insert(Array.from({ length: 9000 }, (_, i) => ({ id: `r${i}`, u: i })));
    for (const u of [0, 1, 4095, 4096, 8999]) {
      expect(refusalOf(() => table.insert({ u })).rule).toBe("T-16");
    }
    table.delete("r1500");
    expect(table.insert({ id: "again", u: 1500 }).u).toBe(1500);
    expect(refusalOf(() => table.update("r7", { u: 1500 })).rule).toBe("T-16");
  });
});

describe("defaultValue", () => {
  it.each<[type: object, given: unknown, filled: unknown]>([
    [{ type: "bool" }, "true", true],
    [{ type: "int" }, "-7", -7],
    [{ type: "float" }, "1.5", 1.5],
    [{ type: "datetime" }, "2022-01-31T11:20:30+01:00", NOW_TEXT],
    [{ type: "datetime" }, "now", NOW_TEXT],
    [{ type: "multiple" }, '["a","b"]', ["a", "b"]],
    [{ type: "link", link: { table: "items" } }, "x", { id: "x" }],
    [{ type: "vector", vector: { dimension: 2 } }, "[1,2]", [1, 2]],
  ])("T-16: %j with %j fills a missing key", (type, defaultValue, filled) => {
    const table = openTable([{ name: "d", defaultValue, ...type }]);
    expect(table.insert({ d: undefined }).d).toEqual(filled);
    expect(table.schema().columns[0]).toEqual({ name: "d", defaultValue, ...type });
  });

  it("T-16: has the column's type", () => {
    const cases: (readonly [object, unknown])[] = [
      [{ type: "bool" }, 1],
      [{ type: "int" }, 1.5],
      [{ type: "int" }, "one"],
      [{ type: "string" }, 1],
      [{ type: "email" }, "a"],
      [{ type: "datetime" }, "later"],
      [{ type: "multiple" }, "a"],
      [{ type: "vector", vector: { dimension: 2 } }, [1]],
      [{ type: "object", columns: [] }, 1],
    ];
    for (const [type, defaultValue] of cases) {
      const call = (): unknown => openTable([{ name: "d", defaultValue, ...type }]);
      expectRefused(call, "invalid_schema", "T-16", "/0/defaultValue");
    }
  });

  it("T-16: is copied for each record", () => {
    const table = openTable([{ name: "d", type: "json", defaultValue: { list: [1] } }]);
    const first = table.insert({}).d as { list: number[] };
    first.list.push(2);
    expect(table.insert({}).d).toEqual({ list: [1] });
  });
});

describe("adding columns to a table with records", () => {
  function open(count: number): UntypedTable {
    const table = openTable({ n: "int" });
    table.insert(Array.from({ length: count }, (_, i) => ({ id: `r${i}`, n: i })));
    return table;
  }

  it("T-16: a default fills existing records in every chunk", () => {
    const table = open(2500);
    table.addColumn({ name: "s", type: "string", defaultValue: "x" });
    table.addColumn({ name: "at", type: "datetime", defaultValue: "now", notNull: true });
    expect(table.count({ s: "x", at: NOW_TEXT })).toBe(2500);
    expect(table.get("r2499")).toMatchObject({ n: 2499, s: "x", at: NOW_TEXT });
    table.addColumn({ name: "t", type: "string" });
    expect(table.count({ $exists: "t" })).toBe(0);
  });
});

describe("defaultValue", () => {
  it("T-16: is read once, so that the checked value is stored", () => {
    const table = openTable([]);
    let reads = 0;
    table.addColumn({
      name: "n",
      type: "int",
      get defaultValue(): unknown {
        reads++;
        return reads === 1 ? 7 : "no number";
      },
    } as never);
    expect(reads).toBe(1);
    expect(table.schema().columns).toMatchObject([{ name: "n", defaultValue: 7 }]);
  });
});
