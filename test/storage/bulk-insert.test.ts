import { describe, expect, it } from "vitest";
import { TwinbaseError } from "../../src/index.js";
import { idsOf, openTable, type UntypedTable } from "../rules/fixture.js";

function open(): UntypedTable {
  return openTable({
    name: "string",
    plan: "string",
    n: "int",
    when: "datetime",
    tags: "multiple",
    to: "-> items",
    place: { zip: "int" },
  });
}

/** A record; every third lacks a column, every fourth has its keys in reverse order. */
function recordOf(i: number): Record<string, unknown> {
  const id = `r${100_000 + i}`;
  const when = `2020-01-01T00:00:${String(i % 60).padStart(2, "0")}.00000${(i % 9) + 1}Z`;
  const record = {
    name: `name ${i} é😀`,
    plan: ["free", "professional", ""][i % 3],
    ...(i % 3 === 0 ? {} : { n: i - 50 }),
    when,
    tags: Array.from({ length: i % 4 }, (_, k) => `tag number ${(i + k) % 7}`),
    to: `r${100_000 + (i % 700)}`,
    place: { zip: i % 11 },
  };
  return i % 4 === 0
    ? { ...Object.fromEntries(Object.entries(record).reverse()), id }
    : { id, ...record };
}

describe("a bulk insert", () => {
  it("R-5, T-4 … T-10: stores the same records as single inserts, over several chunks", () => {
    const records = Array.from({ length: 9000 }, (_, i) => recordOf(i));
    const loaded = open();
    const inserted = open();
    expect(loaded.load(records)).toBe(9000);
    for (const record of records) inserted.insert(record);
    expect([...loaded.scan()]).toEqual([...inserted.scan()]);
    expect(loaded.get("r100042")).toEqual(inserted.get("r100042"));
  });

  it("R-5: reports the same faults as single inserts, and stores nothing", () => {
    const bad = [
      { name: 1 },
      { when: "2020-13-01T00:00:00Z" },
      { when: "2020-01-01T00:00:00" },
      { tags: ["a", 1] },
      { to: "" },
      { place: { zip: 1.5 } },
      { place: { zip: 1 }, "place.zip": 2 },
      { plan: "\ud800" },
      { n: { $increment: 1 } },
      { nmae: "x" },
    ];
    const table = open();
    const good = Array.from({ length: 1500 }, (_, i) => recordOf(i));
    const faults = (records: object[]): unknown[] => {
      try {
        table.load(records);
      } catch (error) {
        if (error instanceof TwinbaseError) return [...(error.errors ?? [])];
      }
      return [];
    };
    const alone = bad.map((record) => faults([record])[0]);
    expect(alone.every((fault) => fault !== undefined)).toBe(true);
    const mixed = faults([...good, ...bad]);
    expect(mixed).toEqual(
      alone.map((fault, i) => {
        const { path, ...rest } = fault as { path: string };
        return { ...rest, index: 1500 + i, path: path.replace("/0", `/${1500 + i}`) };
      }),
    );
    expect(table.count()).toBe(0);
  });

  it("R-5: leaves no trace of failing records", () => {
    const table = open();
    const seen: unknown[] = [];
    function* records() {
      for (let i = 0; i < 20; i++) yield i % 2 === 0 ? recordOf(i) : { ...recordOf(i), to: 5 };
    }
    expect(() => table.load(records())).toThrow(TwinbaseError);
    table.load(Array.from({ length: 20 }, (_, i) => recordOf(i)));
    for (const record of table.scan()) seen.push(record.id);
    expect(seen).toHaveLength(20);
  });

  it("R-3: the id of the previous record already exists", () => {
    const table = open();
    expect(() => table.load([{ id: "a" }, { id: "b" }, { id: "b" }])).toThrow("already exists");
    table.load([{ id: "b" }, { id: "a" }, { id: "c" }]);
    expect(() => table.insert({ id: "c" })).toThrow("already exists");
    expect(idsOf(table.scan())).toEqual(["a", "b", "c"]);
  });

  it("R-5: refuses a getter that writes, and stores neither record", () => {
    const table = open();
    table.load(Array.from({ length: 9 }, (_, i) => recordOf(i)));
    table.insert(recordOf(9)); // leaves capacity for rows written in place
    const inner = { ...recordOf(1), id: "x", name: "inner" };
    const record = {
      name: "outer",
      get plan() {
        table.insert(inner);
        return "outer plan";
      },
      n: -1,
      tags: ["outer"],
      place: { zip: -1 },
    };
    expect(() => table.load([record])).toThrow("cannot write to the engine");
    const other = open();
    other.load(Array.from({ length: 10 }, (_, i) => recordOf(i)));
    expect([...table.scan()]).toEqual([...other.scan()]);
  });

  it("N-5: reads a record's own keys only", () => {
    const table = open();
    const bare: object = Object.create(Object.create(null, { n: { value: 1, enumerable: true } }));
    table.load([Object.assign(bare, { id: "a", name: "own" })]);
    expect(table.get("a", { columns: ["name", "n"] })).toMatchObject({ name: "own" });
    expect(table.count({ $exists: "n" })).toBe(0);
  });
});
